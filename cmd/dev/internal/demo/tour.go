package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"reelkiosk/cmd/dev/internal/floor"
	"reelkiosk/kiosk/visit"
)

// Tour plays whole visits by itself and leaves a picture of every screen in the folder, numbered in the order of the
// play, and the first ticket as ticket.png and ticket.txt.
func (e *Evening) Tour(ctx context.Context, folder, language string) error {
	tour := &tour{Evening: e, folder: folder, language: language}
	for _, scene := range scenes {
		if err := tour.play(ctx, scene); err != nil {
			return fmt.Errorf("scene %q: %w", scene.name, err)
		}
	}
	return nil
}

type tour struct {
	*Evening
	folder, language string
	taken            int
}

// scene is a visit as a script: the commands of the demo, and these of its own:
//
//	show NAME          takes a picture, numbered
//	over OVERLAY       waits until something lies over the screen
//	trouble WHAT       waits for the screen of a trouble
//	hint WHAT          waits for a short message
//	out WHY            waits until the attract screen says why no seats are given
//	wait ready         waits until the attract screen offers both readers
//	wait alone         waits until the kiosk can give seats while central is away
//	look HOW           waits until the screen is larger, in contrast, in a language, or plain again
//	keep ticket        keeps the last ticket as ticket.png and ticket.txt
type scene struct{ name, script string }

// scenes show every screen. They are played one after another on the same floor, and each leaves it as it found it.
var scenes = []scene{
	{"the attract screen", `
		wait ready
		show attract
		tap where
		over where
		show where
		tap close
		tap privacy
		over privacy
		show privacy
		tap close
		tap larger
		look larger
		show attract-larger
		tap contrast
		look contrast
		show attract-high-contrast-larger
		tap cancel
		look plain`},
	{"an ordinary visit", `
		swipe thandi
		wait greeting
		show greeting
		tap continue
		wait rules
		show rules
		tap read-rules
		over rules-text
		show rules-text
		tap close
		tap accept
		wait declaration
		show declaration
		tap yes
		wait offer
		show offer
		tap others
		wait heats
		show heats
		tap back
		wait offer
		tap take
		wait printing
		show printing
		wait ticket 1
		wait done
		show done
		keep ticket
		tap done
		wait attract`},
	{"several seats", `
		scan maria
		wait greeting
		show greeting-several
		tap continue
		tap accept
		tap yes
		wait offer
		tap together
		wait printing
		pause 1
		show printing-several
		wait ticket 4
		wait done
		show done-several
		tap done
		wait attract`},
	{"nobody touches anything", `
		swipe sibusisiwe
		wait greeting
		show greeting-long-name
		over still-there
		show still-there
		tap still-here
		wait greeting
		tap not-me
		wait attract`},
	{"please see a host", `
		swipe sipho
		wait see-host
		show see-host
		tap call-host
		over help
		show help
		tap cancel
		wait attract`},
	{"a card that nobody has verified", `
		swipe johan
		wait see-host
		tap cancel
		wait attract
		scan johan
		wait greeting
		tap cancel
		wait attract`},
	{"both card and ID", `
		identify both
		wait ready
		swipe thandi
		wait ask-id
		show ask-id
		scan pieter
		wait see-host
		tap cancel
		wait attract
		identify either
		wait ready`},
	{"a bank card", `
		bank card
		hint bank-card
		show hint-bank-card
		pause 7`},
	{"no entries, and a receipt", `
		swipe nomsa
		trouble no-entries
		show no-entries
		tap cancel
		wait attract
		swipe lindiwe
		trouble no-entries
		receipt lindiwe
		wait greeting
		show greeting-claimed
		tap cancel
		wait attract
		swipe nomsa
		trouble no-entries
		receipt lindiwe
		trouble receipt-refused
		show receipt-refused
		tap cancel
		wait attract`},
	{"an entry whose time has ended", `
		swipe zanele
		trouble window-over
		show window-over
		tap cancel
		wait attract`},
	{"a passport past its expiry", `
		scan anna
		trouble document-expired
		show document-expired
		tap cancel
		wait attract`},
	{"a declaration that is not made", `
		scan pieter
		tap continue
		tap accept
		tap not-sure
		wait see-host
		tap cancel
		wait attract`},
	{"the rules are not accepted", `
		swipe sibusisiwe
		tap continue
		tap decline
		trouble not-accepted
		show not-accepted
		tap cancel
		wait attract`},
	{"no paper", `
		swipe thandi
		tap continue
		tap accept
		tap yes
		wait offer
		paper out
		tap take
		trouble printer-not-ready
		show printer-not-ready
		paper full
		tap cancel
		wait attract`},
	{"a printer that does not answer", `
		swipe thandi
		tap continue
		tap accept
		tap yes
		wait offer
		mute after 200 bytes
		tap take
		wait unconfirmed
		show unconfirmed
		printer well
		tap again
		wait done
		show done-after-reprint
		tap done
		wait attract`},
	{"central is away", `
		wait alone
		central stop
		swipe thandi
		wait greeting
		tap continue
		tap accept
		tap yes
		tap take
		wait done
		show done-central-away
		tap done
		wait attract
		swipe nomsa
		trouble no-entries
		receipt lindiwe
		trouble central-away
		show central-away
		tap cancel
		wait attract
		central start
		wait ready`},
	{"no readers", `
		unplug card
		unplug scanner
		out reader-fault
		show attract-no-readers
		plug card
		plug scanner
		wait ready`},
	{"the other languages", `
		tap language af
		look af
		show attract-af
		tap language zu
		look zu
		show attract-zu
		tap cancel
		look plain`},
}

func (t *tour) play(ctx context.Context, scene scene) error {
	if t.language != "en" {
		for _, line := range []string{"tap language " + t.language, "look " + t.language} {
			if err := t.step(ctx, line); err != nil {
				return err
			}
		}
	}
	for line := range strings.Lines(scene.script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := t.step(ctx, line); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

func (t *tour) step(ctx context.Context, line string) error {
	words := strings.Fields(line)
	switch line {
	case "wait ready":
		return t.floor.AwaitReady(ctx)
	case "wait alone":
		return t.floor.AwaitAlone(ctx)
	}
	switch words[0] {
	case "show":
		t.taken++
		name := fmt.Sprintf("%02d-%s.png", t.taken, words[1])
		t.say("%s\n", name)
		return t.floor.Shot(filepath.Join(t.folder, name))
	case "over":
		_, err := t.floor.AwaitOver(ctx, visit.Over(words[1]))
		return err
	case "trouble":
		_, err := t.floor.AwaitTrouble(ctx, visit.Trouble(words[1]))
		return err
	case "hint":
		_, err := t.floor.AwaitHint(ctx, visit.Hint(words[1]))
		return err
	case "look":
		_, err := t.floor.Await(ctx, line, func(shown floor.Shown) bool { return looks(shown.Look, words[1]) })
		return err
	case "out":
		_, err := t.floor.Await(ctx, line, func(shown floor.Shown) bool { return shown.Out == words[1] })
		return err
	case "mute":
		t.floor.Mute(200)
		return nil
	case "keep":
		return t.keep()
	}
	return t.Do(ctx, line)
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
