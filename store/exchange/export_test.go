package exchange

import (
	"encoding/csv"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// TestColumnsAreTheFieldsOfTheRecords keeps the documented columns and the records together.
func TestColumnsAreTheFieldsOfTheRecords(t *testing.T) {
	for _, test := range []struct {
		columns []string
		record  any
	}{{EventColumns, ledger.Event{}}, {EntryColumns, ledger.EntryRecord{}}, {SeatColumns, wire.Seat{}},
		{ScoreColumns, ledger.ScoreRecord{}}, {RankingColumns, wire.Ranked{}}, {CashColumns, ledger.CashRecord{}},
		{PrizeColumns, ledger.PrizeGiven{}}} {
		var fields []string
		kind := reflect.TypeOf(test.record)
		for field := range kind.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			fields = append(fields, name)
		}
		want := slices.Clone(test.columns)
		slices.Sort(want)
		slices.Sort(fields)
		if !slices.Equal(fields, want) {
			t.Errorf("%v has the fields\n%q, the columns are\n%q", kind, fields, want)
		}
	}
}

func export(t *testing.T, format Format, records ...string) string {
	t.Helper()
	var to strings.Builder
	exporter, err := NewExporter(&to, format, EventColumns)
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if err := exporter.Write(json.RawMessage(record)); err != nil {
			t.Fatal(err)
		}
	}
	if err := exporter.Finish(); err != nil {
		t.Fatal(err)
	}
	return to.String()
}

func TestExports(t *testing.T) {
	records := []string{
		`{"seq":1,"at":"2026-11-30T14:05:00+02:00","who":"=HYPERLINK(\"x\")","what":"noticed","outcome":{"a":"b, c"}}`,
		`{"seq":2,"who":"-12.5","why":"line\nbreak","where":"-x"}`,
	}
	if got, want := export(t, JSONLines, records...), strings.Join(records, "\n")+"\n"; got != want {
		t.Errorf("JSON Lines changed something: %s", got)
	}
	read, err := csv.NewReader(strings.NewReader(export(t, CSV, records...))).ReadAll()
	want := [][]string{
		EventColumns,
		{"1", "2026-11-30T14:05:00+02:00", `'=HYPERLINK("x")`, "", "", "noticed", `{"a":"b, c"}`},
		{"2", "", "-12.5", "'-x", "line\nbreak", "", ""},
	}
	if err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("got %q, %v\nwant %q", read, err, want)
	}
}

func TestNoSuchFormat(t *testing.T) {
	if _, err := NewExporter(nil, "xlsx", nil); err == nil {
		t.Error("a spreadsheet was promised")
	}
}
