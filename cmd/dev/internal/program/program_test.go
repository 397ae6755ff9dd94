package program

import (
	"testing"
)

func TestAProgramThatEndsEarlySaysWhy(t *testing.T) {
	program, err := Start("shell", "/bin/sh", nil, "-c", "echo one; echo trouble >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.Await(t.Context(), "ready"); err == nil {
		t.Fatal("the shell was ready, want an error")
	} else {
		t.Log(err)
	}
	<-program.Done()
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
