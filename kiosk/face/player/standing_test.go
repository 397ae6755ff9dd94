package player

import (
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// composedAs composes a state's sheet in English.
func composedAs(t *testing.T, state visit.State, larger, wide bool) *face.Sheet {
	t.Helper()
	f, _, _ := opened(t, 1080, 1920)
	state.Look.Larger = larger
	return compose(state, f.phrases, f.house, pages{}.after(state), slide{step: slideSteps}, wide)
}

func pieceOf(t *testing.T, sheet *face.Sheet, text string) face.Piece {
	t.Helper()
	at := slices.IndexFunc(sheet.Pieces, func(p face.Piece) bool { return p.Text == text })
	if at < 0 {
		t.Fatalf("nothing says %q", text)
	}
	return sheet.Pieces[at]
}

// The clock was read as '1 1:06', the seconds as '1 0': figures of one width leave a gap beside each 1.
func TestAOneLeavesNoGap(t *testing.T) {
	for _, wide := range []bool{false, true} {
		colon := func(moment time.Time) float32 {
			state := blank()
			state.Now = moment
			clock := pieceOf(t, composedAs(t, state, false, wide), moment.Format("15:04"))
			if clock.Letters != face.SemiBold {
				t.Errorf("%s is set in figures of one width", clock.Text)
			}
			return clock.X + clock.Letters.Width(clock.Text[:2], clock.Size)
		}
		if one, other := colon(at(0, 11, 6)), colon(at(0, 20, 44)); one-other > 0.5 || other-one > 0.5 {
			t.Errorf("the colon jumps from %.1f to %.1f", one, other)
		}
	}
	still := visiting(visit.ScreenOffer)
	still.Over, still.Left = visit.OverStillThere, 10
	if ten := pieceOf(t, composedAs(t, still, false, false), "10"); ten.Letters != face.SemiBold {
		t.Error("the ten seconds are set in figures of one width")
	}
	word := func(left int) float32 {
		still.Left = left
		return pieceOf(t, composedAs(t, still, false, false), "seconds").X
	}
	if nine, four := word(9), word(4); nine != four {
		t.Errorf("the word jumps from %.1f to %.1f", nine, four)
	}
}

// The gold bar 'Take your ticket here' looked like a button under 'Please wait'.
func TestWhileTicketsArePrintedNothingLooksLikeAButton(t *testing.T) {
	for _, tickets := range [][]visit.Ticket{
		{ticket(14, 23, visit.TicketPrinting)},
		{ticket(14, 23, visit.TicketPrinted), ticket(15, 2, visit.TicketPrinting)},
	} {
		for _, wide := range []bool{false, true} {
			state := visiting(visit.ScreenPrinting)
			state.Tickets = tickets
			sheet := composedAs(t, state, false, wide)
			for _, piece := range sheet.Pieces {
				if piece.Kind == face.Box && piece.Role == face.Gold {
					t.Errorf("a gold box at %.0f", piece.Y)
				}
			}
			for _, touch := range sheet.Touches {
				if touch.Y < landscapeFoot {
					t.Errorf("a touch at %.0f", touch.Y)
				}
			}
		}
	}
}

// Of four tickets only three were shown.
func TestFourTicketsAreAllShown(t *testing.T) {
	state := visiting(visit.ScreenPrinting)
	for i := range 6 {
		state.Tickets = append(state.Tickets, ticket(14+i, 0, visit.TicketWaiting))
	}
	for _, wide := range []bool{false, true} {
		for _, count := range []int{4, 6} {
			some := state
			some.Tickets = state.Tickets[:count]
			shown := 0
			for _, piece := range composedAs(t, some, false, wide).Pieces {
				if strings.HasPrefix(piece.Text, "Heat ") {
					shown++
				}
			}
			if shown != count {
				t.Errorf("%d of %d heats are shown", shown, count)
			}
		}
	}
}

// In landscape the title stood right of the list that it introduces, and the last row nearly touched the foot.
func TestInLandscapeATitleStandsOverItsRows(t *testing.T) {
	privacy := blank()
	privacy.Over = visit.OverPrivacy
	for title, state := range map[string]visit.State{"Do you accept these rules?": visiting(visit.ScreenRules),
		"Is all of this true?": visiting(visit.ScreenDeclaration), "Privacy notice": privacy} {
		for _, larger := range []bool{false, true} {
			sheet := composedAs(t, state, larger, true)
			heading := pieceOf(t, sheet, title)
			for _, piece := range sheet.Pieces {
				if !strings.HasPrefix(piece.Drawing, "rule-") {
					continue
				}
				if heading.X != face.Margin || piece.Y < heading.Y+heading.H {
					t.Errorf("%q at %.0f,%.0f does not stand over its row at %.0f", title, heading.X, heading.Y, piece.Y)
				}
				if piece.Y+piece.H > landscapeFoot-30 {
					t.Errorf("a row of %q ends at %.0f, the foot begins at %.0f", title, piece.Y+piece.H, landscapeFoot)
				}
			}
		}
	}
}

// Between the question and the heats to choose from was a hole of 380 pixels.
func TestThereIsNoHoleAboveTheHeats(t *testing.T) {
	sheet := composedAs(t, visiting(visit.ScreenHeats), false, false)
	bottom := pieceOf(t, sheet, "Touch a heat to see it. No entry is used yet.").Y + 48
	if card := pieceOf(t, sheet, "19:40"); card.Y-bottom > 180 || card.Y < bottom {
		t.Errorf("below %.0f the next thing is at %.0f", bottom, card.Y)
	}
}
