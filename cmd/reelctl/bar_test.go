package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"reelkiosk/store/central"
)

// house starts a central in this process on new books and returns its address.
func house(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := writeTournament(filepath.Join(folder, "demo.toml")); err != nil {
		t.Fatal(err)
	}
	data, keys := filepath.Join(folder, "data"), filepath.Join(folder, "keys")
	if _, err := central.Prepare(data, keys, filepath.Join(folder, "demo.toml")); err != nil {
		t.Fatal(err)
	}
	options, err := central.Load(data, keys, "")
	if err != nil {
		t.Fatal(err)
	}
	served, err := central.New(options)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := central.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { served.Serve(listener) })
	t.Cleanup(func() {
		if err := served.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		serving.Wait()
	})
	return "http://" + listener.Addr().String()
}

// terminal is a pseudo-terminal: what is written to its end for programs can be read from the other.
func terminal(t *testing.T) (program, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return program, screen
}

func TestALongImportShowsHowFarItIs(t *testing.T) {
	base := house(t)
	file := filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(file, []byte(exclusionFile(25_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	program, screen := terminal(t)
	defer screen.Close()
	var shown bytes.Buffer
	var watching sync.WaitGroup
	watching.Go(func() { shown.ReadFrom(screen) }) // ends with an error once the program's end is closed
	var stdout bytes.Buffer
	status := run(t.Context(), []string{"--central", base, "import", "exclusions", file}, strings.NewReader(""), &stdout, program)
	program.Close()
	watching.Wait()
	if status != exitDone || stdout.String() != "exclusions: 25000 added, 0 changed, 0 unchanged\n" {
		t.Errorf("status %d, %s%s", status, stdout.String(), shown.String())
	}
	for _, word := range []string{"sending", "%", "25000 rows are with central"} {
		if !strings.Contains(shown.String(), word) {
			t.Errorf("the terminal does not show %q: %q", word, shown.String())
		}
	}
}

func TestAnImportThatIsBrokenOffLeavesNothing(t *testing.T) {
	base := house(t)
	file := filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(file, []byte(exclusionFile(5_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // as SIGINT does
	var stdout, stderr bytes.Buffer
	if status := run(ctx, []string{"--central", base, "import", "exclusions", file}, strings.NewReader(""), &stdout, &stderr); status == exitDone {
		t.Errorf("status %d, %s", status, stdout.String())
	}
	stdout.Reset()
	if status := run(t.Context(), []string{"--central", base, "export", "events"}, strings.NewReader(""), &stdout, &stderr); status != exitDone || stdout.Len() > 0 {
		t.Errorf("status %d, %s", status, stdout.String())
	}
}
