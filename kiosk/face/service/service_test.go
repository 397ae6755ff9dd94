package service

import (
	"crypto/rand"
	"flag"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"reelkiosk/assets"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/firststart"
	"reelkiosk/store/tournament"
)

var shotsFolder = flag.String("shots", "", "write every screen as a PNG into this `folder`")

type scene struct {
	name  string
	state firststart.State
}

// right is a code whose check symbol fits.
func right(t testing.TB) string {
	t.Helper()
	code, err := tournament.NewEnrolmentCode(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(code)
}

func scenes(t testing.TB) []scene {
	const long = "kiosk-at-the-entrance-of-the-flo" // 32, as long as a name may be
	code := right(t)
	wrong := code[:16] + map[bool]string{true: "1", false: "0"}[code[16] == '0']
	state := func(screen firststart.Screen, name, address, code string) firststart.State {
		return firststart.State{Screen: screen, Name: name, Address: address, Code: code}
	}
	all := []scene{
		{"address-empty", state("address", "kiosk-3", "", "")},
		{"address-part", state("address", "kiosk-3", "10.0.7", "")},
		{"address", state("address", "kiosk-3", "10.0.7.2", "")},
		{"address-port", state("address", "", "10.0.7.2:7180", "")},
		{"address-long", state("address", long, "central-of-the-tournament.ridge.example", "")},
		{"code-empty", state("code", "kiosk-3", "10.0.7.2", "")},
		{"code-part", state("code", "kiosk-3", "10.0.7.2", code[:6])},
		{"code-right", state("code", "kiosk-3", "10.0.7.2", code)},
		{"code-wrong", state("code", "kiosk-3", "10.0.7.2", wrong)},
		{"code-long", state("code", long, "central-of-the-tournament.ridge.example", "WWWWMMMMWWWWMMMMW")},
		{"asking", state("asking", "kiosk-3", "10.0.7.2", code)},
		{"over", state("over", "kiosk-3", "10.0.7.2", code)},
	}
	for _, failure := range []firststart.Failure{
		firststart.FailureAway, firststart.FailureImposter, firststart.FailureUnknown, firststart.FailureExpired,
		firststart.FailureUsed, firststart.FailureSpent, firststart.FailureClock, firststart.FailureDisk, firststart.FailureOther,
	} {
		failed := state("failed", "kiosk-3", "central-of-the-tournament.ridge.example", code)
		failed.Failure = failure
		all = append(all, scene{"failed-" + string(failure), failed})
	}
	other := state("other-name", long, "10.0.7.2", code)
	other.As = "kiosk-4"
	return append(all, scene{"other-name", other})
}

func said(t testing.TB) (*face.Phrases, face.House) {
	t.Helper()
	phrases, err := face.NewPhrases(assets.Phrases)
	if err != nil {
		t.Fatal(err)
	}
	house, err := face.ReadHouse(assets.Houses, "houses/ridge.toml")
	if err != nil {
		t.Fatal(err)
	}
	return phrases, house
}

// phraseName is how a phrase is shown that no file has.
var phraseName = regexp.MustCompile(`^first(\.[a-z0-9-]+)+$`)

// TestEveryScreenFits looks at every screen for words that stick out, keys that are too small or too near, and things over
// each other.
func TestEveryScreenFits(t *testing.T) {
	phrases, house := said(t)
	for _, scene := range scenes(t) {
		for _, wide := range []bool{false, true} {
			name := scene.name + map[bool]string{false: ", portrait", true: ", landscape"}[wide]
			sheet := compose(scene.state, phrases.For("en"), house.Logo, wide)
			fits(t, name, sheet)
			for i, touch := range sheet.Touches {
				if touch.W < face.LeastTarget || touch.H < face.LeastTarget {
					t.Errorf("%s: %v is %.0f by %.0f", name, touch.Event, touch.W, touch.H)
				}
				for _, other := range sheet.Touches[:i] {
					across := max(other.X-touch.X-touch.W, touch.X-other.X-other.W)
					if down := max(other.Y-touch.Y-touch.H, touch.Y-other.Y-other.H); max(across, down) < face.Gap-0.01 {
						t.Errorf("%s: %v is %.1f from %v", name, touch.Event, max(across, down), other.Event)
					}
				}
			}
		}
	}
}

// fits looks at the pieces of a sheet.
func fits(t *testing.T, name string, sheet *face.Sheet) {
	t.Helper()
	golds := 0
	for i, piece := range sheet.Pieces {
		if piece.X < 0 || piece.Y < 0 || piece.X+piece.W > sheet.W || piece.Y+piece.H > sheet.H {
			t.Errorf("%s: %q %s sticks out of the panel", name, piece.Text, piece.Drawing)
		}
		switch {
		case piece.Kind == face.Box && piece.Role == face.Gold:
			golds++
		case piece.Kind == face.Drawing && !strings.HasPrefix(piece.Drawing, "<"):
			if _, err := fs.Stat(assets.Drawings, "drawings/"+piece.Drawing+".svg"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case piece.Kind != face.Words:
		case piece.W > piece.Room+0.51:
			t.Errorf("%s: %q is %.0f wide in a room of %.0f", name, piece.Text, piece.W, piece.Room)
		case piece.Size < face.LeastText:
			t.Errorf("%s: %q is set in %.0f px", name, piece.Text, piece.Size)
		case phraseName.MatchString(piece.Text):
			t.Errorf("%s: no phrase %s", name, piece.Text)
		case !piece.Letters.Has(piece.Text):
			t.Errorf("%s: %q has a letter that is not embedded", name, piece.Text)
		default:
			for _, other := range sheet.Pieces[:i] {
				if other.Kind == face.Words && piece.X < other.X+other.W && other.X < piece.X+piece.W &&
					piece.Y+piece.H/2-piece.Size/2 < other.Y+other.H/2+other.Size/2 && other.Y+other.H/2-other.Size/2 < piece.Y+piece.H/2+piece.Size/2 {
					t.Errorf("%s: %q lies over %q", name, piece.Text, other.Text)
				}
			}
		}
	}
	if golds > 1 {
		t.Errorf("%s: %d gold things to do", name, golds)
	}
}

// opened shows the face in a window of a size.
func opened(t *testing.T, width, height float32) (*FirstStart, fyne.Window, *[]firststart.Event) {
	t.Helper()
	test.NewTempApp(t)
	phrases, house := said(t)
	sent := &[]firststart.Event{}
	f := NewFirstStart(phrases, house, func(event firststart.Event) { *sent = append(*sent, event) })
	w := test.NewTempWindow(t, f.Root())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return f, w, sent
}

// TestACodeIsTypedByFinger touches the keys on the glass, from the address to the question for central.
func TestACodeIsTypedByFinger(t *testing.T) {
	for name, size := range map[string]fyne.Size{"portrait": fyne.NewSize(1080, 1920), "landscape": fyne.NewSize(1920, 1080)} {
		t.Run(name, func(t *testing.T) {
			f, w, sent := opened(t, size.Width, size.Height)
			state, code := firststart.Start("kiosk-3", ""), right(t)
			f.Show(state)
			var asked *firststart.Ask
			touch := func(event firststart.Event) {
				t.Helper()
				for _, touch := range f.Touches() {
					if touch.Event == any(event) {
						test.TapCanvas(w.Canvas(), fyne.NewPos(touch.X+touch.W/2, touch.Y+touch.H/2))
					}
				}
				if len(*sent) != 1 || (*sent)[0] != event {
					t.Fatalf("a touch of %v sent %v", event, *sent)
				}
				state, asked = firststart.Step(state, event)
				*sent = nil
				f.Show(state)
			}
			for _, symbol := range "10.0.7.3" {
				touch(firststart.Symbol{Symbol: symbol})
			}
			touch(firststart.Pressed{Button: firststart.ButtonDelete})
			touch(firststart.Symbol{Symbol: '2'})
			touch(firststart.Pressed{Button: firststart.ButtonNext})
			for _, symbol := range code {
				touch(firststart.Symbol{Symbol: symbol})
			}
			touch(firststart.Pressed{Button: firststart.ButtonNext})
			if asked == nil || string(asked.Code) != code || asked.Central != "https://10.0.7.2:7180" {
				t.Errorf("asked %+v", asked)
			}
		})
	}
}

// TestShots writes pictures to look at: go test ./kiosk/face/service -run TestShots -shots DIR. Without -shots it looks for
// the gold button of a code that fits where it should be.
func TestShots(t *testing.T) {
	for panel, size := range map[string]fyne.Size{"portrait": fyne.NewSize(1080, 1920), "landscape": fyne.NewSize(1920, 1080)} {
		f, w, _ := opened(t, size.Width, size.Height)
		for _, scene := range scenes(t) {
			if *shotsFolder == "" && scene.name != "code-right" {
				continue
			}
			f.Show(scene.state)
			picture := w.Canvas().Capture()
			if scene.name == "code-right" {
				var gold face.Touch
				for _, touch := range f.Touches() {
					if touch.Event == any(firststart.Pressed{Button: firststart.ButtonNext}) {
						gold = touch
					}
				}
				want := face.Dark.Colour(face.Gold)
				if r, g, b, _ := picture.At(int(gold.X)+30, int(gold.Y)+12).RGBA(); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(b>>8) != want.B {
					t.Errorf("%s: no gold at the button's corner", panel)
				}
			}
			if *shotsFolder == "" {
				continue
			}
			file, err := os.Create(filepath.Join(*shotsFolder, scene.name+"-"+panel+".png"))
			if err != nil {
				t.Fatal(err)
			}
			if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(file, picture); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
