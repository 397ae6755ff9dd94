// Package strict reads a TOML file whole and collects every mistake in it, each with the file, the line, the key, the value
// and what is allowed.
//
// Whoever writes such a file by hand shall see in one go all that is wrong with it. A reader of files is written like this:
//
//	doc, err := strict.Read("club.toml", text)        // fails where the text is no TOML
//	if err != nil {
//		return club, err
//	}
//	top := doc.Top(strict.Defaults(defaults))         // or nil, where every key has to be given
//	club.Name = strict.Take(top, "name", name)        // a mistake where it is missing or wrong
//	club.Seats = strict.TakeOr(top, "seats", strict.Whole(1, 50), 10)
//	for _, door := range top.Tables("doors") {
//		…
//	}
//	if club.Seats%2 != 0 {
//		top.Mistake("seats", "must be even")          // what no kind can say
//	}
//	return club, doc.Finish()                         // a Mistakes, or nil
//
// A [Kind] says what is allowed and reads one value. There are those that every file needs, such as [Whole] and [Choice];
// what is a file's own stays with its reader. After a mistake the reading goes on, with the default or the zero value in
// place of what was wrong, so whoever checks values against each other must bear with zeros.
//
// Every key must have been asked for, by Take, Has or one of their kind: Finish notes those that were not as unknown, and
// says which was probably meant.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// Largest is the most bytes that a file may have; real ones have a few thousand.
const Largest = 1 << 20

// Document is a file as TOML: its values, where each stands, and the mistakes found so far.
//
// go-toml reads the values. It stops at the first value of a wrong type, and so is given none: everything goes into maps,
// and each value is looked at by a Kind, which finds all mistakes at once. Where a key stands comes from a second pass with
// the library's own parser.
type Document struct {
	file     string
	tree     map[string]any
	spans    map[string]span
	mistakes Mistakes
	top      *Table
}

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\uFEFF")

// Read reads the text of a file. The error is a Mistakes with the one place that made it unreadable.
func Read(file string, text []byte) (*Document, error) {
	if len(text) > Largest {
		return nil, Mistakes{{File: file, Line: 1, Allowed: fmt.Sprintf("a file has at most %d bytes, and this one more", Largest)}}
	}
	if bytes.HasPrefix(text, byteOrderMark) {
		// Some editors write one. Blanks in its place leave everything where it stands.
		text = append([]byte("   "), text[len(byteOrderMark):]...)
	}
	doc := &Document{file: file, tree: map[string]any{}}
	if err := toml.Unmarshal(text, &doc.tree); err != nil {
		mistake := Mistake{File: file, Line: 1, Allowed: oneLine(strings.TrimPrefix(err.Error(), "toml: "))}
		var place *toml.DecodeError
		if errors.As(err, &place) {
			mistake.Line, _ = place.Position()
		}
		return nil, Mistakes{mistake}
	}
	doc.spans = locate(text)
	return doc, nil
}

// oneLine replaces what would break the line of a mistake: the parser quotes keys as they are.
func oneLine(text string) string {
	return strings.Map(func(letter rune) rune {
		if unicode.IsControl(letter) {
			return unicode.ReplacementChar
		}
		return letter
	}, text)
}

// Defaults returns the values of a text that is part of the program, for Top. It panics where that is no TOML.
func Defaults(text string) map[string]any {
	var tree map[string]any
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		panic(fmt.Sprintf("strict: the defaults of the program: %v", err))
	}
	return tree
}

// Top returns the table that the file itself is. The defaults hold, key by key and in inner tables too, where the file
// says nothing; they may be nil. Top is called once.
func (d *Document) Top(defaults map[string]any) *Table {
	d.top = &Table{doc: d, values: d.tree, defaults: defaults, asked: map[string]bool{}}
	return d.top
}

// Mistakes returns those that were found so far, in the order of their lines.
func (d *Document) Mistakes() Mistakes {
	d.mistakes.sort()
	return d.mistakes
}

// Finish notes every key that nobody asked for. The error is a Mistakes with all that were found, in the order of their
// lines, or nil.
func (d *Document) Finish() error {
	d.top.unknown()
	if len(d.mistakes) == 0 {
		return nil
	}
	return d.Mistakes()
}
