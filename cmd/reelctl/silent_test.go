package main

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// TestAHostDecidesWhereAKioskIsSilent: a kiosk is granted machines and falls silent.
func TestAHostDecidesWhereAKioskIsSilent(t *testing.T) {
	folder := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	data, keys, file := filepath.Join(folder, "data"), filepath.Join(folder, "keys"), filepath.Join(folder, "demo.toml")
	must(writeTournament(file))
	_, err := central.Prepare(data, keys, file)
	must(err)
	options, err := central.Load(data, keys, "")
	must(err)
	began, ahead := time.Now(), atomic.Int64{}
	options.Wall = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	options.Elapsed = func() time.Duration { return time.Since(began) + time.Duration(ahead.Load()) }
	served, err := central.New(options)
	must(err)
	listener, err := options.ListenTLS("127.0.0.1:0", nil)
	must(err)
	var serving sync.WaitGroup
	serving.Go(func() { _ = served.Serve(listener) })
	defer serving.Wait()
	defer func() { must(served.Stop(context.Background())) }()
	operator, err := central.NewOperator(data, keys, "lindiwe")
	must(err)
	must(operator.Save(filepath.Join(folder, "operator.pem")))
	base := "https://" + listener.Addr().String()
	reelctl := func(want int, args ...string) string {
		t.Helper()
		var out, wrong strings.Builder
		args = append([]string{"--central", base, "--identity", filepath.Join(folder, "operator.pem"), "--operator", "lindiwe"}, args...)
		if got := run(t.Context(), args, strings.NewReader(""), &out, &wrong); got != want {
			t.Errorf("%v ended with status %d, want %d:\n%s%s", args[6:], got, want, out.String(), wrong.String())
		}
		return out.String() + wrong.String()
	}
	says := func(said, want string) {
		t.Helper()
		if !strings.Contains(said, want) {
			t.Errorf("want %q in\n%s", want, said)
		}
	}
	code := strings.Fields(reelctl(exitDone, "enrol", "--kiosk", "kiosk-3"))[1:6]
	says(reelctl(exitMistakes, "kiosks", "end-grants", "kiosk-3", "--why", "x"), "central knows no kiosk or desk")
	grants(t, base, tournament.EnrolmentCode(strings.Join(code, "")), filepath.Join(folder, "kiosk.pem"))
	says(reelctl(exitDone, "kiosks"), "kiosk-3")
	says(reelctl(exitDone, "kiosks", "show", "kiosk-3"), "machines it may give while it is cut off")

	says(reelctl(exitMistakes, "override", "p-1", "--why", "the switch is dead"), "a silent kiosk has two minutes to answer; decide again from ")
	says(reelctl(exitMistakes, "kiosks", "end-grants", "kiosk-3", "--why", "burnt"), "decide again from ")
	ahead.Add(int64(3 * time.Minute))
	says(reelctl(exitDone, "kiosks", "show", "kiosk-3"), "It is silent")
	says(reelctl(exitDone, "override", "p-1", "--why", "the switch is dead"), "may be given a seat anywhere now")
	says(reelctl(exitDone, "kiosks", "end-grants", "kiosk-3", "--why", "burnt"), "what was granted to kiosk-3 is central's again")
	says(reelctl(exitDone, "kiosks", "end-grants", "kiosk-3", "--why", "burnt"), "nothing is granted to kiosk-3")
	said := reelctl(exitDone, "export", "events")
	says(said, `"what":"overridden"`)
	says(said, `"what":"grants-ended"`)
	says(said, `"why":"burnt"`)
}

// grants enrols a kiosk and has machines granted to it.
func grants(t *testing.T, base string, code tournament.EnrolmentCode, path string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	enrolment, instance := strings.ToLower(rand.Text()), strings.ToLower(rand.Text())
	applicant, err := trust.NewApplicant(code, enrolment, rand.Reader)
	must(err)
	way, err := client.New(base, client.Options{TLS: trust.ApplicantConfig()})
	must(err)
	defer way.Close()
	answer, err := way.Enrol(t.Context(), applicant.Request())
	must(err)
	identity, err := applicant.Accept(answer)
	must(err)
	must(identity.Save(path))
	bearer, err := trust.NewBearer(path)
	must(err)
	kiosk, err := client.New(base, client.Options{TLS: bearer.TLS(), Instance: instance})
	must(err)
	defer kiosk.Close()
	_, err = kiosk.Hello(t.Context(), wire.Hello{Instance: instance, Boot: "11111111-1111-1111-1111-111111111111", Version: "1", Enrolment: enrolment})
	must(err)
	granted, err := kiosk.AskGrant(t.Context(), client.Key{Enrolment: enrolment, Sequence: 1}, wire.AskGrant{Kiosk: "kiosk-3"})
	must(err)
	if len(granted.Blocks) == 0 {
		t.Fatal("nothing was granted")
	}
}
