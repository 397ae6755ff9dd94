package replica

import (
	"path/filepath"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/wire"
)

func TestADeadLetterHoldsUpNothingAndIsSentAgainUnderANewKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	first, second := ask(t, r, "1"), ask(t, r, "2")
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for range 2 { // two senders heard the same answer
		if err := r.Bury(first, "unknown-ticket", at); err != nil {
			t.Fatal(err)
		}
	}
	if r.Settled() != second.Sequence || len(r.Requests()) != 1 {
		t.Errorf("settled %d, left %v", r.Settled(), r.Requests())
	}
	r = again(t, r, path)
	dead := r.Dead()
	if len(dead) != 1 || dead[0].Number != 1 || dead[0].Reason != "unknown-ticket" || !dead[0].At.Equal(at) ||
		dead[0].Path != first.Path || string(dead[0].Body) != string(first.Body) {
		t.Fatalf("the dead letters are %+v", dead)
	}
	sent, err := r.Retry(1)
	if err != nil || sent.Sequence != 3 || string(sent.Body) != string(first.Body) || sent.Path != first.Path {
		t.Errorf("sent again as %+v: %v", sent, err)
	}
	if _, err := r.Retry(1); err == nil {
		t.Error("it was sent again twice")
	}
	r = again(t, r, path)
	if len(r.Dead()) != 0 || len(r.Requests()) != 2 {
		t.Errorf("left %v, dead %v", r.Requests(), r.Dead())
	}
	if err := r.Bury(first, "late", at); err != nil || len(r.Dead()) != 0 {
		t.Errorf("what was settled long ago was buried: %v", err)
	}
}

func TestWhatGoesWithARequestIsInItsCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	held := []byte("held/grant")
	if _, err := r.Ask(wire.PathNotices, 1, func(batch *kv.Batch) { batch.Put(held, []byte("7")) }); err != nil {
		t.Fatal(err)
	}
	r = again(t, r, path)
	err := r.store.View(t.Context(), func(view kv.Reader) error {
		got, err := view.Get(held)
		if string(got) != "7" {
			t.Errorf("it is %q", got)
		}
		return err
	})
	if err != nil || len(r.Requests()) != 1 {
		t.Errorf("%d requests: %v", len(r.Requests()), err)
	}
}
