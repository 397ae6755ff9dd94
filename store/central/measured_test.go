package central

import (
	"context"
	"testing"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/vault"
)

func TestAListForMeasuringIsInUseAfterTheStart(t *testing.T) {
	options := Options{
		Definition: demoTournament(t), Vault: vault.New(vault.Keys{}), Folder: t.TempDir(),
		Wall: func() time.Time { return noon },
	}
	if err := options.BuildList(t.Context(), exclusion.Synthetic(100)); err != nil {
		t.Fatal(err)
	}
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	list := c.lists.set.List()
	if list == nil || list.Version() != 1 || list.Len() != 100 {
		t.Fatalf("in use is %v", list)
	}
	if _, listed, err := list.Lookup(exclusion.SyntheticHash(42)); err != nil || !listed {
		t.Errorf("one of the list is not found: %v", err)
	}
}
