package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// measureCopy measures a kiosk's copy of the books: how it follows, how it is first filled, and what it costs to hold it
// and to give seats by it.
func measureCopy(ctx context.Context, options Options, folder string) ([]Row, error) {
	rows, err := measureFeed(ctx, options, filepath.Join(folder, "feed"))
	if err != nil {
		return nil, err
	}
	more, err := measureHouse(ctx, options, filepath.Join(folder, "house"))
	return append(rows, more...), err
}

// keptCopy is a kiosk's copy that is kept.
type keptCopy struct {
	*replica.Mirror
	// heads are where the books stood when the copy was all of them; anew tells of a copy that was filled, and of a list.
	heads chan uint64
	anew  chan struct{}
	way   *client.Client
	stop  context.CancelFunc
	ended chan struct{}
}

// patience is how long anything is waited for that should come at once.
const patience = 10 * time.Minute

// keepCopy opens the copy in a folder and keeps it up with central; keys are those of its vault.
func keepCopy(folder, base string, options client.Options, keys *vault.Vault) (*keptCopy, error) {
	began := time.Now()
	mirror, err := replica.OpenMirror(folder, func() time.Duration { return time.Since(began) }, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	way, err := client.New(base, options)
	if err != nil {
		return nil, errors.Join(err, mirror.Close())
	}
	k := &keptCopy{Mirror: mirror, heads: make(chan uint64, 1000), anew: make(chan struct{}, 1000), way: way, ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	k.stop = cancel
	go func() {
		defer close(k.ended)
		mirror.Keep(ctx, way, replica.Keeping{
			Keys: func(context.Context) (vault.Keys, uint32, error) { return keys.Floor(1), 1, nil },
			Applied: func(events []*ledger.Event) {
				if events == nil {
					k.anew <- struct{}{}
				}
			},
			Heard: func(head wire.FeedHead) {
				select {
				case k.heads <- head.Sequence:
				default: // nobody waits
				}
			},
		})
	}()
	return k, nil
}

// upTo waits until the copy is all that central had at an event.
func (k *keptCopy) upTo(ctx context.Context, sequence uint64) error {
	for at := uint64(0); at < sequence; {
		head, err := await(ctx, k.heads)
		if err != nil {
			return fmt.Errorf("the copy never came to event %d: %w", sequence, err)
		}
		at = head
	}
	return nil
}

// filled waits until a copy that was not there has the books and the exclusion list.
func (k *keptCopy) filled(ctx context.Context) error {
	for range 2 {
		if _, err := await(ctx, k.anew); err != nil {
			return fmt.Errorf("the copy was never filled: %w", err)
		}
	}
	return nil
}

// Close stops keeping the copy, and closes it.
func (k *keptCopy) Close() error {
	k.stop()
	<-k.ended
	k.way.Close()
	return k.Mirror.Close()
}

// await waits for what should come.
func await[T any](ctx context.Context, from <-chan T) (got T, err error) {
	select {
	case got = <-from:
		return got, nil
	case <-time.After(patience):
		return got, fmt.Errorf("nothing came for %v", patience)
	case <-ctx.Done():
		return got, ctx.Err()
	}
}

// spread is the median of figures and how far they lie apart, as they are to be read.
func spread[T cmp.Ordered](figures []T, read func(T) string) string {
	sorted := slices.Sorted(slices.Values(figures))
	return fmt.Sprintf("%s (%s to %s)", read(sorted[len(sorted)/2]), read(sorted[0]), read(sorted[len(sorted)-1]))
}

func aSecond(rate float64) string { return fmt.Sprintf("%.0f/s", rate) }

func fold(ratio float64) string { return fmt.Sprintf("%.2f×", ratio) }

// ratios sets one figure of each round against the other.
func ratios[T ~int64 | ~float64](of, to []T) []float64 {
	result := make([]float64, len(of))
	for i := range of {
		result[i] = float64(of[i]) / float64(to[i])
	}
	return result
}

func newFolder(path string) (string, error) { return path, os.MkdirAll(path, 0o700) }
