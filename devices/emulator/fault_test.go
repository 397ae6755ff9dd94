package emulator

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestFaultsAreTypedAsWords(t *testing.T) {
	for text, want := range map[string]Fault{
		"silence":        {Kind: Silence},
		"repeat":         {Kind: Repeat},
		"repeat=200":     {Kind: Repeat, Times: 200},
		"together":       {Kind: Together},
		"noise":          {Kind: Noise},
		"noise-inside":   {Kind: NoiseInside},
		"noise-inside=3": {Kind: NoiseInside, At: 3},
		"half":           {Kind: Half},
		"half=5":         {Kind: Half, At: 5},
		"unplug=2":       {Kind: Pulled, At: 2},
		"vanish":         {Kind: Vanished},
		"slow":           {Kind: Slow},
		"slow=3ms":       {Kind: Slow, Gap: 3 * time.Millisecond},
	} {
		if got, err := ParseFault(text); err != nil || got != want {
			t.Errorf("%s reads as %+v (%v)", text, got, err)
		}
	}
	for text, says := range map[string]string{
		"":          "silence",
		"fire":      "unplug",
		"half=many": "half=many",
		"half=-1":   "negative",
		"slow=5":    "slow=5",
		"noise=5":   "takes no value",
	} {
		if _, err := ParseFault(text); !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, wanted to read %q", text, err, says)
		}
	}
}

func TestEachFaultHasItsWordOfHelp(t *testing.T) {
	for kind := Silence; kind <= Slow; kind++ {
		found := false
		for _, known := range faultWords {
			found = found || known.kind == kind && known.help != ""
		}
		if !found {
			t.Errorf("fault %d cannot be typed", kind)
		}
	}
}

func TestWhatBecomesOfAFrame(t *testing.T) {
	loud := string(noise)
	for name, test := range map[string]struct {
		faults string
		want   string
		then   Path
	}{
		"nothing wrong":                   {"", "frame!", 0},
		"silence":                         {"silence", "", 0},
		"three times":                     {"repeat=3", "frame!frame!frame!", 0},
		"run together":                    {"together", "frame!frame!", 0},
		"noise before":                    {"noise", loud + "frame!", 0},
		"noise in the middle":             {"noise-inside", "fra" + loud + "me!", 0},
		"noise after a byte":              {"noise-inside=1", "f" + loud + "rame!", 0},
		"half":                            {"half", "fra", 0},
		"five bytes":                      {"half=5", "frame", 0},
		"more than there is":              {"half=50", "frame!", 0},
		"pulled out":                      {"unplug=2", "fr", Hangup},
		"died":                            {"vanish=2", "fr", Vanish},
		"noise and half, in either order": {"half=9 noise", loud + "f", 0},
	} {
		t.Run(name, func(t *testing.T) {
			faults, err := ParseFaults(strings.Fields(test.faults))
			if err != nil {
				t.Fatal(err)
			}
			got := spoil([]byte("frame!"), faults)
			if string(got.bytes) != test.want || got.then != test.then {
				t.Errorf("%q then %d, wanted %q then %d", got.bytes, got.then, test.want, test.then)
			}
		})
	}
}
