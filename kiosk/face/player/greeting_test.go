package player

import (
	"slices"
	"strings"
	"testing"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// says reports whether a screen's words hold a text, whatever lines they are broken into.
func says(sheet *face.Sheet, text string) bool {
	var all []string
	for _, piece := range sheet.Pieces {
		if piece.Kind == face.Words {
			all = append(all, piece.Text)
		}
	}
	return strings.Contains(strings.Join(all, " "), text)
}

// has reports whether a button can be touched.
func has(f *Face, button visit.Button) bool {
	return slices.ContainsFunc(f.Targets(), func(target Target) bool { return target.Button == button })
}

// Without paper a player went through rules, declaration and offer before she was told.
func TestWithoutPaperTheGreetingSaysSoAndGoesNoFurther(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	state := visiting(visit.ScreenGreeting)
	f.Show(with(state, func(s *visit.State) { s.OutOfOrder = visit.TroublePrinter }))
	if !says(f.sheet, "No tickets can be printed now.") || !says(f.sheet, "3 entries") {
		t.Error("the greeting does not say both what she has and what is wrong")
	}
	if has(f, visit.ButtonContinue) || !has(f, visit.ButtonCallHost) || !has(f, visit.ButtonNotMe) {
		t.Errorf("what can be touched: %v", f.Targets())
	}
	if f.Show(state); !has(f, visit.ButtonContinue) {
		t.Error("with new paper it does not go on")
	}
}

// The screen counted the entries that are left, the ticket those of a purchase: 'This uses entry 1' and 'Entry 2 of 2'.
func TestEntriesAreNamedByTheirEndAndNeverByANumber(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	for language, want := range map[string][2]string{
		"en": {"Entry ends", "This uses your entry that ends Tue 14:05."},
		"af": {"Inskrywing tot", "Dit gebruik jou inskrywing wat Di 14:05 eindig."},
		"zu": {"Ithuba liphela", "Kusetshenziswa ithuba lakho eliphela Bil 14:05."},
	} {
		for i, screen := range []visit.Screen{visit.ScreenGreeting, visit.ScreenOffer} {
			f.Show(with(visiting(screen), func(s *visit.State) { s.Look.Language = language }))
			if !says(f.sheet, want[i]) {
				t.Errorf("%s does not say %q", screen, want[i])
			}
		}
	}
}
