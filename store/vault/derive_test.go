package vault

import (
	"encoding/hex"
	"testing"
)

func TestEachUseHasASecretOfItsOwn(t *testing.T) {
	v, other := New(Keys{Data: [32]byte{1}}), New(Keys{Data: [32]byte{2}})
	first := v.Derive("one")
	if first != v.Derive("one") {
		t.Error("the same use gave another secret")
	}
	if first == v.Derive("two") || first == other.Derive("one") || first == v.Floor(1).Data {
		t.Error("two uses, or two vaults, share a secret")
	}
	// What is sealed under it on disks must open in every later version.
	if got := hex.EncodeToString(first[:4]); got != "98f5ee76" {
		t.Errorf("the derivation changed: %s", got)
	}
}
