package wire

import (
	"time"

	"reelkiosk/store/tournament"
)

// The paths of what hosts do at the desk.
const (
	PathCancelSeat   = "/v1/seats/cancel"
	PathHostReprint  = "/v1/seats/reprint"
	PathCheckIn      = "/v1/seats/check-in"
	PathUndoCheckIn  = "/v1/seats/check-in/undo"
	PathReplaceSeat  = "/v1/seats/replace"
	PathDisqualify   = "/v1/seats/disqualify"
	PathDecideSeat   = "/v1/seats/decide"
	PathBarPlayer    = "/v1/people/disqualify"
	PathMoveHeat     = "/v1/heats/move"
	PathCancelHeat   = "/v1/heats/cancel"
	PathAddHeat      = "/v1/heats/add"
	PathPostponeHeat = "/v1/heats/postpone"
	PathHoldHeat     = "/v1/heats/hold"
	PathCallHeat     = "/v1/heats/call"
	PathStartHeat    = "/v1/heats/start"
	PathRestartHeat  = "/v1/heats/restart"
	PathFinishHeat   = "/v1/heats/finish"
	PathAffected     = "/v1/heats/affected"
	PathResolve      = "/v1/cases/resolve"
)

// By says which operator does it, and at which desk.
type By struct {
	Operator string `json:"operator" minLength:"1" maxLength:"100" doc:"who does it"`
	Desk     string `json:"desk,omitempty" maxLength:"100" doc:"where it is done"`
}

// Actor returns who does it, and where.
func (b By) Actor() (who, where string) { return b.Operator, b.Desk }

// Decision says who decides, where, and why (clause 23).
type Decision struct {
	By
	Why string `json:"why" minLength:"1" maxLength:"500" doc:"the reason, for the books"`
}

// Presence says how the holder of a seat was identified there and then: by a card or a document that was read, or by a host
// who saw the document or the photograph (clause 12).
type Presence struct {
	Card     string    `json:"card,omitempty"`
	Document *Document `json:"document,omitempty"`
	Seen     bool      `json:"seen,omitempty" doc:"the host saw the holder's document or photograph"`
}

// CancelSeat is the body of POST /v1/seats/cancel: the seat is void before its heat closes, and its entry is unused again.
type CancelSeat struct {
	Decision
	Seat tournament.SeatID `json:"seat"`
}

// HostReprint is the body of POST /v1/seats/reprint: the next copy of a ticket, whose holder is present.
type HostReprint struct {
	Decision
	Presence
	Seat tournament.SeatID `json:"seat"`
}

// CheckIn is the body of POST /v1/seats/check-in: a ticket is scanned and its holder identified.
type CheckIn struct {
	By
	Presence
	Heat   tournament.HeatID `json:"heat" doc:"the heat that is checked in at this desk"`
	Ticket string            `json:"ticket"`
}

// CheckedIn answers CheckIn.
type CheckedIn struct {
	// Seat is nil where the ticket was granted to a kiosk that has not reported it: the player is admitted, as a case.
	Seat *Seat `json:"seat,omitempty"`
	// Machine is where the player sits, which is another than the ticket says where the seat was moved.
	Machine int       `json:"machine"`
	Case    bool      `json:"case" doc:"granted to a kiosk and not reported yet: admitted by the document, as a case"`
	Kiosk   string    `json:"kiosk,omitempty" doc:"the kiosk that gave it"`
	Until   time.Time `json:"undo_until,omitzero" doc:"until when it can be undone"`
}

// UndoCheckIn is the body of POST /v1/seats/check-in/undo, within ten seconds.
type UndoCheckIn struct {
	By
	Seat tournament.SeatID `json:"seat"`
}

// SeatDecision names a seat about which is decided: its replacement after a malfunction, a disqualification.
type SeatDecision struct {
	Decision
	Seat tournament.SeatID `json:"seat"`
}

// PlayerDecision names a player about whom is decided.
type PlayerDecision struct {
	Decision
	Person tournament.PersonID `json:"person"`
}

// DecideSeat is the body of POST /v1/seats/decide: what becomes of a seat that is a case (an unconfirmed print, a player who
// was not checked in).
type DecideSeat struct {
	Decision
	Seat tournament.SeatID `json:"seat"`
	// Free gives the entry back, for good; without it the seat is forfeited.
	Free bool `json:"free" doc:"the entry is free and does not expire; otherwise it is forfeited"`
}

// Replaced answers the replacement of a seat.
type Replaced struct {
	// Seat is the same seat on another machine, or the new one in a later heat; nil where there is none.
	Seat *Seat `json:"seat,omitempty"`
	// Moved says that it is the same seat, whose ticket still scans.
	Moved bool `json:"moved,omitempty"`
	// Case says that nothing was free: a refund (clause 20) or an additional heat (clause 21) is to be decided.
	Case bool `json:"case,omitempty"`
}

// HeatDecision is the body of what is decided about a heat as it stands: cancel, restart.
type HeatDecision struct {
	Decision
	Heat tournament.HeatID `json:"heat"`
}

// HeatAct is the body of what a host does with a heat: call, finish.
type HeatAct struct {
	By
	Heat tournament.HeatID `json:"heat"`
}

// HoldHeat is the body of POST /v1/heats/hold: nobody is registered for the heat until it goes on.
type HoldHeat struct {
	Decision
	Heat tournament.HeatID `json:"heat"`
	Hold bool              `json:"hold"`
}

// MoveHeat is the body of POST /v1/heats/move and /postpone: the heat has another start.
type MoveHeat struct {
	Decision
	Heat  tournament.HeatID `json:"heat"`
	Start time.Time         `json:"start"`
}

// AddHeat is the body of POST /v1/heats/add: one more heat of a stage.
type AddHeat struct {
	Decision
	Stage tournament.StageKind `json:"stage" enum:"qualifying,semi-final,final"`
	Start time.Time            `json:"start"`
	Size  int                  `json:"size,omitempty" minimum:"0" doc:"the stage's size if absent"`
}

// StartHeat is the body of POST /v1/heats/start: each seat that is not checked in is marked present or absent (clause 22).
type StartHeat struct {
	By
	Heat    tournament.HeatID   `json:"heat"`
	Present []tournament.SeatID `json:"present,omitempty" doc:"not checked in, and there"`
	Absent  []tournament.SeatID `json:"absent,omitempty" doc:"forfeit, without refund"`
}

// Started answers StartHeat.
type Started struct {
	Forfeited []tournament.SeatID `json:"forfeited"`
	// Cases are seats of absent holders whose ticket was never confirmed as printed, and of forms that are missing.
	Cases []tournament.SeatID `json:"cases"`
	Run   int                 `json:"run"`
}

// Affected answers GET /v1/heats/affected: who is concerned if a heat is moved to a start, or cancelled.
type Affected struct {
	Seats []AffectedSeat `json:"seats"`
}

// AffectedSeat is one seat of it.
type AffectedSeat struct {
	Seat    tournament.SeatID   `json:"seat"`
	Person  tournament.PersonID `json:"person"`
	Machine int                 `json:"machine"`
	// Window says that the new start is outside of the entry's window; the entry is not lost by that. Clashes are other heats
	// in which the holder has a seat at the new time.
	Window  bool                `json:"outside_window,omitempty"`
	Clashes []tournament.HeatID `json:"clashes,omitempty"`
}

// ResolveCase is the body of POST /v1/cases/resolve.
type ResolveCase struct {
	Decision
	Case  tournament.CaseID `json:"case"`
	Clear bool              `json:"clear" doc:"nothing stands against the person after all"`
}
