package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"reelkiosk/store/wire"
)

// Answered is what one request of an outbox came to: Answer, or Err as Send would have returned it.
type Answered struct {
	Sequence uint64
	Answer   json.RawMessage
	Err      error
}

// SendAll posts several requests of one sender in order, each under its own key, and returns what the first of them came
// to: as many as central tried. The last of these may be ErrAway; those that are missing were not tried. The error is that
// of the whole: ErrAway where nothing that came can be trusted, or a *wire.Problem where central cannot take the whole, and
// each is to be sent alone. All items together should be far below 64 KiB.
func (c *Client) SendAll(ctx context.Context, enrolment string, settled uint64, items []wire.OutboxItem) ([]Answered, error) {
	outbox := wire.Outbox{Enrolment: enrolment, Settled: settled, Items: items}
	came, err := call[wire.OutboxAnswers](ctx, c, c.options.Timeout, http.MethodPost, wire.PathOutbox, outbox)
	if err != nil {
		return nil, err
	}
	if len(came.Answers) > len(items) {
		return nil, away(wire.PathOutbox, errors.New("there are more answers than requests"))
	}
	var answered []Answered
	for i, answer := range came.Answers {
		if answer.Sequence != items[i].Sequence {
			return nil, away(wire.PathOutbox, fmt.Errorf("request %d got the answer of %d", items[i].Sequence, answer.Sequence))
		}
		one := Answered{Sequence: answer.Sequence}
		one.Answer, one.Err = judgeOne(items[i].Path, &answer)
		answered = append(answered, one)
	}
	return answered, nil
}

// judgeOne tells what one answer of several is.
func judgeOne(path string, answer *wire.OutboxAnswer) (json.RawMessage, error) {
	body := []byte(answer.Body)
	switch {
	case answer.Status/100 == 2 && json.Valid(body):
		return body, nil
	case answer.Status < 300:
		return nil, away(path, fmt.Errorf("the answer is not what central sends: %d", answer.Status))
	}
	return nil, judgeProblem(path, body, 0)
}
