package exchange

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"reelkiosk/store/wire"
)

// column is one column of a file to import.
type column struct {
	name string
	// required columns must stand in the header, and their cells must not be empty.
	required bool
}

// table reads a CSV file row by row.
type table struct {
	csv     *csv.Reader
	columns []column
	// place holds the position in the file of each of columns, -1 where it is missing; names are those of the header.
	place []int
	names []string
}

// longestCell is the longest cell in bytes that any column may hold.
const longestCell = 512

// longestHeader is the longest first line in bytes.
const longestHeader = 4096

// openTable reads the header. The problems say why the file cannot be read at all; an error is one of the source's own.
func openTable(source io.Reader, columns []column) (*table, []wire.RowProblem, error) {
	buffered := bufio.NewReaderSize(source, 1<<16)
	start, err := buffered.Peek(longestHeader)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if reason := notText(start); reason != "" {
		return nil, []wire.RowProblem{{Line: 1, Reason: reason}}, nil
	}
	if bytes.HasPrefix(start, byteOrderMark) {
		buffered.Discard(len(byteOrderMark))
		start = start[len(byteOrderMark):]
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	reader := csv.NewReader(buffered)
	reader.Comma = delimiter(first)
	reader.FieldsPerRecord = -1
	reader.ReuseRecord = true
	header, err := reader.Read()
	switch {
	case err == io.EOF:
		return nil, []wire.RowProblem{{Line: 1, Reason: "the file is empty; its first line names the columns"}}, nil
	case isSyntax(err):
		return nil, []wire.RowProblem{{Line: 1, Reason: syntaxReason(err)}}, nil
	case err != nil:
		return nil, nil, err
	}
	t := &table{csv: reader, columns: columns}
	problems := t.readHeader(header)
	return t, problems, nil
}

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// notText says why the first bytes of a file are none of a text in UTF-8, or nothing.
func notText(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte{0xFF, 0xFE}), bytes.HasPrefix(start, []byte{0xFE, 0xFF}):
		return "the file is in UTF-16; save it as 'CSV UTF-8'"
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return "the file is a spreadsheet; save it as 'CSV UTF-8'"
	case bytes.IndexByte(start, 0) >= 0:
		return "the file is no text (it holds zero bytes); save it as 'CSV UTF-8'"
	}
	return ""
}

// delimiter returns the one of comma and semicolon that the first line has more of.
func delimiter(first []byte) rune {
	if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		return ';'
	}
	return ','
}

func (t *table) readHeader(header []string) []wire.RowProblem {
	var problems []wire.RowProblem
	t.place = make([]int, len(t.columns))
	for i := range t.place {
		t.place[i] = -1
	}
	for position, cell := range header {
		name := strings.ToLower(strings.Join(strings.FieldsFunc(cell, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "_"))
		t.names = append(t.names, name)
		index := slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
		switch {
		case index < 0:
			problems = append(problems, wire.RowProblem{Line: 1, Column: name, Reason: "unknown column; known are " + t.known()})
		case t.place[index] >= 0:
			problems = append(problems, wire.RowProblem{Line: 1, Column: name, Reason: "the column stands twice"})
		default:
			t.place[index] = position
		}
	}
	for i, c := range t.columns {
		if c.required && t.place[i] < 0 {
			problems = append(problems, wire.RowProblem{Line: 1, Column: c.name, Reason: "the column is missing"})
		}
	}
	return problems
}

func (t *table) known() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// next returns the next row that has anything in it, or io.EOF. A row that is no CSV comes with its problem.
func (t *table) next() (*row, error) {
	for {
		cells, err := t.csv.Read()
		if isSyntax(err) {
			var syntax *csv.ParseError
			errors.As(err, &syntax)
			return &row{line: syntax.StartLine, problems: []wire.RowProblem{{Line: syntax.StartLine, Reason: syntaxReason(err)}}}, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := t.csv.FieldPos(0)
		if len(cells) != len(t.names) {
			return &row{line: line, problems: []wire.RowProblem{{Line: line,
				Reason: fmt.Sprintf("the line has %d cells, the first line %d", len(cells), len(t.names))}}}, nil
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		return t.row(line, cells), nil
	}
}

// row checks the cells one by one, as far as every column has the same rules.
func (t *table) row(line int, cells []string) *row {
	r := &row{line: line, columns: t.columns, cells: make([]string, len(t.columns))}
	for i, c := range t.columns {
		if t.place[i] < 0 {
			continue
		}
		cell := strings.TrimSpace(cells[t.place[i]])
		if reason := notCell(cell); reason != "" {
			r.refuse(c.name, reason)
			continue
		}
		if cell == "" && c.required {
			r.refuse(c.name, "is empty")
		}
		r.cells[i] = cell
	}
	return r
}

// notCell says why a cell is no text that could stand in any column, or nothing.
func notCell(cell string) string {
	switch {
	case len(cell) > longestCell:
		return fmt.Sprintf("is longer than %d bytes; perhaps a quotation mark is missing", longestCell)
	case !utf8.ValidString(cell):
		return fmt.Sprintf("is not UTF-8 (byte %02Xh): the file was probably saved as Windows-1252; save it as 'CSV UTF-8'", firstBad(cell))
	case strings.ContainsRune(cell, utf8.RuneError):
		return "holds the sign for a letter that another program lost; export it again as UTF-8"
	case strings.ContainsFunc(cell, func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }):
		return "holds a control character or a line break"
	case twiceEncoded(cell):
		return "is UTF-8 that was read as Windows-1252 and saved again (a letter became two signs); export it again as UTF-8"
	}
	return ""
}

func firstBad(text string) byte {
	for i, r := range text {
		if r == utf8.RuneError {
			return text[i]
		}
	}
	return 0
}

// twiceEncoded reports whether a text has what letters of UTF-8 become when read as Windows-1252: Ã or Â before a sign
// that is no letter, as in Ã© for é. No name has that.
func twiceEncoded(text string) bool {
	previous := ' '
	for _, r := range text {
		if (previous == 'Ã' || previous == 'Â') && r >= 0xA0 && r <= 0xBF {
			return true
		}
		previous = r
	}
	return false
}

func isSyntax(err error) bool {
	var syntax *csv.ParseError
	return errors.As(err, &syntax)
}

func syntaxReason(err error) string {
	switch {
	case errors.Is(err, csv.ErrQuote):
		return "a quoted cell does not end, or goes on after its closing quotation mark"
	case errors.Is(err, csv.ErrBareQuote):
		return "a quotation mark stands inside a cell that is not quoted"
	}
	return "is no CSV"
}
