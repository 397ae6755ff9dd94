package replica

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
	"reelkiosk/store/writtentest"
)

// write names a version whose files are kept for later ones: go test ./store/replica -run Written -write NAME. Files that a
// release wrote are never written anew: kiosks have them on their disks.
var write = flag.String("write", "", "keep the files that this version writes as testdata/written/NAME")

// writtenFiles are the files of a kiosk that are kept.
var writtenFiles = []string{ownFile, MirrorFile, definitionFile}

// written is what stands in a kiosk's files, as people can review it.
type written struct {
	Enrolment string               `json:"enrolment"`
	Last      uint64               `json:"last"`
	Requests  []Request            `json:"requests"`
	Intents   []Intent             `json:"intents"`
	Dead      []Dead               `json:"dead"`
	Laid      []wire.SeatReport    `json:"laid"`
	Holding   json.RawMessage      `json:"holding"`
	Copy      uint64               `json:"copy"`
	Entries   []ledger.EntryRecord `json:"entries"`
}

// TestFilesWrittenByEarlierVersionsOpen opens the own file and the copy of the books of each version that is kept, and finds
// in them what that version put there.
func TestFilesWrittenByEarlierVersionsOpen(t *testing.T) {
	if *write != "" {
		keepWritten(t, filepath.Join("testdata", "written", *write))
	}
	versions, err := filepath.Glob("testdata/written/*")
	if err != nil || len(versions) == 0 {
		t.Fatal("no version's files are kept: ", err)
	}
	for _, folder := range versions {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			opened := t.TempDir()
			for _, name := range writtenFiles {
				unpack(t, filepath.Join(folder, name+".gz"), filepath.Join(opened, name))
			}
			want, err := os.ReadFile(filepath.Join(folder, "holds.json"))
			if err != nil {
				t.Fatal(err)
			}
			if got := readWritten(t, opened); !writtentest.Includes(t, got, want) {
				t.Errorf("read\n%s\nwant\n%s", got, want)
			}
			// It is not only read: the kiosk goes on with it.
			r := open1(t, filepath.Join(opened, ownFile))
			if _, err := r.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled}); err != nil {
				t.Error(err)
			}
		})
	}
}

// keepWritten has a kiosk do a little of everything, and keeps its files.
func keepWritten(t *testing.T, folder string) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.sell(2)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	_, _, err := s.Give(t.Context(), s.wants(s.person(1), 0))
	h.must(err)
	registration, err := s.Ask(wire.PathRegistrations, s.wants(s.person(2), 0))
	h.must(err)
	h.must(s.Settle(registration, &Intent{Ticket: "1ABCDEFGHJKLMNPQR", Seat: "s2"}))
	notice, err := s.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: "<&> é"})
	h.must(err)
	h.must(s.Bury(notice, "it makes no sense", time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)))
	_, err = s.Ask(wire.PathReprints, map[string]string{"seat": "s2"})
	h.must(err)
	h.leave()
	h.must(s.Replica.Close())
	h.must(os.MkdirAll(folder, 0o755))
	pack(t, s.path, filepath.Join(folder, ownFile+".gz"))
	for _, name := range writtenFiles[1:] {
		pack(t, filepath.Join(h.folder, name), filepath.Join(folder, name+".gz"))
	}
	opened := t.TempDir()
	for _, name := range writtenFiles {
		unpack(t, filepath.Join(folder, name+".gz"), filepath.Join(opened, name))
	}
	h.must(os.WriteFile(filepath.Join(folder, "holds.json"), readWritten(t, opened), 0o644))
	s.Replica, err = Open(s.path, rand.Reader)
	h.must(err)
}

// readWritten reads what stands in the files in a folder.
func readWritten(t *testing.T, folder string) []byte {
	t.Helper()
	r, err := Open(filepath.Join(folder, ownFile), strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	log := quiet()
	mirror, err := OpenMirror(folder, sinceStart(), log)
	if err != nil {
		t.Fatal(err)
	}
	defer mirror.Close()
	mirror.Unlock(vault.New(hallKeys).Floor(1), 1)
	alone, err := OpenAlone(r, mirror, "kiosk-1", AloneClock{}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	holds := written{
		Enrolment: r.enrolment, Last: r.last, Requests: r.Requests(), Intents: r.Intents(), Dead: r.Dead(), Laid: alone.laid, Holding: alone.record,
	}
	err = mirror.View(t.Context(), func(books *ledger.Books, view kv.Reader) (err error) {
		if holds.Copy, _, err = ledger.Last(view); err != nil {
			return err
		}
		// At a time long before any entry's window is over.
		holds.Entries, err = books.Entries(view, "", 100, time.Unix(0, 0))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(holds, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// pack and unpack copy a file into the test data and out of it.
func pack(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writtentest.Pack(t, to, text)
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	if err := os.WriteFile(to, writtentest.Unpack(t, from), 0o600); err != nil {
		t.Fatal(err)
	}
}
