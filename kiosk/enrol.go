package kiosk

import (
	"context"
	"crypto/rand"

	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// enrolTries is how often an enrolment is sent. The same request again has the same answer, also where the first was lost.
const enrolTries = 5

// Enrol enrols a kiosk with the central at an address by a code, and stores its identity, whole or not at all, in a file.
// enrolment is the replica's. The error is a *tournament.Refusal where the code is no good, wraps client.ErrAway where
// central does not answer and trust.ErrImposter where somebody else does.
func Enrol(ctx context.Context, central string, code tournament.EnrolmentCode, enrolment, path string) (*trust.Identity, error) {
	way, err := client.New(central, client.Options{TLS: trust.ApplicantConfig()})
	if err != nil {
		return nil, err
	}
	defer way.Close()
	applicant, err := trust.NewApplicant(code, enrolment, rand.Reader)
	if err != nil {
		return nil, err
	}
	var answer wire.Enrolled
	err = client.Retry(ctx, client.Backoff{Tries: enrolTries}, func(ctx context.Context) (err error) {
		answer, err = way.Enrol(ctx, applicant.Request())
		return err
	})
	if err != nil {
		return nil, err
	}
	identity, err := applicant.Accept(answer)
	if err != nil {
		return nil, err
	}
	return identity, identity.Save(path)
}
