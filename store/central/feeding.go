package central

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

const (
	// keepAlive is how often a reader of the feed hears where the books stand while nothing happens.
	keepAlive = 10 * time.Second
	// slowest is how long one write of the feed, or of a file, may take to get rid of: a reader that takes nothing is cut
	// off, and begins again where it was.
	slowest = 10 * time.Second
)

type feedInput struct {
	After uint64 `query:"after" doc:"sequence of the last item that the caller has"`
	At    int64  `query:"at" doc:"time of that item's event in milliseconds since 1970: tells these books from others"`
	Last  string `header:"Last-Event-ID" maxLength:"20" doc:"goes before after"`
}

type namedInput struct {
	Name string `path:"name" maxLength:"100"`
}

type versionInput struct {
	Version uint64 `path:"version"`
}

func (c *Central) addFeed(api huma.API) {
	huma.Register(api, streamOperation(wire.PathFeed, "feed", "Follow the books: items as server-sent events, with the sequence as id",
		"text/event-stream", http.StatusGone), c.follow)
	huma.Register(api, operation(http.MethodGet, wire.PathSnapshot, "snapshot", "Ask for the newest snapshot of the books' state"),
		answering(c, func(ctx context.Context, _ *struct{}) (wire.Snapshot, error) { return c.snapshots.ask(ctx) }))
	huma.Register(api, streamOperation(wire.PathSnapshots+"{name}", "snapshot-file", "Read a snapshot, in ranges",
		"application/octet-stream", http.StatusNotFound),
		func(ctx context.Context, in *namedInput) (*huma.StreamResponse, error) {
			file, err := c.snapshots.open(in.Name)
			return c.inRanges(ctx, file, in.Name, err)
		})
	huma.Register(api, streamOperation(wire.PathLists+"{version}", "exclusion-list", "Read an exclusion list's file, in ranges",
		"application/octet-stream", http.StatusNotFound),
		func(ctx context.Context, in *versionInput) (*huma.StreamResponse, error) {
			file, err := os.Open(c.lists.listPath(in.Version))
			return c.inRanges(ctx, file, fmt.Sprintf("list-%d", in.Version), err)
		})
	huma.Register(api, streamOperation(wire.PathDefinition, "definition", "Ask for the tournament's definition", "application/json"),
		func(context.Context, *struct{}) (*huma.StreamResponse, error) {
			return &huma.StreamResponse{Body: func(ctx huma.Context) {
				ctx.SetHeader("Content-Type", "application/json")
				_, _ = ctx.BodyWriter().Write(c.defined) // who went away hears nothing
			}}, nil
		})
}

// streamOperation describes an operation that writes its answer itself.
func streamOperation(path, id, summary, kind string, failures ...int) huma.Operation {
	op := operation(http.MethodGet, path, id, summary, failures...)
	op.Responses = map[string]*huma.Response{"200": {
		Description: summary, Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return op
}

// follow answers with the feed, where it can lead on from where the caller is.
func (c *Central) follow(ctx context.Context, in *feedInput) (*huma.StreamResponse, error) {
	if in.Last != "" {
		last, err := strconv.ParseUint(in.Last, 10, 64)
		if err != nil {
			where := huma.ErrorDetail{Location: "header.Last-Event-ID", Message: "is no sequence"}
			return nil, malformed(http.StatusBadRequest, "", []error{&where})
		}
		in.After = last
	}
	if c.stopping.Load() {
		return nil, c.refuse(ctx, errStopping)
	}
	if err := c.leadsOn(ctx, in); err != nil {
		return nil, c.refuse(ctx, err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		w.Header().Set("Content-Type", "text/event-stream")
		if err := c.stream(r.Context(), c.patient(w), in.After); err != nil {
			c.log.Debug("a reader of the feed is gone", "request", requestNumber(r.Context()), "error", err)
		}
	}}, nil
}

// leadsOn returns a problem where the caller needs a snapshot.
func (c *Central) leadsOn(ctx context.Context, in *feedInput) error {
	needed := wire.NewProblem(wire.ProblemSnapshot, http.StatusGone, "The feed does not lead on from there; begin with a snapshot")
	var events []ledger.Event
	var newest uint64
	err := c.writer.view(ctx, func(view kv.Reader) (err error) {
		if newest, _, err = ledger.Last(view); err != nil || in.After == 0 || in.After > newest {
			return err
		}
		events, err = c.books.Events(view, in.After-1, 1)
		return err
	})
	switch {
	case err != nil:
		return err
	case in.After > newest:
		needed.Detail = "the caller is ahead of the books: they are others, or were restored from a backup"
		return needed
	case newest-in.After > mostBehind:
		needed.Detail = fmt.Sprintf("%d events have happened since", newest-in.After)
		return needed
	case in.At != 0 && (len(events) != 1 || events[0].At.UnixMilli() != in.At):
		needed.Detail = "the caller's last event is not the one of the books: they are others, or were restored from a backup"
		return needed
	}
	return nil
}

// stream writes the feed until the caller goes away, takes nothing, or central stops.
func (c *Central) stream(ctx context.Context, to *patient, last uint64) error {
	timer := time.NewTimer(c.keepAlive)
	defer timer.Stop()
	told := false // whether the reader knows that it has everything
	for {
		head, changed := c.feed.newest()
		if last >= head {
			if !told {
				text, err := headText(c.head(last))
				if err == nil {
					err = to.send(text)
				}
				if err != nil {
					return err
				}
				told = true
				timer.Reset(c.keepAlive)
			}
			select {
			case <-changed:
			case <-timer.C:
				told = false
			case <-ctx.Done():
				return ctx.Err()
			case <-c.feed.quit:
				return errStopping
			}
			continue
		}
		pieces, err := c.feed.after(ctx, last)
		if err != nil {
			return err
		}
		if len(pieces) == 0 {
			return errors.New("the feed has a gap")
		}
		if err := to.send(together(pieces)); err != nil {
			return err
		}
		last, told = pieces[len(pieces)-1].sequence, false
		select {
		case <-c.feed.quit:
			return errStopping
		default:
		}
	}
}

func (c *Central) head(sequence uint64) wire.FeedHead {
	return wire.FeedHead{Sequence: sequence, ServerTime: c.now(), Definition: c.definedHash, Floor: c.options.Floor}
}

// inRanges answers with a file of central's that never changes under its name.
func (c *Central) inRanges(ctx context.Context, file *os.File, name string, err error) (*huma.StreamResponse, error) {
	if errors.Is(err, os.ErrNotExist) {
		return nil, wire.NewProblem(wire.ProblemNotFound, http.StatusNotFound, "There is no such file any more, or not yet")
	}
	if err != nil {
		return nil, c.refuse(ctx, err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer file.Close()
		r, w := humago.Unwrap(ctx)
		w.Header().Set("ETag", strconv.Quote(name))
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(c.patient(w), r, "", time.Time{}, file)
	}}, nil
}

// patient is an answer that may take any time as a whole, as long as the caller goes on taking it.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
	slowest time.Duration
}

func (c *Central) patient(w http.ResponseWriter) *patient {
	return &patient{w, http.NewResponseController(w), c.slowest}
}

// Write sends a part of the answer within its time.
func (p *patient) Write(text []byte) (int, error) {
	// A connection without deadlines is one of a test.
	_ = p.control.SetWriteDeadline(time.Now().Add(p.slowest))
	return p.ResponseWriter.Write(text)
}

// send writes and has it leave at once.
func (p *patient) send(text []byte) error {
	if _, err := p.Write(text); err != nil {
		return err
	}
	return p.control.Flush()
}
