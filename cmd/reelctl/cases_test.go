package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// TestEveryKindOfCaseHasWords reads which kinds there are where they are declared.
func TestEveryKindOfCaseHasWords(t *testing.T) {
	source, err := os.ReadFile("../../store/ledger/case.go")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`CaseKind = "([a-z-]+)"`).FindAllSubmatch(source, -1)
	if len(kinds) < 13 {
		t.Fatalf("found %d kinds", len(kinds))
	}
	for _, kind := range kinds {
		words := kindsOfCases[ledger.CaseKind(kind[1])]
		if words.what == "" || strings.HasSuffix(words.what, ".") || !strings.HasSuffix(words.do, ".") {
			t.Errorf("%s: add what happened and what to do to kindsOfCases; it says %+v", kind[1], words)
		}
	}
}

func TestACaseInWords(t *testing.T) {
	at := time.Date(2026, 11, 30, 21, 4, 5, 0, time.UTC)
	for name, test := range map[string]struct {
		kind     ledger.CaseKind
		evidence any
		person   tournament.PersonID
		want     []string
	}{
		"given twice by a kiosk that was cut off": {ledger.CaseTwice, ledger.Evidence{
			Heat: "q-14", Machine: 47, Seats: []tournament.SeatID{"s1", "s2"}, Entries: []tournament.EntryID{"e1", "e2"}, Kiosk: "kiosk-3", Issued: at, Known: 812, Overridden: true,
		}, "p1", []string{
			"2026-11-30 21:04  given-twice  open  case c1\n  Something was given twice", "kiosk-3 gave the seat while it was cut off, at 21:04:05 by its time, knowing the books up to event 812.",
			"A host had acted for the player in its place.", "person p1; heat q-14; machine 47; seats s1, s2; entries e1, e2", "Do: Compare both tickets."}},
		"excluded, by nobody alone": {ledger.CaseExcluded, ledger.Evidence{Reason: tournament.Excluded, Seats: []tournament.SeatID{"s1"}, Entries: []tournament.EntryID{"e1"}}, "p1",
			[]string{"excluded-meanwhile", "person p1; seat s1; entry e1; reason excluded", "Do: Take the ticket back."}},
		"a kind that is news":      {"no-such-kind", ledger.Evidence{Heat: "q-14"}, "", []string{`{"heat":"q-14"}`}},
		"evidence that is no JSON": {ledger.CaseTwice, json.RawMessage(`"x`), "", []string{`"x`}},
	} {
		t.Run(name, func(t *testing.T) {
			detail, err := json.Marshal(test.evidence)
			if err != nil {
				detail = test.evidence.(json.RawMessage)
			}
			var said strings.Builder
			showCase(&said, wire.Case{ID: "c1", Kind: string(test.kind), Opened: at, Person: test.person, Detail: string(detail)})
			for _, want := range test.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("want %q in\n%s", want, said.String())
				}
			}
			if strings.Contains(said.String(), "cut off") != strings.Contains(name, "cut off") {
				t.Errorf("said\n%s", said.String())
			}
		})
	}
}
