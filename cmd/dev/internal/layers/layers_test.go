package layers

import (
	"os"
	"testing"
	"testing/fstest"
)

func TestImportsGoOneWay(t *testing.T) {
	broken, err := Check(os.DirFS("../../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range broken {
		t.Error(each)
	}
}

func TestABrokenRuleIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		file, imported string
		broken         bool
	}{
		"downwards":                 {"kiosk/visit/a.go", "reelkiosk/store/tournament", false},
		"upwards":                   {"store/tournament/a.go", "reelkiosk/store/ledger", true},
		"sideways":                  {"devices/reader/a.go", "reelkiosk/devices/printer", true},
		"sideways and drawn":        {"store/ledger/a.go", "reelkiosk/store/wire", false},
		"a test takes what it must": {"store/client/a_test.go", "reelkiosk/store/central", false},
		"a face without a window":   {"kiosk/face/player/a_test.go", "fyne.io/fyne/v2/app", true},
		"an unknown folder":         {"store/helpers/a.go", "reelkiosk/store/tournament", true},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{test.file: {Data: []byte("package a\n\nimport _ \"" + test.imported + "\"\n")}}
			broken, err := Check(root)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(broken) > 0; got != test.broken {
				t.Errorf("broken is %v, want %v: %v", got, test.broken, broken)
			}
		})
	}
}
