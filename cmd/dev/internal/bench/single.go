package bench

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// mostCommits is more commits a second than any disk makes here.
const mostCommits = 5000

// commits decides registrations on the books of a central that is stopped, and then returns how many of them could be
// committed in the time, one after another, each in a commit of its own: the very keys and values that central writes,
// and nothing else. However many clients wait, a store has one writer.
func (r *rush) commits(ctx context.Context, lasting time.Duration) (count int, took time.Duration, err error) {
	options, err := central.Load(r.Data(), r.Keys(), "")
	if err != nil {
		return 0, 0, err
	}
	store, err := options.OpenBooks()
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	leader, err := store.Lead(ctx)
	if err != nil {
		return 0, 0, err
	}
	books := ledger.New(options.Definition, options.Vault, new(exclusion.Set))
	var decided []*kv.Batch
	err = store.View(ctx, func(view kv.Reader) error {
		decided, err = r.decide(books, view, int(mostCommits*lasting.Seconds()))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	for ; time.Since(began) < lasting && count < len(decided); count++ {
		if err := leader.Apply(ctx, decided[count]); err != nil {
			return 0, 0, err
		}
	}
	took = time.Since(began)
	r.next.Add(int64(count))
	return count, took, err
}

// decide returns what so many registrations write.
func (r *rush) decide(books *ledger.Books, view kv.Reader, count int) (decided []*kv.Batch, err error) {
	overlay := kv.NewOverlay(view)
	for number := range int64(count) {
		asked, err := r.registration(r.next.Load() + number)
		if err != nil {
			return nil, err
		}
		body, err := json.Marshal(asked)
		if err != nil {
			return nil, err
		}
		r.alone++
		trial := overlay.Nest()
		_, err = books.Apply(trial, ledger.Request{
			Key: wire.Key{Enrolment: "bench-alone", Sequence: r.alone}, Settled: r.alone, Body: sha256.Sum256(body),
			At: time.Now(), Who: "player", Where: asked.Kiosk, Random: rand.Reader, Act: ledger.Register(asked),
		})
		if err != nil {
			return nil, fmt.Errorf("decide a registration: %w", err)
		}
		decided = append(decided, trial.Batch())
		trial.Keep()
	}
	return decided, nil
}
