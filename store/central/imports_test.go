package central

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// members are that many members with verified documents.
func members(count int) wire.Rows {
	var rows wire.Rows
	for i := range count {
		who := document(100 + i)
		rows.Members = append(rows.Members, wire.Member{
			Line: i + 2, Number: fmt.Sprint("M", i), Cards: []string{fmt.Sprintf("60010000%08d", i)}, Surname: "Naidoo", Given: "Thandi",
			IDNumber: who.IDNumber, BirthDate: who.BirthDate, Verified: true,
		})
	}
	return rows
}

// exclusions are papers that bar the numbered people.
func exclusions(from, to int) wire.Rows {
	var rows wire.Rows
	for i := from; i < to; i++ {
		rows.Exclusions = append(rows.Exclusions, wire.Exclusion{
			Line: i - from + 2, Reference: fmt.Sprint("ROE-", i), Kind: "refusal-of-entry", IDNumber: document(i).IDNumber, From: tournament.DateOf(noon),
		})
	}
	return rows
}

func rowProblems(err error) []string {
	problem, ok := errors.AsType[*wire.Problem](err)
	if !ok || problem.Kind() != wire.ProblemRows {
		return []string{fmt.Sprint(err)}
	}
	var texts []string
	for _, row := range problem.Rows {
		texts = append(texts, row.String())
	}
	return texts
}

func TestTheSameFileTwiceChangesNothing(t *testing.T) {
	h := newHouse(t)
	for name, rows := range map[string]wire.Rows{
		"members":    members(7),
		"exclusions": exclusions(1, 8),
		"purchases": {Purchases: []wire.PurchaseRecord{
			{Line: 2, Number: "P1", Kind: tournament.CashBuyIn, Seats: 2, At: noon.Add(-60e9), IDNumber: document(50).IDNumber},
			{Line: 3, Number: "P2", Kind: tournament.PackageBuyIn, Package: "R200", Seats: 0, At: noon.Add(-60e9), IDNumber: document(51).IDNumber},
		}},
	} {
		done, err := h.tryImport(rows)
		if name == "purchases" && err != nil {
			rows.Purchases = rows.Purchases[:1] // a package's credit is for members only
			done, err = h.tryImport(rows)
		}
		if err != nil || done.Added != rows.Len() {
			t.Fatalf("%s: %+v, %v", name, done, err)
		}
		before := h.sequence()
		if done := h.bringIn(rows); done.Unchanged != rows.Len() || h.sequence() != before {
			t.Errorf("%s again: %+v, %d events", name, done, h.sequence()-before)
		}
	}
	person, err := h.client.Identify(t.Context(), wire.Identify{Card: "6001000000000003", Kiosk: "kiosk-1"})
	if err != nil || person.FirstName == "" {
		t.Errorf("a member: %+v, %v", person, err)
	}
}

func TestFaultyRowsAreAllNamedAndNothingIsDone(t *testing.T) {
	h := newHouse(t)
	rows := wire.Rows{}
	for i := range 8 {
		rows.Purchases = append(rows.Purchases, wire.PurchaseRecord{
			Line: i + 2, Number: fmt.Sprint("P", i), Kind: tournament.CashBuyIn, Seats: 1, At: noon.Add(-60e9), IDNumber: document(i).IDNumber,
		})
	}
	rows.Purchases[1].Kind, rows.Purchases[1].Package = tournament.PackageBuyIn, "R999"
	rows.Purchases[5].At = noon.Add(3600e9)
	rows.Purchases[7].IDNumber = ""
	_, err := h.tryImport(rows)
	texts := rowProblems(err)
	if len(texts) != 3 || !strings.HasPrefix(texts[0], "line 3, package") || !strings.HasPrefix(texts[1], "line 7, at") || !strings.HasPrefix(texts[2], "line 9") {
		t.Errorf("got %q", texts)
	}
	if h.sequence() != 0 {
		t.Error("something was done")
	}
}

