package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/store/central"
	"reelkiosk/store/definition"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// programs is where the real central is built to.
var programs string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "reelctl-test-")
	if err != nil {
		panic(err)
	}
	programs = folder
	// testscript.Main ends the process; the folder goes with the first of them, which is the one that made it.
	testscript.Main(cleaning{m, folder}, map[string]func(){"reelctl": main})
}

type cleaning struct {
	*testing.M
	folder string
}

// Run builds the real central, runs the tests and cleans up.
func (c cleaning) Run() int {
	defer os.RemoveAll(c.folder)
	build := exec.Command("go", "build", "-o", filepath.Join(c.folder, "central"), "../central")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building central: %v\n%s", err, output)
		return 1
	}
	return c.M.Run()
}

// TestScripts plays each file of testdata/script against a real central. Besides testscript's own, they have the commands
//
//	tournament FILE     writes the demo's definition around today, and its rules beside it
//	serve [FOLDER]      starts central on FOLDER (data, by default) and points reelctl at it
//	unserve             stops it as a service manager does, and expects status 0
//	aged FOLDER HOURS   begins books whose last event is so many hours old
//	rows N FILE         writes a file of N exclusions
//	envsubst FILE       replaces $NOW in a file
//	status N COMMAND    runs a command and expects that exit status
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("USER", "lindiwe")
			env.Setenv("REELCTL_CENTRAL", "http://127.0.0.1:1") // nothing listens there
			env.Setenv("REELCTL_IDENTITY", filepath.Join(env.WorkDir, "operator.pem"))
			env.Setenv("TODAY", time.Now().Format(time.DateOnly))
			env.Setenv("NOW", time.Now().Add(-time.Minute).Format(time.RFC3339))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"tournament": func(ts *testscript.TestScript, _ bool, args []string) { ts.Check(writeTournament(ts.MkAbs(args[0]))) },
			"serve":      serve,
			"unserve":    unserve,
			"aged":       aged,
			"rows":       rows,
			"envsubst":   envsubst,
			"status":     status,
		},
	})
}

func writeTournament(file string) error {
	const name = "tournaments/demo.toml"
	text, err := assets.Tournaments.ReadFile(name)
	if err != nil {
		return err
	}
	today := tournament.DateOf(time.Now())
	if text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(5)); err != nil {
		return err
	}
	rules, err := assets.Tournaments.ReadFile("tournaments/ridge-rules.txt")
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(file, text, 0o600), os.WriteFile(filepath.Join(filepath.Dir(file), "ridge-rules.txt"), rules, 0o600))
}

// servedKey finds the central that a script runs.
const servedKey = "central"

func serve(ts *testscript.TestScript, _ bool, args []string) {
	folder := "data"
	if len(args) > 0 {
		folder = args[0]
	}
	running := exec.Command(filepath.Join(programs, "central"), "--data", ts.MkAbs(folder), "--keys", ts.MkAbs("keys"), "--listen", "127.0.0.1:0")
	log, err := os.Create(ts.MkAbs("central.log"))
	ts.Check(err)
	defer log.Close()
	running.Stderr = log
	output, err := running.StdoutPipe()
	ts.Check(err)
	ts.Check(running.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	base, ready := strings.CutPrefix(strings.TrimSpace(line), "central listening on ")
	if err != nil || !ready {
		running.Wait()
		ts.Fatalf("central said %q, %v\n%s", line, err, ts.ReadFile("central.log"))
	}
	ts.Setenv("REELCTL_CENTRAL", base)
	ts.Setenv(servedKey, strconv.Itoa(running.Process.Pid))
	ended := make(chan error, 1)
	go func() { ended <- running.Wait() }()
	servings.Store(running.Process.Pid, func() error {
		running.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			return err
		case <-time.After(30 * time.Second):
			running.Process.Kill()
			return errors.New("central did not stop")
		}
	})
	pid := running.Process.Pid
	ts.Defer(func() {
		if stop, runs := servings.LoadAndDelete(pid); runs {
			stop.(func() error)()
		}
	})
}

// servings has the function that stops each central that a script runs, once.
var servings sync.Map

func unserve(ts *testscript.TestScript, _ bool, _ []string) {
	pid, err := strconv.Atoi(ts.Getenv(servedKey))
	ts.Check(err)
	stop, runs := servings.LoadAndDelete(pid)
	if !runs {
		ts.Fatalf("no central runs")
	}
	ts.Check(stop.(func() error)())
}

// aged begins books and sells one entry in them, so many hours ago.
func aged(ts *testscript.TestScript, _ bool, args []string) {
	hours, err := strconv.Atoi(args[1])
	ts.Check(err)
	file := ts.MkAbs("aged.toml")
	ts.Check(writeTournament(file))
	folder := ts.MkAbs(args[0])
	_, err = central.Prepare(folder, ts.MkAbs("keys"), file)
	ts.Check(err)
	operator, err := central.NewOperator(folder, ts.MkAbs("keys"), "lindiwe")
	ts.Check(err)
	ts.Check(operator.Save(ts.Getenv("REELCTL_IDENTITY")))
	options, err := central.Load(folder, ts.MkAbs("keys"), "")
	ts.Check(err)
	store, err := options.OpenBooks()
	ts.Check(err)
	books := ledger.New(options.Definition, options.Vault, nil)
	var batch *kv.Batch
	ts.Check(store.View(context.Background(), func(view kv.Reader) error {
		overlay := kv.NewOverlay(view)
		_, err := books.Apply(overlay, ledger.Request{
			At: time.Now().Add(-time.Duration(hours) * time.Hour), Who: "lindiwe", Where: "cash-desk", Random: rand.Reader,
			Act: ledger.Purchase(wire.Purchase{Kind: tournament.CashBuyIn, Seats: 1, Operator: "lindiwe", Desk: "cash-desk"}),
		})
		batch = overlay.Batch()
		return err
	}))
	leader, err := store.Lead(context.Background())
	ts.Check(err)
	ts.Check(leader.Apply(context.Background(), batch))
	ts.Check(store.Close())
}

// rows writes a file of exclusions of people who were born on different days.
func rows(ts *testscript.TestScript, _ bool, args []string) {
	count, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(exclusionFile(count)), 0o600))
}

func exclusionFile(count int) string {
	var text strings.Builder
	text.WriteString("reference,kind,from,id_number\n")
	for i := range count {
		day := tournament.Date{Year: 1940, Month: 1, Day: 1}.AddDays(i % 15000)
		digits := fmt.Sprintf("%02d%02d%02d%04d08", day.Year%100, day.Month, day.Day, i/15000)
		for check := range 10 {
			if number := digits + strconv.Itoa(check); identity.Luhn(number) {
				fmt.Fprintf(&text, "ROE-%d,refusal-of-entry,2026-01-01,%s\n", i, number)
			}
		}
	}
	return text.String()
}

func envsubst(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "$NOW", ts.Getenv("NOW"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

func status(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		got, err = ended.ExitCode(), nil
	}
	ts.Check(err)
	if got != want {
		ts.Fatalf("ended with status %d, want %d", got, want)
	}
}
