package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/face/player"
	"reelkiosk/kiosk/face/service"
	"reelkiosk/kiosk/firststart"
	"reelkiosk/kiosk/visit"
)

// isFirst reports whether this is a first start: central wants to know who speaks, the kiosk has no identity, and there is a
// file to make one for.
func (a *assembly) isFirst(settings config.Config) bool {
	_, err := os.Stat(filepath.Join(settings.Data, identityFile))
	demo := strings.HasPrefix(settings.Central, "http:")
	return !demo && a.Replica != nil && errors.Is(err, fs.ErrNotExist)
}

// firstStart shows the screens of the first start on a stage.
type firstStart struct {
	screens *service.FirstStart
	stage   *fyne.Container
	touched chan firststart.Event
}

// newFirstStart returns the screens of the first start, and what to put into the window for them.
func newFirstStart(look looks, stage *fyne.Container, trace *trace) *firstStart {
	f := &firstStart{stage: stage, touched: make(chan firststart.Event, 64)}
	f.screens = service.NewFirstStart(look.phrases, look.house, func(event firststart.Event) {
		select {
		case f.touched <- event:
		default: // dozens of touches are waiting already
		}
	})
	f.screens.Drawn = trace.noteFirst
	stage.Objects = []fyne.CanvasObject{f.screens.Root()}
	return f
}

// run has the kiosk enrolled, and connects it. It returns false where ctx ended before.
func (f *firstStart) run(ctx context.Context, parts *assembly, settings config.Config, ui func(func())) bool {
	parts.Log.Info("not enrolled yet: the first start is shown")
	central, err := kiosk.FirstStart{
		Name: settings.Name, Central: settings.Central, Enrolment: parts.Replica.Enrolment(),
		Path: filepath.Join(settings.Data, identityFile), Log: parts.Log,
		Show: func(state firststart.State) {
			ui(func() { f.screens.Show(state) })
		},
	}.Run(ctx, f.touched)
	if err != nil {
		return false
	}
	if central != settings.Central {
		note := config.Enrolled{Central: central, Instead: settings.Central}
		if err := note.Save(settings.Data); err != nil {
			parts.Log.Error("the next start will not find central", "central", central, "error", err)
		}
		settings.Central = central
	}
	parts.Unenrolled = ""
	parts.connect(settings, parts.Log)
	return true
}

// over gives the stage to the screens of players.
func (f *firstStart) over(screens *player.Face) {
	f.stage.Objects = []fyne.CanvasObject{screens.Root()}
	f.stage.Refresh()
}

// noteFirst notes a screen of the first start.
func (t *trace) noteFirst(state firststart.State, touches []face.Touch) {
	if t == nil {
		return
	}
	now := time.Now()
	l := line{At: now, touchable: now, Screen: visit.Screen("first-" + string(state.Screen))}
	for _, touch := range touches {
		button := ""
		switch event := touch.Event.(type) {
		case firststart.Symbol:
			button = string(event.Symbol)
		case firststart.Pressed:
			button = fmt.Sprint(event.Button)
		}
		l.Targets = append(l.Targets, player.Target{Button: visit.Button(button), X: touch.X, Y: touch.Y, W: touch.W, H: touch.H})
	}
	select {
	case t.lines <- l:
	default: // nobody reads
	}
}
