package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/replica"
	"reelkiosk/store/wire"
)

func TestTheOutboxOfAKioskThatDoesNotRun(t *testing.T) {
	folder := t.TempDir()
	settings := filepath.Join(folder, "kiosk.toml")
	text := fmt.Sprintf("name = \"kiosk-3\"\ncentral = \"http://127.0.0.1:7180\"\ndata = %q\n", folder)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (outboxList{settings}).Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), "no kiosk has run there yet") {
		t.Errorf("before the first run: %v", err)
	}
	file, err := replica.Open(filepath.Join(folder, replicaFile), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		request, err := file.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: fmt.Sprint("n", i)})
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			continue
		}
		if err := file.Bury(request, "unknown-person", time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	want := func(run func(*strings.Builder) error, lines ...string) {
		t.Helper()
		var said strings.Builder
		if err := run(&said); err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !strings.Contains(said.String(), line) {
				t.Errorf("want %q in\n%s", line, said.String())
			}
		}
	}
	list := func(to *strings.Builder) error { return outboxList{settings}.Run(to) }
	want(list, "2  waits  /v1/notices  the kiosk does not run", "1  dead   /v1/notices  unknown-person",
		"1 wait for central, 2 central cannot take")
	want(func(to *strings.Builder) error { return outboxExport{settings}.Run(to) }, `"detail":"n1"`, `"seq":3,"reason":"unknown-person"`)
	want(func(to *strings.Builder) error { return outboxRetry{settings, []uint64{3}}.Run(to) }, "1 are sent again when the kiosk runs")
	want(list, "4  waits", "2 wait for central, 1 central cannot take")
	want(func(to *strings.Builder) error { return outboxRetry{Config: settings}.Run(to) }, "1 are sent again")
	want(list, "3 wait for central, 0 central cannot take")
	if err := (outboxRetry{settings, []uint64{9}}).Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), "no dead letter 9") {
		t.Errorf("a number that is none: %v", err)
	}
}
