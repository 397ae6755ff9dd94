package floor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// Shown is one line of the kiosk's trace: a screen that the player sees, and what can be touched on it.
type Shown struct {
	At      time.Time    `json:"at"`
	Screen  visit.Screen `json:"screen"`
	Over    visit.Over   `json:"over"`
	Trouble string       `json:"trouble"`
	Hint    string       `json:"hint"`
	Visit   visit.ID     `json:"visit"`
	// Ready says which readers can be used, Heats whether any are known, Full that none has a seat left; Out is why no seats
	// are given, empty where they are.
	Ready   visit.Readers `json:"ready"`
	Heats   bool          `json:"heats"`
	Full    bool          `json:"full"`
	Out     string        `json:"out_of_order"`
	Look    visit.Look    `json:"look"`
	Targets []Target      `json:"targets"`
}

// Target is a place that can be touched.
type Target struct {
	Button   visit.Button      `json:"button"`
	Language string            `json:"language"`
	Heat     tournament.HeatID `json:"heat"`
	X        float64           `json:"x"`
	Y        float64           `json:"y"`
	Width    float64           `json:"w"`
	Height   float64           `json:"h"`
}

// String returns the screen in a few words.
func (s Shown) String() string {
	words := []string{string(s.Screen)}
	for _, word := range []string{string(s.Over), s.Trouble, s.Hint} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, "/")
}

// remembered is how many screens an error tells of.
const remembered = 12

// Trace follows what the kiosk shows, through a named pipe.
type Trace struct {
	path string
	pipe *os.File
	done chan struct{}

	mu      sync.Mutex // guards what follows
	shown   Shown
	arrived time.Time // when the line was read
	painted time.Time // when the first of them was painted
	count   int
	past    []string // the last screens in a word each, oldest first
	changed chan struct{}
}

func newTrace() (*Trace, error) {
	folder, err := os.MkdirTemp("", "reelkiosk-trace-")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "trace")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	// For both, so that neither end waits for the other; not blocking, so that closing it ends a reading.
	pipe, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	trace := &Trace{path: path, pipe: pipe, done: make(chan struct{}), changed: make(chan struct{})}
	go trace.follow()
	return trace, nil
}

func (t *Trace) follow() {
	defer close(t.done)
	lines := bufio.NewScanner(t.pipe)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var shown Shown
		if json.Unmarshal(lines.Bytes(), &shown) != nil || shown.Screen == "" {
			continue
		}
		t.mu.Lock()
		t.shown, t.arrived = shown, time.Now()
		if t.count++; t.count == 1 {
			t.painted = shown.At
		}
		t.past = append(t.past[max(0, len(t.past)-remembered):], shown.String())
		close(t.changed)
		t.changed = make(chan struct{})
		t.mu.Unlock()
	}
}

func (t *Trace) close() error {
	err := t.pipe.Close()
	<-t.done
	_ = os.RemoveAll(filepath.Dir(t.path))
	return err
}

// Painted returns when the kiosk's first frame stood on the display, which its first line tells.
func (t *Trace) Painted() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.painted
}

func (t *Trace) history() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.past, ", ")
}

// Now returns what is shown, how many screens were shown before it, and a channel that is closed at the next.
func (t *Trace) Now() (Shown, int, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown, t.count, t.changed
}

// lastLine returns when the last line came.
func (t *Trace) lastLine() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.arrived
}

// Await waits until the kiosk shows what is wanted, at most half a minute; what describes it in the error.
func (f *Floor) Await(ctx context.Context, what string, wanted func(Shown) bool) (Shown, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return f.await(ctx, what, wanted)
}

func (f *Floor) await(ctx context.Context, what string, wanted func(Shown) bool) (Shown, error) {
	for {
		shown, count, changed := f.Trace.Now()
		if count > 0 && wanted(shown) {
			return shown, nil
		}
		select {
		case <-changed:
		case <-f.Kiosk.Done():
			return shown, fmt.Errorf("the kiosk ended before it showed %s; the end of its output:\n%s", what, f.Kiosk.End())
		case <-ctx.Done():
			return shown, fmt.Errorf("the kiosk never showed %s, but %s", what, f.Trace.history())
		}
	}
}

