package player

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// phraseName is how a phrase is shown that no file has.
var phraseName = regexp.MustCompile(`^[a-z]+(\.[a-z0-9-]+)+$`)

// composed is a sheet and what it was made from.
type composed struct {
	name  string
	scene scene
	sheet *face.Sheet
}

// allSheets holds every scene in every language, size of text, palette and panel, once it was composed.
var allSheets []composed

// everySheet calls check with all of them.
func everySheet(t *testing.T, check func(t *testing.T, name string, scene scene, sheet *face.Sheet)) {
	t.Helper()
	if allSheets == nil {
		allSheets = composeAll(t)
	}
	for _, each := range allSheets {
		check(t, each.name, each.scene, each.sheet)
	}
}

func composeAll(t *testing.T) (all []composed) {
	t.Helper()
	f, _, _ := opened(t, 1080, 1920)
	whole := slide{step: slideSteps}
	for _, scene := range scenes() {
		for _, panel := range panels {
			for _, look := range looks() {
				state := scene.state
				state.Look = look
				sheet := compose(state, f.phrases, f.house, pages{}.after(state), whole, panel.w > panel.h)
				all = append(all, composed{scene.name + "-" + panel.name + "-" + lookName(look), scene, sheet})
			}
		}
	}
	return all
}

// box is a rectangle on a sheet.
type box struct{ left, top, right, bottom float32 }

// ink is where a piece can leave ink: of words, from the top of the tallest capital with an accent to the lowest tail.
func ink(piece face.Piece) box {
	if piece.Kind != face.Words {
		return box{piece.X, piece.Y, piece.X + piece.W, piece.Y + piece.H}
	}
	baseline := piece.Y + piece.H/2 + 0.364*piece.Size
	tail := 0.21 * piece.Size
	if strings.Trim(piece.Text, "0123456789:+ ") == "" {
		tail = 0.02 * piece.Size
	}
	return box{piece.X, baseline - 0.76*piece.Size, piece.X + piece.W, baseline + tail}
}

func (b box) overlaps(other box) bool {
	return b.left < other.right && other.left < b.right && b.top < other.bottom && other.top < b.bottom
}

func (b box) holds(other box) bool {
	const hair = 0.51
	return b.left <= other.left+hair && other.right <= b.right+hair && b.top <= other.top+hair && other.bottom <= b.bottom+hair
}

// TestEverythingFits composes every screen as it can be met and looks for words that stick out of their room, of a box or
// of the panel, and for things that lie over each other.
func TestEverythingFits(t *testing.T) {
	everySheet(t, func(t *testing.T, name string, _ scene, sheet *face.Sheet) {
		panel := box{0, 0, sheet.W, sheet.H}
		if lacking := missingDrawings(sheet); len(lacking) > 0 {
			t.Errorf("%s lacks the drawings %v", name, lacking)
		}
		for i, piece := range sheet.Pieces {
			if !panel.holds(ink(piece)) {
				t.Errorf("%s: %s sticks out of the panel", name, described(piece))
			}
			if piece.Kind == face.Words && piece.W > piece.Room+0.51 {
				t.Errorf("%s: %s is %.0f wide in a room of %.0f", name, described(piece), piece.W, piece.Room)
			}
			if piece.Kind == face.Words && piece.Size < face.LeastText {
				t.Errorf("%s: %s is set in %.0f px", name, described(piece), piece.Size)
			}
			for _, other := range sheet.Pieces[:i] {
				if clash(piece, other) {
					t.Errorf("%s: %s lies over %s", name, described(piece), described(other))
				}
			}
		}
	})
}

// clash reports whether two pieces are where they should not both be. What is inside a box is meant; what crosses its
// edge is not, unless one of them is loose.
func clash(piece, other face.Piece) bool {
	over, under := ink(piece), ink(other)
	switch {
	case !over.overlaps(under) || piece.Loose || other.Loose:
		return false
	case piece.Kind == face.Words && other.Kind == face.Drawing && strings.HasPrefix(other.Drawing, "rule-"):
		return !under.holds(over) // the number in a sign
	case other.Kind == face.Box:
		return !under.holds(over)
	}
	return true
}

func described(piece face.Piece) string {
	switch piece.Kind {
	case face.Words:
		return fmt.Sprintf("%q at %.0f,%.0f (%.0f px)", piece.Text, piece.X, piece.Y, piece.Size)
	case face.Drawing:
		return fmt.Sprintf("drawing %s at %.0f,%.0f", piece.Drawing, piece.X, piece.Y)
	}
	return fmt.Sprintf("box %.0f×%.0f at %.0f,%.0f", piece.W, piece.H, piece.X, piece.Y)
}

