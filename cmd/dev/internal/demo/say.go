package demo

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"reelkiosk/devices/emulator"
)

func shot(e *Evening, _ context.Context, words []string) error { return e.floor.Shot(words[0]) }

func show(e *Evening, _ context.Context, _ []string) error {
	shown, _, _ := e.floor.Trace.Now()
	e.say("screen %s", shown.Screen)
	for _, part := range []string{string(shown.Over), shown.Trouble, shown.Hint} {
		if part != "" {
			e.say(", %s", part)
		}
	}
	e.say("\n")
	for _, target := range shown.Targets {
		e.say("  %s\n", strings.TrimSpace(fmt.Sprintf("tap %s %s%s", target.Button, target.Language, target.Heat)))
	}
	return nil
}

func people(e *Evening, _ context.Context, _ []string) error {
	return e.table(func(row func(...any)) {
		for _, player := range e.floor.Players {
			how := "scan"
			if player.Card != "" {
				how = "swipe or scan"
			}
			row(player.Name, how, player.About)
		}
	})
}

func cases(e *Evening, ctx context.Context, _ []string) error {
	open, err := e.floor.Client.Cases(ctx)
	if err != nil {
		return err
	}
	if len(open.Cases) == 0 {
		e.say("no cases\n")
		return nil
	}
	return e.table(func(row func(...any)) {
		for _, each := range open.Cases {
			row(each.Opened.Format("15:04:05"), each.Kind, each.Detail)
		}
	})
}

func help(e *Evening, _ context.Context, _ []string) error {
	err := e.table(func(row func(...any)) {
		for _, command := range commands {
			row(command.form, command.does)
		}
	})
	e.say("\nfaults of a swipe or a scan:\n%s\ntroubles of the printer:\n%s", emulator.FaultHelp(), emulator.TroubleHelp())
	return err
}

// table says rows with their columns aligned.
func (e *Evening) table(fill func(row func(...any))) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fill(func(cells ...any) {
		for index, cell := range cells {
			if index > 0 {
				fmt.Fprint(table, "\t")
			}
			fmt.Fprint(table, cell)
		}
		fmt.Fprintln(table)
	})
	if err := table.Flush(); err != nil {
		return err
	}
	e.say("%s", text.String())
	return nil
}
