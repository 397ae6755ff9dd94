// Command kiosk is the kiosk: one window that players touch, with the readers and the ticket printer of one machine.
//
//	kiosk enrol --config FILE --code CODE
//	kiosk run --config FILE [--trace FILE]
//	kiosk config defaults
//	kiosk config check FILE
//	kiosk config get|set|unset|back FILE …
//	kiosk outbox list|retry|export --config FILE
//	kiosk store look|accept --config FILE [--yes]
//	kiosk stop --config FILE
//	kiosk ports [--config FILE] [--json] [--watch]
//	kiosk print-test --config FILE [--json]
//	kiosk doctor --config FILE [--json]
//	kiosk read --port LINK [--profile NAME] [--find] [--save FILE] | --replay FILE
//
// It runs on without readers, printer, central, its own file or a sound configuration, says in its log and on the screen
// what is missing, and withdraws what needs it. Without a display it cannot run: it says so, brings what an earlier run left
// unanswered to central, and ends with status 1, for the service manager to start it again. So it does within two seconds
// where another kiosk has its data folder; the message says which process that is.
//
// It logs to standard error, one JSON object a line, without anybody's name or number. SIGTERM or SIGINT stops it: a ticket
// that is printing comes to its end first. A kill at any moment loses nothing: what was asked for is settled at the next
// start. It ends with status 2 where the command line is wrong.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	_ "reelkiosk/cmd/kiosk/internal/locale" // before Fyne looks
	"reelkiosk/kiosk/config"
)

// commandLine is what kiosk may be told.
type commandLine struct {
	Enrol  enrolCommand `cmd:"" help:"Enrol this kiosk with central, by a one-time code of reelctl enrol."`
	Run    runCommand   `cmd:"" help:"Run the kiosk on the display of $$DISPLAY."`
	Config struct {
		Defaults defaultsCommand `cmd:"" help:"Print the configuration of a kiosk whose file says nothing, with every key explained."`
		Check    checkCommand    `cmd:"" help:"Check a configuration file and list every mistake."`
		Get      getCommand      `cmd:"" help:"Print the values that count, and whether each is of the file, the program's overlay or the defaults."`
		Set      setCommand      `cmd:"" help:"Change values in the overlay beside the file, if they are no mistake. The file itself stays as it is."`
		Unset    unsetCommand    `cmd:"" help:"Take values out of the overlay: what the file says counts again."`
		Back     backCommand     `cmd:"" help:"Go back to the overlay with which the kiosk last came up."`
	} `cmd:"" help:"Print, check or change a configuration."`
	Outbox struct {
		List   outboxList   `cmd:"" help:"List what waits for central, and what central cannot take."`
		Retry  outboxRetry  `cmd:"" help:"Send again what central could not take."`
		Export outboxExport `cmd:"" help:"Print the whole outbox as JSON Lines."`
	} `cmd:"" help:"Look into what the kiosk has to tell central, whether it runs or not."`
	Store struct {
		Look   storeLook   `cmd:"" help:"Say what can still be read in the kiosk's own file after it was found to be damaged."`
		Accept storeAccept `cmd:"" help:"Begin with an empty file in place of a damaged one, and what can be salvaged of its outbox."`
	} `cmd:"" help:"Deal with the kiosk's own file after it was damaged. The kiosk gives no seats until then."`
	Stop      stopCommand      `cmd:"" help:"Have the running kiosk give back all that it may give by itself, before it is switched off."`
	Ports     portsCommand     `cmd:"" help:"List the serial ports that are plugged in: what they say of themselves, the names that stay, and who uses them. Opens none."`
	PrintTest printTestCommand `cmd:"" help:"Print a test page, by the kiosk that runs or without one, and say how the printer is and what to do."`
	Doctor    doctorCommand    `cmd:"" help:"Look at everything: what passed, what failed, what to do next. Ends with status 1 where something failed."`
	Read      readCommand      `cmd:"" help:"Show the bytes of a reader beside what is made of them, or find out how it is set up."`
}

type (
	defaultsCommand struct{}
	checkCommand    struct {
		File string `arg:"" help:"The configuration file."`
	}
)

func main() {
	var line commandLine
	parser := kong.Must(&line, kong.Name("kiosk"), kong.Description("The kiosk of a slot tournament."))
	context, err := parser.Parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "kiosk:", err)
		os.Exit(2)
	}
	context.BindTo(os.Stdout, (*io.Writer)(nil))
	if err := context.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "kiosk:", err)
		os.Exit(1)
	}
}

// Run prints the defaults.
func (defaultsCommand) Run(to io.Writer) error {
	_, err := io.WriteString(to, config.Defaults())
	return err
}

// Run checks a file.
func (c checkCommand) Run(to io.Writer) error {
	settings, faulty := config.Load(c.File)
	_, unseen := looksOf(settings)
	if err := errors.Join(faulty, unseen); err != nil {
		return fmt.Errorf("the configuration has mistakes:\n%w", err)
	}
	_, err := fmt.Fprintf(to, "%s: no mistakes\n", c.File)
	return err
}
