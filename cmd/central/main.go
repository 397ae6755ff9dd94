// Command central keeps the books of a tournament and serves its API.
//
//	central --data DIR --keys FILE [--listen 127.0.0.1:7180] [--name NAME] [--tournament FILE]
//
// The data folder and the keys file are made by reelctl init. It speaks TLS 1.3 alone, with kiosks, desks and operators that
// have certificates of its own authority; --loopback-demo speaks to anybody on this machine without. When central is ready
// it prints one line on standard output,
//
//	central listening on https://127.0.0.1:7180
//
// and logs to standard error. SIGTERM or SIGINT stops it: it takes no new requests, finishes and answers those that it
// accepted, and ends with status 0; after a second signal it waits for no caller. It ends with status 1 where it cannot start or go on,
// and 2 where the command line is wrong. A kill at any moment loses nothing that was answered.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"reelkiosk/cmd/internal/build"
	"reelkiosk/store/central"
)

// commandLine is what central may be told.
type commandLine struct {
	Data       string           `required:"" placeholder:"DIR" help:"Folder of the books, made by reelctl init."`
	Keys       string           `required:"" placeholder:"FILE" help:"The keys file, outside of the data folder."`
	Listen     string           `default:"127.0.0.1:7180" placeholder:"HOST:PORT" help:"Address to listen on; port 0 takes a free one, :7180 all networks."`
	Name       []string         `placeholder:"NAME" help:"A name by which others call this machine, for its certificate. Kiosks need none."`
	Demo       bool             `name:"loopback-demo" help:"Speak without TLS, on this machine alone, to whoever asks. For demonstrations and tests."`
	Tournament string           `placeholder:"FILE" help:"The tournament's definition, if it is not the one in the data folder."`
	Batch      int              `default:"0" hidden:"" help:"How many requests may share a commit; 0 leaves it to central. For measuring."`
	Verbose    bool             `help:"Log every request: its path and status, never what was asked."`
	Version    kong.VersionFlag `help:"Print the version and end."`
}

// stopTimeout is how long callers may take to read the last answers.
const stopTimeout = 20 * time.Second

// collectAt is at how much of what is in use, in percent, the garbage collector runs. What central has in use is small and
// what it throws away is much: at Go's own 100 the collector takes a tenth of the time that registrations need.
const collectAt = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	var options commandLine
	parser := kong.Must(&options, kong.Name("central"), kong.Description("Keeps the books of a tournament."), kong.Vars{"version": build.Version()})
	if _, err := parser.Parse(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "central:", err)
		os.Exit(2)
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if err := run(options, signals, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "central:", err)
		os.Exit(1)
	}
}

// run serves until a signal comes.
func run(line commandLine, signals <-chan os.Signal, stdout, stderr io.Writer) error {
	options, err := central.Load(line.Data, line.Keys, line.Tournament)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if line.Verbose {
		level = slog.LevelDebug
	}
	options.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	options.Version, options.Built, options.Batch = build.Version(), build.Committed(), line.Batch
	served, listener, scheme, err := open(options, line)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(listener) }()
	fmt.Fprintf(stdout, "central listening on %s://%v\n", scheme, listener.Addr())
	select {
	case err := <-ended:
		return errors.Join(err, stop(served, nil))
	case <-signals:
		options.Log.Info("stopping: what was accepted is finished")
		err := stop(served, signals)
		return errors.Join(err, <-ended)
	}
}

// open opens the address first, so that nothing is done where another has it, and then the books.
func open(options central.Options, line commandLine) (served *central.Central, listener net.Listener, scheme string, err error) {
	if scheme = "https"; line.Demo {
		scheme = "http"
		listener, err = central.Listen(line.Listen)
	} else {
		listener, err = options.ListenTLS(line.Listen, line.Name)
	}
	if err != nil {
		return nil, nil, "", err
	}
	if served, err = central.New(options); err != nil {
		return nil, nil, "", errors.Join(err, listener.Close())
	}
	return served, listener, scheme, nil
}

// stop ends the server; another signal ends the wait for callers.
func stop(served *central.Central, signals <-chan os.Signal) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return served.Stop(ctx)
}
