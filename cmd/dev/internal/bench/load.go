package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"reelkiosk/store/wire"
)

// caller is one kiosk as far as central can tell: a connection that stays, and requests that are numbered. It does no
// more than it has to, since it shares the processors with the central that it measures.
type caller struct {
	enrolment string
	sequence  uint64
	line      net.Conn
	answers   *bufio.Reader
	sent      []byte
}

// dial connects to the central at that base address.
func (c *caller) dial(base string) error {
	line, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		return err
	}
	c.line, c.answers = line, bufio.NewReader(line)
	return nil
}

// register asks for a seat and waits for the whole answer.
func (c *caller) register(asked wire.Register) error {
	body, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	c.sequence++
	c.sent = fmt.Appendf(c.sent[:0], "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"+
		"Content-Length: %d\r\n%s: %s\r\n%s: %d\r\n\r\n%s", wire.PathRegistrations, len(body),
		wire.HeaderKey, wire.Key{Enrolment: c.enrolment, Sequence: c.sequence}, wire.HeaderSettled, c.sequence, body)
	if _, err := c.line.Write(c.sent); err != nil {
		return err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("central answered a registration with %s: %s", answer.Status, text)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// registrations has that many callers register, one after another each, for a time, and returns how long each answer took.
func (r *rush) registrations(clients int, lasting time.Duration) (result latencies, err error) {
	for len(r.callers) < clients {
		r.callers = append(r.callers, &caller{enrolment: fmt.Sprintf("bench-%d", len(r.callers)+1)})
	}
	for _, one := range r.callers[:clients] {
		if err := one.dial(r.Base()); err != nil {
			return result, err
		}
		defer func() { one.line.Close() }()
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	began := time.Now()
	for _, one := range r.callers[:clients] {
		group.Go(func() {
			times, failed := r.callFor(one, began.Add(lasting))
			mu.Lock()
			defer mu.Unlock()
			result.times = append(result.times, times...)
			if failed != nil {
				err = failed
			}
		})
	}
	group.Wait()
	result.took = time.Since(began)
	return result, err
}

// callFor has one caller register until that moment.
func (r *rush) callFor(one *caller, until time.Time) (times []time.Duration, err error) {
	for {
		asked := time.Now()
		if asked.After(until) {
			return times, nil
		}
		next, err := r.registration(r.next.Add(1) - 1)
		if err == nil {
			err = one.register(next)
		}
		if err != nil {
			return times, err
		}
		times = append(times, time.Since(asked))
	}
}
