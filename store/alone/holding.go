// Package alone decides what a kiosk gives while it is cut off from central, and keeps what it must know for that: the
// grants it holds, the tickets that are gone, the players whom it let go (design decision 4). It is pure: who calls it
// (store/replica) gives it the time and the copy of the books, and keeps what it says on the disk.
package alone

import (
	"io"
	"maps"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Holding is what a kiosk holds of central's grants, and the kiosk's half of the promise that no seat is given twice and no
// entry spent twice (store/ledger, grant.go, argues for both halves). It is one record on the kiosk's disk. Each method
// changes it in memory and does nothing else: its owner MUST write it before anything that follows from the change leaves
// the kiosk, in the same commit as the request or the report that goes with it.
//
//	what happens                               method      is sent after it was written
//	it asks for a grant, or for more time      Ask         AskGrant
//	the answer comes                           Take
//	the copy has applied more of the feed      Follow
//	a seat is given while it is cut off        Give        SeatReport; then the ticket is printed
//	machines go back                           GiveBack    GiveBack
//	central asks it to let a player go         Follow      LetGo, once all that it gave the player is reported
//	any of these requests is answered          Settled
//	central gave a seat to a player here       Seated
//
// One AskGrant is under way at a time, and is sent again under its key until it is answered. Everything else may be lost,
// doubled and late: a ticket that is gone never comes back, whatever grant lists it, and a player who was let go is the
// kiosk's again only by a grant that was asked for after central had answered the LetGo.
type Holding struct {
	Kiosk string `json:"kiosk"`
	// Using is the grant in use, and Next one that waits for the copy to apply what it names; nil is none.
	Using *Held `json:"using,omitempty"`
	Next  *Held `json:"next,omitempty"`
	// Asked is the request for a grant that is not answered yet.
	Asked *Asked `json:"asked,omitempty"`
	// Gone are tickets that were used or are given back. The number is the first request after central's answer: a grant that
	// is asked for from there on knows of it. 0 is not answered yet.
	Gone map[tournament.TicketNumber]uint64 `json:"gone,omitempty"`
	// Let are the players who were let go.
	Let map[tournament.PersonID]Let `json:"let,omitempty"`
	// LetAt is when a player was last let go.
	LetAt Stamp `json:"let_at,omitzero"`
	// Waits are seats that central gave to players here, and the copy does not know of yet.
	Waits map[tournament.SeatID]tournament.PersonID `json:"waits,omitempty"`
}

// Let is what a kiosk knows of a player whom it let go.
type Let struct {
	// Ask is the event by which it was asked to.
	Ask uint64 `json:"ask"`
	// Answered is the first request after central's answer to the LetGo, as with Gone.
	Answered uint64 `json:"answered,omitempty"`
}

// Asked is a request for a grant.
type Asked struct {
	// Sequence is that of its key.
	Sequence uint64 `json:"sequence"`
	// Sent is the moment before it was first sent.
	Sent Stamp `json:"sent"`
}

// Stamp is a moment by CLOCK_BOOTTIME in the boot of that id.
type Stamp struct {
	Boot string        `json:"boot"`
	Now  time.Duration `json:"now"`
}

// Held is a grant and the request that it answers.
type Held struct {
	wire.Grant
	Asked Asked `json:"asked"`
}

// Moment is what a kiosk knows of the time (design decision 9).
type Moment struct {
	// Boot is the boot's id, and Now its CLOCK_BOOTTIME.
	Boot string
	Now  time.Duration
	// At is the last time heard from central in this boot and what has passed since; zero is none.
	At time.Time
	// Heard is when, in this boot, the copy was last known to be complete; zero is never.
	Heard time.Duration
	// Applied is the last event of the copy.
	Applied uint64
}

// since returns how long ago a moment was, and whether that can be known: it was in this boot.
func (m Moment) since(earlier Stamp) (time.Duration, bool) {
	return m.Now - earlier.Now, earlier.Boot == m.Boot
}

func (m Moment) stamp() Stamp { return Stamp{m.Boot, m.Now} }

// keepsLet is for how long after a player was let go no grant is asked for that would make him the kiosk's again: others
// need some time to act for him.
const keepsLet = time.Minute

// renewals is how often in its life a grant is asked for anew.
const renewals = 4

// Due reports whether it is time to ask for a grant.
func (h *Holding) Due(now Moment) bool {
	if h.Asked != nil || h.Next != nil {
		return false
	}
	if h.Using == nil {
		return true
	}
	age, known := now.since(h.Using.Asked.Sent)
	let, letKnown := now.since(h.LetAt)
	return !known || age >= h.Using.life()/renewals || len(h.Let) > 0 && (!letKnown || let >= keepsLet)
}

// slack is the part of a grant's life that is given up, for clocks that do not run alike.
const slack = 60

// Ask makes the request for a grant, under the key of that sequence. Unreported are the grants by which seats were given
// that central has not answered for.
func (h *Holding) Ask(sequence uint64, now Moment, unreported ...uint64) wire.AskGrant {
	h.Asked = &Asked{Sequence: sequence, Sent: now.stamp()}
	request := wire.AskGrant{Kiosk: h.Kiosk}
	for _, held := range []*Held{h.Using, h.Next} {
		if held != nil {
			unreported = append(unreported, held.Number)
		}
	}
	if len(unreported) > 0 {
		request.Holds = slices.Min(unreported)
	}
	return request
}

// Take takes the answer to the request for a grant, and reports whether it was one: an answer to an earlier one is none.
func (h *Holding) Take(sequence uint64, grant wire.Grant) bool {
	if h.Asked == nil || h.Asked.Sequence != sequence {
		return false
	}
	h.Next, h.Asked = &Held{grant, *h.Asked}, nil
	return true
}

// Refused takes the refusal of the request for a grant: the kiosk is on the list no more, or there are none. Stop follows.
func (h *Holding) Refused(sequence uint64) bool {
	if h.Asked == nil || h.Asked.Sequence != sequence {
		return false
	}
	h.Asked = nil
	return true
}

// Follow takes over what the copy of the books knows by now, and reports whether that changed anything: players whom the
// kiosk is asked to let go, grants that were ended by a decision, seats that central gave here, and whether the grant that
// waits may be used.
func (h *Holding) Follow(books *ledger.Books, view kv.Reader, now Moment) (changed bool, err error) {
	asked, err := books.LetGoAsked(view, h.Kiosk)
	if err != nil {
		return false, err
	}
	for _, one := range asked {
		if h.Let[one.Person].Ask < one.Ask {
			h.letGo(one, now)
			changed = true
		}
	}
	ended, err := books.GrantsEnded(view, h.Kiosk)
	if err != nil {
		return changed, err
	}
	for _, held := range []**Held{&h.Using, &h.Next} {
		if *held != nil && (*held).Number <= ended {
			*held, changed = nil, true
		}
	}
	for seat := range h.Waits {
		has, err := ledger.HasSeat(view, seat)
		if err != nil {
			return changed, err
		}
		if has {
			delete(h.Waits, seat)
			changed = true
		}
	}
	return h.applied(now.Applied) || changed, nil
}

// letGo lets a player go: from now on the kiosk gives him nothing by itself.
func (h *Holding) letGo(asked ledger.LetGoAsk, now Moment) {
	if h.Let == nil {
		h.Let = map[tournament.PersonID]Let{}
	}
	h.Let[asked.Person], h.LetAt = Let{Ask: asked.Ask}, now.stamp()
}

// Letting returns the players who were let go and of whom central has not heard so: a LetGo has to be sent for each, unless
// it is on its way, once all that was given to the player is reported.
func (h *Holding) Letting() (people []tournament.PersonID) {
	for who, let := range h.Let {
		if let.Answered == 0 {
			people = append(people, who)
		}
	}
	slices.Sort(people)
	return people
}

// applied puts the grant in use that waited for the copy, and forgets what it knows of.
func (h *Holding) applied(position uint64) bool {
	if h.Next == nil || h.Next.Position > position {
		return false
	}
	h.Using, h.Next = h.Next, nil
	known := func(answered uint64) bool { return answered != 0 && answered <= h.Using.Asked.Sequence }
	maps.DeleteFunc(h.Let, func(_ tournament.PersonID, let Let) bool { return known(let.Answered) })
	maps.DeleteFunc(h.Gone, func(_ tournament.TicketNumber, answered uint64) bool { return known(answered) })
	return true
}

// GiveBack makes the request that gives back what is held of some heats and has not been used, or of all with none named.
// It is empty where there is nothing.
func (h *Holding) GiveBack(heats ...tournament.HeatID) wire.GiveBack {
	return h.giveBack(func(heat tournament.HeatID, _ tournament.TicketNumber) bool {
		return len(heats) == 0 || slices.Contains(heats, heat)
	})
}

// Stop makes the request that gives back everything, before a planned stop, and ends what the kiosk may do by itself.
func (h *Holding) Stop() wire.GiveBack {
	request := h.GiveBack()
	h.Using, h.Next = nil, nil
	return request
}

// GiveOverBack makes the request that gives back what central asked for in its last grants (wire.Grant.Back).
func (h *Holding) GiveOverBack() wire.GiveBack {
	return h.giveBack(func(_ tournament.HeatID, ticket tournament.TicketNumber) bool {
		for _, held := range []*Held{h.Using, h.Next} {
			if held != nil && slices.Contains(held.Back, ticket) {
				return true
			}
		}
		return false
	})
}

func (h *Holding) giveBack(whether func(tournament.HeatID, tournament.TicketNumber) bool) wire.GiveBack {
	request := wire.GiveBack{Kiosk: h.Kiosk}
	for _, held := range []*Held{h.Using, h.Next} {
		if held == nil {
			continue
		}
		for _, block := range held.Blocks {
			for _, seat := range block.Seats {
				if _, gone := h.Gone[seat.Ticket]; !gone && whether(block.Heat, seat.Ticket) {
					h.gone(seat.Ticket)
					request.Tickets = append(request.Tickets, seat.Ticket)
				}
			}
		}
	}
	return request
}

func (h *Holding) gone(ticket tournament.TicketNumber) {
	if h.Gone == nil {
		h.Gone = map[tournament.TicketNumber]uint64{}
	}
	h.Gone[ticket] = 0
}

// Settled says that central answered a request that gave tickets away, by a seat report or a giving back, or that let a
// player go; next is the sequence that the next request will have.
func (h *Holding) Settled(next uint64, who tournament.PersonID, tickets ...tournament.TicketNumber) {
	if let, is := h.Let[who]; is {
		let.Answered = next
		h.Let[who] = let
	}
	for _, ticket := range tickets {
		if _, gone := h.Gone[ticket]; gone {
			h.Gone[ticket] = next
		}
	}
}

// Seated says that central gave a seat to a player here: until the copy knows of it, nothing else is given to the player.
func (h *Holding) Seated(seat tournament.SeatID, who tournament.PersonID) {
	if h.Waits == nil {
		h.Waits = map[tournament.SeatID]tournament.PersonID{}
	}
	h.Waits[seat] = who
}

// waits reports whether the copy does not know yet what central did for a player here.
func (h *Holding) waits(who tournament.PersonID) bool {
	for _, waits := range h.Waits {
		if waits == who {
			return true
		}
	}
	return false
}

// Ready returns why no seat at all can be given at that moment: ExclusionsStale or NoGrant; nil where one can.
func (h *Holding) Ready(now Moment, rules tournament.Rules) *tournament.Refusal {
	if now.Heard == 0 || now.Now-now.Heard > rules.ExclusionsMaxAge {
		return tournament.ExclusionsStale.Refuse()
	}
	if h.Using == nil || now.At.IsZero() {
		return tournament.NoGrant.Refuse()
	}
	if age, known := now.since(h.Using.Asked.Sent); !known || age >= h.Using.life() {
		return tournament.NoGrant.Refuse()
	}
	return nil
}

// life is how long a grant may be used.
func (held *Held) life() time.Duration {
	life := time.Duration(held.Lives) * time.Second
	return life - life/slack
}

// May returns why nothing can be given to a player at that moment, besides what the books say: what Ready returns,
// Unsettled or LetGo. Unsettled says that a request for the player is not answered.
func (h *Holding) May(who tournament.PersonID, unsettled bool, now Moment, rules tournament.Rules) *tournament.Refusal {
	if refusal := h.Ready(now, rules); refusal != nil {
		return refusal
	}
	if h.waits(who) || unsettled {
		return tournament.Unsettled.Refuse()
	}
	if _, let := h.Let[who]; let {
		return tournament.LetGo.Refuse()
	}
	return nil
}

// Give gives a seat while the kiosk is cut off, by its copy with what it gave before laid over it, and lays this seat over
// it too. The report and the holding MUST be written in one commit before anything is printed. Errors are those of May and
// of ledger.Books.SeatAlone.
func (h *Holding) Give(
	books *ledger.Books, view *kv.Overlay, act ledger.Register, unsettled bool, now Moment, random io.Reader,
) (wire.SeatReport, wire.Seat, error) {
	if refusal := h.May(act.Person, unsettled, now, books.Definition().Rules); refusal != nil {
		return wire.SeatReport{}, wire.Seat{}, refusal
	}
	request := ledger.Request{At: now.At, Who: "player", Where: h.Kiosk, Random: random, Act: act}
	report, seat, err := books.SeatAlone(view, request, h.By(now))
	if err == nil {
		h.gone(report.Ticket)
	}
	return report, seat, err
}

// By returns what the kiosk gives by; there MUST be a grant in use.
func (h *Holding) By(now Moment) ledger.Alone {
	return ledger.Alone{
		Kiosk: h.Kiosk, Grant: &h.Using.Grant, Known: now.Applied,
		Gone: func(ticket tournament.TicketNumber) bool { _, gone := h.Gone[ticket]; return gone },
	}
}
