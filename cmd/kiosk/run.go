package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"reelkiosk/assets"
	"reelkiosk/devices/display"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/face/player"
)

type runCommand struct {
	Config string `required:"" placeholder:"FILE" help:"The configuration; see kiosk config defaults."`
	Trace  string `placeholder:"FILE" help:"Write each screen that is shown, and what can be touched on it, as a JSON object a line."`
}

// Run runs the kiosk on the main goroutine, which is Fyne's own, until a signal ends it.
func (r *runCommand) Run() error {
	if err := display.Environment(); err != nil { // before anything of Fyne
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	settings, faults := config.Load(r.Config)
	if faults != nil {
		log.Error("the configuration has mistakes", "mistakes", faults.Error())
	}
	if err := display.Connect(); err != nil {
		return err
	}
	phrases, err := face.NewPhrases(assets.Phrases)
	if err != nil {
		return err
	}
	house, err := readHouse(settings.House)
	if err != nil {
		return err
	}
	parts := gather(settings, faults, phrases, log)
	defer parts.close()
	conductor := kiosk.New(parts.Parts)
	var shown kiosk.Face
	played := player.New(phrases, house, conductor.Touch)
	shown = played
	if r.Trace != "" {
		traced, err := newTrace(r.Trace, played)
		if err != nil {
			return err
		}
		defer traced.close()
		shown = traced
	}
	return appear(conductor, shown, played.Root(), settings.Monitor, log)
}

// appear opens the window and runs the conductor behind it.
func appear(conductor *kiosk.Conductor, shown kiosk.Face, root fyne.CanvasObject, monitor string, log *slog.Logger) error {
	application := app.New()
	application.Settings().SetTheme(face.Theme{})
	window := application.NewWindow("Kiosk")
	display.Prepare(window, root)
	window.SetMaster()
	window.Show()
	stopKeeping := display.Keep(display.Placement{
		Window: window, Monitor: monitor,
		Placed: func(_ display.Monitor, err error) { conductor.Monitor(err) },
	})
	conductor.Show(shown, fyne.Do)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	go func() { // ends with ctx, or with xset
		if err := display.Awake(ctx); err != nil && ctx.Err() == nil {
			log.Warn("the screen may go dark by itself", "why", err.Error())
		}
	}()
	ended := make(chan error, 1)
	go func() {
		err := conductor.Run(ctx)
		ended <- err
		fyne.Do(application.Quit)
	}()
	application.Run()
	stopKeeping()
	stop() // where the window ended first
	if err := <-ended; err != nil {
		return fmt.Errorf("kiosk: %w", err)
	}
	return nil
}
