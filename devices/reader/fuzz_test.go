package reader_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/reader"
)

// numbers are what club cards are known by: nothing else may come out of a parser as a card.
var numbers = regexp.MustCompile(`^(6001[0-9]{12}|[0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14}|[0-9A-F]{20})$`)

// FuzzReaders gives every kind of reader bytes in two pieces. Whatever comes in, where it is cut changes nothing, a card
// has a number of its kind, and the good frame that follows is read.
func FuzzReaders(f *testing.F) {
	for _, file := range []string{"magstripe.json", "rfid.json", "uid.json", "scanner.json"} {
		for index, c := range vectorsIn(f, file) {
			input, err := c.Bytes()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(input, uint(index))
		}
	}
	for _, frame := range goodFrames {
		f.Add([]byte(frame[0]), uint(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, cut uint) {
		for name, frame := range goodFrames {
			profile := named(t, name)
			at := int(cut % uint(len(input)+1))
			whole := reader.Play(profile, today, reader.Chunk{Bytes: bytes.Clone(input)})
			pieces := reader.Play(profile, today, reader.Chunk{Bytes: bytes.Clone(input[:at])},
				reader.Chunk{After: time.Millisecond, Bytes: bytes.Clone(input[at:])})
			if !reflect.DeepEqual(whole, pieces) {
				t.Errorf("%s: cut at %d: %v, whole: %v", name, at, pieces, whole)
			}
			for _, reading := range whole {
				if reading.Card != nil && !numbers.MatchString(reading.Card.Number) {
					t.Errorf("%s: a card %q", name, reading.Card.Number)
				}
			}
			readings := reader.Play(profile, today, reader.Chunk{Bytes: bytes.Clone(input)},
				reader.Chunk{After: time.Second, Bytes: []byte(frame[0])})
			lastIsGood(t, name, string(input), readings)
		}
	})
}

// FuzzDecode gives support staff's command whatever they have. What it prints is JSON, and holds no bank card's number that
// stood in a track.
func FuzzDecode(f *testing.F) {
	for _, file := range []string{"magstripe.json", "rfid.json", "uid.json", "scanner.json"} {
		for _, c := range vectorsIn(f, file) {
			input, err := c.Bytes()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(input)
		}
	}
	const secret = "4111111111111111"
	f.Fuzz(func(t *testing.T, input []byte) {
		bank := append(bytes.Clone(input), []byte("\r;"+secret+"=30121010000000000?\r")...)
		report := reader.Capture(named(t, "magstripe"), bank, today)
		text, err := json.Marshal(report)
		if err != nil || !json.Valid(text) {
			t.Fatalf("%s: %v", text, err)
		}
		if !bytes.Contains(input, []byte(secret[:8])) && strings.Contains(string(text)+fmt.Sprintf("%#v", report), secret) {
			t.Errorf("the card is in %s", text)
		}
		guessed, err := reader.Guess(input, today)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(guessed); err != nil || !json.Valid(text) {
			t.Fatalf("%s: %v", text, err)
		}
	})
}
