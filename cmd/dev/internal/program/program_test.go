package program

import (
	"fmt"
	"strings"
	"testing"
)

func TestAProgramThatEndsEarlySaysWhy(t *testing.T) {
	program, err := Start("shell", "/bin/sh", nil, "-c", "echo one; echo trouble >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.Await(t.Context(), "ready"); err == nil {
		t.Fatal("the shell was ready, want an error")
	} else if !strings.Contains(err.Error(), "trouble") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("the error says neither what the shell said nor how it ended: %v", err)
	}
	<-program.Done()
}

// A kiosk that crashed was reported as "exit status 2" and no more.
func TestAProgramThatEndsByItselfShowsTheEndOfItsOutput(t *testing.T) {
	const script = `lines() { for line in $(seq $1 $2); do echo "line $line"; done; }
		lines 1 100; echo "panic: boom"; echo; lines 101 200; exit 2`
	program, err := Start("shell", "/bin/sh", nil, "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	<-program.Done()
	for name, err := range map[string]error{"Err": program.Err(), "Stop": program.Stop()} {
		said := fmt.Sprint(err)
		if !strings.Contains(said, "panic: boom") || !strings.Contains(said, "exit status 2") || strings.Contains(said, "line 3\n") {
			t.Errorf("%s says %s", name, said)
		}
	}
	if err := program.Stop(); err != nil {
		t.Errorf("it is said twice: %v", err)
	}
}

func TestAProgramThatWasKilledOnPurposeIsNoFailure(t *testing.T) {
	program, err := Start("shell", "/bin/sh", nil, "-c", "exec sleep 60")
	if err != nil {
		t.Fatal(err)
	}
	program.Kill()
	if err := program.Err(); err != nil {
		t.Error(err)
	}
	if err := program.Stop(); err != nil {
		t.Error(err)
	}
}

func TestAProgramIsAskedToEnd(t *testing.T) {
	program, err := Start("shell", "/bin/sh", nil, "-c", `trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.05; done`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.Await(t.Context(), "ready"); err != nil {
		t.Fatal(err)
	}
	if err := program.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := program.Await(t.Context(), "asked"); err != nil {
		t.Error(err)
	}
}
