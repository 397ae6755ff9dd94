package demo

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/cmd/dev/internal/floor"
	"reelkiosk/kiosk/visit"
)

// Tour plays whole visits by itself and leaves a picture of every screen in the folder, numbered in the order of the
// play, and the first ticket as ticket.png and ticket.txt.
func (e *Evening) Tour(ctx context.Context, folder, language string) error {
	tour := &tour{Evening: e, folder: folder, language: language}
	for _, scene := range scenes {
		tour.own = scene.name == otherLanguages
		for line := range strings.Lines(scene.script) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if err := tour.step(ctx, line); err != nil {
				return fmt.Errorf("scene %q: %s: %w", scene.name, line, err)
			}
		}
	}
	return nil
}

type tour struct {
	*Evening
	folder, language string
	taken            int
	// own says that the scene chooses its languages itself.
	own bool
	// what was waited for last, and how it is told.
	what   string
	wanted func(floor.Shown) bool
	// before is what stood on the glass before the last thing that changed it.
	before *image.RGBA
	// out are the machines that the tour took out of service.
	out []int
}

func (t *tour) step(ctx context.Context, line string) error {
	words := strings.Fields(line)
	switch words[0] {
	case "wait", "over", "trouble", "hint", "look", "out":
		return t.wait(ctx, line, words)
	case "mute":
		t.floor.Mute(200)
		return nil
	case "keep":
		return t.keep()
	case "pause", "paper", "printer":
		return t.Do(ctx, line)
	}
	if err := t.speak(ctx, words); err != nil {
		return err
	}
	if words[0] == "show" {
		return t.show(ctx, words[1])
	}
	if err := t.remember(); err != nil {
		return err
	}
	switch words[0] {
	case "tap":
		return t.tap(ctx, append(words[1:], "")...)
	case "close":
		return t.closeHeat(ctx)
	case "machines":
		return t.machines(ctx, words[1] == "out")
	case "revoke":
		return t.revoke()
	}
	return t.Do(ctx, line)
}

// wait waits for what a line says; a picture that is taken next must be of this.
func (t *tour) wait(ctx context.Context, line string, words []string) error {
	how := words[1]
	switch words[0] {
	case "wait":
		switch how {
		case "ticket":
			return t.Do(ctx, line)
		case "alone":
			return t.floor.AwaitAlone(ctx)
		case "ready":
			t.wanted = func(shown floor.Shown) bool { return shown.IsReady() && shown.Over == visit.OverNothing }
		case "full", "free":
			t.wanted = func(shown floor.Shown) bool { return shown.IsReady() && shown.Full == (how == "full") }
		default:
			t.wanted = func(shown floor.Shown) bool {
				return string(shown.Screen) == how && shown.Over == visit.OverNothing
			}
		}
	case "over":
		t.wanted = func(shown floor.Shown) bool { return string(shown.Over) == how }
	case "trouble":
		t.wanted = func(shown floor.Shown) bool {
			return shown.Screen == visit.ScreenTrouble && shown.Trouble == how && shown.Over == visit.OverNothing
		}
	case "hint":
		t.wanted = func(shown floor.Shown) bool { return shown.Hint == how }
	case "look":
		t.wanted = func(shown floor.Shown) bool {
			return shown.Screen == visit.ScreenAttract && shown.Over == visit.OverNothing && looks(shown.Look, how)
		}
	case "out":
		t.wanted = func(shown floor.Shown) bool { return shown.Screen == visit.ScreenAttract && shown.Out == how }
	}
	t.what = line
	if words[0] == "over" { // 'still there?' comes after 30 s
		_, err := t.floor.AwaitOver(ctx, visit.Over(how))
		return err
	}
	_, err := t.floor.Await(ctx, line, t.wanted)
	return err
}

func looks(look visit.Look, how string) bool {
	switch how {
	case "larger":
		return look.Larger
	case "contrast":
		return look.Contrast
	case "plain":
		return look == visit.Look{Language: "en"}
	}
	return look.Language == how
}

