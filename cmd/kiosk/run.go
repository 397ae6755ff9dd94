package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
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
	"reelkiosk/kiosk/face/player"
	"reelkiosk/kiosk/visit"
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
	var conductor *kiosk.Conductor
	screens := player.New(look.phrases, look.house, func(event visit.Event) { conductor.Touch(event) })

	parts := <-assembled
	defer func() { err = errors.Join(err, parts.close()) }()
	if err := parts.unusable(); err != nil {
		return err
	}
	log.Info("kiosk begins", "name", settings.Name, "central", settings.Central)
	parts.Out = cmp.Or(out, parts.Out)
	parts.plugIn(settings)
	conductor = kiosk.New(parts.Parts)

	root := screens.Root()
	if trace != nil {
		root = container.NewStack(root, trace.firstFrame(func() { log.Info("first frame", "after", time.Since(began).String()) }))
	}
	display.Prepare(window, root)
	window.Show()
	unkeep := display.Keep(display.Placement{Window: window, Monitor: settings.Monitor, Placed: func(monitor display.Monitor, err error) {
		log.Info("window placed", "monitor", monitor.String(), "error", err)
		conductor.Monitor(err)
	}})
	var over atomic.Bool
	conductor.Show(trace.follow(screens), func(call func()) {
		if !over.Load() { // Fyne runs nothing more, and what is behind the window is gone
			fyne.Do(call)
		}
	})
	life, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = conductor.Run(life) // it ends only with life
	}()
	go awake(life, log)
	quit := context.AfterFunc(stop, func() { fyne.Do(func() { display.Quit(application) }) })
	application.Run()
	over.Store(true)
	quit()
	unkeep()
	end()
	<-ended
	log.Info("kiosk ends")
	return nil
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
