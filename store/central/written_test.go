package central

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"reelkiosk/store/client"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
	"reelkiosk/store/writtentest"
)

// write names a version whose books are kept for later ones: go test ./store/central -run Written -write NAME. Books that a
// release wrote are never written anew: casinos have them on their disks.
var write = flag.String("write", "", "keep the books that this version writes as testdata/written/NAME")

// definitionKept is the name of the definition of kept books.
const definitionKept = "definition.json"

// records is what stands in books, as people can review it.
type records struct {
	Events  []ledger.What           `json:"events"`
	Seats   []wire.Seat             `json:"seats"`
	Entries []json.RawMessage       `json:"entries"`
	People  []string                `json:"people"`
	Again   tournament.TicketNumber `json:"answered_again"`
}

// TestBooksWrittenByEarlierVersionsOpen opens the books of each version that is kept, and finds in them what that version
// put there; the events still add up to them, an answer is still kept, and they go on.
func TestBooksWrittenByEarlierVersionsOpen(t *testing.T) {
	if *write != "" {
		keepWritten(t, filepath.Join("testdata", "written", *write))
	}
	versions, err := filepath.Glob("testdata/written/*")
	if err != nil || len(versions) == 0 {
		t.Fatal("no version's books are kept: ", err)
	}
	for _, folder := range versions {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			h := openWritten(t, folder)
			want, err := os.ReadFile(filepath.Join(folder, "holds.json"))
			if err != nil {
				t.Fatal(err)
			}
			if got := h.holds(); !writtentest.Includes(t, got, want) {
				t.Errorf("read\n%s\nwant\n%s", got, want)
			}
			h.replays()
			h.people.Store(200)
			h.keys.Store(1000)
			who := h.player(1)
			if _, err := h.client.Register(t.Context(), h.key(), h.registration(who, h.nextHeat())); err != nil {
				t.Errorf("they do not go on: %v", err)
			}
			h.replays()
		})
	}
}

// openWritten opens the kept books in a folder.
func openWritten(t *testing.T, folder string) *house {
	t.Helper()
	h := newHouse(t, func(options *Options) {
		defined, err := wire.DecodeDefinition(writtentest.Unpack(t, filepath.Join(folder, definitionKept+".gz")))
		if err != nil {
			t.Fatal(err)
		}
		options.Definition = defined
		if err := os.WriteFile(filepath.Join(options.Folder, BooksFile), writtentest.Unpack(t, filepath.Join(folder, BooksFile+".gz")), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	return h
}

// keepWritten has a central do a little of everything, and keeps its books.
func keepWritten(t *testing.T, folder string) {
	h := newHouse(t)
	who := h.player(2)
	seat, err := h.client.Register(t.Context(), keptKey, h.registration(who, h.nextHeat()))
	must(t, err)
	_, err = h.client.Print(t.Context(), h.key(), wire.PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted, Kiosk: "kiosk-1"})
	must(t, err)
	h.player(1)
	h.bringIn(exclusions(100, 103))
	h.enlists("kiosk-1", "kiosk-2")
	_, err = h.client.AskGrant(t.Context(), h.key(), wire.AskGrant{Kiosk: "kiosk-1"})
	must(t, err)
	h.stop()
	must(t, os.MkdirAll(folder, 0o755))
	books, err := os.ReadFile(filepath.Join(h.options.Folder, BooksFile))
	must(t, err)
	definition, _, err := wire.EncodeDefinition(h.options.Definition)
	must(t, err)
	writtentest.Pack(t, filepath.Join(folder, BooksFile+".gz"), books)
	writtentest.Pack(t, filepath.Join(folder, definitionKept+".gz"), definition)
	must(t, os.WriteFile(filepath.Join(folder, "holds.json"), openWritten(t, folder).holds(), 0o644))
}

// keptKey is the key of a registration in kept books.
var keptKey = client.Key{Enrolment: "kiosk-1", Sequence: 1}

// holds reads what stands in the books.
func (h *house) holds() []byte {
	h.Helper()
	var holds records
	events, err := h.client.Events(h.Context(), 0, 1000)
	must(h, err)
	for _, text := range events {
		var event struct {
			What ledger.What `json:"what"`
		}
		must(h, json.Unmarshal(text, &event))
		holds.Events = append(holds.Events, event.What)
	}
	holds.Entries, err = h.client.Entries(h.Context(), "", 100)
	must(h, err)
	heat := h.nextHeat()
	seats, err := h.client.Seats(h.Context(), heat)
	must(h, err)
	holds.Seats = seats.Seats
	for _, seat := range holds.Seats {
		// The same request again has the same answer, and who is behind it can still be read.
		again, err := h.client.Register(h.Context(), keptKey, h.registration(seat.Person, heat))
		must(h, err)
		holds.Again = tournament.TicketNumber(again.Ticket)
	}
	for _, number := range []int{1, 2, 101} {
		person, err := h.client.Identify(h.Context(), wire.Identify{Document: document(number), Kiosk: "kiosk-1"})
		if err == nil {
			holds.People = append(holds.People, string(person.ID))
		} else {
			holds.People = append(holds.People, string(reasonOf(err)))
		}
	}
	text, err := json.MarshalIndent(holds, "", "\t")
	must(h, err)
	return append(text, '\n')
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
