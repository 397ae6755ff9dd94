package vault

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSealedTextOpensOnlyWithItsKeyAndContext(t *testing.T) {
	v := New(fixed())
	mine, err := v.NewPersonKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	hers, err := v.NewPersonKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	plain, context := []byte("Thandi Mokoena"), []byte("name of p1")
	sealed, err := v.Seal(mine, plain, context, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, []byte("Mokoena")) {
		t.Error("the sealed text shows the name")
	}
	if got, err := v.Open(mine, sealed, context); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("opened as %q, %v; want %q", got, err, plain)
	}
	otherHouse := fixed()
	otherHouse.Data[5]++
	for _, c := range []struct {
		situation       string
		vault           *Vault
		wrapped, sealed []byte
		context         []byte
	}{
		{"another person's key", v, hers, sealed, context},
		{"the key erased", v, nil, sealed, context},
		{"another house's keys", New(otherHouse), mine, sealed, context},
		{"another context", v, mine, sealed, []byte("name of p2")},
		{"no context", v, mine, sealed, nil},
		{"nothing sealed", v, mine, nil, context},
		{"cut short", v, mine, sealed[:len(sealed)-1], context},
		{"cut within the nonce", v, mine, sealed[:8], context},
		{"something appended", v, mine, append(bytes.Clone(sealed), 0), context},
		{"another version", v, mine, append([]byte{2}, sealed[1:]...), context},
		{"a wrapped key as text", v, mine, mine, context},
		{"a text as wrapped key", v, sealed, sealed, context},
	} {
		if got, err := c.vault.Open(c.wrapped, c.sealed, c.context); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: opened as %q, %v; want %v", c.situation, got, err, ErrSealed)
		}
	}
	for at := range sealed {
		for bit := range 8 {
			flipped := bytes.Clone(sealed)
			flipped[at] ^= 1 << bit
			if got, err := v.Open(mine, flipped, context); !errors.Is(err, ErrSealed) {
				t.Errorf("bit %d of byte %d flipped: opened as %q, %v", bit, at, got, err)
			}
		}
	}
	if _, err := v.Seal(mine[:20], plain, context, rand.Reader); !errors.Is(err, ErrSealed) {
		t.Errorf("sealing under half a key: %v, want %v", err, ErrSealed)
	}
}

func TestSealingTwiceGivesTwoTexts(t *testing.T) {
	v := New(fixed())
	wrapped, err := v.NewPersonKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	first, err1 := v.Seal(wrapped, nil, nil, rand.Reader)
	second, err2 := v.Seal(wrapped, nil, nil, rand.Reader)
	if err1 != nil || err2 != nil || bytes.Equal(first, second) {
		t.Errorf("sealed as %x, %v and %x, %v; want two different texts", first, err1, second, err2)
	}
	if got, err := v.Open(wrapped, first, nil); err != nil || got == nil || len(got) != 0 {
		t.Errorf("an empty text opened as %v, %v", got, err)
	}
}

func TestRandomThatEndsMakesNothing(t *testing.T) {
	v := New(fixed())
	for length := range 44 {
		if _, err := v.NewPersonKey(strings.NewReader(strings.Repeat("x", length))); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a key from %d random bytes: %v, want random's error", length, err)
		}
	}
	if _, err := v.NewPersonKey(strings.NewReader(strings.Repeat("x", 44))); err != nil {
		t.Errorf("a key from 44 random bytes: %v", err)
	}
}

// TestRandomDecidesAlone: the ledger is a pure function of its request, whose randomness it is given.
func TestRandomDecidesAlone(t *testing.T) {
	v := New(fixed())
	source := strings.Repeat("0123456789", 10)
	first, _ := v.NewPersonKey(strings.NewReader(source))
	second, _ := v.NewPersonKey(strings.NewReader(source))
	if len(first) != 61 || !bytes.Equal(first, second) {
		t.Errorf("wrapped keys %x and %x, want the same 61 bytes", first, second)
	}
}
