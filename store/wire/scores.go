package wire

import (
	"time"

	"reelkiosk/store/tournament"
)

// The paths of scores, rankings and lists.
const (
	PathScores       = "/v1/scores"
	PathScoreLines   = "/v1/scores/typed"
	PathCorrectScore = "/v1/scores/correct"
	PathRanking      = "/v1/ranking"
	PathTies         = "/v1/ties"
	PathCards        = "/v1/ties/cards"
	PathListDeclare  = "/v1/lists/declare"
	PathListSettle   = "/v1/lists/settle"
	PathListOf       = "/v1/lists/of"
)

// MostPoints bounds a score: more is a slip of the keyboard.
const MostPoints = 999_999_999

// EnterScore is the body of POST /v1/scores: the score of a seat, by its ticket or its id.
type EnterScore struct {
	By
	Seat   tournament.SeatID `json:"seat,omitempty"`
	Ticket string            `json:"ticket,omitempty" doc:"as scanned at the seat; with it no seat is needed"`
	Points int64             `json:"points" minimum:"0" maximum:"999999999" doc:"tournament credits, which are no money"`
}

// Scored answers EnterScore.
type Scored struct {
	Seat   tournament.SeatID `json:"seat"`
	Points int64             `json:"points"`
	// Stands says that the score counts; where scores are typed twice, it does once another operator typed the same.
	Stands bool `json:"stands"`
}

// CorrectScore is the body of POST /v1/scores/correct: what the director decides that a seat earned.
type CorrectScore struct {
	Decision
	Seat   tournament.SeatID `json:"seat"`
	Points int64             `json:"points" minimum:"0" maximum:"999999999"`
}

// Ranked is one line of a ranking.
type Ranked struct {
	// Rank is shared by equal scores that no cards told apart.
	Rank    int                 `json:"rank"`
	Points  int64               `json:"points"`
	Person  tournament.PersonID `json:"person,omitempty"`
	Seat    tournament.SeatID   `json:"seat"`
	Heat    tournament.HeatID   `json:"heat"`
	Machine int                 `json:"machine"`
	// Shown is a masked card or a ticket number: what stands in public instead of a name.
	Shown string `json:"shown"`
	Cards []int  `json:"cards,omitempty" doc:"values of the cards drawn in a tie, round by round"`
}

// Ranking answers GET /v1/ranking?stage=STAGE&limit=N.
type Ranking struct {
	Stage  tournament.StageKind `json:"stage"`
	Ranked []Ranked             `json:"ranked"`
}

// Ties answers GET /v1/ties?stage=STAGE: those that decide something and are not resolved (clause 19).
type Ties struct {
	Stage tournament.StageKind `json:"stage"`
	Ties  []Tie                `json:"ties"`
}

// Tie is one of them.
type Tie struct {
	Points int64               `json:"points"`
	Seats  []tournament.SeatID `json:"seats"`
	// Round counts the draws of cards for these seats, from 1.
	Round int `json:"round"`
}

// DrawCards is the body of POST /v1/ties/cards: the physical cards that were drawn, one for each tied score (clause 19).
type DrawCards struct {
	By
	Stage  tournament.StageKind `json:"stage" enum:"qualifying,semi-final,final"`
	Points int64                `json:"points"`
	Cards  []DrawnCard          `json:"cards" minItems:"2"`
}

// DrawnCard is one card: who drew it, and for whom.
type DrawnCard struct {
	Seat tournament.SeatID `json:"seat"`
	tournament.Card
	// Drawer is who drew it: the player, his proxy, or a member of the public where he was absent.
	Drawer string `json:"drawer" enum:"player,proxy,public"`
}

// DeclareList is the body of POST /v1/lists/declare: the director declares who plays a final stage, or who won the final.
type DeclareList struct {
	Decision
	List ListName `json:"list" enum:"semi-final,final,winners"`
}

// ListName names a declared list.
type ListName string

// The lists.
const (
	ListSemiFinal ListName = "semi-final"
	ListFinal     ListName = "final"
	ListWinners   ListName = "winners"
)

// SettleList is the body of POST /v1/lists/settle: what was found about a declared list is settled (clause 14). Before its
// seats are drawn the next in rank moves up; afterwards the places that are named stay empty.
type SettleList struct {
	Decision
	List   ListName `json:"list" enum:"semi-final,final,winners"`
	Strike []int    `json:"strike,omitempty" doc:"places whose seats stay empty, once the seats are drawn"`
}

// List answers a declaration, and GET /v1/lists/of?list=NAME.
type List struct {
	List     ListName  `json:"list"`
	Declared time.Time `json:"declared"`
	// First is the participant of clause 13, on the list of the semi-final, who goes straight to the final.
	First  *ListedPlace  `json:"first,omitempty"`
	Places []ListedPlace `json:"places"`
	Drawn  bool          `json:"drawn" doc:"its seats were drawn"`
}

// ListedPlace is one place of a list, which is also a rank.
type ListedPlace struct {
	Place  int                 `json:"place"`
	Person tournament.PersonID `json:"person"`
	Points int64               `json:"points"`
	// Score is the seat that earned it, Seat the one that is played for it, once it is drawn.
	Score  tournament.SeatID `json:"score"`
	Seat   tournament.SeatID `json:"seat,omitempty"`
	Struck bool              `json:"struck,omitempty" doc:"the place stays empty"`
}
