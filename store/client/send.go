package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"reelkiosk/store/wire"
)

// Key names a request for good: the sender's enrolment, and the how-manieth of the sender's requests it is, from 1. Settled
// tells central that the sender needs no answer of any request below it any more.
type Key struct {
	Enrolment         string
	Sequence, Settled uint64
}

// maxAnswer is the longest answer that is read, in bytes; a page of events is far below it.
const maxAnswer = 64 << 20

// Send posts a body, kept as bytes, to one of the wire.Path constants under the key, and returns the JSON of the answer.
// It is for outboxes: a request that is sent again must have the same bytes. Errors are those of the package comment.
func (c *Client) Send(ctx context.Context, key Key, path string, body []byte) (json.RawMessage, error) {
	header := http.Header{wire.HeaderKey: {wire.Key{Enrolment: key.Enrolment, Sequence: key.Sequence}.String()}}
	if key.Settled > 0 {
		header.Set(wire.HeaderSettled, strconv.FormatUint(key.Settled, 10))
	}
	return c.try(ctx, c.options.Timeout, http.MethodPost, path, header, body)
}

// call does one try of a call with or without a body and decodes the answer.
func call[A any](ctx context.Context, c *Client, timeout time.Duration, method, path string, body any) (A, error) {
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return *new(A), fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	answer, err := c.try(ctx, timeout, method, path, nil, sent)
	return decode[A](path, answer, err)
}

// keyed does one try of a call with a key and decodes the answer.
func keyed[A any](ctx context.Context, c *Client, key Key, path string, body any) (A, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return *new(A), fmt.Errorf("POST %s: %w", path, err)
	}
	answer, err := c.Send(ctx, key, path, sent)
	return decode[A](path, answer, err)
}

func decode[A any](path string, answer json.RawMessage, err error) (A, error) {
	var decoded A
	if err != nil {
		return decoded, err
	}
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return *new(A), away(path, fmt.Errorf("the answer is not what central sends: %w", err))
	}
	return decoded, nil
}

// try sends one request and returns the body of a success of central's own.
func (c *Client) try(ctx context.Context, timeout time.Duration, method, path string, header http.Header, body []byte) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if header != nil {
		request.Header = header
	}
	if c.options.Instance != "" {
		request.Header.Set(wire.HeaderInstance, c.options.Instance)
	}
	request.Header.Set("Accept", "application/json, application/x-ndjson")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, away(path, because(ctx, err))
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, away(path, fmt.Errorf("the answer was cut off: %w", because(ctx, err)))
	}
	if len(answer) > maxAnswer {
		return nil, away(path, fmt.Errorf("the answer is longer than %d bytes", maxAnswer))
	}
	return judge(path, response, answer)
}

// judge tells an answer of central's own from everything else that may come back.
func judge(path string, response *http.Response, answer []byte) (json.RawMessage, error) {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case response.Header.Get(wire.HeaderCentral) == "":
		return nil, away(path, fmt.Errorf("somebody else answered: %s, %s", response.Status, kindOf(kind)))
	case response.StatusCode/100 == 2 && kind == "application/json" && json.Valid(answer):
		return answer, nil
	case response.StatusCode/100 == 2 && kind == "application/x-ndjson":
		return answer, nil
	case response.StatusCode/100 == 2 || kind != "application/problem+json":
		return nil, away(path, fmt.Errorf("the answer is not what central sends: %s, %s", response.Status, kindOf(kind)))
	}
	return nil, judgeProblem(path, answer, retryAfter(response))
}

// judgeProblem returns the error that a problem of central's own is; after is how long it asked to wait.
func judgeProblem(path string, answer []byte, after time.Duration) error {
	var problem wire.Problem
	if err := json.Unmarshal(answer, &problem); err != nil {
		return away(path, fmt.Errorf("the answer is not what central sends: %w", err))
	}
	if problem.Passing() {
		return &awayError{path, &problem, after}
	}
	if refusal := problem.Refusal(); refusal != nil {
		return refusal
	}
	return &problem
}

// awayError is ErrAway with what is known of it.
type awayError struct {
	path  string
	cause error
	// after is how long central asked to wait, 0 where it did not.
	after time.Duration
}

func away(path string, cause error) error { return &awayError{path: path, cause: cause} }

func (e *awayError) Error() string { return fmt.Sprintf("%s: %v: %v", e.path, ErrAway, e.cause) }

func (e *awayError) Unwrap() []error { return []error{ErrAway, e.cause} }

// because prefers the reason for which the context ended to the transport's words for it.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}

func retryAfter(response *http.Response) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(response.Header.Get("Retry-After")))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func kindOf(mediaType string) string {
	if mediaType == "" {
		return "no content type"
	}
	return mediaType
}
