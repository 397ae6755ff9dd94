package strict_test

import (
	"errors"
	"strings"
	"testing"

	"reelkiosk/store/strict"
)

// FuzzRead: whatever stands in a file, reading ends, and each mistake is on one line and on a line that the file has.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		defaults,
		"name = \"a\"\nrooms = [1, {name = \"x\"}]\ntimes = []\n",
		"stages.heats.start = 1\n[[a.b]]\n[a.b.c]\n\"\" = [[{x=1}]]",
		"[[rooms]]\n[[rooms.shelves]]\n[rooms.shelves.x]\ny.z = 1\n",
		"\"\\n\" = 1\n\"\\n\" = 2",
		"at = '''\n\n'''\r\n",
		"name = \"\\ud800\"", "\x00", "[", "= 1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := read(text)
		if err == nil {
			return
		}
		var mistakes strict.Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) == 0 {
			t.Fatalf("%v is no list of mistakes", err)
		}
		lines := strings.Count(text, "\n") + 1
		for i, mistake := range mistakes {
			if mistake.Line < 1 || mistake.Line > lines || mistake.Allowed == "" || i > 0 && mistake.Line < mistakes[i-1].Line {
				t.Errorf("%+v of %d lines", mistake, lines)
			}
			if strings.Contains(mistake.String(), "\n") {
				t.Errorf("%q is more than one line", mistake)
			}
		}
	})
}
