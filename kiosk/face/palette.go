package face

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Role is what a colour is for. Nothing on a screen has a colour of its own, so that another palette changes all of it.
type Role uint8

// The roles. Nothing is the colour of what is not drawn.
const (
	Nothing Role = iota
	// Ground is the screen; Surface and Raised lie on it: cards and rows, keys and quiet buttons.
	Ground
	Surface
	Raised
	// Line is the outline of boxes; Rule is the thin line between rows.
	Line
	Rule
	// Paper is what reads loudest, Quiet what is said beside it; both are for words and for drawings.
	Paper
	Quiet
	// Gold is the one thing to do now; Ink is what is written on it.
	Gold
	Ink
	// Good, Warn and Bad always stand beside a sign and a word.
	Good
	Warn
	Bad
	roles
)

// Palette gives each role its colour.
type Palette struct {
	colours [roles]color.NRGBA
	// Outlined says that every box has an outline, even one that stands out by its fill in the other palette.
	Outlined bool
}

// Dark is the palette of the calm instrument in a loud room; HighContrast is for eyes that need it.
var (
	Dark = Palette{colours: [roles]color.NRGBA{
		Ground: rgb(0x0B1020), Surface: rgb(0x161E38), Raised: rgb(0x222D52), Line: rgb(0x5A6796), Rule: rgb(0x222D52),
		Paper: rgb(0xF5F7FF), Quiet: rgb(0xC3CBE6), Gold: rgb(0xFFC247), Ink: rgb(0x1B1400),
		Good: rgb(0x5EE2A0), Warn: rgb(0xFFB454), Bad: rgb(0xFF9A8A),
	}}
	HighContrast = Palette{Outlined: true, colours: [roles]color.NRGBA{
		Ground: rgb(0x000000), Surface: rgb(0x000000), Raised: rgb(0x000000), Line: rgb(0xFFFFFF), Rule: rgb(0xFFFFFF),
		Paper: rgb(0xFFFFFF), Quiet: rgb(0xFFFFFF), Gold: rgb(0xFFE600), Ink: rgb(0x000000),
		Good: rgb(0xFFFFFF), Warn: rgb(0xFFFFFF), Bad: rgb(0xFFFFFF),
	}}
)

// Colour returns the colour of a role; that of Nothing is transparent.
func (p Palette) Colour(role Role) color.NRGBA { return p.colours[role] }

// With returns the palette with another colour for one role.
func (p Palette) With(role Role, colour color.NRGBA) Palette {
	p.colours[role] = colour
	return p
}

// ParseColour reads "#RRGGBB".
func ParseColour(text string) (color.NRGBA, error) {
	digits, sharp := strings.CutPrefix(text, "#")
	value, err := strconv.ParseUint(digits, 16, 32)
	if !sharp || len(digits) != 6 || err != nil {
		return color.NRGBA{}, fmt.Errorf("%q is no colour of the form #RRGGBB", text)
	}
	return rgb(uint32(value)), nil
}

// Contrast returns the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, 'contrast ratio').
func Contrast(one, other color.NRGBA) float64 {
	lighter, darker := luminance(one), luminance(other)
	if lighter < darker {
		lighter, darker = darker, lighter
	}
	return (lighter + 0.05) / (darker + 0.05)
}

// luminance is the relative luminance of a colour (WCAG 2.1, 'relative luminance').
func luminance(colour color.NRGBA) float64 {
	linear := func(channel uint8) float64 {
		value := float64(channel) / 255
		if value <= 0.04045 {
			return value / 12.92
		}
		return math.Pow((value+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(colour.R) + 0.7152*linear(colour.G) + 0.0722*linear(colour.B)
}

func rgb(value uint32) color.NRGBA {
	return color.NRGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: 0xFF}
}