// speak chooses the tour's language where the attract screen has another: each visit ends in the first language, and a kiosk
// begins in it.
func (t *tour) speak(ctx context.Context, words []string) error {
	shown, _, _ := t.floor.Trace.Now()
	if t.own || shown.Screen != visit.ScreenAttract || shown.Look.Language == t.language ||
		words[0] == "tap" && words[1] == string(visit.ButtonCancel) {
		return nil
	}
	switch words[0] {
	case "swipe", "scan", "bank", "tap", "show":
	default:
		return nil
	}
	if err := t.remember(); err != nil {
		return err
	}
	if err := t.tap(ctx, string(visit.ButtonLanguage), t.language); err != nil {
		return err
	}
	_, err := t.floor.Await(ctx, "language "+t.language, func(shown floor.Shown) bool { return shown.Look.Language == t.language })
	return err
}

// harmless are the buttons that do the same when they are touched twice: what they lead to is there already, and a touch that was
// meant for the screen before counts for nothing. Those that print, and those that turn to and fro, are not among them.
var harmless = map[visit.Button]bool{
	visit.ButtonLanguage: true, visit.ButtonWhere: true, visit.ButtonPrivacy: true, visit.ButtonClose: true, visit.ButtonBack: true,
	visit.ButtonCancel: true, visit.ButtonContinue: true, visit.ButtonNotMe: true, visit.ButtonReadRules: true,
	visit.ButtonAccept: true, visit.ButtonDecline: true, visit.ButtonYes: true, visit.ButtonNotSure: true, visit.ButtonOthers: true,
	visit.ButtonStillHere: true, visit.ButtonDone: true, visit.ButtonCallHost: true,
}

const (
	// tapTries is how often a harmless button is touched at most.
	tapTries = 4
	// tapAnswer is how long a touch may take until the screen changes, on a busy machine.
	tapAnswer = 6 * time.Second
)

// tap touches a button. A busy X server or window may lose a touch; one that does the same twice is then made again.
func (t *tour) tap(ctx context.Context, words ...string) error {
	button, which := visit.Button(words[0]), words[1]
	for try := 1; ; try++ {
		on, _, err := t.floor.AwaitButton(ctx, button, which)
		if err != nil {
			return err
		}
		if button == visit.ButtonLanguage && on.Look.Language == which {
			return nil
		}
		if err := t.floor.Tap(ctx, button, which); err != nil || !harmless[button] {
			return err
		}
		within, cancel := context.WithTimeout(ctx, tapAnswer)
		_, err = t.floor.Await(within, "another screen", func(shown floor.Shown) bool {
			return shown.String() != on.String() || shown.Visit != on.Visit || shown.Look != on.Look
		})
		cancel()
		if err == nil || try == tapTries || ctx.Err() != nil || !t.floor.Kiosk.Running() {
			return err
		}
		t.say("tap %s: nothing happened for %v, the touch was lost; once more, as it does the same twice\n", button, tapAnswer)
	}
}

// remember keeps what stands on the glass, so that a picture that is taken later can be told from it.
func (t *tour) remember() (err error) {
	t.before, err = t.floor.Screen.Picture()
	return err
}

// show takes a picture of what was waited for last, in the tour's language.
func (t *tour) show(ctx context.Context, what string) error {
	t.taken++
	name := fmt.Sprintf("%02d-%s.png", t.taken, what)
	wanted := func(shown floor.Shown) bool {
		return t.wanted(shown) && (t.own || shown.Look.Language == t.language)
	}
	if err := t.floor.ShotOf(ctx, filepath.Join(t.folder, name), t.what+" in "+t.language, wanted, t.before); err != nil {
		return err
	}
	t.say("%s\n", name)
	return t.remember()
}

// keep copies the last ticket beside the pictures.
func (t *tour) keep() error {
	t.mu.Lock()
	last := fmt.Sprintf("ticket-%d", t.printed)
	t.mu.Unlock()
	for _, end := range []string{".png", ".txt"} {
		content, err := os.ReadFile(filepath.Join(t.Tickets, last+end))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.folder, "ticket"+end), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
