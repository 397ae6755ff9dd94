package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/tmaxmax/go-sse"

	"reelkiosk/store/wire"
)

const (
	// DefaultStall is how long a feed or a download may bring nothing before the line is taken for dead: central says
	// something every ten seconds.
	DefaultStall = 25 * time.Second
	// mostItem is the most bytes of one item of the feed: an exclusion that hits every entry of a tournament is below it.
	mostItem = 16 << 20
	// mostItems is how many items are handed over at once at most, so that they fit into one commit.
	mostItems = 1000
)

// Position says up to where a caller has the feed.
type Position struct {
	// Sequence and At are those of the last event; the zero Position is before the first.
	Sequence uint64
	At       time.Time
}

// Follower is who follows the feed. Its functions are called one after another.
type Follower struct {
	// Position returns from where to go on; it is asked before each connection.
	Position func() (Position, error)
	// Take takes items, which follow one another and the position without a gap. An error ends Follow with it.
	Take func(context.Context, []wire.FeedItem) error
	// Head is told where central's books stood, after Take was given all items up to there.
	Head func(wire.FeedHead) error
	// Away is told why a connection ended or could not be made, before the next try; it may be nil.
	Away func(error)
	// Stall is how long nothing may come before the line is taken for dead, DefaultStall if 0.
	Stall time.Duration
}

// Follow reads the feed until ctx ends, and connects again, with a wait that has jitter, whenever the line breaks, says
// nothing any more, or brings what is not central's. It returns the error of a Follower's function, a refusal, or a
// *wire.Problem that does not pass: of the kind wire.ProblemSnapshot where the feed does not lead on from the position.
func (c *Client) Follow(ctx context.Context, follower Follower) error {
	for step := firstStep; ; step = min(2*step, longestStep) {
		heard := false
		err := c.followOnce(ctx, &follower, &heard)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, ErrAway):
			return err
		case follower.Away != nil:
			follower.Away(err)
		}
		if heard {
			step = firstStep
		}
		if err := Wait(ctx, max(jitter(step), asked(err))); err != nil {
			return err
		}
	}
}

func (c *Client) followOnce(ctx context.Context, follower *Follower, heard *bool) error {
	from, err := follower.Position()
	if err != nil {
		return err
	}
	query := url.Values{"after": {strconv.FormatUint(from.Sequence, 10)}}
	if from.Sequence > 0 {
		query.Set("at", strconv.FormatInt(from.At.UnixMilli(), 10))
	}
	body, err := c.open(ctx, wire.PathFeed+"?"+query.Encode(), "text/event-stream", nil, follower.Stall)
	if err != nil {
		return err
	}
	defer body.Close()
	return follower.read(ctx, body, from.Sequence, heard)
}

// brought is what a line of the feed brought: an item or a head.
type brought struct {
	item *wire.FeedItem
	head *wire.FeedHead
}

// read hands over what a connection brings, in batches of what has arrived, until it ends.
func (f *Follower) read(ctx context.Context, body *stream, last uint64, heard *bool) error {
	ctx, cancel := context.WithCancel(ctx)
	queue := make(chan brought, mostItems)
	failed := make(chan error, 1)
	go func() {
		defer close(queue)
		failed <- parse(ctx, body, queue)
	}()
	defer func() { // the parser ends before the connection is given up
		cancel()
		body.Close()
		for range queue {
		}
	}()
	var items []wire.FeedItem
	take := func() error {
		if len(items) == 0 {
			return nil
		}
		batch := items
		items = nil
		return f.Take(ctx, batch)
	}
	for next := range queue {
		*heard = true
		if next.item != nil {
			switch {
			case next.item.Sequence <= last:
				continue // a duplicate
			case next.item.Sequence > last+1:
				return errors.Join(take(), away(wire.PathFeed, fmt.Errorf("the feed jumps from %d to %d", last, next.item.Sequence)))
			}
			items, last = append(items, *next.item), next.item.Sequence
		}
		if next.head != nil || len(items) == mostItems || len(queue) == 0 {
			if err := take(); err != nil {
				return err
			}
		}
		if next.head != nil {
			if next.head.Sequence != last {
				return away(wire.PathFeed, fmt.Errorf("the books stand at %d, and items came up to %d", next.head.Sequence, last))
			}
			if err := f.Head(*next.head); err != nil {
				return err
			}
		}
	}
	if err := take(); err != nil {
		return err
	}
	return away(wire.PathFeed, <-failed)
}

