package central

import (
	"errors"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/wire"
)

func (h *house) openImport() (wire.Staged, error) {
	return h.client.OpenImport(h.Context(), wire.Import{
		Kind: wire.ImportMembers, Hash: strings.Repeat("0", 64), Name: "members.csv", Operator: "test",
	})
}

// aged makes every import look as if it had stood still for so long.
func (h *house) aged(still time.Duration) {
	h.imports.mu.Lock()
	defer h.imports.mu.Unlock()
	for _, one := range h.imports.open {
		one.stepped = one.stepped.Add(-still)
	}
}

// Sixteen imports that were given up, refused or done locked everybody out for ten minutes.
func TestImportsThatHaveEndedLockedOthersOut(t *testing.T) {
	h := newHouse(t)
	for i := range 3 * mostImports {
		opened, err := h.openImport()
		if err != nil {
			t.Fatalf("import %d: %v", i, err)
		}
		if i%2 == 0 {
			err = h.client.DropImport(t.Context(), opened.ID)
		} else {
			_, err = h.client.CommitImport(t.Context(), opened.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(h.imports.open); kept > mostEnded {
		t.Errorf("%d imports are remembered", kept)
	}
}

func TestOfTooManyImportsTheOneThatStoodStillLongestGivesWay(t *testing.T) {
	h := newHouse(t)
	var ids []string
	for range mostImports {
		opened, err := h.openImport()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, opened.ID)
	}
	_, err := h.openImport()
	problem, told := errors.AsType[*wire.Problem](err)
	if !told || !strings.Contains(problem.Title, "busy with other imports") {
		t.Fatalf("while all are at work: %v", err)
	}
	h.aged(2 * stepPause)
	if _, err := h.client.SendRows(t.Context(), ids[0], members(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := h.openImport(); err != nil {
		t.Fatalf("while others stand still: %v", err)
	}
	if _, err := h.client.CommitImport(t.Context(), ids[0]); err != nil {
		t.Errorf("the one at work: %v", err)
	}
	if _, err := h.client.CommitImport(t.Context(), ids[1]); err == nil || !strings.Contains(err.Error(), "no such import") {
		t.Errorf("the one that gave way: %v", err)
	}
}
