package face

import (
	"fmt"
	"image"
	"io/fs"
	"path"
	"strings"

	"reelkiosk/store/strict"
)

// House is what is the property's own on the screens: its name and logo, its colour for gold, and where things are.
type House struct {
	// Name is shown until the tournament says another property.
	Name string
	// Logo is the text of the SVG file that the theme file names, which lies beside it: a line drawing of 72 by 72 in the
	// colours of the dark palette.
	Logo string
	// Accent replaces the gold of the dark palette, "#RRGGBB"; empty keeps it.
	Accent string
	// Card, Document and Slot say where the card reader, the ID scanner and the ticket slot are.
	Card     Side
	Document Side
	Slot     Side
	// Desk is the tournament desk; CashDesk is where entries are sold.
	Desk     Place
	CashDesk Place
}

// Side is a side of the kiosk's panel, as its player sees it.
type Side string

// The sides.
const (
	SideLeft   Side = "left"
	SideRight  Side = "right"
	SideBottom Side = "bottom"
)

// Place is somewhere on the floor, as seen by somebody who stands at the kiosk.
type Place struct {
	// Arrow is "behind", "left", "right" or "ahead".
	Arrow string
	// Named and Way are its name and how to find it, by language; English where a language has none.
	Named map[string]string
	Way   map[string]string
}

// Say returns the place's name and the way to it in a language.
func (p Place) Say(tag string) (name, way string) {
	in := func(texts map[string]string) string {
		if text, ok := texts[tag]; ok {
			return text
		}
		return texts[DefaultLanguage]
	}
	return in(p.Named), in(p.Way)
}

// ReadHouse reads a theme file, such as houses/ridge.toml of assets.Houses. Where it has mistakes, the error is a
// strict.Mistakes with all of them.
func ReadHouse(files fs.FS, file string) (House, error) {
	content, err := fs.ReadFile(files, file)
	if err != nil {
		return House{}, fmt.Errorf("no theme file %q: %w", file, err)
	}
	doc, err := strict.Read(file, content)
	if err != nil {
		return House{}, err
	}
	top := doc.Top(nil)
	side := strict.Choice(SideLeft, SideRight, SideBottom)
	house := House{
		Name: strict.Take(top, "name", strict.Text("must be the property's name", func(text string) bool { return text != "" })),
		Logo: strict.Take(top, "logo", strict.Kind[string]{
			Allowed: "must be an SVG file in the folder of the theme file that can be drawn",
			Read:    func(value any) (string, bool) { return readLogo(files, path.Dir(file), value) },
		}),
		Card:     strict.Take(top, "card", side),
		Document: strict.Take(top, "document", side),
		Slot:     strict.Take(top, "slot", side),
		Desk:     readPlace(top.Table("desk")),
		CashDesk: readPlace(top.Table("cash_desk")),
	}
	house.Accent = strict.TakeOr(top, "accent", strict.Text(
		"must be a colour of the form #RRGGBB with a contrast of 7:1 to the ground #0B1020 and to the ink #1B1400", readsAsGold), "")
	if err := doc.Finish(); err != nil {
		return House{}, err
	}
	return house, nil
}

// readLogo returns the text of a file in the theme file's folder, and whether it can be drawn.
func readLogo(files fs.FS, folder string, value any) (string, bool) {
	name, _ := value.(string)
	content, err := fs.ReadFile(files, path.Join(folder, name))
	if err != nil {
		return "", false
	}
	logo := strings.TrimSpace(strings.TrimPrefix(string(content), "\ufeff"))
	return logo, isFile(logo) && draw(image.NewRGBA(image.Rect(0, 0, 72, 72)), []byte(logo)) == nil
}

func readPlace(from *strict.Table) Place {
	return Place{
		Arrow: strict.Take(from, "arrow", strict.Choice("behind", "left", "right", "ahead")),
		Named: strict.Take(from, "name", words),
		Way:   strict.Take(from, "way", words),
	}
}

// words are the same in several languages, by tag.
var words = strict.Kind[map[string]string]{
	Allowed: fmt.Sprintf("must be words by language, in %s at least: { %[1]s = \"…\" }", DefaultLanguage),
	Read: func(value any) (map[string]string, bool) {
		table, _ := value.(map[string]any)
		read := make(map[string]string, len(table))
		for tag, said := range table {
			text, is := said.(string)
			if !is {
				return nil, false
			}
			read[tag] = text
		}
		return read, read[DefaultLanguage] != ""
	},
}

// readsAsGold reports whether a colour can be the gold: it must be read against the ground, and the ink on it (7:1 each). No
// colour is the usual one.
func readsAsGold(accent string) bool {
	if accent == "" {
		return true
	}
	colour, err := ParseColour(accent)
	return err == nil && Contrast(colour, Dark.Colour(Ground)) >= 7 && Contrast(Dark.Colour(Ink), colour) >= 7
}

// Palette returns the palette of the house: the dark one with the house's accent, or the high-contrast one, which is the
// same in every house.
func (h House) Palette(contrast bool) Palette {
	if contrast {
		return HighContrast
	}
	if colour, err := ParseColour(h.Accent); err == nil {
		return Dark.With(Gold, colour)
	}
	return Dark
}