// parse reads server-sent events into the queue until the connection ends, and returns why it did. An event that was cut
// in the middle is none.
func parse(ctx context.Context, body *stream, queue chan<- brought) error {
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: mostItem}) {
		if err != nil {
			return body.because(err)
		}
		var next brought
		switch event.Type {
		case "":
			next.item = new(wire.FeedItem)
			if err = json.Unmarshal([]byte(event.Data), next.item); err == nil && strconv.FormatUint(next.item.Sequence, 10) != event.LastEventID {
				err = fmt.Errorf("item %d has the id %q", next.item.Sequence, event.LastEventID)
			}
		case wire.FeedHeadType:
			next.head = new(wire.FeedHead)
			err = json.Unmarshal([]byte(event.Data), next.head)
		default:
			continue // of a newer central
		}
		if err != nil {
			return fmt.Errorf("the feed is not what central sends: %w", err)
		}
		select {
		case queue <- next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return body.because(io.ErrUnexpectedEOF)
}

// stream is an answer that goes on as long as it brings something.
type stream struct {
	io.ReadCloser
	ctx   context.Context
	end   context.CancelFunc
	timer *time.Timer
	stall time.Duration
	// status and contentRange are the answer's.
	status       int
	contentRange string
}

// Read reads, and gives the line its time again with each byte that comes.
func (s *stream) Read(to []byte) (int, error) {
	n, err := s.ReadCloser.Read(to)
	if n > 0 {
		s.timer.Reset(s.stall)
	}
	return n, err
}

// Close ends the line. It may be called twice.
func (s *stream) Close() error {
	s.timer.Stop()
	s.end()
	return s.ReadCloser.Close()
}

func (s *stream) because(err error) error { return because(s.ctx, err) }

// open sends a GET and returns the answer as a stream, if it is a success of central's own and of that media type, or says
// that there is nothing in the range that was asked for.
func (c *Client) open(ctx context.Context, path, kind string, header http.Header, stall time.Duration) (*stream, error) {
	stall = cmpOr(stall, DefaultStall)
	ctx, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(nil) }
	timer := time.AfterFunc(stall, func() { cancel(fmt.Errorf("nothing came for %v", stall)) })
	give := func(err error) (*stream, error) {
		timer.Stop()
		end()
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return give(fmt.Errorf("GET %s: %w", path, err))
	}
	if header != nil {
		request.Header = header
	}
	request.Header.Set("Accept", kind)
	if c.options.Instance != "" {
		request.Header.Set(wire.HeaderInstance, c.options.Instance)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return give(away(path, because(ctx, err)))
	}
	found, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	fits := response.StatusCode/100 == 2 && found == kind || response.StatusCode == http.StatusRequestedRangeNotSatisfiable
	if response.Header.Get(wire.HeaderCentral) == "" || !fits {
		defer response.Body.Close()
		answer, err := io.ReadAll(io.LimitReader(response.Body, maxProblem))
		if err != nil {
			return give(away(path, fmt.Errorf("the answer was cut off: %w", because(ctx, err))))
		}
		if _, err = judge(path, response, answer); err == nil {
			err = away(path, fmt.Errorf("the answer is not what central sends: %s, %s", response.Status, kindOf(found)))
		}
		return give(err)
	}
	timer.Reset(stall)
	return &stream{
		ReadCloser: response.Body, ctx: ctx, end: end, timer: timer, stall: stall, status: response.StatusCode,
		contentRange: response.Header.Get("Content-Range"),
	}, nil
}

// maxProblem is the most bytes of a problem that are read.
const maxProblem = 1 << 20