func TestRowsWhoseAnswerWasLostMayBeSentAgain(t *testing.T) {
	h := newHouse(t)
	all := members(5)
	opened, err := h.client.OpenImport(t.Context(), wire.Import{Kind: wire.ImportMembers, Hash: strings.Repeat("0", 64), Name: "x", Operator: "x"})
	if err != nil {
		t.Fatal(err)
	}
	first, second := wire.Rows{Members: all.Members[:3]}, wire.Rows{After: 3, Members: all.Members[3:]}
	for _, rows := range []wire.Rows{first, first, second, second} {
		if staged, err := h.client.SendRows(t.Context(), opened.ID, rows); err != nil || staged.Rows != rows.After+rows.Len() {
			t.Fatal(staged, err)
		}
	}
	if _, err := h.client.SendRows(t.Context(), opened.ID, wire.Rows{After: 9, Members: all.Members[:1]}); err == nil {
		t.Error("a gap was taken")
	}
	if _, err := h.client.SendRows(t.Context(), opened.ID, wire.Rows{After: 5, Exclusions: exclusions(1, 2).Exclusions}); len(rowProblems(err)) != 1 {
		t.Errorf("rows of another kind: %v", err)
	}
	if _, err := h.client.CommitImport(t.Context(), opened.ID); err == nil {
		t.Error("an import with faulty rows was committed")
	}
	opened, err = h.client.OpenImport(t.Context(), wire.Import{Kind: wire.ImportMembers, Hash: strings.Repeat("0", 64), Name: "x", Operator: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.SendRows(t.Context(), opened.ID, first); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the answer to the first commit may have been lost
		if done, err := h.client.CommitImport(t.Context(), opened.ID); err != nil || done.Added != 3 {
			t.Errorf("got %+v, %v", done, err)
		}
	}
	if err := h.client.DropImport(t.Context(), opened.ID); err != nil {
		t.Error(err)
	}
}

// TestAnImportThatWasCutOff leaves nothing in the books and nothing that could be read on the disk, and can be sent again.
func TestAnImportThatWasCutOff(t *testing.T) {
	h := newHouse(t)
	rows := members(3)
	opened, err := h.client.OpenImport(t.Context(), wire.Import{Kind: wire.ImportMembers, Hash: strings.Repeat("0", 64), Name: "x", Operator: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.SendRows(t.Context(), opened.ID, rows); err != nil {
		t.Fatal(err)
	}
	staged, err := filepath.Glob(filepath.Join(h.options.Folder, stagingFolder, "*"))
	if err != nil || len(staged) != 1 {
		t.Fatal(staged, err)
	}
	text, err := os.ReadFile(staged[0])
	if err != nil || bytes.Contains(text, []byte("Naidoo")) || bytes.Contains(text, []byte(rows.Members[0].IDNumber)) {
		t.Errorf("the staged rows can be read: %q, %v", text, err)
	}
	left := filepath.Join(h.options.Folder, stagingFolder, "import-left")
	if err := os.WriteFile(left, text, 0o600); err != nil { // as a crash would
		t.Fatal(err)
	}
	h.stop()
	h.start()
	if files, _ := filepath.Glob(filepath.Join(h.options.Folder, stagingFolder, "*")); len(files) != 0 {
		t.Errorf("left over: %v", files)
	}
	if _, err := h.client.CommitImport(t.Context(), opened.ID); err == nil || h.sequence() != 0 {
		t.Error("half an import was committed")
	}
	if done := h.bringIn(rows); done.Added != 3 {
		t.Errorf("sent again: %+v", done)
	}
}

func TestAnImportThatStandsStillIsDropped(t *testing.T) {
	h := newHouse(t)
	opened, err := h.client.OpenImport(t.Context(), wire.Import{Kind: wire.ImportMembers, Hash: strings.Repeat("0", 64), Name: "x", Operator: "x"})
	if err != nil {
		t.Fatal(err)
	}
	h.imports.mu.Lock()
	one := h.imports.open[opened.ID]
	one.idle.Reset(0)
	h.imports.mu.Unlock()
	await(t, func() bool {
		_, err := h.client.CommitImport(t.Context(), opened.ID)
		return err != nil
	})
	await(t, func() bool {
		files, _ := filepath.Glob(filepath.Join(h.options.Folder, stagingFolder, "*"))
		return len(files) == 0
	})
}

// excluded reports whether the numbered person is stopped.
func (h *house) excluded(number int) bool {
	h.Helper()
	_, err := h.client.Identify(h.Context(), wire.Identify{Document: document(number), Kiosk: "kiosk-1"})
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if err != nil && (!refused || refusal.Reason != tournament.Excluded) {
		h.Fatal(err)
	}
	return err != nil
}

// TestLongListsOfExclusions go into a file that is swapped: what holds of short ones holds of them.
func TestLongListsOfExclusions(t *testing.T) {
	h := newHouse(t)
	known := h.player(2) // number 1
	seat, err := h.client.Register(t.Context(), h.key(), h.registration(known, h.nextHeat()))
	if err != nil {
		t.Fatal(err)
	}
	h.mostEntered = 5
	if done := h.bringIn(exclusions(100, 103)); done.Added != 3 || h.lists.version() != 0 {
		t.Fatalf("a short file: %+v", done)
	}
	first := exclusions(0, 20)
	if done := h.bringIn(first); done.Added != 20 || h.lists.version() != 1 {
		t.Fatalf("a long file: %+v, version %d", done, h.lists.version())
	}
	if !h.excluded(7) || !h.excluded(102) || h.excluded(30) {
		t.Error("the wrong people are excluded")
	}
	seats, err := h.client.Seats(t.Context(), seat.Heat)
	if err != nil || len(seats.Seats) != 0 {
		t.Errorf("somebody whom the books know keeps the seat: %+v, %v", seats, err)
	}
	before := h.sequence()
	if done := h.bringIn(first); done.Unchanged != 20 || h.sequence() != before || h.lists.version() != 1 {
		t.Errorf("the same file again: %+v", done)
	}
	second := exclusions(18, 24)
	second.Exclusions[0].Card = "6001 9"
	if done := h.bringIn(second); done != (wire.ImportDone{Added: 4, Changed: 1, Unchanged: 1}) || h.lists.version() != 2 {
		t.Errorf("another file: %+v", done)
	}
	h.stop()
	h.start()
	h.mostEntered = 5
	if !h.excluded(7) || !h.excluded(23) || h.excluded(24) {
		t.Error("after another start the wrong people are excluded")
	}
	if _, err := h.client.Identify(t.Context(), wire.Identify{Card: "60019", Kiosk: "kiosk-1"}); err == nil || !strings.Contains(err.Error(), "excluded") {
		t.Errorf("the card that was added: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(h.options.Folder, listsFolder, "*"))
	if len(files) != 2 {
		t.Errorf("files that are not in use: %v", files)
	}
	h.replays()
}

func TestFaultyLongListsChangeNothing(t *testing.T) {
	h := newHouse(t)
	h.mostEntered = 5
	h.bringIn(exclusions(0, 10))
	before := h.sequence()
	rows := exclusions(5, 15)
	rows.Exclusions[0].Kind = "category"                              // contradicts what is there
	rows.Exclusions[1].IDNumber = document(99).IDNumber               // so does this
	rows.Exclusions[7].Reference = rows.Exclusions[8].Reference       // stands twice
	rows.Exclusions[9].IDNumber, rows.Exclusions[9].Surname = "", "x" // bars nobody
	_, err := h.tryImport(rows)
	texts := rowProblems(err)
	want := []string{"line 2, reference: differs", "line 3, reference: differs", "line 10, reference: stands already on line 9", "line 11: a reference"}
	for i, text := range want {
		if len(texts) != len(want) || !strings.HasPrefix(texts[i], text) {
			t.Fatalf("got  %q\nwant %q", texts, want)
		}
	}
	if h.sequence() != before || h.lists.version() != 1 || h.excluded(14) {
		t.Error("something was done")
	}
	if files, _ := filepath.Glob(filepath.Join(h.options.Folder, listsFolder, "*")); len(files) != 2 {
		t.Errorf("left over: %v", files)
	}
}

// TestAListWhoseCommitIsUnknown puts the list in use if the commit was made, and not if it was not.
func TestAListWhoseCommitIsUnknown(t *testing.T) {
	for name, applied := range map[string]bool{"made": true, "not made": false} {
		t.Run(name, func(t *testing.T) {
			var rigged *rig
			h := newHouse(t, func(options *Options) {
				rigged = &rig{path: filepath.Join(options.Folder, BooksFile)}
				options.Open = rigged.open
			})
			h.mostEntered = 5
			rigged.failNext(errSync, applied)
			if _, err := h.tryImport(exclusions(0, 10)); err == nil || !strings.Contains(err.Error(), "same key") {
				t.Errorf("got %v", err)
			}
			await(t, func() bool { _, err := h.client.Health(t.Context()); return err == nil })
			if h.excluded(3) != applied {
				t.Errorf("excluded: %v", !applied)
			}
			if done := h.bringIn(exclusions(0, 10)); done.Added+done.Unchanged != 10 || (done.Unchanged == 10) != applied {
				t.Errorf("sent again: %+v", done)
			}
			if !h.excluded(3) {
				t.Error("not excluded")
			}
		})
	}
}

func TestADamagedListIsNotUsed(t *testing.T) {
	h := newHouse(t)
	h.mostEntered = 5
	h.bringIn(exclusions(0, 10))
	path := h.lists.listPath(1)
	h.stop()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(h.options); !errors.Is(err, exclusion.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// nothing is the view of an empty store.
type nothing struct{}

func (nothing) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (nothing) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}

// replays checks that the events add up to the books.
func (h *house) replays() {
	h.Helper()
	err := h.writer.view(h.Context(), func(view kv.Reader) error {
		again := kv.NewOverlay(nothing{})
		return errors.Join(h.books.Replay(view, again), ledger.Same(view, again))
	})
	if err != nil {
		h.Error(err)
	}
}
