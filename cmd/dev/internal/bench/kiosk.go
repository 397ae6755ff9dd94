package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"reelkiosk/cmd/dev/internal/floor"
	"reelkiosk/kiosk/visit"
)

// measureKiosk measures a kiosk on a floor: its start, what it holds and burns on the attract screen, a swipe to the next
// screen, and a touch to the first byte at the printer.
func measureKiosk(ctx context.Context, options Options, folder string) (rows []Row, err error) {
	on, err := floor.Open(ctx, floor.Options{
		Programs: options.Programs, Folder: filepath.Join(folder, "floor"), Width: 1080, Height: 1920,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, on.Close()) }()
	for _, measure := range []func(context.Context, *floor.Floor, Options) ([]Row, error){starts, idles, swipes, touches} {
		measured, err := measure(ctx, on, options)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// starts measures from the program's start to its first painted frame, a few times with warm caches.
func starts(ctx context.Context, on *floor.Floor, options Options) ([]Row, error) {
	var times []time.Duration
	for range 5 {
		if err := on.Kiosk.Stop(); err != nil {
			return nil, err
		}
		began := time.Now()
		if err := on.StartKiosk(ctx); err != nil {
			return nil, err
		}
		times = append(times, on.Trace.Painted().Sub(began))
	}
	return []Row{{What: "kiosk, start to first frame", Got: median(times), Beside: "warm caches, 5 starts", Aim: "1 s"}}, nil
}

// idles measures memory and processor time on the attract screen, whose clock and countdown turn each minute, and each
// second in the last two minutes before a heat closes.
func idles(ctx context.Context, on *floor.Floor, options Options) ([]Row, error) {
	if _, err := on.AwaitScreen(ctx, visit.ScreenAttract); err != nil {
		return nil, err
	}
	if err := pause(ctx, options.lasting(10*time.Second)); err != nil {
		return nil, err
	}
	before, err := processorTime(on.Kiosk.PID())
	if err != nil {
		return nil, err
	}
	lasting := options.lasting(30 * time.Second)
	if err := pause(ctx, lasting); err != nil {
		return nil, err
	}
	after, err := processorTime(on.Kiosk.PID())
	if err != nil {
		return nil, err
	}
	resident, private, err := memory(on.Kiosk.PID())
	if err != nil {
		return nil, err
	}
	return []Row{
		{
			What: "kiosk, memory on the attract screen", Got: fmt.Sprintf("%.0f MB resident", resident),
			Beside: fmt.Sprintf("%.0f MB of it its own, the rest files", private), Aim: "200 MB",
		}, {
			What: "kiosk, processor on the attract screen", Got: fmt.Sprintf("%.1f %% of a core", 100*float64(after-before)/float64(lasting)),
			Beside: "a repaint a minute (a second, near closing)", Aim: "3 %",
		},
	}, nil
}

// swipes measures from the last byte of a swipe to the state of the screen that answers it.
func swipes(ctx context.Context, on *floor.Floor, _ Options) ([]Row, error) {
	var times []time.Duration
	for range 20 {
		if err := on.Swipe("nomsa"); err != nil {
			return nil, err
		}
		sent := time.Now()
		shown, err := on.AwaitTrouble(ctx, visit.TroubleNoEntries)
		if err != nil {
			return nil, err
		}
		times = append(times, shown.At.Sub(sent))
		if err := on.Tap(ctx, visit.ButtonCancel, ""); err != nil {
			return nil, err
		}
		if _, err := on.AwaitScreen(ctx, visit.ScreenAttract); err != nil {
			return nil, err
		}
	}
	return []Row{{
		What: "swipe's last byte to the next screen's state", Got: median(times), Beside: "with the question to central", Aim: "30 ms",
	}}, nil
}

// touches measures from the end of a touch on 'Take this seat' to the first byte of the ticket at the printer: a seat is
// asked for, committed on central's disk and on the kiosk's in between.
func touches(ctx context.Context, on *floor.Floor, _ Options) ([]Row, error) {
	var times []time.Duration
	for range 6 {
		if err := on.Swipe("sibusisiwe"); err != nil {
			return nil, err
		}
		for _, button := range []visit.Button{visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes} {
			if err := on.Tap(ctx, button, ""); err != nil {
				return nil, err
			}
		}
		if _, err := on.AwaitScreen(ctx, visit.ScreenOffer); err != nil {
			return nil, err
		}
		if err := on.Settle(); err != nil {
			return nil, err
		}
		first := on.FirstByte()
		if err := on.Tap(ctx, visit.ButtonTake, ""); err != nil {
			return nil, err
		}
		touched := time.Now()
		select {
		case at := <-first:
			times = append(times, at.Sub(touched))
		case <-time.After(10 * time.Second):
			return nil, errors.New("no byte of a ticket reached the printer")
		}
		<-on.Printer.Tickets()
		if err := on.Tap(ctx, visit.ButtonDone, ""); err != nil {
			return nil, err
		}
		if _, err := on.AwaitScreen(ctx, visit.ScreenAttract); err != nil {
			return nil, err
		}
	}
	return []Row{{
		What: "touch to first byte at the printer", Got: median(times), Beside: "printer asked, seat and intent on disk", Aim: "30 ms",
	}}, nil
}

func median(times []time.Duration) string {
	slices.Sort(times)
	return fmt.Sprintf("%s median, %s to %s", short(times[len(times)/2]), short(times[0]), short(times[len(times)-1]))
}

func pause(ctx context.Context, lasting time.Duration) error {
	select {
	case <-time.After(lasting):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// processorTime returns how long a process has run, in user and in system mode (proc(5), /proc/PID/stat).
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after) // from field 3 on; utime and stime are 14 and 15, in hundredths of a second
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	var ticks int
	for _, field := range fields[11:13] {
		value, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		ticks += value
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// memory returns what of a process is in memory, and how much of it is its own, in megabytes.
func memory(pid int) (resident, private float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		kilobytes, _ := strconv.ParseFloat(fields[0], 64)
		switch name {
		case "VmRSS":
			resident = kilobytes * 1024 / 1e6
		case "RssAnon":
			private = kilobytes * 1024 / 1e6
		}
	}
	return resident, private, nil
}
