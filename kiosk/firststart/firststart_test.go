package firststart

import (
	"crypto/rand"
	"strings"
	"testing"

	"reelkiosk/store/tournament"
)

// play types a line: every symbol a key, and words in < > for buttons.
func play(t *testing.T, s State, line string) (State, *Ask) {
	t.Helper()
	var asked *Ask
	for line != "" {
		var ask *Ask
		if button, rest, is := strings.Cut(strings.TrimPrefix(line, "<"), ">"); is && line[0] == '<' {
			s, ask = Step(s, Pressed{Button(button)})
			line = rest
		} else {
			s, ask = Step(s, Symbol{rune(line[0])})
			line = line[1:]
		}
		if ask != nil {
			asked = ask
		}
	}
	return s, asked
}

func newCode(t *testing.T) string {
	t.Helper()
	code, err := tournament.NewEnrolmentCode(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(code)
}

func TestWhatIsAnAddress(t *testing.T) {
	for typed, want := range map[string]string{
		"10.0.7.2":              "https://10.0.7.2:7180",
		"10.0.7.2:7181":         "https://10.0.7.2:7181",
		"central":               "https://central:7180",
		"central.ridge.example": "https://central.ridge.example:7180",
		"[fd00::7]:7180":        "https://[fd00::7]:7180",
		"":                      "",
		"10.0.7":                "",
		"10.0.7.":               "",
		"10.0.7.256":            "",
		"10.0.7.2:":             "",
		"10.0.7.2:0":            "",
		"10.0.7.2:71800":        "",
		"central.":              "",
		".central":              "",
		"-central":              "",
		"central..example":      "",
		"central:7180:7180":     "",
		"central/path":          "",
		"lindiwe@central":       "",
	} {
		got, is := State{Address: typed}.Central()
		if is != (want != "") || is && got != want {
			t.Errorf("%q: got %q, %v, want %q", typed, got, is, want)
		}
	}
}

func TestTheCodeIsCheckedWhileItIsTyped(t *testing.T) {
	code := newCode(t)
	s, _ := play(t, Start("kiosk-3", "https://10.0.7.2:7180"), "<next>"+strings.ToLower(code[:16]))
	if _, complete := s.Complete(); complete || s.Mistyped() {
		t.Error("judged before it was whole")
	}
	right, _ := play(t, s, code[16:])
	if got, complete := right.Complete(); !complete || string(got) != code || right.Mistyped() {
		t.Errorf("%q is not right", right.Code)
	}
	wrong, ask := play(t, s, map[bool]string{true: "1", false: "0"}[code[16] == '0']+"<next>")
	if !wrong.Mistyped() || ask != nil || wrong.Screen != ScreenCode {
		t.Error("a wrong check symbol was taken")
	}
	if more, _ := play(t, wrong, "ABC"); more.Code != wrong.Code {
		t.Error("more symbols than a code has")
	}
	mended, ask := play(t, wrong, "<delete>"+code[16:]+"<next>")
	if ask == nil || string(ask.Code) != code || ask.Central != "https://10.0.7.2:7180" || mended.Screen != ScreenAsking {
		t.Errorf("asked %+v on %s", ask, mended.Screen)
	}
	if odd, _ := play(t, s, "u!é<clear>il o"); odd.Code != "110" {
		t.Errorf("of symbols that look alike came %q", odd.Code)
	}
}

func TestFromTheAddressToTheEnd(t *testing.T) {
	code := newCode(t)
	asking := func(t *testing.T) (State, *Ask) {
		return play(t, Start("kiosk-3", ""), "10.0.7.2<next>"+code+"<next>")
	}
	for name, test := range map[string]struct {
		then func(*testing.T, State, *Ask) (State, *Ask)
		want Screen
		asks bool
	}{
		"enrolled": {func(_ *testing.T, s State, ask *Ask) (State, *Ask) {
			return Step(s, Answered{ask.Number, "kiosk-3", ""})
		}, ScreenOver, false},
		"by another name": {func(_ *testing.T, s State, ask *Ask) (State, *Ask) {
			return Step(s, Answered{ask.Number, "kiosk-4", ""})
		}, ScreenOtherName, false},
		"by another name, and gone on": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = Step(s, Answered{ask.Number, "kiosk-4", ""})
			return play(t, s, "<next>")
		}, ScreenOver, false},
		"central is away": {func(_ *testing.T, s State, ask *Ask) (State, *Ask) {
			return Step(s, Answered{ask.Number, "", FailureAway})
		}, ScreenFailed, false},
		"central is away, once more": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = Step(s, Answered{ask.Number, "", FailureAway})
			return play(t, s, "<next>")
		}, ScreenAsking, true},
		"a used code is not sent again": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = Step(s, Answered{ask.Number, "", FailureUsed})
			return play(t, s, "<next>")
		}, ScreenFailed, false},
		"another code": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = Step(s, Answered{ask.Number, "", FailureUsed})
			return play(t, s, "<other-code>"+newCode(t)+"<next>")
		}, ScreenAsking, true},
		"another address, the same code": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = Step(s, Answered{ask.Number, "", FailureAway})
			return play(t, s, "<address><delete>3<next><next>")
		}, ScreenAsking, true},
		"given up": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = play(t, s, "<stop>")
			return Step(s, Answered{ask.Number, "", FailureAway})
		}, ScreenCode, false},
		"given up, and enrolled all the same": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = play(t, s, "<stop>")
			return Step(s, Answered{ask.Number, "kiosk-3", ""})
		}, ScreenOver, false},
		"a failure of the try before": {func(t *testing.T, s State, ask *Ask) (State, *Ask) {
			s, _ = play(t, s, "<stop><next>")
			return Step(s, Answered{ask.Number, "", FailureAway})
		}, ScreenAsking, false},
		"nothing is typed while central is asked": {func(t *testing.T, s State, _ *Ask) (State, *Ask) {
			return play(t, s, "1<delete><clear><address><code><next>")
		}, ScreenAsking, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, ask := asking(t)
			if ask == nil || s.Screen != ScreenAsking {
				t.Fatalf("%+v asks nothing", s)
			}
			first := ask.Number
			s, ask = test.then(t, s, ask)
			if s.Screen != test.want || (ask != nil) != test.asks {
				t.Errorf("on %s, asks %+v", s.Screen, ask)
			}
			if ask != nil && ask.Number == first {
				t.Error("two questions with one number")
			}
		})
	}
}
