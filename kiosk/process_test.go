package kiosk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"reelkiosk/kiosk/visit"
)

// A kiosk process is this test's own program with these in its environment: the house's folder and central's address.
const (
	processFolder  = "REELKIOSK_TEST_FOLDER"
	processAddress = "REELKIOSK_TEST_CENTRAL"
)

func TestMain(m *testing.M) {
	if what := os.Getenv(processKeys); what != "" {
		beKeeper(what)
		os.Exit(0)
	}
	for variable, be := range map[string]func(string) error{
		processFolder: beKiosk, processCentral: beCentral, processEnrolled: beEnrolled,
	} {
		if order := os.Getenv(variable); order != "" {
			if err := be(order); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// beKiosk is a kiosk in a house's folder.
func beKiosk(folder string) error {
	parts, end, err := assemble(folder, os.Getenv(processAddress), everyday, io.Discard, nil)
	if err != nil {
		return err
	}
	return errors.Join(act(parts), end())
}

// act runs a kiosk whose face touches its own way to a seat, until standard input ends: its parent may die first. It says
// on standard output which screen it shows, 'ready' once it waits for players, 'settled' once nothing of an earlier life is
// left then, and 'alone' once it may give seats by itself.
func act(parts Parts) error {
	conductor := New(parts)
	face := &scriptedFace{calls: make(chan func(), 1024), touch: conductor.Touch, ready: make(chan struct{})}
	go func() {
		for call := range face.calls {
			call()
		}
	}()
	conductor.Show(face, func(call func()) { face.calls <- call })
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	go func() {
		<-face.ready
		fmt.Println("ready")
		for conductor.courier.flush(ctx) != nil && ctx.Err() == nil {
		}
		fmt.Println("settled")
		for !conductor.alone.Load() && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		fmt.Println("alone")
	}()
	_ = conductor.Run(ctx)
	return nil
}

// scriptedFace touches the one button that leads on.
type scriptedFace struct {
	calls chan func()
	touch func(visit.Event)
	once  sync.Once
	ready chan struct{}
	seen  visit.Seen
}

// leadsOn is what the scripted face touches, by screen.
var leadsOn = map[visit.Screen]visit.Button{
	visit.ScreenGreeting: visit.ButtonContinue, visit.ScreenRules: visit.ButtonAccept,
	visit.ScreenDeclaration: visit.ButtonYes, visit.ScreenOffer: visit.ButtonTake,
}

// Show implements Face.
func (f *scriptedFace) Show(state visit.State) {
	if readyToServe(state) {
		f.once.Do(func() { close(f.ready) })
	}
	seen := visit.Seen{Visit: state.Visit, Screen: state.Screen, Over: state.Over}
	if seen == f.seen {
		return
	}
	f.seen = seen
	fmt.Println(state.Screen)
	if button, is := leadsOn[state.Screen]; is {
		// After Show: a touch is meant for what is seen already.
		f.calls <- func() {
			if button == visit.ButtonTake {
				fmt.Println("take")
			}
			f.touch(visit.Tapped{Button: button})
		}
	}
}

// readyToServe reports whether a kiosk with everything waits for a player.
func readyToServe(s visit.State) bool {
	return s.Screen == visit.ScreenAttract && s.Ready == visit.Readers{Card: true, Document: true} &&
		len(s.Floor.Heats) > 0 && s.Paper == visit.PrinterOK && s.OutOfOrder == visit.TroubleNone
}

// process is a running kiosk process.
type process struct {
	*house
	command *exec.Cmd
	input   io.Closer
	lines   chan string
	dead    bool
}

// launch starts a kiosk process and waits until it is ready, with nothing of an earlier life left.
func (h *house) launch() *process {
	h.Helper()
	p := &process{house: h, command: exec.Command(os.Args[0]), lines: make(chan string, 256)}
	p.command.Env = append(os.Environ(), processFolder+"="+h.folder, processAddress+"="+h.server.URL)
	p.command.Stderr = &h.log
	input, err := p.command.StdinPipe()
	h.must(err)
	p.input = input
	output, err := p.command.StdoutPipe()
	h.must(err)
	h.must(p.command.Start())
	go func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			p.lines <- lines.Text()
		}
	}()
	h.Cleanup(p.kill)
	p.says("settled")
	return p
}

// says waits until the process says a line.
func (p *process) says(wanted string) {
	p.Helper()
	deadline := time.After(patience)
	var said []string
	for {
		select {
		case line, open := <-p.lines:
			if !open {
				p.Fatalf("the kiosk ended before it said %q, after %q", wanted, said)
			}
			if line == wanted {
				return
			}
			said = append(said, line)
		case <-deadline:
			p.Fatalf("the kiosk never said %q, but %q", wanted, said)
		}
	}
}

// kill ends the process as a power cut would: it can do nothing about it (signal 9).
func (p *process) kill() {
	if p.dead {
		return
	}
	p.dead = true
	_ = p.command.Process.Kill()
	for range p.lines {
		// what it said last
	}
	_ = p.command.Wait() // it says that it was killed
	p.input.Close()
}
