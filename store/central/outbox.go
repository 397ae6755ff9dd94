package central

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// outboxTime is after how long an outbox begins no further item: its sender waits for the answers to the others.
const outboxTime = 2 * time.Second

// addOutbox adds the way for many requests at once. It is added last: what takes a key by then may come in an outbox.
func (c *Central) addOutbox(api huma.API) {
	huma.Register(api, operation(http.MethodPost, wire.PathOutbox, "outbox", "Send several requests, each with its own key and answer"),
		answering(c, func(ctx context.Context, in *input[wire.Outbox]) (wire.OutboxAnswers, error) {
			answers := wire.OutboxAnswers{Answers: []wire.OutboxAnswer{}}
			start := time.Now()
			for i, item := range in.Body.Items {
				if i > 0 && (time.Since(start) > outboxTime || ctx.Err() != nil) {
					break
				}
				answer := c.oneOfOutbox(ctx, api, &in.Body, &item)
				answers.Answers = append(answers.Answers, answer)
				if passing(answer) {
					break // what follows may rest on it
				}
			}
			return answers, nil
		}))
}

// oneOfOutbox has the API answer one item as if it had come alone: with the same checks, under the same key, bound to the
// same bytes.
func (c *Central) oneOfOutbox(ctx context.Context, api huma.API, outbox *wire.Outbox, item *wire.OutboxItem) wire.OutboxAnswer {
	answer := &kept{header: http.Header{}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, item.Path, strings.NewReader(item.Body))
	switch from := callerOf(ctx); {
	case err != nil || !takesKey(api, item.Path):
		problem := wire.NewProblem(wire.ProblemInvalid, http.StatusUnprocessableEntity, "Nothing of this path may come in an outbox")
		problem.Detail = "the path takes no key"
		writeProblem(answer, problem)
	case !from.local && !allows(http.MethodPost+" "+item.Path, from.Role):
		writeProblem(answer, problemOf(tournament.NotAllowed.Refuse()))
	default:
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set(wire.HeaderKey, wire.Key{Enrolment: outbox.Enrolment, Sequence: item.Sequence}.String())
		if outbox.Settled > 0 {
			request.Header.Set(wire.HeaderSettled, strconv.FormatUint(outbox.Settled, 10))
		}
		answer.header.Set("Request-Id", fmt.Sprintf("%s/%d", requestNumber(ctx), item.Sequence))
		if request, ok := c.withBody(answer, request, mostBody); ok {
			api.Adapter().ServeHTTP(answer, request)
		}
	}
	return wire.OutboxAnswer{Sequence: item.Sequence, Status: answer.status, Body: answer.body.String()}
}

// takesKey reports whether the API has an operation under a path that takes a request's key.
func takesKey(api huma.API, path string) bool {
	operations := api.OpenAPI().Paths[path]
	return operations != nil && operations.Post != nil && slices.ContainsFunc(operations.Post.Parameters, func(p *huma.Param) bool {
		return p.Name == wire.HeaderKey && p.Required
	})
}

// passing reports whether central could not take an item at that moment.
func passing(answer wire.OutboxAnswer) bool {
	var problem wire.Problem
	return answer.Status >= 300 && json.Unmarshal([]byte(answer.Body), &problem) == nil && problem.Passing()
}

// kept is an answer that is kept instead of sent.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header to be set.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader notes the status.
func (k *kept) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

// Write keeps a part of the body.
func (k *kept) Write(text []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	return k.body.Write(text)
}
