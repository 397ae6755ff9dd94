package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"

	"reelkiosk/devices/display"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face"
	"reelkiosk/store/kv"
)

type runCommand struct {
	Config string `required:"" placeholder:"FILE" help:"The configuration file; kiosk config defaults prints what it may hold."`
	Trace  string `placeholder:"FILE" help:"Write each screen that is shown, and where it can be touched, to this file or pipe, as JSON lines. For tests and demonstrations."`
}

// Run runs the kiosk. It belongs on the main goroutine, as all of Fyne does.
func (c runCommand) Run() error {
	began := time.Now()
	if err := display.Environment(); err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	settings, look, out, err := settingsOf(c.Config, log)
	if err != nil {
		return err
	}
	trace, err := openTrace(c.Trace)
	if err != nil {
		return err
	}
	defer trace.close()
	// Opening the kiosk's own file has it checked, which takes as long as opening the window.
	assembled := make(chan *assembly, 1)
	go func() { assembled <- assemble(settings, look, log) }()
	if err := display.Connect(); err != nil {
		parts := <-assembled
		return errors.Join(fmt.Errorf("the kiosk cannot be shown: %w", err), leave(parts, log), parts.close())
	}
	if out == "" { // with this it comes up; what is changed later can be taken back to it
		if err := config.Worked(c.Config); err != nil {
			log.Warn("what worked cannot be kept, to go back to", "error", err)
		}
	}
	return show(settings, look, out, assembled, trace, log, began)
}

// show runs the kiosk in a window until it is told to stop.
func show(
	settings config.Config, look looks, out string, assembled <-chan *assembly, trace *trace, log *slog.Logger, began time.Time,
) (err error) {
	stop, stopped := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stopped()
	application := app.New()
	application.Settings().SetTheme(face.Theme{Palette: face.Dark})
	window := application.NewWindow("Reelkiosk")
	window.SetMaster()
	k := newShown(look, trace)

	k.parts = <-assembled
	defer func() { err = errors.Join(err, k.parts.close()) }()
	if err := k.parts.unusable(); err != nil {
		return err
	}
	log.Info("kiosk begins", "name", settings.Name, "central", settings.Central)
	k.parts.Out = cmp.Or(out, k.parts.Out)
	if k.parts.isFirst(settings) {
		k.first = newFirstStart(look, k.stage, trace)
	} else {
		k.parts.plugIn(settings)
	}

	root := fyne.CanvasObject(k.stage)
	if trace != nil {
		root = container.NewStack(root, trace.firstFrame(func() { log.Info("first frame", "after", time.Since(began).String()) }))
	}
	display.Prepare(window, root)
	window.Show()
	placement := display.Placement{Window: window, Monitor: settings.Monitor}
	placement.Placed = func(monitor display.Monitor, err error) {
		log.Info("window placed", "monitor", monitor.String(), "error", err)
		k.place(err)
	}
	placement.Held = func(held time.Duration) {
		log.Warn("the display took nothing to paint, and does again", "held", held.Round(time.Second).String())
	}
	unkeep := display.Keep(placement)
	if k.first == nil {
		k.begin()
	}
	life, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.run(life, settings)
	}()
	go awake(life, log)
	quit := context.AfterFunc(stop, func() { fyne.Do(func() { display.Quit(application) }) })
	var beside sync.WaitGroup
	var roomy atomic.Bool
	if errors.Is(k.parts.ReplicaError, kv.ErrFull) {
		beside.Go(func() {
			if roomAgain(life, settings.Data) {
				roomy.Store(true)
				k.ui(func() { display.Quit(application) })
			}
		})
	}
	application.Run()
	k.over.Store(true)
	quit()
	unkeep()
	end()
	<-ended
	beside.Wait()
	log.Info("kiosk ends")
	if roomy.Load() {
		return errors.New("there is room on the disk again: start anew")
	}
	return nil
}

// roomEvery is how often a kiosk that found no room on the disk when it started looks for some.
const roomEvery = 5 * time.Second

// roomAgain waits until the kiosk's own file, for which there was no room on the disk, can be opened after all, or until ctx
// ends. The parts that need it are made at the start only: the service manager starts the kiosk again.
func roomAgain(ctx context.Context, folder string) bool {
	ticker := time.NewTicker(roomEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		if file, err := openReplica(folder); err == nil {
			return file.Close() == nil
		}
	}
}

// awake keeps the monitor on. A screen that goes dark by itself is no reason not to run.
func awake(ctx context.Context, log *slog.Logger) {
	if err := display.Awake(ctx); err != nil && ctx.Err() == nil {
		log.Warn("the screen may go dark by itself", "error", err)
	}
}

// leaving is how long a kiosk without a display tries to bring central what an earlier run left unanswered.
const leaving = 5 * time.Second

// leave settles what can be settled without a display: nobody could use the kiosk, but what was asked for is still brought
// to its end. The error says what is left.
func leave(parts *assembly, log *slog.Logger) error {
	if parts.Replica == nil || parts.Central == nil {
		return parts.ReplicaError
	}
	requests, prints := len(parts.Replica.Requests()), len(parts.Replica.Intents())
	log.Error("no display: only what an earlier run left is settled", "requests", requests, "prints", prints)
	ctx, cancel := context.WithTimeout(context.Background(), leaving)
	defer cancel()
	return kiosk.Settle(ctx, parts.Parts)
}
