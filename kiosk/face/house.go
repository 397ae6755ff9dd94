package face

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// House is what is the property's own on the screens: its name and logo, its colour for gold, and where things are.
type House struct {
	// Name is shown until the tournament says another property.
	Name string `toml:"name"`
	// Logo is a file beside the theme file: a line drawing of 72 by 72 in the colours of the dark palette.
	Logo string `toml:"logo"`
	// Accent replaces the gold of the dark palette, "#RRGGBB"; empty keeps it.
	Accent string `toml:"accent"`
	// Card, Document and Slot say where the card reader, the ID scanner and the ticket slot are.
	Card     Side `toml:"card"`
	Document Side `toml:"document"`
	Slot     Side `toml:"slot"`
	// Desk is the tournament desk; CashDesk is where entries are sold.
	Desk     Place `toml:"desk"`
	CashDesk Place `toml:"cash_desk"`
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
	Arrow string `toml:"arrow"`
	// Named and Way are its name and how to find it, by language; English where a language has none.
	Named map[string]string `toml:"name"`
	Way   map[string]string `toml:"way"`
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

// ReadHouse reads a theme file, houses/NAME.toml of a file system (assets.Houses), and checks it whole: every mistake is
// in the error, with file, key, value and what is allowed.
func ReadHouse(files fs.FS, name string) (House, error) {
	file := "houses/" + name + ".toml"
	content, err := fs.ReadFile(files, file)
	if err != nil {
		return House{}, fmt.Errorf("no theme file %q: %w", file, err)
	}
	var house House
	decoder := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields()
	if err := decoder.Decode(&house); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return House{}, fmt.Errorf("%s: unknown key:\n%s", file, strict.String())
		}
		return House{}, fmt.Errorf("%s: %w", file, err)
	}
	if err := house.check(files); err != nil {
		return House{}, fmt.Errorf("%s: %w", file, err)
	}
	return house, nil
}

func (h House) check(files fs.FS) error {
	var faults []error
	fault := func(key, value, allowed string) {
		faults = append(faults, fmt.Errorf("%s = %q: %s", key, value, allowed))
	}
	if h.Name == "" {
		fault("name", h.Name, "the property's name is needed")
	}
	if _, err := fs.Stat(files, "houses/"+h.Logo); err != nil || h.Logo == "" {
		fault("logo", h.Logo, "must be an SVG file in the folder of the theme file")
	}
	if h.Accent != "" {
		if fails := accentFails(h.Accent); fails != "" {
			fault("accent", h.Accent, fails)
		}
	}
	for key, side := range map[string]Side{"card": h.Card, "document": h.Document, "slot": h.Slot} {
		if !slices.Contains([]Side{SideLeft, SideRight, SideBottom}, side) {
			fault(key, string(side), `must be "left", "right" or "bottom"`)
		}
	}
	for key, place := range map[string]Place{"desk": h.Desk, "cash_desk": h.CashDesk} {
		if !slices.Contains([]string{"behind", "left", "right", "ahead"}, place.Arrow) {
			fault(key+".arrow", place.Arrow, `must be "behind", "left", "right" or "ahead"`)
		}
		if place.Named[DefaultLanguage] == "" || place.Way[DefaultLanguage] == "" {
			fault(key, "", "needs name."+DefaultLanguage+" and way."+DefaultLanguage)
		}
	}
	return errors.Join(faults...)
}

// accentFails says why a colour cannot be the gold: it must be read against the ground, and the ink on it (7:1 each).
func accentFails(accent string) string {
	colour, err := ParseColour(accent)
	if err != nil {
		return err.Error()
	}
	if Contrast(colour, Dark.Colour(Ground)) < 7 || Contrast(Dark.Colour(Ink), colour) < 7 {
		return "must have a contrast of 7:1 to the ground " + "#0B1020 and to the ink #1B1400"
	}
	return ""
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
