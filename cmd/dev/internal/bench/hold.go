package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/store/central"
)

// Holding says what a process of its own holds while its memory is measured.
type Holding struct {
	// Folder is the copy's; none is a process that holds nothing.
	Folder string
	// Base, Identity and Instance are central's address and who the kiosk is; Data and Keys are central's.
	Base, Identity, Instance, Data, Keys string
}

// What a holding process says once it has all.
const holding = "holding"

// Hold keeps a kiosk's copy until ctx ends, and says when it is all that central has.
func Hold(ctx context.Context, out io.Writer, what Holding) (err error) {
	if what.Folder != "" {
		options, err := central.Load(what.Data, what.Keys, "")
		if err != nil {
			return err
		}
		speaking, err := kioskOptions(what.Identity, what.Instance)
		if err != nil {
			return err
		}
		kept, err := keepCopy(what.Folder, what.Base, speaking, options.Vault)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, kept.Close()) }()
		if err := kept.upTo(ctx, 1); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, holding)
	<-ctx.Done()
	return nil
}

// holds measures what a process has in memory that holds the copy: one that filled it and one that opened it, beside one
// that holds nothing.
func (h *house) holds(ctx context.Context) ([]Row, error) {
	bare, err := h.held(ctx, "")
	if err != nil {
		return nil, err
	}
	opened, err := h.held(ctx, h.copyFolder())
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(h.copyFolder()); err != nil {
		return nil, err
	}
	filled, err := h.held(ctx, h.copyFolder())
	if err != nil {
		return nil, err
	}
	return []Row{{
		What:   "memory with that copy, without the page cache (RssAnon)",
		Got:    fmt.Sprintf("%.0f MB after a start, %.0f MB after filling", opened, filled),
		Beside: fmt.Sprintf("the same process with nothing %.0f MB", bare), Ratio: fmt.Sprintf("+%.0f MB, +%.0f MB", opened-bare, filled-bare),
		Aim: "250 MB",
	}}, nil
}

// held starts a process that holds a copy, and returns the megabytes of its memory that are no files.
func (h *house) held(ctx context.Context, folder string) (private float64, err error) {
	if folder != "" {
		if _, err := newFolder(folder); err != nil {
			return 0, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	holder, err := program.Start("hold", self, nil, "hold", "--folder", folder, "--base", h.Base(), "--identity", h.identity,
		"--instance", h.instance, "--data", h.Data(), "--keys", h.Keys())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, holder.Stop()) }()
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := holder.Await(within, holding); err != nil {
		return 0, err
	}
	if err := pause(ctx, time.Second); err != nil {
		return 0, err
	}
	_, private, err = memory(holder.PID())
	return private, err
}
