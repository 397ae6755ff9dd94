// Package dots draws in the dots of a thermal printer: black or white, and nothing in between.
//
// It has two things. A [Bitmap] is a rectangle of dots, packed as printers take them, eight in a byte. [Glyph] draws a
// letter in one of the two sizes that these printers have (font A in cells of 12×24 dots, font B in cells of 9×17),
// bold or not, up to eight times as wide and as high.
//
//	page := dots.New(576, 24)
//	for at, letter := range []rune("MACHINE 23") {
//		page.Draw(dots.Glyph(letter, dots.Style{Bold: true}), at*12, 0)
//	}
//	png.Encode(file, page)
//
// Package printer draws with it the lines that hold a letter of no code page, and package emulator everything that a
// printer's own font would. The outlines are DejaVu Sans Mono's, whose advance at 20 dots to the em is 12 dots and
// whose lines are 24 dots high.
package dots
