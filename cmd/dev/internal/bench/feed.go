package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/client"
)

// making is how many clients make the changes that a copy then follows.
const making = 64

// measureFeed measures how fast a copy follows and how many kiosks one central keeps up to date. Central speaks without
// TLS: each kiosk has one line that stays.
func measureFeed(ctx context.Context, options Options, folder string) (rows []Row, err error) {
	if _, err := newFolder(folder); err != nil {
		return nil, err
	}
	r, err := openRush(ctx, options.Programs, folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	r.Client.Close() // its idle lines count against what central takes from one address
	applied, at, err := r.follows(ctx, filepath.Join(folder, "copy"), options.lasting(10*time.Second)/rounds)
	if err != nil {
		return nil, err
	}
	kiosks := 1000
	if options.Quick {
		kiosks = 200
	}
	more, err := r.everywhere(ctx, at, kiosks, options.Quick)
	return append([]Row{applied}, more...), err
}

// follows measures a copy that was left behind and catches up, in turn with central making the changes. It returns where
// the copy is at the end.
func (r *rush) follows(ctx context.Context, folder string, lasting time.Duration) (row Row, at client.Position, err error) {
	if _, err := newFolder(folder); err != nil {
		return row, at, err
	}
	opened, err := central.Load(r.Data(), r.Keys(), "")
	if err != nil {
		return row, at, err
	}
	catchUp := func(sequence uint64) (took time.Duration, err error) {
		began := time.Now()
		kept, err := keepCopy(folder, r.Base(), client.Options{}, opened.Vault)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, kept.Close()) }()
		if err = kept.upTo(ctx, sequence); err == nil {
			took = time.Since(began)
			at, err = kept.Position(ctx)
		}
		return took, err
	}
	health, err := r.Client.Health(ctx)
	if err != nil {
		return row, at, err
	}
	if _, err := catchUp(health.Sequence); err != nil { // which fills it
		return row, at, err
	}
	var made, applied []float64
	for range rounds {
		before := at.Sequence
		calls, err := r.registrations(making, lasting)
		if err != nil {
			return row, at, err
		}
		if health, err = r.Client.Health(ctx); err != nil {
			return row, at, err
		}
		took, err := catchUp(health.Sequence)
		if err != nil {
			return row, at, err
		}
		changes := int(health.Sequence - before)
		made, applied = append(made, perSecond(changes, calls.took)), append(applied, perSecond(changes, took))
	}
	return Row{
		What: "changes applied by a kiosk's copy", Got: spread(applied, aSecond),
		Beside: fmt.Sprintf("central makes %s with %d clients", spread(made, aSecond), making),
		Ratio:  fmt.Sprintf("%s of %d rounds", spread(ratios(applied, made), fold), rounds),
		Aim:    "1×",
	}, at, nil
}
