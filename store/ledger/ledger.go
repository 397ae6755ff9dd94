// Package ledger keeps the tournament's books: every act (identify, purchase, claim, register, print, reprint, import) is
// one function, atomic, and leaves its event.
//
// The books are events, and the state is what they add up to (design decision 1). An act decides on a view and a request
// and records events; an event's outcome, and nothing else, changes the state. Books.Replay gives the outcomes to an empty
// view and decides nothing, so that the books can be checked at any time.
//
// The package stores nothing itself and has no clock and no dice of its own: Apply is a pure function of the view and of
// the request, which brings the time and the randomness along. Who calls it (store/central) gives it one request after
// another, in one goroutine, over an overlay that is committed as one batch (design decision 2):
//
//	answer, err := books.Apply(overlay, ledger.Request{
//		Key: key, Body: sha256.Sum256(body), Settled: settled,
//		At: now, Who: "player", Where: "kiosk-3", Random: rand.Reader,
//		Act: ledger.Register(registration),
//	})
//	var refusal *tournament.Refusal
//	switch {
//	case errors.As(err, &refusal): // decided: not allowed, and why
//	case err != nil:               // nothing was written
//	default:
//		seat, err := ledger.As[wire.Seat](answer)
//	}
//
// People are named by random ids. What is known of them is sealed under a key of their own, which lies beside the events
// and not in them; numbers are found again by keyed hashes that only the state holds (design decisions 1 and 6).
package ledger

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

var (
	// ErrInvalid is wrapped by Apply where a request makes no sense whatever the books say: no act, no card and no
	// document, seven seats by complimentary entry. Nothing was written, and no answer is kept.
	ErrInvalid = errors.New("invalid request")
	// ErrBooks is wrapped where the books contradict themselves: a record that an index names is missing, or an event
	// leads where no life leads. Nothing was written.
	ErrBooks = errors.New("the books contradict themselves")
)

// Books are the books of one tournament. They hold no state but the definition and the keys, and are safe for use by
// several goroutines.
type Books struct {
	definition *tournament.Tournament
	vault      *vault.Vault
	exclusions *exclusion.Set
	// heats are all heats of the definition by start; byID finds their place in it.
	heats    []tournament.Heat
	byID     map[tournament.HeatID]int
	machines map[int]tournament.Machine
	// order has each machine's place in the order in which they are given out.
	order map[int]int
}

// New returns the books of a tournament: people are looked up and sealed with the vault, and barred by the exclusions.
func New(definition *tournament.Tournament, keys *vault.Vault, exclusions *exclusion.Set) *Books {
	b := &Books{
		definition: definition, vault: keys, exclusions: exclusions,
		byID: map[tournament.HeatID]int{}, machines: map[int]tournament.Machine{}, order: map[int]int{},
	}
	for _, stage := range definition.Stages {
		b.heats = append(b.heats, stage.Heats...)
	}
	slices.SortStableFunc(b.heats, func(left, right tournament.Heat) int { return left.Start.Compare(right.Start) })
	for i, heat := range b.heats {
		b.byID[heat.ID] = i
	}
	for i, machine := range definition.Machines {
		b.machines[machine.Number], b.order[machine.Number] = machine, i
	}
	return b
}

// Definition returns the tournament that the books are of. It MUST NOT be modified.
func (b *Books) Definition() *tournament.Tournament { return b.definition }

// Request is one act and everything that it is decided by, besides the view.
type Request struct {
	// Key names the request for good; the zero Key is a request without one, whose answer is not kept.
	Key wire.Key
	// Body is the hash of the request's body: the same key with another body is refused.
	Body [32]byte
	// Settled is the sequence below which the sender needs no answer any more.
	Settled uint64
	// At is central's time. It decides windows, ages and closing times; milliseconds are kept.
	At time.Time
	// Who acts: "player", "system" or an operator's name. Where: the kiosk's or the desk's name.
	Who, Where string
	// Random gives every number and every key that the act needs.
	Random io.Reader
	// Act is what is asked for.
	Act Act
}

// Answer is what an act came to.
type Answer struct {
	// Again says that the answer is the one kept from an earlier request with the same key; nothing was done now.
	Again bool
	// Sequence is that of the last event in the books after the act; 0 in an answer given again.
	Sequence uint64
	// Value is the answer's type of store/wire; nil in an answer given again, whose Text holds it.
	Value any
	// Text is the answer in JSON. Without a key it is nil.
	Text []byte
}

// Apply decides an act and writes what it came to into the view, with the answer under the request's key (design
// decision 3). An error that is a *tournament.Refusal is a decision: the act is not allowed, and that answer is kept too;
// nothing was changed but for a case that it may have opened. With any other error nothing was written: ErrInvalid,
// ErrBooks, a *RowsError, an error of the view or of the vault.
func (b *Books) Apply(view *kv.Overlay, request Request) (Answer, error) {
	if request.Act == nil {
		return Answer{}, fmt.Errorf("%w: no act", ErrInvalid)
	}
	trial := view.Nest()
	answer, err := b.answer(trial, &request)
	if _, refused := errors.AsType[*tournament.Refusal](err); err == nil || refused {
		trial.Keep()
	}
	return answer, err
}

// Look decides an act as Apply would and writes nothing. It reports whether Apply would have changed the books: if not,
// the answer stands, and a person who is known already is identified without waiting for the writer.
func (b *Books) Look(view kv.Reader, request Request) (answer Answer, changes bool, err error) {
	request.Key = wire.Key{}
	overlay := kv.NewOverlay(view)
	answer, err = b.Apply(overlay, request)
	return answer, overlay.Batch().Len() > 0, err
}

func (b *Books) answer(view *kv.Overlay, request *Request) (Answer, error) {
	if request.Key == (wire.Key{}) {
		return b.decide(view, request)
	}
	kept, found, err := recall(view, request)
	if err != nil || found {
		return kept, err
	}
	answer, err := b.decide(view, request)
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if err != nil && !refused {
		return Answer{}, err
	}
	if answer.Text, err = keep(view, request, answer.Value, refusal); err != nil {
		return Answer{}, err
	}
	if refused {
		return answer, refusal
	}
	return answer, nil
}

func (b *Books) decide(view *kv.Overlay, request *Request) (Answer, error) {
	t, err := b.turn(view, request)
	if err != nil {
		return Answer{}, err
	}
	value, err := request.Act.decide(t)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Value: value, Sequence: t.last.sequence}, nil
}
