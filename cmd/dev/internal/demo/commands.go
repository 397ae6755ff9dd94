package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// command is one that can be typed. It takes at least as many words as its form names in capitals.
type command struct {
	form, does string
	run        func(e *Evening, ctx context.Context, words []string) error
}

// errWords is wrapped where a command has too few words, or words that it does not know.
var errWords = errors.New("not understood")

var commands []command

func init() {
	commands = []command{
		{"swipe NAME [FAULT…]", "swipes a player's Rewards card", swipe},
		{"scan NAME [FAULT…]", "holds a player's ID under the scanner", scan},
		{"receipt NAME", "holds a player's receipt under the scanner", receipt},
		{"bank card", "swipes a bank card, which is refused and never kept", bankCard},
		{"tap BUTTON [WHICH]", "touches a button of the screen: tap continue, tap language zu", tap},
		{"wait SCREEN", "waits until the kiosk shows a screen: wait offer", wait},
		{"wait ticket COUNT", "waits until so many tickets came out in all", nil},
		{"pause SECONDS", "does nothing for a while", pause},
		{"paper low|out|full", "changes the roll", paper},
		{"printer TROUBLE|well", "gives the printer a trouble: cover open, cutter stuck, silent, off, slow; or ends all", printerTrouble},
		{"unplug DEVICE", "pulls the plug of card, scanner or printer", unplug},
		{"plug DEVICE", "puts it back in", plug},
		{"central stop|start", "takes the central store away, or brings it back", central},
		{"kiosk kill|start", "ends the kiosk as a power cut would, or starts it again", kiosk},
		{"identify HOW", "restarts the kiosk to want card, document, both or either", identify},
		{"buy NAME SEATS", "buys entries for a player at the Cash Desk", buy},
		{"shot FILE", "takes a picture of the screen", shot},
		{"screen", "says what is shown and what can be touched", show},
		{"people", "lists who is here, and what happens to each", people},
		{"cases", "lists what a host has to decide", cases},
		{"help", "lists the commands, the faults and the troubles", help},
		{"quit", "ends the demo", func(*Evening, context.Context, []string) error { return ErrQuit }},
	}
}

// Do carries out one command. Empty lines and lines that begin with # do nothing.
func (e *Evening) Do(ctx context.Context, line string) error {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	for _, command := range commands {
		form := strings.Fields(command.form)
		if form[0] != strings.ToLower(words[0]) || command.run == nil {
			continue
		}
		needed := len(slices.DeleteFunc(form[1:], func(word string) bool { return strings.HasPrefix(word, "[") }))
		if len(words)-1 < needed {
			return fmt.Errorf("%w: want %s", errWords, command.form)
		}
		return command.run(e, ctx, words[1:])
	}
	return fmt.Errorf("%w: no command %q; try help", errWords, words[0])
}

func swipe(e *Evening, _ context.Context, words []string) error {
	faults, err := emulator.ParseFaults(words[1:])
	if err != nil {
		return err
	}
	return e.floor.Swipe(words[0], faults...)
}

func scan(e *Evening, _ context.Context, words []string) error {
	faults, err := emulator.ParseFaults(words[1:])
	if err != nil {
		return err
	}
	return e.floor.Scan(words[0], faults...)
}

func receipt(e *Evening, _ context.Context, words []string) error {
	return e.floor.ScanReceipt(words[0])
}

// bankCard swipes a published test number of a card company.
func bankCard(e *Evening, _ context.Context, _ []string) error {
	return e.floor.Card.Swipe(emulator.Tracks{
		One: "B4111111111111111^MOKOENA/THANDI^2912101", Two: "4111111111111111=2912101",
	})
}

func tap(e *Evening, ctx context.Context, words []string) error {
	which := ""
	if len(words) > 1 {
		which = words[1]
	}
	button := visit.Button(words[0])
	if slices.Contains(buttons, button) {
		return e.floor.Tap(ctx, button, which)
	}
	shown, _, _ := e.floor.Trace.Now()
	there := shown.Buttons()
	if slices.Contains(there, words[0]) {
		return e.floor.Tap(ctx, button, which)
	}
	return fmt.Errorf("%w: no button %q; the screen %s has %s", errWords, words[0], shown.Screen, strings.Join(there, ", "))
}

