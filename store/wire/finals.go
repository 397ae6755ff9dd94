package wire

import (
	"reelkiosk/store/tournament"
)

// The paths of the final stages.
const (
	PathDrawCommit = "/v1/draws/commit"
	PathDrawSeats  = "/v1/draws"
	PathDraws      = "/v1/draws/list"
	PathProxies    = "/v1/proxies"
	PathPrizes     = "/v1/prizes"
	PathPrizeLines = "/v1/prizes/handed"
)

// CommitDraw is the body of POST /v1/draws/commit: central makes a secret and tells its hash, which is shown and printed
// before the public number is rolled.
type CommitDraw struct {
	By
	List ListName `json:"list" enum:"semi-final,final" doc:"the list whose seats are drawn"`
	// Heat is an additional heat, which is drawn for the places whose seats broke down (clause 21).
	Heat tournament.HeatID `json:"heat,omitempty"`
}

// Committed answers CommitDraw.
type Committed struct {
	Name       string                 `json:"name"`
	Commitment string                 `json:"commitment" doc:"SHA-256 of the secret, in hexadecimal"`
	Places     []tournament.DrawPlace `json:"places"`
	Heats      []tournament.DrawHeat  `json:"heats"`
}

// DrawSeats is the body of POST /v1/draws: the public number, as the dice fell in front of the players.
type DrawSeats struct {
	By
	List   ListName          `json:"list" enum:"semi-final,final"`
	Heat   tournament.HeatID `json:"heat,omitempty"`
	Public string            `json:"public" minLength:"1" maxLength:"100"`
}

// Draw answers DrawSeats, and is what reelctl verify-draw checks: everything that was drawn from, and what came of it.
type Draw struct {
	tournament.Draw
	Seats []tournament.Drawn `json:"seats"`
}

// Draws answers GET /v1/draws/list.
type Draws struct {
	Draws []Draw `json:"draws"`
}

// NameProxy is the body of POST /v1/proxies: the form was received by which somebody plays a seat for a participant (clause
// 16). The presence is the proxy's.
type NameProxy struct {
	By
	Presence
	Seat     tournament.SeatID `json:"seat"`
	Rules    string            `json:"rules_hash" doc:"hash of the rules that the proxy accepted (clause 25)"`
	Declared bool              `json:"declared" doc:"the proxy declared not to be connected (clause 3)"`
}

// HandPrize is the body of POST /v1/prizes: a prize is handed to the participant in person, whose document is scanned.
type HandPrize struct {
	By
	Presence
	Place  int              `json:"place" minimum:"1" doc:"the place on the list of winners"`
	Amount tournament.Money `json:"amount"`
	// FICA names the record of the full identification, for prizes of the threshold and above.
	FICA string `json:"fica,omitempty" maxLength:"200"`
}

// Prize answers HandPrize.
type Prize struct {
	Place  int                 `json:"place"`
	Person tournament.PersonID `json:"person"`
	Amount tournament.Money    `json:"amount"`
}
