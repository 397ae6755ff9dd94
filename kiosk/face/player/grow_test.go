package player

import (
	"testing"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// In larger text, what a seat costs, where its machines are and the full rules stayed as small as ever beside empty space.
func TestLargerTextGrowsWhatMatters(t *testing.T) {
	size := func(state visit.State, wide bool, language, begins string) (found float32) {
		f, _, _ := opened(t, 1080, 1920)
		state.Look.Language = language
		for _, larger := range []bool{false, true} {
			state.Look.Larger = larger
			before := found
			found = 0
			for _, piece := range compose(state, f.phrases, f.house, pages{}, slide{}, wide).Pieces {
				if piece.Kind == face.Words && len(piece.Text) >= len(begins) && piece.Text[:len(begins)] == begins {
					found = piece.Size
					break
				}
			}
			if larger {
				return found / before
			}
		}
		return 0
	}
	offer, greeting := visiting(visit.ScreenOffer), visiting(visit.ScreenGreeting)
	greeting.Entries = append(greeting.Entries, greeting.Entries...)
	text := visiting(visit.ScreenRules)
	text.Over = visit.OverRulesText
	for name, c := range map[string]struct {
		state            visit.State
		language, begins string
	}{
		"where":             {offer, "en", "Main floor"},
		"which entry":       {offer, "en", "This uses"},
		"which entry, af":   {offer, "af", "Dit gebruik"},
		"the absent":        {offer, "en", "Not there"},
		"the absent, zu":    {offer, "zu", "Ungekho"},
		"the last entry":    {greeting, "en", "last:"},
		"the captions, af":  {greeting, "af", "Eerste"},
		"more entries, zu":  {greeting, "zu", "Amanye"},
		"the rules in full": {text, "en", "1. Nobody"},
	} {
		for _, wide := range []bool{false, true} {
			if got := size(c.state, wide, c.language, c.begins); got < 1.1 {
				t.Errorf("%s (landscape %v) grows by %.2f", name, wide, got)
			}
		}
	}
}
