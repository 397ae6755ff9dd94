package emulator

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"reelkiosk/devices/dots"
)

// column is how many dots of paper one column of a ticket's text stands for.
const column = 12

// blankRows is how much white between two lines shows as an empty line of text.
const blankRows = 18

// legendText makes a ticket's text of its captions: a line each, and an empty one for wider gaps.
func legendText(legend []caption) string {
	var text strings.Builder
	for at, entry := range legend {
		if at > 0 && entry.from-legend[at-1].to >= blankRows {
			text.WriteByte('\n')
		}
		line := entry.text
		if entry.picture > 0 && line == "" {
			line = fmt.Sprintf("[picture %d×%d]", entry.picture, entry.to-entry.from)
		}
		text.WriteString(strings.TrimRight(line, " "))
		text.WriteByte('\n')
	}
	return text.String()
}

// letterOnLine is a letter in a line that is not printed yet.
type letterOnLine struct {
	letter  rune
	glyph   *dots.Bitmap
	wide    int // how many times
	reverse bool
}

// lineText lays a printed line out in columns: small letters where they stand, enlarged ones together, at the side or
// in the middle as on the paper.
func lineText(line []letterOnLine, x, width int) string {
	var text strings.Builder
	for from := 0; from < len(line); {
		to, start := from, x
		var word strings.Builder
		for to < len(line) && line[to].wide == line[from].wide && line[to].reverse == line[from].reverse {
			word.WriteRune(line[to].letter)
			x += line[to].glyph.Width()
			to++
		}
		part := word.String()
		if line[from].reverse {
			part = barText(part, line[from].wide)
		}
		if trimmed := strings.TrimSpace(part); trimmed != "" {
			if line[from].wide > 1 {
				part = trimmed
			}
			padTo(&text, columnOf(part, line[from].wide, start, x, width))
			text.WriteString(part)
		}
		from = to
	}
	return text.String()
}

// columnOf returns the column at which a part of a line begins that stands from one dot to another on paper of a width.
func columnOf(part string, wide, from, to, width int) int {
	letters, before, after := utf8.RuneCountInString(part), from, width-to
	switch {
	case wide == 1:
		return from / column
	case max(before-after, after-before) <= column:
		return max((width/column-letters)/2, 0)
	case before < after:
		return from / column
	}
	return to/column - letters
}

func padTo(text *strings.Builder, columns int) {
	for utf8.RuneCountInString(text.String()) < columns {
		text.WriteByte(' ')
	}
}

// barText shows white letters on a black bar, as long as the bar is with letters so many times as wide.
func barText(text string, wide int) string {
	const ink = "█"
	word := strings.TrimSpace(text)
	length := utf8.RuneCountInString(text) * wide
	if word == "" {
		return strings.Repeat(ink, length)
	}
	spare := max(length-utf8.RuneCountInString(word)-2, 2)
	return strings.Repeat(ink, spare/2) + " " + word + " " + strings.Repeat(ink, spare-spare/2)
}

// ruleText returns a line of dashes for a picture that is nothing but a line across the paper; else nothing.
func ruleText(picture *dots.Bitmap) string {
	const thick = 6
	if picture.Height() > thick {
		return ""
	}
	first, last := -1, -1
	for x := range picture.Width() {
		if picture.Black(x, 0) {
			if first < 0 {
				first = x
			}
			last = x
		}
	}
	if first < 0 || last-first < picture.Width()/2 {
		return ""
	}
	return strings.Repeat(" ", first/column) + strings.Repeat("─", (last-first+1)/column)
}

// around puts a text around a column of dots.
func around(text string, middle int) string {
	return strings.Repeat(" ", max(middle/column-utf8.RuneCountInString(text)/2, 0)) + text
}
