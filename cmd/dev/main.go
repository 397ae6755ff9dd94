// Command dev is the project's own chores: it sets up a machine, plays the product, tests it and measures it.
//
//	go run ./cmd/dev demo     plays an evening on a small casino floor
//	go run ./cmd/dev test     runs every check and every test
//	go run ./cmd/dev bench    measures, beside what bounds each figure
//	go run ./cmd/dev vectors  checks files of vectors against the product's parsers and encoders
//
// Each installs the Debian packages that it needs and that are missing, builds what it runs, and leaves nothing running.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"reelkiosk/cmd/dev/internal/bench"
	"reelkiosk/cmd/dev/internal/check"
	"reelkiosk/cmd/dev/internal/demo"
	"reelkiosk/cmd/dev/internal/floor"
	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/cmd/dev/internal/setup"
	"reelkiosk/cmd/dev/internal/vectors"
)

var commandLine struct {
	Demo    demoCommand    `cmd:"" help:"Play an evening: central, a kiosk, its devices, and people. Commands come from standard input."`
	Test    testCommand    `cmd:"" help:"Run every check and every test."`
	Bench   benchCommand   `cmd:"" help:"Measure, each figure beside what bounds it."`
	Vectors vectorsCommand `cmd:"" help:"Check files of vectors against the product's code."`
	Hold    holdCommand    `cmd:"" hidden:""`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	chosen := kong.Parse(&commandLine, kong.Name("dev"), kong.Description("The project's own chores."), kong.UsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)))
	err := chosen.Run()
	if errors.Is(ctx.Err(), context.Canceled) {
		err = nil // whatever broke off did so because somebody asked
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		stop()
		os.Exit(1)
	}
}

type demoCommand struct {
	Shots     string `help:"Play a whole visit by itself, and leave a picture of every screen, ticket.png and ticket.txt in this folder." type:"path" placeholder:"DIR"`
	Landscape bool   `help:"Use a display of 1920×1080 instead of 1080×1920 where there is none."`
	Language  string `help:"Take the pictures in this language." default:"en" placeholder:"en"`
	Display   string `help:"Use this display; an Xvfb is started where there is none." env:"DISPLAY"`
}

func (d *demoCommand) Run(ctx context.Context) error {
	root, programs, err := prepare(ctx, d.Display == "" || d.Shots != "")
	if err != nil {
		return err
	}
	options := demo.Options{
		Floor:   floor.Options{Programs: programs, Width: 1080, Height: 1920, Display: d.Display},
		Tickets: filepath.Join(root, "out", "tickets"), Shots: d.Shots, Language: d.Language,
	}
	if d.Landscape {
		options.Floor.Width, options.Floor.Height = 1920, 1080
	}
	if d.Shots != "" {
		options.Floor.Display = "" // pictures are of one size, and nothing else is on them
	}
	return demo.Run(ctx, os.Stdin, os.Stdout, options)
}

type testCommand struct {
	Long     bool     `help:"Run each long loop with its stated number instead of a tenth."`
	Seed     uint64   `help:"Replay a run."`
	Packages []string `arg:"" optional:"" help:"Only these packages, as go test names them."`
}

func (t *testCommand) Run(ctx context.Context) error {
	root, err := program.Root()
	if err != nil {
		return err
	}
	if err := setup.Ensure(os.Stdout, setup.Build, setup.Run, setup.Display, setup.Test); err != nil {
		return err
	}
	return check.Run(ctx, root, os.Stdout, check.Options{Long: t.Long, Seed: t.Seed, Packages: t.Packages})
}

type benchCommand struct {
	Quick bool     `help:"Measure for a shorter time, with a smaller list: for a look, not for a claim."`
	Only  []string `help:"Measure only these parts, separated by commas: central, exclusions, kiosk, copy." enum:"central,exclusions,kiosk,copy" placeholder:"PART"`
}

func (b *benchCommand) Run(ctx context.Context) error {
	_, programs, err := prepare(ctx, true)
	if err != nil {
		return err
	}
	return bench.Run(ctx, os.Stdout, bench.Options{Programs: programs, Quick: b.Quick, Only: b.Only})
}

// holdCommand is what the bench measures the memory of.
type holdCommand struct{ bench.Holding }

func (h *holdCommand) Run(ctx context.Context) error { return bench.Hold(ctx, os.Stdout, h.Holding) }

type vectorsCommand struct {
	Files []string `arg:"" help:"Files in the format of the vectors in the packages' testdata." type:"existingfile"`
}

func (v *vectorsCommand) Run() error {
	failed, err := vectors.Run(os.Stdout, v.Files)
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d cases differ", failed)
	}
	return err
}

// prepare installs what building and running the kiosk needs, and builds the programs.
func prepare(ctx context.Context, display bool) (root, programs string, err error) {
	if root, err = program.Root(); err != nil {
		return "", "", err
	}
	groups := [][]string{setup.Build, setup.Run}
	if display {
		groups = append(groups, setup.Display)
	}
	if err := setup.Ensure(os.Stdout, groups...); err != nil {
		return "", "", err
	}
	programs = filepath.Join(root, "out", "bin")
	if err := os.MkdirAll(programs, 0o777); err != nil {
		return "", "", err
	}
	fmt.Println("building (the first time takes a minute or two)")
	return root, programs, program.Build(ctx, root, programs, "central", "reelctl", "kiosk")
}
