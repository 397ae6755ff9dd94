package reader_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
)

// openSearchLine lays a line with a device that is set as it likes, and says how a search opens it.
func openSearchLine(t *testing.T, device port.Settings) (*emulator.Line, func(port.Settings) port.Conn) {
	t.Helper()
	line, err := emulator.OpenLine(filepath.Join(t.TempDir(), "usb-reader"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := line.Close(); err != nil {
			t.Error(err)
		}
	})
	line.Device(device)
	return line, func(set port.Settings) port.Conn {
		set.Name = line.Link()
		return port.Keep(set, port.Told(line.Settings))
	}
}

func TestEveryProfileIsFoundOnAPort(t *testing.T) {
	for _, name := range reader.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile := named(t, name)
			line, open := openSearchLine(t, profile.Line)
			cards := emulator.NewCardReader(line, emulator.CardSetup{})
			search := newSearch(t)
			search.Printed(sends[name].printed)
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			var best []reader.Guessed
			err := search.Run(ctx, open, func(progress reader.Progress) {
				best = progress.Guesses
				if progress.State.Ready && !progress.Found {
					if err := cards.Send([]byte(sends[name].frame)); err != nil {
						t.Error(err)
					}
				}
			})
			if err != nil || len(best) == 0 || best[0].Profile.Name != name || best[0].Right < reader.Proven {
				t.Errorf("%v, found %+v", err, best)
			}
		})
	}
}

func TestASearchOnAPortInUseSaysWhoUsesIt(t *testing.T) {
	line, open := openSearchLine(t, port.Settings{})
	held := port.Keep(port.Settings{Name: line.Link(), Baud: 9600})
	defer held.Close()
	if first := <-held.Events(); first.Kind != port.Opened {
		t.Fatal(first)
	}
	err := newSearch(t).Run(context.Background(), open, func(reader.Progress) {})
	if !errors.Is(err, port.ErrInUse) || !strings.Contains(err.Error(), "process") {
		t.Errorf("the search ends with %v", err)
	}
}

func TestACaptureIsReadBackAsItWasSaved(t *testing.T) {
	captured := reader.Captured{Saved: time.Date(2026, 11, 30, 4, 10, 0, 0, time.UTC), Port: "/dev/serial/by-id/usb-x", Bursts: []reader.Burst{{
		Line:   port.Settings{Baud: 4800, DataBits: 8, Parity: port.OddParity, StopBits: 1},
		Pieces: []reader.Piece{{Data: []byte(";60012345")}, {After: 12500 * time.Microsecond, Data: []byte("67890123?\r")}},
	}}}
	for name, test := range map[string]struct {
		captured reader.Captured
		number   bool
	}{"whole": {captured, true}, "veiled": {captured.Veil(), false}} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(test.captured)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("3630303132333435")) != test.number {
				t.Errorf("a number is in it or not: %s", text)
			}
			back, err := reader.ReadCaptured(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(back); !bytes.Equal(again, text) {
				t.Errorf("read back\n%s\nsaved\n%s", again, text)
			}
			readings := back.Bursts[0].Readings(named(t, "magstripe"), today)
			if len(readings) != 1 || (readings[0].Kind == reader.KindCard) != test.number {
				t.Errorf("decoded again: %v", readings)
			}
		})
	}
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "x", "another version": `{"version": 2}`, "no digits": `{"version":1,"bursts":[{"pieces":[{"hex":"zz"}]}]}`,
	} {
		if _, err := reader.ReadCaptured(strings.NewReader(text)); !errors.Is(err, reader.ErrCaptured) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRowsHideNumbersAndNames(t *testing.T) {
	for name, test := range map[string]struct {
		sent        string
		whole       bool
		hexes, text string
	}{
		"a swipe":           {"\x02;60?\r", false, "02 3b •• •• 3f 0d", "␂;##?␍"},
		"a name":            {"%DOE^J?\r", false, "25 •• •• •• 5e •• 3f 0d", "%AAA^A?␍"},
		"eighth bits":       {"\xbb\xb6\xb0\x3f\r", false, "bb •• •• 3f 0d", "·##?␍"},
		"the whole of it":   {";60?\r", true, "3b 36 30 3f 0d", ";60?␍"},
		"at another speed":  {"\x80\xf8\x00\x80", false, "•• •• •• ••", "····"},
		"at another, whole": {"\x80\xf8\x00\x80", true, "80 f8 00 80", "··␀·"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := reader.Burst{Pieces: []reader.Piece{{Data: []byte(test.sent)}}}.Rows(16, test.whole)
			if len(rows) != 1 || rows[0].Hex != test.hexes || rows[0].Text != test.text {
				t.Errorf("rows %+v", rows)
			}
		})
	}
}
