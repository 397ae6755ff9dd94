package printer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letterWidth and letterHeight are the cell of font A, in dots.
const (
	letterWidth  = 12
	letterHeight = 24
)

// clean makes text that every column of which is one letter: letters and their marks composed, control characters and
// odd spaces replaced by a space, marks that no letter took left out. Text is never a command to the printer.
func clean(text string) string {
	return strings.Map(func(letter rune) rune {
		switch {
		case letter == '\n':
			return letter
		case unicode.Is(unicode.Mn, letter), unicode.Is(unicode.Cf, letter):
			return -1
		case unicode.IsControl(letter), unicode.IsSpace(letter), letter == unicode.ReplacementChar:
			return ' '
		}
		return letter
	}, norm.NFC.String(text))
}

// wrap breaks clean text into lines of at most so many letters: at its own line breaks, between words, and inside of a
// word only if that alone is longer than a line. Spaces at the ends of lines go.
func wrap(text string, columns int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapParagraph(paragraph, max(columns, 1))...)
	}
	return lines
}

func wrapParagraph(paragraph string, columns int) []string {
	var lines []string
	var line []rune
	for _, word := range strings.Fields(paragraph) {
		letters := []rune(word)
		if len(line) > 0 && len(line)+1+len(letters) > columns {
			lines = append(lines, string(line))
			line = nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for len(letters) > columns {
			lines = append(lines, string(letters[:columns]))
			letters = letters[columns:]
		}
		line = append(line, letters...)
	}
	return append(lines, string(line))
}

// flow joins each line of clean text to the one before, if both fit into so many columns.
func flow(text string, columns int) string {
	var joined []string
	for line := range strings.SplitSeq(text, "\n") {
		if last := len(joined) - 1; last >= 0 && len([]rune(joined[last]))+1+len([]rune(line)) <= columns {
			joined[last] += " " + line
			continue
		}
		joined = append(joined, line)
	}
	return strings.Join(joined, "\n")
}
