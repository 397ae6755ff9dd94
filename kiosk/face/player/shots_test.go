package player

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"reelkiosk/assets"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

var (
	shotsFolder = flag.String("shots", "", "write every screen as a PNG into this `folder`")
	shotsOnly   = flag.String("only", "", "write only the screens whose name matches this `glob`")
)

// face of the tests, with what it sent.
func opened(t *testing.T, width, height float32) (f *Face, w fyne.Window, sent *[]visit.Event) {
	t.Helper()
	test.NewTempApp(t)
	phrases, err := face.NewPhrases(assets.Phrases)
	if err != nil {
		t.Fatal(err)
	}
	house, err := face.ReadHouse(assets.Houses, "houses/ridge.toml")
	if err != nil {
		t.Fatal(err)
	}
	sent = &[]visit.Event{}
	f = New(phrases, house, func(event visit.Event) { *sent = append(*sent, event) })
	w = test.NewTempWindow(t, f.Root())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return f, w, sent
}

// TestShots writes pictures to look at: go test ./kiosk/face/player -run TestShots -shots DIR [-only 'attract-*-zu*'].
// Without -shots it draws the attract screen only, and looks for the band where it should be.
func TestShots(t *testing.T) {
	folder, only := *shotsFolder, *shotsOnly
	if folder == "" {
		folder, only = t.TempDir(), "attract-[pl]*[et]-en.png"
	}
	for _, panel := range panels {
		f, w, _ := opened(t, panel.w, panel.h)
		for _, scene := range scenes() {
			for _, look := range looks() {
				name := scene.name + "-" + panel.name + "-" + lookName(look) + ".png"
				if match, _ := filepath.Match(only, name); only != "" && !match {
					continue
				}
				state := scene.state
				state.Look = look
				if state.Left == 8 { // as it is two seconds after it was first shown
					state.Left = 10
					f.Show(state)
					state.Left = 8
				}
				f.Show(state)
				picture := w.Canvas().Capture()
				if scene.name == "attract" {
					band := f.Targets()[0]
					gold := f.sheet.Palette.Colour(face.Gold)
					if r, g, b, _ := picture.At(int(band.X)+30, int(band.Y)+12).RGBA(); uint8(r>>8) != gold.R || uint8(g>>8) != gold.G || uint8(b>>8) != gold.B {
						t.Errorf("%s: no gold at the band's corner", name)
					}
				}
				write(t, filepath.Join(folder, name), picture)
			}
		}
	}
}

func write(t *testing.T, name string, picture image.Image) {
	t.Helper()
	file, err := os.Create(name)
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

// panels are the two sizes of panel.
var panels = []struct {
	name string
	w, h float32
}{{"portrait", 1080, 1920}, {"landscape", 1920, 1080}}

// looks are all ways in which a player can have a screen shown.
func looks() (all []visit.Look) {
	for _, language := range []string{"en", "af", "zu"} {
		for _, larger := range []bool{false, true} {
			for _, contrast := range []bool{false, true} {
				all = append(all, visit.Look{Language: language, Larger: larger, Contrast: contrast})
			}
		}
	}
	return all
}

func lookName(look visit.Look) string {
	name := look.Language
	if look.Larger {
		name += "-larger"
	}
	if look.Contrast {
		name += "-contrast"
	}
	return name
}
