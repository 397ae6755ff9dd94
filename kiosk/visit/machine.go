package visit

import (
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Machine is the configuration of a kiosk's visits. It holds no state: one Machine serves any number of visits.
type Machine struct {
	// Languages are the languages on offer, BCP 47 tags; the first is the one that every visit starts in.
	Languages []string
	// Identification says what a player must show.
	Identification Identification
	// MostTogether is how many seats may be taken at one touch; fewer than 2 offers it never.
	MostTogether int
	// Limits are the time limits.
	Limits Limits
}

// Identification is what a player must show before anything is given (clause 4).
type Identification string

// What may be asked for.
const (
	// Either: a card or a document; central may still ask for a document where the card is not enough.
	Either Identification = "either"
	// Card: always a card; a document alone is not enough.
	Card Identification = "card"
	// Document: always a document; a card is read beside it if it is shown first.
	Document Identification = "document"
	// Both: always both.
	Both Identification = "both"
)

// Limits are the machine's time limits, in ticks (seconds).
type Limits struct {
	// Idle is how long nobody may touch anything before 'still there?', StillThere how long that is shown.
	Idle, StillThere int
	// Reading replaces Idle while the rules or the privacy notice are open, which take a while to read.
	Reading int
	// Done, Trouble and Host are how long those screens stay.
	Done, Trouble, Host int
	// Hint is how long a hint stays.
	Hint int
	// Help is how long a call for a host from the attract screen counts for whoever calls there next.
	Help int
	// Reply is the longest wait for central, Printer for the printer's state, Print for the end of a print, Paper for a
	// printer that stopped being ready between the seat and its print. The conductor's own limits are shorter, but for
	// Paper: these make sure that no screen waits for ever.
	Reply, Printer, Print, Paper int
}

// DefaultLimits are the limits of a kiosk whose configuration names none.
var DefaultLimits = Limits{
	Idle: 30, StillThere: 10, Reading: 120, Done: 10, Trouble: 30, Host: 20, Hint: 6, Help: 60,
	Reply: 30, Printer: 10, Print: 120, Paper: 60,
}

// Start returns the state of a kiosk that nobody stands at: the attract screen, in the first language.
func (m Machine) Start() State {
	return State{Screen: ScreenAttract, Look: m.look()}
}

// Step returns the state that follows the event, and what is to be done. It changes neither argument and depends on
// nothing else. An event that means nothing in the state, a touch meant for another screen and a reply that is not
// waited for leave the state as it is.
func (m Machine) Step(state State, event Event) (State, []Effect) {
	t := turn{Machine: m, State: state}
	switch e := event.(type) {
	case Tapped:
		t.tapped(e)
	case Tick:
		t.tick(e.Now)
	case CardRead:
		t.read(e.Number, nil)
	case DocumentRead:
		t.read("", &e.Document)
	case SymbolRead:
		t.symbol(e)
	case ReadRefused:
		t.refusedRead(e)
	case FloorSeen:
		t.floor(e)
	case DevicesSeen:
		t.devices(e)
	case PrintConfirmed:
		t.confirmed(e.Ticket)
	case Barred:
		t.barred(e.Person)
	default:
		t.reply(event)
	}
	t.release()
	return t.State, t.effects
}

// turn is one step in the making: a copy of the state, and the effects so far. Slices of the state are replaced and
// never written to, since the state before shares them.
type turn struct {
	Machine
	State
	effects []Effect
}

func (t *turn) do(effect Effect) { t.effects = append(t.effects, effect) }

// show goes to a screen, with nothing laid over it.
func (t *turn) show(screen Screen) {
	t.Screen, t.Over, t.Hint = screen, OverNothing, HintNone
	t.memory.idle, t.memory.hint = 0, 0
	if screen != ScreenTrouble {
		t.Trouble, t.TroubleUntil, t.Elsewhere = TroubleNone, time.Time{}, ""
	}
	if screen != ScreenAskID {
		t.Asked = AskedNothing
	}
	t.Left = t.stays()
}

// stays returns how many seconds the present screen stays by itself, 0 where it waits for the player or for a reply.
func (t *turn) stays() int {
	switch t.Screen {
	case ScreenDone:
		return t.Limits.Done
	case ScreenTrouble:
		return t.Limits.Trouble
	case ScreenSeeHost:
		return t.Limits.Host
	}
	return 0
}

// trouble shows why the visit cannot go on.
func (t *turn) trouble(why Trouble, until time.Time) {
	t.show(ScreenTrouble)
	t.Trouble, t.TroubleUntil, t.Elsewhere = why, until, ""
}

// seeHost shows the screen that tells nothing, and forgets who stands there: nobody who may not take part is greeted.
func (t *turn) seeHost() {
	t.forget()
	t.show(ScreenSeeHost)
}

// begin starts a visit. What was chosen on the attract screen, and a receipt scanned there, go into it.
func (t *turn) begin() {
	t.memory.last++
	t.Visit = t.memory.last
}

// end goes back to the attract screen and forgets the visit: its player, its language, its size of text.
func (t *turn) end() {
	t.State = State{
		Screen: ScreenAttract, Look: t.look(), Now: t.Now, Floor: t.Floor,
		Paper: t.Paper, Ready: t.Ready, OutOfOrder: t.OutOfOrder, Calls: t.Calls, memory: t.memory.kept(),
	}
}

// barred ends what a person who may not take part any more was doing. A seat whose answer is still on its way, and a print
// that has begun, are settled by the conductor; a copy of which nothing was sent is given up.
func (t *turn) barred(person tournament.PersonID) {
	if person == "" || person != t.memory.person {
		return
	}
	if t.memory.waiting == waitPaper {
		t.do(GiveUp{Visit: t.Visit, Ticket: t.memory.seat.Ticket})
	}
	t.seeHost()
}

// forget drops all that is known of the player, but not the visit.
func (t *turn) forget() {
	t.Player, t.Entries, t.Expired, t.Offer, t.Together = Player{}, nil, 0, nil, 0
	t.Tickets, t.ReprintLeft = nil, false
	t.memory = t.memory.kept()
}

// floor takes the newest heats. Where the visit knows heats beyond the floor's, those stay; what the floor should hold
// and does not is gone.
func (t *turn) floor(seen FloorSeen) {
	t.Floor = seen.Floor
	if !seen.Now.IsZero() {
		t.Now = seen.Now
	}
	if t.memory.heats != nil {
		t.memory.heats = merge(t.memory.heats, seen.Floor.Heats)
	}
	t.refresh()
}

func (t *turn) devices(seen DevicesSeen) {
	t.Ready, t.Paper, t.OutOfOrder, t.Calls = seen.Ready, seen.Printer, seen.OutOfOrder, seen.Calls
	if t.Screen == ScreenAskID && !t.canAsk(t.Asked) {
		t.trouble(TroubleReader, time.Time{})
	}
}

func (m Machine) look() Look {
	if len(m.Languages) == 0 {
		return Look{Language: "en"}
	}
	return Look{Language: m.Languages[0]}
}

// merge lays newer heats over older ones, both in order of their start.
func merge(older, newer []Heat) []Heat {
	merged := slices.Clone(newer)
	for _, heat := range older {
		if len(newer) > 0 && heat.Start.After(newer[len(newer)-1].Start) {
			merged = append(merged, heat)
		}
	}
	return merged
}

// entriesOf turns entries as central lists them into those of the face.
func entriesOf(entries []wire.Entry) []Entry {
	shown := make([]Entry, len(entries))
	for i, entry := range entries {
		shown[i] = Entry{ID: entry.ID, Kind: entry.Kind, Ends: entry.Ends}
	}
	return shown
}
