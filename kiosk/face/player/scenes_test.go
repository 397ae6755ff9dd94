package player

import (
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// now is the moment of the scenes: Monday 30 November 2026, 19:18, as in the pictures they were drawn after.
var now = time.Date(2026, time.November, 30, 19, 18, 0, 0, time.FixedZone("SAST", 2*60*60))

func at(day, hour, minute int) time.Time {
	return time.Date(2026, time.November, 30+day, hour, minute, 0, 0, now.Location())
}

func heat(number, free int) visit.Heat {
	start := at(0, 19, 40).Add(time.Duration(number-14) * 20 * time.Minute)
	return visit.Heat{ID: tournament.HeatID("qualifying-2026-11-30-" + start.Format("1504")), Number: number, Start: start,
		Closes: start.Add(-5 * time.Minute), Free: free, Size: 50, Place: "Main floor, row C", Lowest: 1, Highest: 50}
}

// floor is the tournament of the scenes.
func floor() visit.Floor {
	return visit.Floor{Property: "The Ridge Casino", Name: "Reel Tournament", MinAge: 18,
		SeatPrice: tournament.Money{Cents: 5000, Currency: "ZAR"}, RulesVersion: 1, RulesBody: "",
		Heats: []visit.Heat{heat(14, 17), heat(15, 41), heat(16, 50), heat(17, 50)}}
}

// scene is one screen as it may be met, by name.
type scene struct {
	name  string
	state visit.State
}

// scenes are all screens, overlays, troubles and hints.
func scenes() []scene {
	base := visit.State{Screen: visit.ScreenAttract, Look: visit.Look{Language: "en"}, Now: now, Floor: floor(),
		Ready: visit.Readers{Card: true, Document: true}}
	return []scene{{"attract", base}}
}
