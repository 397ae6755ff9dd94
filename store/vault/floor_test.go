package vault

import (
	"bytes"
	"crypto/rand"
	"errors"
	"testing"
)

func TestFloorKeysOpenWhatWasRewrappedForThemAlone(t *testing.T) {
	central := New(fixed())
	wrapped, err := central.NewPersonKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	context := []byte("name of p1")
	sealed, err := central.Seal(wrapped, []byte("Thandi"), context, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rewrapped, err := central.Rewrapper(1).Rewrap(wrapped)
	if err != nil {
		t.Fatal(err)
	}
	again, err := central.Rewrapper(1).Rewrap(wrapped)
	if err != nil || !bytes.Equal(again, rewrapped) {
		t.Errorf("the same key came out otherwise: %v", err)
	}
	first, second := New(central.Floor(1)), New(central.Floor(2))
	if got, err := first.Open(rewrapped, sealed, context); err != nil || string(got) != "Thandi" {
		t.Errorf("opened as %q, %v", got, err)
	}
	for _, c := range []struct {
		situation string
		vault     *Vault
		wrapped   []byte
	}{
		{"a floor key and central's wrapping", first, wrapped},
		{"the next floor key", second, rewrapped},
		{"central's key and the floor's wrapping", central, rewrapped},
	} {
		if got, err := c.vault.Open(c.wrapped, sealed, context); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: opened as %q, %v", c.situation, got, err)
		}
	}
	if first.IDNumber("8001015009087") != central.IDNumber("8001015009087") {
		t.Error("a kiosk looks people up by other hashes than central")
	}
	if _, err := central.Rewrapper(1).Rewrap(rewrapped); !errors.Is(err, ErrSealed) {
		t.Errorf("a key of the floor was wrapped again: %v", err)
	}
}
