// Command reelctl is the operator's command line: it prepares and checks a tournament, imports and exports, and shows what
// the books say. All but init, operator, check and decode ask central, at --central or $REELCTL_CENTRAL, with the identity in
// --identity or $REELCTL_IDENTITY.
//
//	reelctl init --data DIR --keys FILE --tournament FILE     begin the books of a tournament
//	reelctl operator --data DIR --keys FILE                   make an operator's identity, on central's machine
//	reelctl check FILE                                        find the mistakes in a definition
//	reelctl import members|exclusions|purchases FILE.csv      take a file into the books, whole or not at all
//	reelctl heats | seats HEAT | cases                        look
//	reelctl export events|entries|seats|scores|ranking|draws|decisions|cash|prizes [--format csv]
//	                                                          everything, to standard output
//	reelctl verify-draw [FILE]                                draw the seats of the finals again
//	reelctl rules --coverage                                  where each clause of the rules is kept
//	reelctl staff [set NAME --duties … --pin --why TEXT]      list who signs in at desks, or set one
//	reelctl purchase cash|card|package|complimentary …        sell entries at the Cash Desk
//	reelctl machine NUMBER out|in --reason TEXT               take a machine out of service, or back
//	reelctl enrol --kiosk NAME [--role kiosk|desk]            a one-time code to enrol a kiosk or a desk with
//	reelctl kiosks [show NAME]                                how they are, or all about one and what to do next
//	reelctl kiosks revoke|retire|approve|end-grants NAME      decide about one
//	reelctl override PERSON --why TEXT                        act for a player whose home kiosk is silent
//	reelctl clock confirm                                     say that central's clock is right
//	reelctl decode [--profile P] [--on DAY] <CAPTURE          what a kiosk would make of captured bytes
//
// What was asked for goes to standard output, everything else to standard error. Exit status:
//
//	0  done
//	1  there are mistakes in what was given, or the rules refuse; nothing was done
//	2  the command line is wrong
//	3  central does not answer; whether a request was done is not known
//	4  anything else went wrong; central may have said that it cannot do it now
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"reelkiosk/cmd/internal/build"
	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Exit statuses; see the package comment.
const (
	exitDone = iota
	exitMistakes
	exitUsage
	exitAway
	exitFailed
)

// errMistakes ends a command that has already said what is wrong.
var errMistakes = errors.New("there are mistakes; nothing was done")

// commandLine are the commands and what they share.
type commandLine struct {
	Central  string           `env:"REELCTL_CENTRAL" default:"https://127.0.0.1:7180" placeholder:"URL" help:"Address of central."`
	Identity string           `env:"REELCTL_IDENTITY" type:"path" default:"${identity}" placeholder:"FILE" help:"The operator's identity, which central knows reelctl by."`
	Operator string           `env:"REELCTL_OPERATOR" default:"${user}" placeholder:"NAME" help:"Who does it, for the books."`
	Version  kong.VersionFlag `help:"Print the version and end."`

	Init     initCommand     `cmd:"" help:"Begin the books of a tournament: a data folder, keys, the definition."`
	Admit    operatorCommand `cmd:"" name:"operator" help:"Make an operator's identity, on central's machine."`
	Check    checkCommand    `cmd:"" help:"Find all mistakes in a tournament's definition."`
	Import   importCommand   `cmd:"" help:"Import members, exclusions or purchases from a CSV file, whole or not at all."`
	Heats    heatsCommand    `cmd:"" help:"List heats with their free seats."`
	Seats    seatsCommand    `cmd:"" help:"List the seats of a heat."`
	Cases    casesCommand    `cmd:"" help:"List what somebody has to decide."`
	Export   exportCommand   `cmd:"" help:"Write what the books have to standard output."`
	Purchase purchaseCommand `cmd:"" help:"Record an Entry Purchase made at the Cash Desk, and print its receipt number."`
	Machine  machineCommand  `cmd:"" help:"Take a machine out of service, or bring it back."`
	Enrol    enrolCommand    `cmd:"" help:"Make a one-time code by which a kiosk or a desk is enrolled."`
	Staff    staffCommand    `cmd:"" help:"List the operators who sign in at desks, or set one."`
	Rules    rulesCommand    `cmd:"" help:"Say where each clause of the rules is kept."`

	VerifyDraw verifyDrawCommand `cmd:"" help:"Draw the seats of the finals again, and say whether they come out as recorded."`

	Kiosks   kiosksCommand   `cmd:"" help:"How kiosks and desks are, all about one, and what is decided about one."`
	Override overrideCommand `cmd:"" help:"Let a player have seats anywhere whose home kiosk is silent, by a decision."`
	Clock    clockCommand    `cmd:"" help:"Central's clock."`
	Decode   decodeCommand   `cmd:"" help:"Say what a kiosk would make of the captured bytes on standard input."`
}

// surroundings are what a command works with besides its own words.
type surroundings struct {
	ctx            context.Context
	line           *commandLine
	stdin          io.Reader
	stdout, stderr io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs one command and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var line commandLine
	around := &surroundings{ctx, &line, stdin, stdout, stderr}
	parser := kong.Must(&line,
		kong.Name("reelctl"),
		kong.Description("The operator's command line. Exit status: 0 done; 1 mistakes in what was given, or refused by the rules; "+
			"2 wrong command line; 3 central does not answer; 4 anything else."),
		kong.Vars{"version": build.Version(), "user": user(), "identity": identityPath()},
		kong.Writers(stdout, stderr),
		kong.Bind(around),
	)
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(stderr, "reelctl:", err)
		var wrong *kong.ParseError
		if errors.As(err, &wrong) && wrong.Context.Command() == "" {
			fmt.Fprintln(stderr, "reelctl: try reelctl --help")
		}
		return exitUsage
	}
	return report(stderr, line.Central, command.Run())
}

// report says what went wrong, and what to do about it, and returns the exit status.
func report(stderr io.Writer, base string, err error) int {
	var refusal *tournament.Refusal
	var problem *wire.Problem
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errMistakes):
		fmt.Fprintln(stderr, "reelctl:", err)
		return exitMistakes
	case errors.Is(err, client.ErrAway) && errors.As(err, &problem) && problem.Kind() != wire.ProblemUnknown:
		fmt.Fprintln(stderr, "reelctl: central answers that it cannot do this now, and nothing was done:", problem)
		return exitFailed
	case errors.Is(err, client.ErrAway):
		fmt.Fprintln(stderr, "reelctl:", err)
		fmt.Fprintf(stderr, "reelctl: is central running at %s? It is started with: central --data DIR --keys FILE\n", base)
		return exitAway
	case errors.As(err, &refusal):
		fmt.Fprintln(stderr, "reelctl:", refusal)
		if refusal.Reason == tournament.ClockSuspect {
			fmt.Fprintln(stderr, "reelctl: look at the clock of central's machine; if it is right: reelctl clock confirm")
		}
		if refusal.Reason == tournament.TooSoon {
			fmt.Fprintf(stderr, "reelctl: a silent kiosk has two minutes to answer; decide again from %s on\n", refusal.Until.Format("15:04:05"))
		}
		if refusal.Reason == tournament.CertificateExpired {
			fmt.Fprintln(stderr, "reelctl: make another identity on central's machine: reelctl operator --data DIR --keys FILE --replace")
		}
		return exitMistakes
	case errors.As(err, &problem) && problem.Status < 500:
		fmt.Fprintln(stderr, "reelctl:", problem)
		return exitMistakes
	}
	fmt.Fprintln(stderr, "reelctl:", err)
	return exitFailed
}

// user is who runs the program, as far as the environment says.
func user() string {
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	return "operator"
}
