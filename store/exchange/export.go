package exchange

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Format is how an export is written.
type Format string

// The formats.
const (
	// JSONLines has one JSON object a line, as the API gives it; nothing is lost.
	JSONLines Format = "jsonl"
	// CSV has the columns of the record's kind, with commas, in UTF-8; for spreadsheets.
	CSV Format = "csv"
)

// The columns of exports in CSV; each is the field of that name of the record's JSON.
var (
	// EventColumns are those of the events of the books. The outcome is JSON.
	EventColumns = []string{"seq", "at", "who", "where", "why", "what", "outcome"}
	// EntryColumns are those of entries.
	EntryColumns = []string{"id", "purchase", "person", "kind", "state", "expired", "bought", "ends", "index", "count", "seat"}
	// SeatColumns are those of seats.
	SeatColumns = []string{
		"id", "heat", "heat_number", "start", "machine", "place", "state", "person", "kiosk", "entry", "entry_index", "entry_count",
		"entry_ends", "ticket", "copy", "copy_state", "rules_hash", "issued", "proxy", "disqualified",
	}
	// ScoreColumns are those of everything that was typed as a score.
	ScoreColumns = []string{"heat", "seat", "person", "machine", "points", "run", "by", "at", "corrected", "stands"}
	// RankingColumns are those of a ranking.
	RankingColumns = []string{"rank", "points", "person", "seat", "heat", "machine", "shown", "cards"}
	// DrawColumns are those of draws. Places, heats and seats are JSON.
	DrawColumns = []string{"name", "commitment", "secret", "public", "places", "heats", "seats"}
	// CashColumns are those of movements of money.
	CashColumns = []string{"id", "day", "kind", "cashier", "seats", "cents"}
	// PrizeColumns are those of prizes that were handed out.
	PrizeColumns = []string{"place", "person", "cents", "fica", "at", "by"}
)

// Exporter writes records one after another. Finish must be called at the end.
type Exporter struct {
	to      *bufio.Writer
	csv     *csv.Writer // nil for JSON Lines
	columns []string
}

// NewExporter returns an exporter that writes in that format; columns are one of the lists above.
func NewExporter(to io.Writer, format Format, columns []string) (*Exporter, error) {
	e := &Exporter{to: bufio.NewWriter(to), columns: columns}
	switch format {
	case JSONLines:
		return e, nil
	case CSV:
		e.csv = csv.NewWriter(e.to)
		return e, e.csv.Write(columns)
	}
	return nil, fmt.Errorf("no format %q: want %s or %s", format, JSONLines, CSV)
}

// Write writes a record, which is a JSON object.
func (e *Exporter) Write(record json.RawMessage) error {
	if e.csv == nil {
		if _, err := e.to.Write(record); err != nil {
			return err
		}
		return e.to.WriteByte('\n')
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(record, &fields); err != nil {
		return fmt.Errorf("a record to export: %w", err)
	}
	cells := make([]string, len(e.columns))
	for i, column := range e.columns {
		cells[i] = cellOf(fields[column])
	}
	return e.csv.Write(cells)
}

// Finish writes what is left.
func (e *Exporter) Finish() error {
	if e.csv != nil {
		e.csv.Flush()
		if err := e.csv.Error(); err != nil {
			return err
		}
	}
	return e.to.Flush()
}

// cellOf returns a JSON value as a cell: a string without its quotation marks, anything else as it stands.
func cellOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	if formula(text) {
		return "'" + text
	}
	return text
}

// formula reports whether a spreadsheet would take a text for one and work it out: somebody's name must not do anything.
func formula(text string) bool {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}
