package emulator_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
)

func TestACaptureIsSentAgain(t *testing.T) {
	line := openLine(t)
	set := port.Settings{Baud: 4800, Parity: port.OddParity}.Normal()
	kept := keep(t, line, set)
	captured := reader.Captured{Bursts: []reader.Burst{
		{Line: set, Pieces: []reader.Piece{{Data: []byte(";6001")}, {After: 5 * time.Millisecond, Data: []byte("234?\r")}}},
		{Line: set, Pieces: []reader.Piece{{Data: []byte("90D752C5\r\n")}}},
	}}
	if err := line.Replay(context.Background(), captured, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	awaitBytes(t, kept, ";6001234?\r90D752C5\r\n")
	ended, end := context.WithCancel(context.Background())
	end()
	if err := line.Replay(ended, captured, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestAnotherProcessTellsHowItSetTheLine(t *testing.T) {
	line := openLine(t)
	if err := line.Beside(); err != nil {
		t.Fatal(err)
	}
	line.Device(port.Settings{Baud: 9600, Parity: port.OddParity})
	kept := port.Keep(port.Settings{Name: line.Link(), Baud: 9600, Parity: port.EvenParity}, port.Beside(line.Link()))
	defer kept.Close()
	if first := <-kept.Events(); first.Kind != port.Opened {
		t.Fatalf("%+v", first)
	}
	// The parity is wrong for every byte of the first, and right for those of the second: odd and even differ.
	if _, err := line.Write([]byte("card")); err != nil {
		t.Fatal(err)
	}
	line.Device(port.Settings{Baud: 9600, Parity: port.EvenParity})
	if _, err := line.Write([]byte("tag\r")); err != nil {
		t.Fatal(err)
	}
	awaitBytes(t, kept, "tag\r")
}
