package bolt

import (
	"errors"
	"path/filepath"
	"testing"

	"reelkiosk/store/kv"
)

func TestSmoke(t *testing.T) {
	path := filepath.Join(t.TempDir(), "books")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b kv.Batch
	b.Put([]byte("a"), []byte("1"))
	b.Put([]byte("b"), nil)
	if err := l.Apply(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, Options{})
	t.Log(err)
	if !errors.Is(err, kv.ErrHeld) {
		t.Fatal()
	}
	s.View(t.Context(), func(r kv.Reader) error {
		seq, e := r.Range(nil, nil)
		for k, v := range seq {
			t.Logf("%q %q", k, v)
		}
		return e()
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err = Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err = s.Lead(t.Context())
	t.Log(l.Epoch(), err)
	t.Log(s.Close())
}
