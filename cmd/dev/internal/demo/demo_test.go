package demo

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A picture of the privacy notice was called attract-larger: each picture is of something that was waited for after the last
// command that changes the screen.
func TestEveryPictureIsOfWhatWasWaitedFor(t *testing.T) {
	waits := []string{"wait", "over", "trouble", "hint", "look", "out"}
	changes := []string{"tap", "swipe", "scan", "receipt", "bank", "identify", "close", "revoke", "unplug", "machines"}
	for _, scene := range scenes {
		waited := false
		for line := range strings.Lines(scene.script) {
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
			case words[0] == "show" && !waited:
				t.Errorf("scene %q: %s: nothing was waited for", scene.name, strings.TrimSpace(line))
			case slices.Contains(waits, words[0]) && !slices.Contains([]string{"ticket", "alone"}, words[1]):
				waited = true
			case slices.Contains(changes, words[0]):
				waited = false
			}
		}
	}
}

func TestAWrongCommandSaysWhichThereAre(t *testing.T) {
	evening := New(nil, "", io.Discard)
	for line, want := range map[string]string{
		"identify foo": "card, document, both or either",
		"paper blue":   "low, out or full",
		"dance":        "try help",
		"swipe":        "swipe NAME",
	} {
		if err := evening.Do(t.Context(), line); !errors.Is(err, errWords) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", line, err, want)
		}
	}
}

func TestADemoBeginsWithoutOldTickets(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"ticket-1.png", "ticket-1.txt", "ticket-12.png", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := clearTickets(folder); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || filepath.Base(left[0]) != "notes.txt" {
		t.Errorf("left are %v", left)
	}
}