// TestTargetsAreForFingers measures every target, and the space between any two.
func TestTargetsAreForFingers(t *testing.T) {
	everySheet(t, func(t *testing.T, name string, _ scene, sheet *face.Sheet) {
		for i, touch := range sheet.Touches {
			if touch.Behind {
				continue
			}
			if touch.W < face.LeastTarget || touch.H < face.LeastTarget {
				t.Errorf("%s: target %v is %.0f×%.0f", name, touch.Event, touch.W, touch.H)
			}
			if !(box{0, 0, sheet.W, sheet.H}).holds(box{touch.X, touch.Y, touch.X + touch.W, touch.Y + touch.H}) {
				t.Errorf("%s: target %v sticks out of the panel", name, touch.Event)
			}
			if sheet.W < sheet.H && touch.Y < 700 {
				t.Errorf("%s: target %v is at %.0f, out of a seated player's reach", name, touch.Event, touch.Y)
			}
			for _, other := range sheet.Touches[:i] {
				const gap = face.Gap - 0.01
				wide := box{touch.X - gap, touch.Y - gap, touch.X + touch.W + gap, touch.Y + touch.H + gap}
				if !other.Behind && wide.overlaps(box{other.X, other.Y, other.X + other.W, other.Y + other.H}) {
					t.Errorf("%s: targets %v and %v are less than 24 apart", name, touch.Event, other.Event)
				}
			}
		}
	})
}

// TestOneThingToDoNow counts the gold shapes: one, or none while there is nothing to do but to wait.
func TestOneThingToDoNow(t *testing.T) {
	waits := func(state visit.State) bool {
		return state.Over == visit.OverNothing && (state.Screen == visit.ScreenOneMoment || state.Screen == visit.ScreenPrinting)
	}
	everySheet(t, func(t *testing.T, name string, scene scene, sheet *face.Sheet) {
		gold := 0
		for _, piece := range sheet.Pieces {
			if piece.Kind == face.Box && piece.Role == face.Gold {
				gold++
			}
		}
		if gold > 1 || gold == 0 && !waits(scene.state) {
			t.Errorf("%s has %d gold shapes", name, gold)
		}
	})
}

// TestWordsAreReadable computes the contrast of every line of words to what it is written on.
func TestWordsAreReadable(t *testing.T) {
	everySheet(t, func(t *testing.T, name string, _ scene, sheet *face.Sheet) {
		for i, piece := range sheet.Pieces {
			if piece.Kind != face.Words {
				continue
			}
			on := face.Ground
			for _, under := range sheet.Pieces[:i] {
				if under.Kind == face.Box && ink(under).overlaps(ink(piece)) {
					on = under.Role
				}
			}
			if ratio := face.Contrast(sheet.Palette.Colour(piece.Role), sheet.Palette.Colour(on)); ratio < 7 {
				t.Errorf("%s: %s has a contrast of %.1f:1", name, described(piece), ratio)
			}
			if !piece.Letters.Has(piece.Text) {
				t.Errorf("%s: %s has a rune that its face lacks", name, described(piece))
			}
			if strings.Contains(piece.Text, "{{") || strings.Contains(piece.Text, "<no value>") || phraseName.MatchString(piece.Text) {
				t.Errorf("%s: %s is no phrase", name, described(piece))
			}
		}
	})
}

// TestEveryScreenHasItsFoot looks for what must be on every screen: languages, larger text, contrast, help, cancel, the
// age, the responsible-gambling number and the clock.
func TestEveryScreenHasItsFoot(t *testing.T) {
	everySheet(t, func(t *testing.T, name string, scene scene, sheet *face.Sheet) {
		have := map[visit.Button]int{}
		for _, touch := range sheet.Touches {
			have[touch.Event.(visit.Tapped).Button]++
		}
		for button, count := range map[visit.Button]int{visit.ButtonLanguage: 3, visit.ButtonLarger: 1, visit.ButtonContrast: 1,
			visit.ButtonHelp: 1, visit.ButtonCancel: 1} {
			if have[button] < count {
				t.Errorf("%s has no button %s", name, button)
			}
		}
		var text strings.Builder
		for _, piece := range sheet.Pieces {
			text.WriteString(piece.Text + "\n")
		}
		wanted := []string{"18+", "0800 006 008"}
		if !scene.state.Now.IsZero() {
			wanted = append(wanted, scene.state.Now.Format("15:04"))
		}
		for _, want := range wanted {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	})
}
