package player

import (
	"slices"
	"testing"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// The foot offered every language that there were phrases for, in an order of its own; a touch of one that the kiosk is not
// configured for did nothing.
func TestTheFootOffersTheConfiguredLanguagesInTheirOrder(t *testing.T) {
	for name, c := range map[string]struct{ configured, want []string }{
		"another order":     {[]string{"zu", "en", "af"}, []string{"zu", "en", "af"}},
		"two":               {[]string{"zu", "en"}, []string{"zu", "en"}},
		"one needs none":    {[]string{"af"}, nil},
		"one without words": {[]string{"af", "xh", "en"}, []string{"af", "en"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, _, _ := opened(t, 1080, 1920)
			f.phrases.Offer(c.configured)
			f.Show(with(blank(), func(s *visit.State) { s.Look.Language = c.configured[0] }))
			var got []string
			var right float32
			for i, target := range f.Targets() {
				if target.Button == visit.ButtonLanguage {
					got = append(got, target.Language)
				}
				if i > 0 && target.Y > portraitFoot {
					right = max(right, target.X+target.W)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the foot offers %v, want %v", got, c.want)
			}
			if right != shortSide-face.Margin {
				t.Errorf("the foot's row ends at %.0f", right)
			}
		})
	}
}
