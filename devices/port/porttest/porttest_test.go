package porttest_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/port/porttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is a testing.TB that keeps what a script has to say.
type verdict struct {
	testing.TB
	said []string
}

func (v *verdict) Errorf(format string, args ...any) {
	v.said = append(v.said, fmt.Sprintf(format, args...))
}
func (v *verdict) Error(args ...any) { v.said = append(v.said, fmt.Sprint(args...)) }

func write(conn port.Conn, pieces ...string) error {
	for _, piece := range pieces {
		if err := conn.Write(context.Background(), []byte(piece)); err != nil {
			return err
		}
	}
	return nil
}

func TestADriverThatFollowsTheScriptPasses(t *testing.T) {
	for name, pieces := range map[string][]string{
		"in one piece each": {"ask", "print"},
		"byte by byte":      {"a", "s", "k", "p", "r", "i", "n", "t"},
		"run together":      {"askprint"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := porttest.Play(t,
				porttest.Happens(porttest.Opened()),
				porttest.Answers("ask", "ready"),
				porttest.Writes("print"),
				porttest.Happens(porttest.Gone(port.ErrUnplugged)))
			if err := write(conn, pieces...); err != nil {
				t.Fatal(err)
			}
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for event := range conn.Events() {
				kinds = append(kinds, event.Kind.String()+string(event.Data))
			}
			if got := strings.Join(kinds, " "); got != "opened dataready gone" {
				t.Errorf("events %s", got)
			}
		})
	}
}

func TestADriverThatLeavesTheScriptFails(t *testing.T) {
	for name, test := range map[string]struct {
		writes []string
		want   string
	}{
		"says something else":    {[]string{"asp"}, `step 1 of the script wants "ask"`},
		"goes on after its end":  {[]string{"ask", "more"}, "after the end"},
		"stops before its end":   {[]string{"as"}, `wants "ask" and got "as"`},
		"does not even begin it": {nil, `wants "ask" and got ""`},
	} {
		t.Run(name, func(t *testing.T) {
			judge := &verdict{TB: t}
			conn := porttest.Play(judge, porttest.Answers("ask", "ready"))
			if err := write(conn, test.writes...); err != nil && !errors.Is(err, porttest.ErrUnexpected) {
				t.Error(err)
			}
			conn.Close()
			if got := strings.Join(judge.said, "\n"); !strings.Contains(got, test.want) {
				t.Errorf("the script says %q, wanted %q", got, test.want)
			}
		})
	}
}

func TestAScriptedWriteFailsAsTheScriptSays(t *testing.T) {
	conn := porttest.Play(t, porttest.Exchange{Written: []byte("job"), Err: port.ErrStuck})
	if err := write(conn, "job"); !errors.Is(err, port.ErrStuck) {
		t.Errorf("write: %v", err)
	}
	conn.Close()
	if err := write(conn, "more"); !errors.Is(err, port.ErrClosed) {
		t.Errorf("write after Close: %v", err)
	}
}

func TestEventsBesideTheScriptAreDelivered(t *testing.T) {
	conn := porttest.Play(t)
	conn.Deliver(porttest.Data("now"))
	if event := <-conn.Events(); string(event.Data) != "now" || event.At.IsZero() {
		t.Errorf("event %+v", event)
	}
}

// What a driver says to a real port, recorded, is a script that the same driver passes.
func TestARecordingCanBePlayed(t *testing.T) {
	line, err := emulator.OpenLine(filepath.Join(t.TempDir(), "printer"))
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	recorder := porttest.Record(port.Keep(port.Settings{Name: line.Link(), Baud: 9600}))
	drive(t, recorder, func() {
		question := make([]byte, 3)
		if _, err := line.Read(question); err != nil {
			t.Error(err)
		}
		if _, err := line.Write([]byte("ready")); err != nil {
			t.Error(err)
		}
	})
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	want := "write \"\", opened\nwrite \"ask\", data \"ready\"\n"
	if got := recorder.String(); got != want {
		t.Errorf("recorded\n%swanted\n%s", got, want)
	}
	drive(t, porttest.Play(t, recorder.Script()...), func() {})
}

// drive is a small driver: it waits until the port opens, asks, and wants the answer.
func drive(t *testing.T, conn port.Conn, device func()) {
	t.Helper()
	if event := <-conn.Events(); event.Kind != port.Opened {
		t.Fatalf("first event %v", event.Kind)
	}
	if err := write(conn, "ask"); err != nil {
		t.Fatal(err)
	}
	device()
	var answer []byte
	for len(answer) < len("ready") {
		answer = append(answer, (<-conn.Events()).Data...)
	}
	if string(answer) != "ready" {
		t.Fatalf("answer %q", answer)
	}
}
