package face

import (
	"bytes"
	"io/fs"
	"regexp"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"reelkiosk/assets"
)

// shown puts a panel into a window.
func shown(t *testing.T) (panel *Panel, w fyne.Window, sent *[]any) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(Theme{Palette: Dark})
	sent = &[]any{}
	panel = NewPanel(func(event any) { *sent = append(*sent, event) }, func(float32, float32) {})
	w = test.NewTempWindow(t, panel.Root())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1080, 1920))
	return panel, w, sent
}

// sheet has a clock, a button and a drawing.
func sheet(clock string) *Sheet {
	s := &Sheet{W: 1080, H: 1920, Palette: Dark}
	s.Say(72, 72, 400, clock, CardTitle.Tabular(), Left)
	s.GoldButton(72, 1440, 936, "Done", "done")
	s.Draw("tick", 72, 200, 24, 24)
	return s
}

func TestATickChangesOneTextAndKeepsEverythingElse(t *testing.T) {
	panel, _, _ := shown(t)
	panel.Show(sheet("19:18"))
	before := append([]fyne.CanvasObject(nil), panel.stage.Objects...)
	panel.Show(sheet("19:19"))
	if !same(before, panel.stage.Objects) {
		t.Fatal("objects were replaced")
	}
	if words := before[0].(*canvas.Text); words.Text != "19:19" {
		t.Errorf("the clock says %q", words.Text)
	}
	for _, slot := range panel.slots {
		if slot.show(slot.piece, Dark, false) {
			t.Errorf("%+v would be repainted though it is the same", slot.piece)
		}
	}
}

// A touch on 'larger text' was lost when the privacy notice closed under the finger: the foot's pads had changed places.
func TestAFingerOnTheFootIsFeltThoughTheScreenChangesUnderIt(t *testing.T) {
	panel, _, _ := shown(t)
	before := sheet("19:18")
	before.GoldButton(72, 1640, 936, "Larger", "larger")
	panel.Show(before)
	pressed := panel.pads[padKey{event: "larger"}]
	after := &Sheet{W: 1080, H: 1920, Palette: Dark}
	after.GoldButton(72, 1640, 936, "Larger", "larger")
	panel.Show(after)
	if panel.pads[padKey{event: "larger"}] != pressed {
		t.Error("the button is another object than the finger was put on")
	}
	if len(panel.pads) != 1 {
		t.Errorf("%d pads are kept, want 1", len(panel.pads))
	}
}

// TestTheGroundIsPaintedOnlyWhereTheWindowIsAnotherColour counts objects under the theme of the same palette and another.
func TestTheGroundIsPaintedOnlyWhereTheWindowIsAnotherColour(t *testing.T) {
	panel, _, _ := shown(t)
	panel.Show(sheet("19:18"))
	bare := len(panel.stage.Objects)
	contrasting := sheet("19:18")
	contrasting.Palette = HighContrast
	panel.Show(contrasting)
	if got := len(panel.stage.Objects); got != bare+1 {
		t.Errorf("%d objects in the other palette, want %d and the ground", got, bare)
	}
	if ground, ok := panel.stage.Objects[0].(*canvas.Rectangle); !ok || ground.FillColor != HighContrast.Colour(Ground) {
		t.Error("the ground is not the first thing painted")
	}
}

func TestAPanelNeverWidensItsWindow(t *testing.T) {
	panel, w, _ := shown(t)
	s := sheet("19:18")
	s.Say(72, 300, 10000, "an over-long text that no test found before it was shown on a panel of this width", Title, Left)
	panel.Show(s)
	if least := panel.Root().MinSize(); least.Width > 1 || least.Height > 1 {
		t.Errorf("least size %v", least)
	}
	if got := w.Canvas().Size(); got != fyne.NewSize(1080, 1920) {
		t.Errorf("the window is %v", got)
	}
}

func TestTouches(t *testing.T) {
	panel, w, sent := shown(t)
	s := sheet("19:18")
	s.Answer(Touch{W: 1080, H: 1920, Event: "anywhere", Behind: true})
	panel.Show(s)
	for _, c := range []struct {
		name string
		x, y float32
		want any
	}{
		{"the middle of the button", 540, 1524, "done"},
		{"its corner", 74, 1442, "done"},
		{"half a gap beside it", 540, 1440 - Reach + 1, "done"},
		{"more than half a gap beside it", 540, 1440 - Reach - 1, "anywhere"},
		{"nothing near", 540, 700, "anywhere"},
	} {
		*sent = nil
		test.TapCanvas(w.Canvas(), fyne.NewPos(c.x, c.y))
		if len(*sent) != 1 || (*sent)[0] != c.want {
			t.Errorf("%s: sent %v, want %v", c.name, *sent, c.want)
		}
	}
}

