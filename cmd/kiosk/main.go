// Command kiosk is the appliance: it registers players for a tournament's heats.
//
//	kiosk run --config FILE [--trace FILE]   runs it on the display that DISPLAY names
//	kiosk config check FILE                  says what is wrong with a configuration
//	kiosk config defaults                    prints every key, with what it means
//
// It logs to standard error, a JSON object a line, and never anybody's name or number. It runs on without its readers, its
// printer, central, or a sound configuration, and says which is missing on the screen and in the log. Status 0 after SIGTERM
// or SIGINT, 1 where it cannot start, 2 where the command line is wrong.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"reelkiosk/kiosk/config"
)

var commandLine struct {
	Run    runCommand `cmd:"" help:"Run the kiosk."`
	Config struct {
		Check    checkCommand    `cmd:"" help:"Say what is wrong with a configuration."`
		Defaults defaultsCommand `cmd:"" help:"Print every key, with what it means and what it is where a file does not say."`
	} `cmd:"" help:"Look at configurations."`
}

func main() {
	parser := kong.Must(&commandLine, kong.Name("kiosk"), kong.Description("Registers players for a tournament's heats."))
	chosen, err := parser.Parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "kiosk:", err)
		os.Exit(2)
	}
	if err := chosen.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "kiosk:", err)
		os.Exit(1)
	}
}

type checkCommand struct {
	File string `arg:"" help:"The file."`
}

func (c *checkCommand) Run() error {
	_, err := config.Load(c.File)
	var mistakes config.Mistakes
	if errors.As(err, &mistakes) {
		for _, mistake := range mistakes {
			fmt.Println(mistake)
		}
		return errors.New("the configuration has mistakes")
	}
	if err == nil {
		fmt.Println(c.File, "is sound")
	}
	return err
}

type defaultsCommand struct{}

func (*defaultsCommand) Run() error {
	_, err := fmt.Print(config.Defaults())
	return err
}