// AwaitScreen waits until the kiosk shows a screen, with nothing over it.
func (f *Floor) AwaitScreen(ctx context.Context, wanted visit.Screen) (Shown, error) {
	return f.Await(ctx, "screen "+string(wanted), func(shown Shown) bool {
		return shown.Screen == wanted && shown.Over == visit.OverNothing
	})
}

// AwaitButton waits until a button can be touched. Where several places have it, which says the language or the heat.
func (f *Floor) AwaitButton(ctx context.Context, button visit.Button, which string) (Shown, Target, error) {
	is := func(target Target) bool {
		return target.Button == button && (which == "" || target.Language == which || string(target.Heat) == which)
	}
	what := "button " + strings.TrimSpace(string(button)+" "+which)
	shown, err := f.Await(ctx, what, func(shown Shown) bool { return shown.begun() && slices.ContainsFunc(shown.Targets, is) })
	if err != nil {
		return shown, Target{}, fmt.Errorf("%w; it has the buttons %s", err, strings.Join(shown.Buttons(), ", "))
	}
	return shown, shown.Targets[slices.IndexFunc(shown.Targets, is)], nil
}

// Tap touches a button with the display's pointer, in its middle, once it is there.
func (f *Floor) Tap(ctx context.Context, button visit.Button, which string) error {
	shown, target, err := f.AwaitButton(ctx, button, which)
	if err != nil {
		return err
	}
	// A screen that has just come up takes no touches, lest one that was meant for the last screen counts on it.
	select {
	case <-time.After(time.Until(shown.At.Add(kiosk.Settling + 50*time.Millisecond))):
	case <-ctx.Done():
		return ctx.Err()
	}
	return f.Screen.Tap(int(target.X+target.Width/2), int(target.Y+target.Height/2))
}

// Buttons returns the names of the buttons that can be touched, each once.
func (s Shown) Buttons() []string {
	var names []string
	for _, target := range s.Targets {
		if name := string(target.Button); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// begun reports whether the kiosk has found out what it can do. Before that its window comes up, and its attract screen takes
// no part in an evening yet: a touch may be lost.
func (s Shown) begun() bool {
	return s.Screen != visit.ScreenAttract || s.Out != "" || s.Heats && s.Ready != visit.Readers{}
}

// AwaitBegun waits until a kiosk that was started is ready for whoever comes, or says why it is not.
func (f *Floor) AwaitBegun(ctx context.Context) error {
	_, err := f.Await(ctx, "what it can do", Shown.begun)
	return err
}

// IsReady reports whether this is the attract screen that offers both readers, with the printer and central well.
func (s Shown) IsReady() bool {
	return s.Screen == visit.ScreenAttract && s.Ready == visit.Readers{Card: true, Document: true} && s.Heats && s.Out == ""
}

// AwaitReady waits for an attract screen that offers both readers, with the printer and central well.
func (f *Floor) AwaitReady(ctx context.Context) error {
	_, err := f.Await(ctx, "that it is ready", Shown.IsReady)
	return err
}

// aloneReady is in the line of the kiosk's log that says that it can give seats while central is away.
const aloneReady = `"what the kiosk can give by itself","ready":true`

// AwaitAlone waits until the kiosk has been granted what it may give while central is away.
func (f *Floor) AwaitAlone(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for !strings.Contains(f.Kiosk.Output(), aloneReady) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("nothing was granted to the kiosk; the end of its output:\n%s", f.Kiosk.End())
		}
	}
	return nil
}

// AwaitOver waits until something lies over the screen.
func (f *Floor) AwaitOver(ctx context.Context, wanted visit.Over) (Shown, error) {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second) // 'still there?' comes after 30 s
	defer cancel()
	return f.await(ctx, "overlay "+string(wanted), func(shown Shown) bool { return shown.Over == wanted })
}

// AwaitTrouble waits for the screen of a trouble.
func (f *Floor) AwaitTrouble(ctx context.Context, wanted visit.Trouble) (Shown, error) {
	return f.Await(ctx, "trouble "+string(wanted), func(shown Shown) bool {
		return shown.Screen == visit.ScreenTrouble && shown.Trouble == string(wanted)
	})
}

// AwaitHint waits for a short message over a screen.
func (f *Floor) AwaitHint(ctx context.Context, wanted visit.Hint) (Shown, error) {
	return f.Await(ctx, "hint "+string(wanted), func(shown Shown) bool { return shown.Hint == string(wanted) })
}