// buttons are those that a screen may have. A command waits for one of these; another word is a mistake, unless the screen has
// such a button at the moment.
var buttons = []visit.Button{
	visit.ButtonLanguage, visit.ButtonLarger, visit.ButtonContrast, visit.ButtonHelp, visit.ButtonCancel, visit.ButtonClose,
	visit.ButtonWhere, visit.ButtonPrivacy, visit.ButtonContinue, visit.ButtonNotMe, visit.ButtonReadRules, visit.ButtonPrintRules,
	visit.ButtonAccept, visit.ButtonDecline, visit.ButtonYes, visit.ButtonNo, visit.ButtonNotSure, visit.ButtonTake,
	visit.ButtonTogether, visit.ButtonOthers, visit.ButtonBack, visit.ButtonStillHere, visit.ButtonDone, visit.ButtonAgain,
	visit.ButtonCallHost,
}

func wait(e *Evening, ctx context.Context, words []string) error {
	if words[0] == "ticket" && len(words) > 1 {
		count, err := strconv.Atoi(words[1])
		if err != nil {
			return fmt.Errorf("%w: %q is no number", errWords, words[1])
		}
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		return e.AwaitTicket(ctx, count)
	}
	_, err := e.floor.AwaitScreen(ctx, visit.Screen(words[0]))
	return err
}

func pause(_ *Evening, ctx context.Context, words []string) error {
	seconds, err := strconv.ParseFloat(words[0], 64)
	if err != nil || seconds < 0 {
		return fmt.Errorf("%w: %q is no number of seconds", errWords, words[0])
	}
	select {
	case <-time.After(time.Duration(seconds * float64(time.Second))):
	case <-ctx.Done():
	}
	return nil
}

func paper(e *Evening, _ context.Context, words []string) error {
	switch words[0] {
	case "full":
		e.floor.Printer.End(emulator.PaperOut)
		e.floor.Printer.End(emulator.PaperLow)
	case "out":
		e.floor.Printer.Begin(emulator.PaperOut)
	case "low":
		e.floor.Printer.Begin(emulator.PaperLow)
	default:
		return fmt.Errorf("%w: paper is low, out or full", errWords)
	}
	return nil
}

func printerTrouble(e *Evening, _ context.Context, words []string) error {
	if words[0] == "well" {
		for trouble := emulator.PaperLow; trouble <= emulator.Sluggish; trouble++ {
			e.floor.Printer.End(trouble)
		}
		return nil
	}
	trouble, err := emulator.ParseTrouble(strings.Join(words, " "))
	if err != nil {
		return err
	}
	e.floor.Printer.Begin(trouble)
	return nil
}

func unplug(e *Evening, _ context.Context, words []string) error {
	line, found := e.floor.Lines[words[0]]
	if !found {
		return fmt.Errorf("%w: devices are card, scanner and printer", errWords)
	}
	return line.Unplug(emulator.Vanish)
}

func plug(e *Evening, _ context.Context, words []string) error {
	line, found := e.floor.Lines[words[0]]
	if !found {
		return fmt.Errorf("%w: devices are card, scanner and printer", errWords)
	}
	return line.Replug()
}

func central(e *Evening, ctx context.Context, words []string) error {
	runs := e.floor.Central.Running()
	switch words[0] {
	case "stop":
		if !runs {
			return errors.New("central is stopped already; central start brings it back")
		}
		return e.floor.Central.Stop()
	case "start":
		if runs {
			return errors.New("central runs already; central stop takes it away")
		}
		return e.floor.StartCentral(ctx)
	}
	return fmt.Errorf("%w: central can stop or start", errWords)
}

func kiosk(e *Evening, ctx context.Context, words []string) error {
	runs := e.floor.Kiosk.Running()
	switch words[0] {
	case "kill":
		if !runs {
			return errors.New("the kiosk has ended already; kiosk start starts it again")
		}
		e.floor.Kiosk.Kill()
		return nil
	case "start":
		if runs {
			return errors.New("the kiosk runs already; kiosk kill ends it")
		}
		return e.floor.StartKiosk(ctx)
	}
	return fmt.Errorf("%w: kiosk can be killed or started: kiosk kill, kiosk start", errWords)
}

func identify(e *Evening, ctx context.Context, words []string) error {
	if ways := []string{"card", "document", "both", "either"}; !slices.Contains(ways, words[0]) {
		return fmt.Errorf("%w: identify by card, document, both or either", errWords)
	}
	return e.floor.Identify(ctx, words[0])
}

func buy(e *Evening, ctx context.Context, words []string) error {
	seats, err := strconv.Atoi(words[1])
	if err != nil {
		return fmt.Errorf("%w: %q is no number of seats", errWords, words[1])
	}
	bought, err := e.floor.BuyFor(ctx, words[0], wire.Purchase{Kind: tournament.CashBuyIn, Seats: seats})
	if err != nil {
		return err
	}
	e.say("receipt %s, R%d.%02d\n", bought.Receipt, bought.Amount.Cents/100, bought.Amount.Cents%100)
	return nil
}