func TestAFingerIsSeenAtOnceAndForgottenWhenItSlidesAway(t *testing.T) {
	panel, _, sent := shown(t)
	panel.Show(sheet("19:18"))
	pad := panel.pads[padKey{event: "done"}]
	pad.MouseDown(&desktop.MouseEvent{})
	if !pad.ring.Visible() {
		t.Error("no ring under the finger")
	}
	pad.MouseOut()
	if pad.ring.Visible() {
		t.Error("the ring stays after the finger left")
	}
	pad.MouseDown(&desktop.MouseEvent{})
	panel.Show(&Sheet{W: 1080, H: 1920, Palette: Dark})
	other := sheet("19:18")
	other.Touches[0].Event = "something else"
	panel.Show(other)
	if pad.ring.Visible() {
		t.Error("the ring stays on another button")
	}
	if len(*sent) != 0 {
		t.Errorf("sent %v without a tap", *sent)
	}
}

func TestTheRingOfAFingerThatWasLiftedDoesNotStay(t *testing.T) {
	panel, _, sent := shown(t)
	panel.Show(sheet("19:18"))
	pad := panel.pads[padKey{event: "done"}]
	pad.MouseDown(&desktop.MouseEvent{})
	pad.MouseUp(&desktop.MouseEvent{})
	pad.Tapped(&fyne.PointEvent{})
	if pad.ring.Visible() || pad.lifted != nil || len(*sent) != 1 {
		t.Errorf("ring visible: %v, waiting: %v, sent %v", pad.ring.Visible(), pad.lifted != nil, *sent)
	}
}

// The first larger text took a second: Fyne drew each drawing three times, once at twice its size.
func TestADrawingIsDrawnOnceForItsSize(t *testing.T) {
	panel, _, _ := shown(t)
	panel.Show(sheet("19:18"))
	first := panel.slots[len(panel.slots)-1].image.Image
	larger := sheet("19:18")
	larger.Label(72, 300, 400, 48, "one piece more before the drawing", Body, Left)
	larger.Pieces = append(larger.Pieces[len(larger.Pieces)-1:], larger.Pieces[:len(larger.Pieces)-1]...)
	panel.Show(larger)
	if shown := panel.slots[len(panel.slots)-1].image; shown.Image != first || shown.Resource != nil {
		t.Error("the same drawing in another place was drawn again")
	}
	if size := first.Bounds().Size(); size.X != 24 || size.Y != 24 {
		t.Errorf("drawn at %v", size)
	}
}

// TestDrawingsUseColoursOfTheirRoles looks for a colour that no palette could replace.
func TestDrawingsUseColoursOfTheirRoles(t *testing.T) {
	colour := regexp.MustCompile(`#[0-9A-Fa-f]{3,8}`)
	for _, folder := range []struct {
		files fs.FS
		glob  string
	}{{assets.Drawings, "drawings/*.svg"}, {assets.Houses, "houses/*.svg"}} {
		names, err := fs.Glob(folder.files, folder.glob)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			content, err := fs.ReadFile(folder.files, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range colour.FindAllString(string(content), -1) {
				if _, ok := drawingColours[found]; !ok {
					t.Errorf("%s has the colour %s", name, found)
				}
			}
		}
	}
}

func TestDrawingsTakeTheColoursOfThePalette(t *testing.T) {
	colour := regexp.MustCompile(`#[0-9A-F]{6}`)
	for _, found := range colour.FindAllString(string(coloured("swipe", HighContrast)), -1) {
		if found != "#FFFFFF" && found != "#000000" && found != "#FFE600" {
			t.Errorf("high contrast has %s", found)
		}
	}
	if bytes.Equal(picture("swipe", Dark, 408, 264).Pix, picture("swipe", HighContrast, 408, 264).Pix) {
		t.Error("two palettes share one picture")
	}
}

func TestThemeIsWhole(t *testing.T) {
	test.NewTempApp(t)
	theme := Theme{Palette: HighContrast, Larger: true}
	for name, role := range themeRoles {
		if got := theme.Color(name, 0); got != HighContrast.Colour(role) {
			t.Errorf("%s is %v", name, got)
		}
	}
	if theme.Size("text") != 45 || (Theme{}).Size("text") != 36 {
		t.Error("larger text is not 1.25 times")
	}
	for style, want := range map[fyne.TextStyle]Letters{{}: Regular, {Bold: true}: SemiBold, {Monospace: true}: Figures, {Monospace: true, Bold: true}: SemiBoldFigures} {
		if theme.Font(style) != want.Resource() {
			t.Errorf("%+v is set in another face", style)
		}
	}
	if theme.Icon("cancel") == nil {
		t.Error("no icon")
	}
}
