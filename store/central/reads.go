package central

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// linesType is the media type of JSON Lines.
const linesType = "application/x-ndjson"

type heatsInput struct {
	From  time.Time `query:"from" doc:"heats that start at or after this moment; now if absent"`
	Limit int       `query:"limit" minimum:"1" maximum:"1000" default:"50"`
}

type seatsInput struct {
	Heat string `query:"heat" required:"true" maxLength:"100"`
}

type eventsInput struct {
	After uint64 `query:"after" doc:"sequence of the last event already seen"`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"1000"`
}

type entriesInput struct {
	After string `query:"after" maxLength:"100" doc:"id of the last entry already seen"`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"1000"`
}

// lines is an answer of JSON Lines.
type lines struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func (c *Central) addReads(api huma.API) {
	huma.Register(api, operation(http.MethodGet, wire.PathHealth, "health", "Ask whether central is well"), answering(c, c.health))
	huma.Register(api, operation(http.MethodGet, wire.PathTournament, "tournament", "Ask for the tournament and the rules in force"),
		answering(c, func(context.Context, *struct{}) (wire.Tournament, error) { return c.tournament(), nil }))
	huma.Register(api, operation(http.MethodGet, wire.PathHeats, "heats", "List heats with their fill"),
		answering(c, func(ctx context.Context, in *heatsInput) (wire.Heats, error) {
			now := c.now()
			if in.From.IsZero() {
				in.From = now
			}
			heats, err := read(ctx, c, func(view kv.Reader) ([]wire.Heat, error) { return c.books.Heats(view, in.From, in.Limit) })
			return wire.Heats{Heats: heats, ServerTime: now}, err
		}))
	huma.Register(api, operation(http.MethodGet, wire.PathSeats, "seats", "List the seats of a heat", http.StatusNotFound),
		answering(c, func(ctx context.Context, in *seatsInput) (wire.Seats, error) {
			seats, err := read(ctx, c, func(view kv.Reader) ([]wire.Seat, error) {
				return c.books.Seats(view, tournament.HeatID(in.Heat))
			})
			return wire.Seats{Seats: seats}, err
		}))
	huma.Register(api, operation(http.MethodGet, wire.PathCases, "cases", "List what somebody has to decide"),
		answering(c, func(ctx context.Context, _ *struct{}) (wire.Cases, error) {
			cases, err := read(ctx, c, c.books.Cases)
			return wire.Cases{Cases: cases}, err
		}))
	huma.Register(api, linesOperation(wire.PathEvents, "events", "Page through the events of the books, as JSON Lines"),
		inLines(c, func(view kv.Reader, in *eventsInput) ([]ledger.Event, error) {
			return c.books.Events(view, in.After, in.Limit)
		}))
	huma.Register(api, linesOperation(wire.PathEntries, "entries", "Page through the entries, as JSON Lines"),
		inLines(c, func(view kv.Reader, in *entriesInput) ([]ledger.EntryRecord, error) {
			return c.books.Entries(view, tournament.EntryID(in.After), in.Limit, c.now())
		}))
}

// read reads what an operation asks for from the newest revision. It is all in memory before anything is sent: no view
// lasts as long as a caller takes to read (store.md).
func read[A any](ctx context.Context, c *Central, from func(kv.Reader) (A, error)) (answer A, err error) {
	err = c.writer.view(ctx, func(view kv.Reader) (err error) {
		answer, err = from(view)
		return err
	})
	return answer, err
}

// now is the time that central tells others, also while it is suspect and nothing is written at it.
func (c *Central) now() time.Time {
	return c.options.Wall().In(c.options.Definition.Zone).Truncate(time.Millisecond)
}

func (c *Central) health(ctx context.Context, _ *struct{}) (wire.Health, error) {
	sequence, err := read(ctx, c, func(view kv.Reader) (uint64, error) {
		sequence, _, err := ledger.Last(view)
		return sequence, err
	})
	if err != nil {
		return wire.Health{}, err
	}
	health := wire.Health{Status: "ok", Version: c.options.Version, Sequence: sequence, ServerTime: c.now()}
	if _, suspect := c.clock.check(); suspect != nil {
		health.Status = "suspect"
	}
	if c.stopping.Load() {
		health.Status = "stopping"
	}
	return health, nil
}

func (c *Central) tournament() wire.Tournament {
	definition := c.options.Definition
	rules := definition.Rules
	return wire.Tournament{
		ID: definition.ID, Name: definition.Name, Property: definition.Property, Zone: definition.Zone.String(),
		First: definition.First, Last: definition.Last, MinAge: rules.MinAge, SeatPrice: rules.SeatPrice,
		OpensBefore: int(rules.OpensBefore.Seconds()), ClosesBefore: int(rules.ClosesBefore.Seconds()),
		Rules:      wire.RulesText{Version: definition.Text.Version, Hash: definition.Text.Hash, Body: definition.Text.Body},
		ServerTime: c.now(), CardSuffices: string(rules.CardSuffices), GamingDayStarts: int(rules.GamingDayStarts),
	}
}

// linesOperation describes an operation that answers in JSON Lines.
func linesOperation(path, id, summary string) huma.Operation {
	op := operation(http.MethodGet, path, id, summary)
	op.Responses = map[string]*huma.Response{"200": {
		Description: "one JSON object a line",
		Content:     map[string]*huma.MediaType{linesType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return op
}

// inLines is answering for records in JSON Lines.
func inLines[I, A any](c *Central, from func(kv.Reader, *I) ([]A, error)) func(context.Context, *I) (*lines, error) {
	return func(ctx context.Context, in *I) (*lines, error) {
		records, err := read(ctx, c, func(view kv.Reader) ([]A, error) { return from(view, in) })
		if err != nil {
			return nil, c.refuse(ctx, err)
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		for _, record := range records {
			if err := encoder.Encode(record); err != nil {
				return nil, c.refuse(ctx, err)
			}
		}
		return &lines{linesType, text.Bytes()}, nil
	}
}
