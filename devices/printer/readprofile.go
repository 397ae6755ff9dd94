package printer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer/escpos"
	"reelkiosk/store/strict"
)

// ErrProfile is wrapped by everything that ReadProfile finds wrong.
var ErrProfile = errors.New("printer profile")

// ReadProfile reads a profile's TOML. Every key must be there and no other; assets/printers/epson-48.toml explains them.
// All mistakes are reported at once, each with the file, the line, the key, the value and what is allowed. The error wraps
// ErrProfile and a strict.Mistakes.
func ReadProfile(file string, text []byte) (Profile, error) {
	doc, err := strict.Read(file, text)
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	top := doc.Top(nil)
	profile := Profile{
		Name:          profileName(file),
		About:         strict.Take(top, "about", strict.Text("must be a text", func(text string) bool { return text != "" })),
		Dots:          strict.Take(top, "dots", strict.Whole(128, 2048)),
		Columns:       strict.Take(top, "columns", strict.Whole(20, 128)),
		UnitsPerDot:   strict.Take(top, "units_per_dot", strict.Whole(1, 2)),
		RowsPerSecond: strict.Take(top, "rows_per_second", strict.Whole(50, 5000)),
		Buffer:        strict.Take(top, "buffer", strict.Whole(512, 1<<20)),
		Baud:          strict.Take(top, "baud", strict.Among(port.Bauds...)),
		Symbols:       strict.Take(top, "symbols", choice(NativeSymbols, RasterSymbols)),
		Cutter:        strict.Take(top, "cutter", choice(PartialCutter, FullCutter, NoCutter)),
		Smoothing:     strict.Take(top, "smoothing", strict.Truth),
		Asked:         strict.Take(top, "status", choice("asked", "none")) == "asked",
		Push:          strict.Take(top, "push", strict.Truth),
		Confirm:       strict.Take(top, "confirm", choice(ConfirmProcessID, ConfirmQueued, ConfirmNone)),
		Clear:         strict.Take(top, "clear", strict.Truth),
		Pages:         readPages(top),
	}
	together(top, profile)
	if err := doc.Finish(); err != nil {
		return profile, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	return profile, nil
}

// choice is a word that must be one of a few.
func choice[Word ~string](words ...Word) strict.Kind[Word] {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	kind := strict.Choice(words...)
	kind.Allowed = "must be one of " + strings.Join(texts, ", ")
	return kind
}

func readPages(top *strict.Table) []escpos.Page {
	var names []string
	for _, page := range escpos.Pages {
		names = append(names, page.Name)
	}
	tables := top.Tables("code_page")
	if len(tables) == 0 {
		top.Missing("code_page", "must be one or more tables [[code_page]]")
	}
	var pages []escpos.Page
	for _, table := range tables {
		page := escpos.Page{
			Name:   strict.Take(table, "name", choice(names...)),
			Number: byte(strict.Take(table, "number", strict.Whole(0, 255))),
		}
		if page.Name != "" && slices.ContainsFunc(pages, func(other escpos.Page) bool { return other.Name == page.Name }) {
			table.Mistake("name", "stands there twice")
		}
		pages = append(pages, page)
	}
	return pages
}

// together checks what hangs together. What was missing or wrong by itself is zero here.
func together(top *strict.Table, profile Profile) {
	if width := profile.Columns * letterWidth; profile.Dots > 0 && width > profile.Dots {
		top.Mistake("columns", fmt.Sprintf("take %d dots at %d each, of %d", width, letterWidth, profile.Dots))
	}
	if profile.Dots%8 != 0 {
		top.Mistake("dots", "must be a multiple of 8")
	}
	silent := top.Value("status") == "none"
	if silent && (profile.Confirm != ConfirmNone && profile.Confirm != "" || profile.Push) {
		top.Mistake("status", "means that it tells nothing: confirm must be none and push false")
	}
}
