package central

import (
	"os"
	"strings"
	"testing"
)

func TestRegisterThatIsMissingOrDamagedWasNotNoticed(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"missing":  os.Remove,
		"cut off":  func(path string) error { return os.Truncate(path, 40) },
		"one flip": flipped,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.mostEntered = 5
			h.bringIn(exclusions(0, 10))
			path := h.lists.registerPath(1)
			h.stop()
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			h.start()
			if said := h.log.String(); !strings.Contains(said, "register") || !strings.Contains(said, "from the backup") {
				t.Errorf("at the start: %s", said)
			}
			if !h.excluded(3) {
				t.Error("the list does not hold")
			}
			h.mostEntered = 5
			if _, err := h.tryImport(exclusions(5, 15)); err == nil || !strings.Contains(err.Error(), "from the backup") {
				t.Errorf("importing another: %v", err)
			}
			if h.lists.version() != 1 || h.excluded(14) {
				t.Error("something was done")
			}
		})
	}
}

func flipped(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 1
	return os.WriteFile(path, text, 0o600)
}
