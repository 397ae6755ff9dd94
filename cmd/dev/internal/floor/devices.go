package floor

import (
	"context"
	"fmt"
	"strings"

	"reelkiosk/assets"
	"reelkiosk/cmd/dev/internal/cast"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
)

// printerProfile is the model that the floor's printer is: it tells when a job is printed.
const printerProfile = "epson-48"

// plugIn lays the three cables and puts a device on each.
func (f *Floor) plugIn(context.Context) error {
	for _, name := range []string{"card", "scanner", "printer"} {
		line, err := emulator.OpenLine(f.Path("by-id", name))
		if err != nil {
			return err
		}
		f.Lines[name] = line
	}
	f.Card = emulator.NewCardReader(f.Lines["card"], emulator.CardSetup{})
	f.Scanner = emulator.NewScanner(f.Lines["scanner"], emulator.AIMScanner)
	file := "printers/" + printerProfile + ".toml"
	text, err := assets.Printers.ReadFile(file)
	if err != nil {
		return err
	}
	profile, err := printer.ReadProfile(file, text)
	if err != nil {
		return err
	}
	f.Lines["printer"].Device(port.Settings{Baud: profile.Baud})
	f.cable = &watched{ReadWriter: f.Lines["printer"]}
	f.Printer = emulator.NewPrinter(f.cable, profile)
	for _, name := range f.options.Without {
		if err := f.Lines[name].Unplug(emulator.Vanish); err != nil {
			return err
		}
	}
	return nil
}

// Swipe swipes a player's Rewards card.
func (f *Floor) Swipe(name string, faults ...emulator.Fault) error {
	player, err := f.player(name)
	if err != nil {
		return err
	}
	if player.Card == "" {
		return fmt.Errorf("%s has no card; scan the %s: scan %s", player.Given, player.Paper, player.Name)
	}
	return f.Card.Swipe(player.Tracks(), faults...)
}

// Scan holds a player's identity document under the scanner.
func (f *Floor) Scan(name string, faults ...emulator.Fault) error {
	player, err := f.player(name)
	if err != nil {
		return err
	}
	return f.Scanner.Scan(player.Symbol(), faults...)
}

// ScanReceipt holds the receipt in a player's hand under the scanner.
func (f *Floor) ScanReceipt(name string, faults ...emulator.Fault) error {
	number, found := f.Receipts[strings.ToLower(name)]
	if !found {
		return fmt.Errorf("%s has no receipt", name)
	}
	return f.Scanner.Scan(emulator.Code128(number), faults...)
}

func (f *Floor) player(name string) (cast.Player, error) {
	player, found := cast.Named(f.Players, name)
	if !found {
		var names []string
		for _, player := range f.Players {
			names = append(names, player.Name)
		}
		return player, fmt.Errorf("nobody here is called %q; there are %s", name, strings.Join(names, ", "))
	}
	return player, nil
}

// Mute has the printer fall silent once it has received that many more bytes: in the middle of the next ticket.
func (f *Floor) Mute(bytes int) { f.Printer.BeginAfterBytes(emulator.Mute, bytes) }
