package wire

import (
	"time"

	"reelkiosk/store/condition"
)

// PathKioskHealth is POST /v1/kiosk-health: how a kiosk or a desk is. It takes no key and is no event of the books; the last
// one stands.
const PathKioskHealth = "/v1/kiosk-health"

// KioskHealth is how a kiosk or a desk is. Nothing in it says who anybody is.
type KioskHealth struct {
	Kiosk   string `json:"kiosk" minLength:"1" maxLength:"100"`
	Version string `json:"version,omitempty" maxLength:"100"`
	Runs    int    `json:"runs_seconds" doc:"since its program was started"`

	Outbox HealthOutbox `json:"outbox"`
	Alone  HealthAlone  `json:"alone"`
	Copy   HealthCopy   `json:"copy"`
	Clock  HealthClock  `json:"clock"`

	Printer  string `json:"printer" maxLength:"100" doc:"the printer's word; none where none is configured"`
	Card     string `json:"card_reader" enum:"ready,gone,none"`
	Document string `json:"document_scanner" enum:"ready,gone,none"`
	// DiskFree is the share of the disk that is free, from 0 to 1; nil where that is not known.
	DiskFree *float64 `json:"disk_free,omitempty"`
	// Conditions are what holds, the worst first.
	Conditions []Condition `json:"conditions" maxItems:"100"`
}

// HealthOutbox is what waits to be told to central.
type HealthOutbox struct {
	Waiting int    `json:"waiting"`
	Oldest  int    `json:"oldest_seconds,omitempty" doc:"how long the oldest has waited; since the program's start at most"`
	Why     string `json:"why,omitempty" doc:"what came of the oldest when it was last sent"`
	Dead    int    `json:"dead" doc:"what central cannot take"`
}

// HealthAlone is what the kiosk may give by itself.
type HealthAlone struct {
	Machines int    `json:"machines" doc:"granted and not given"`
	Lives    int    `json:"lives_seconds,omitempty" doc:"for how long yet"`
	Ready    bool   `json:"ready" doc:"it would give them now, if it were cut off"`
	Why      string `json:"why,omitempty" doc:"why it would not"`
}

// HealthCopy is how the copy of central's books is.
type HealthCopy struct {
	Sequence uint64 `json:"sequence" doc:"of the last event in it"`
	// Known says that it was known to be complete since the program's start, Age seconds ago.
	Known bool `json:"known"`
	Age   int  `json:"age_seconds,omitempty"`
	Most  int  `json:"most_seconds,omitempty" doc:"how old it may be for seats to be given by it"`
}

// HealthClock is how the machine's own clock stands to central's time; nothing goes by it.
type HealthClock struct {
	Known     bool  `json:"known" doc:"central has told the time since the machine's start"`
	Offset    int64 `json:"offset_milliseconds" doc:"by how much it is ahead"`
	RoundTrip int64 `json:"round_trip_milliseconds" doc:"of the last answer that told the time"`
}

// Condition is a condition that holds (store/condition).
type Condition struct {
	Name     condition.Name `json:"name" maxLength:"100"`
	Title    string         `json:"title" maxLength:"200"`
	Severity string         `json:"severity" enum:"notice,warning,fault"`
	Holds    int            `json:"holds_seconds" doc:"for how long"`
	Detail   string         `json:"detail,omitempty"`
	Do       string         `json:"do" maxLength:"500" doc:"what to do next"`
}

// ConditionsOf tells what holds, at that moment.
func ConditionsOf(holding []condition.Condition, now time.Time) []Condition {
	told := make([]Condition, 0, len(holding))
	for _, held := range holding {
		kind := condition.KindOf(held.Name)
		told = append(told, Condition{
			Name: held.Name, Title: kind.Title, Severity: kind.Severity.String(), Holds: int(max(0, now.Sub(held.Since)).Seconds()),
			Detail: held.Detail, Do: kind.Do,
		})
	}
	return told
}

// HealthTaken answers KioskHealth.
type HealthTaken struct {
	ServerTime time.Time `json:"server_time"`
	// Silent are the homes of players of which nothing was heard lately, by name: nobody is sent to them.
	Silent []string `json:"silent,omitempty"`
}
