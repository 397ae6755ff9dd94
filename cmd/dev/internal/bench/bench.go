package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"
)

// Options say how to measure.
type Options struct {
	// Programs is the folder of the built programs.
	Programs string
	// Quick measures for a tenth of the time, and with less: the rows say how much.
	Quick bool
	// Only names the parts to measure: central, exclusions, kiosk, copy. None named is all of them.
	Only []string
}

func (o Options) lasting(full time.Duration) time.Duration {
	if o.Quick {
		return full / 10
	}
	return full
}

// Run measures everything and prints the table. What cannot be measured ends it with an error.
func Run(ctx context.Context, out io.Writer, options Options) error {
	folder, err := os.MkdirTemp("", "reelkiosk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Fprintf(out, "%s, %s/%s, %d processors, %s\n", time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), runtime.Version())
	var rows []Row
	for _, part := range []struct {
		word, name string
		measure    func(context.Context, Options, string) ([]Row, error)
	}{
		{"central", "registrations on central", measureCentral},
		{"exclusions", "the exclusion list", measureExclusions},
		{"kiosk", "the kiosk", measureKiosk},
		{"copy", "a kiosk's copy of the books", measureCopy},
	} {
		if len(options.Only) > 0 && !slices.Contains(options.Only, part.word) {
			continue
		}
		fmt.Fprintf(out, "measuring %s\n", part.name)
		measured, err := part.measure(ctx, options, folder)
		if err != nil {
			return fmt.Errorf("measure %s: %w", part.name, err)
		}
		rows = append(rows, measured...)
	}
	fmt.Fprintln(out)
	return Print(out, rows)
}
