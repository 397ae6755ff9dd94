package dots_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"reelkiosk/devices/dots"
)

// southAfrican are the letters beyond ASCII of the country's eleven written languages.
const southAfrican = "áàâäéèêëíìîïóòôöúùûüýÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜÝŉšŠžŽḓḽṅṋṱḒḼṄṊṰŋŊ"

func TestEveryLetterOfTheLanguagesIsDrawnAndNoTwoAlike(t *testing.T) {
	letters := []rune(southAfrican)
	for letter := '!'; letter <= '~'; letter++ {
		letters = append(letters, letter)
	}
	for _, style := range []dots.Style{{}, {Bold: true}, {Narrow: true}, {Width: 2, Height: 2}, {Width: 4, Height: 4, Bold: true}} {
		drawn := map[string]rune{}
		width, height := style.Cell()
		for _, letter := range letters {
			if !dots.Has(letter) {
				t.Errorf("the font lacks %q", letter)
			}
			glyph := dots.Glyph(letter, style)
			if glyph.Width() != width || glyph.Height() != height {
				t.Fatalf("%q is %d×%d, its cell %d×%d", letter, glyph.Width(), glyph.Height(), width, height)
			}
			var rows []byte
			for y := range height {
				rows = append(rows, glyph.Row(y)...)
			}
			if other, twice := drawn[string(rows)]; twice {
				t.Errorf("%q and %q look the same in %+v", letter, other, style)
			}
			drawn[string(rows)] = letter
		}
	}
}

func TestTheFontHasEveryCharacterOfTheCodePages(t *testing.T) {
	for name, page := range map[string]*charmap.Charmap{
		"cp437": charmap.CodePage437, "cp850": charmap.CodePage850, "cp852": charmap.CodePage852,
		"cp858": charmap.CodePage858, "cp1252": charmap.Windows1252,
	} {
		for code := 0x80; code <= 0xFF; code++ {
			letter := page.DecodeByte(byte(code))
			if letter >= 0xA0 && letter != 0xFFFD && !dots.Has(letter) {
				t.Errorf("%s %02X: the font lacks %q", name, code, letter)
			}
		}
	}
}

func TestAForeignLetterIsABoxAndNotASpace(t *testing.T) {
	if dots.Has('漢') {
		t.Fatal("the font says that it has a Chinese character")
	}
	if dots.Glyph('漢', dots.Style{}).Blank() {
		t.Error("a letter that the font lacks prints as a space")
	}
}

func TestCoarseLettersAreTheSmallOnesEnlarged(t *testing.T) {
	small := dots.Glyph('R', dots.Style{Bold: true})
	coarse := dots.Glyph('R', dots.Style{Bold: true, Width: 4, Height: 2, Coarse: true})
	if !coarse.Equal(small.Scaled(4, 2)) {
		t.Error("a coarse letter is not the small one with larger dots")
	}
	if smooth := dots.Glyph('R', dots.Style{Bold: true, Width: 4, Height: 2}); smooth.Equal(coarse) {
		t.Error("a smooth letter is as coarse as one with larger dots")
	}
}

func TestABitmapKeepsItsDots(t *testing.T) {
	bitmap := dots.New(13, 2)
	bitmap.Set(0, 0, true)
	bitmap.Set(12, 1, true)
	bitmap.Set(13, 1, true) // outside
	bitmap.Set(-1, 0, true)
	if got, want := bitmap.Row(0), []byte{0x80, 0}; !bytes.Equal(got, want) {
		t.Errorf("row 0 is %x, want %x", got, want)
	}
	if got, want := bitmap.Row(1), []byte{0, 0x08}; !bytes.Equal(got, want) {
		t.Errorf("row 1 is %x, want %x", got, want)
	}
	if got, want := bitmap.Inverted().Row(1), []byte{0xFF, 0xF0}; !bytes.Equal(got, want) {
		t.Errorf("inverted row 1 is %x, want %x", got, want)
	}
	if !bitmap.Inverted().Inverted().Equal(bitmap) {
		t.Error("inverting twice changes the bitmap")
	}
	bitmap.Grow(3)
	if bitmap.Height() != 5 || !bitmap.Rows(2, 5).Blank() || bitmap.Rows(0, 2).Blank() {
		t.Error("growing adds other than white rows at the bottom")
	}
	if rows := bitmap.Rows(4, 2); rows.Height() != 0 {
		t.Errorf("rows from 4 to 2 are %d", rows.Height())
	}
}

func TestRowsWithStrayBitsBeyondTheWidthAreCleaned(t *testing.T) {
	if got := dots.FromRows(4, 1, []byte{0xFF}).Row(0)[0]; got != 0xF0 {
		t.Errorf("four black dots are %02x", got)
	}
}

func TestABitmapIsWrittenWithOneBitADotAndReadBack(t *testing.T) {
	bitmap := dots.New(48, 24)
	bitmap.Draw(dots.Glyph('ḓ', dots.Style{}), 0, 0)
	bitmap.Draw(dots.Glyph('Q', dots.Style{Bold: true}), 40, 2) // partly outside
	var file bytes.Buffer
	if err := png.Encode(&file, bitmap); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	if colours, ok := picture.ColorModel().(color.Palette); !ok || len(colours) != 2 {
		t.Error("the file has more than two colours")
	}
	if !dots.FromImage(picture).Equal(bitmap) {
		t.Error("the picture differs from the bitmap")
	}
}

func TestAPictureAwayFromTheOriginIsTaken(t *testing.T) {
	picture := image.NewGray(image.Rect(5, 7, 8, 9))
	for at := range picture.Pix {
		picture.Pix[at] = 200
	}
	picture.SetGray(6, 8, color.Gray{Y: 20})
	bitmap := dots.FromImage(picture)
	if bitmap.Width() != 3 || bitmap.Height() != 2 || !bitmap.Black(1, 1) || bitmap.Black(0, 0) {
		t.Errorf("%d×%d, black at (1,1): %v", bitmap.Width(), bitmap.Height(), bitmap.Black(1, 1))
	}
}
