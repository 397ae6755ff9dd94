package reader_test

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/reader"
)

// goodFrames are, by profile, a frame and the number or text that it must give.
var goodFrames = map[string][2]string{
	"magstripe":         {";6001234567890123?\r", "6001234567890123"},
	"magstripe-lrc":     {";6001000000000059??\r", "6001000000000059"},
	"rdm6300":           {"\x0262E3086CED08\x03", "62E3086CED"},
	"rdm6300-sum":       {"\x021A2B3C4D5E2C\x03", "1A2B3C4D5E"},
	"id-12":             {"\x0204007A1B2C49\r\n\x03", "04007A1B2C"},
	"parallax-28140":    {"\n0F0184F07A\r", "0F0184F07A"},
	"uid-hex":           {"90D752C5\r\n", "90D752C5"},
	"uid-hex-reversed":  {"C552D790\r\n", "90D752C5"},
	"uid-hex-stx":       {"\x0290D752C5\x03", "90D752C5"},
	"uid-decimal":       {"2430030533\r\n", "90D752C5"},
	"scanner":           {"]Q1DRAW-2026-000123\r\n", "DRAW-2026-000123"},
	"scanner-no-suffix": {"]C0DRAW-2026-000123", "DRAW-2026-000123"},
	"mrz": {"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\r" +
		"L898902C36UTO7408122F1204159ZE184226B<<<<<10\r", "L898902C3"},
	"mrz-stx": {"\x02P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\r\n" +
		"L898902C36UTO7408122F1204159ZE184226B<<<<<10\r\n\x03", "L898902C3"},
}

// said is the number or text of a reading.
func said(reading reader.Reading) string {
	switch {
	case reading.Card != nil:
		return reading.Card.Number
	case reading.Document != nil:
		return reading.Document.Number
	case reading.Symbol != nil:
		return reading.Symbol.Text
	}
	return ""
}

func TestEveryProfileReadsItsFrame(t *testing.T) {
	for _, name := range reader.Names() {
		frame, known := goodFrames[name]
		if !known {
			t.Errorf("%s: no good frame in this test", name)
			continue
		}
		readings := reader.Capture(named(t, name), []byte(frame[0]), today).Readings()
		if len(readings) != 1 || said(readings[0]) != frame[1] {
			t.Errorf("%s: %v", name, readings)
		}
	}
}

// TestOneUnreadableScanSpoilsNoLaterOne is Alf.ioBackoffice#16: whatever comes first, the good frame that follows after
// a silence, as when a person tries again, is read.
func TestOneUnreadableScanSpoilsNoLaterOne(t *testing.T) {
	random, rounds := seeded(t)
	const alphabet = "\x00\x02\x03\x1b\r\n%;+#?=^E<]CQ0123456789ABCDEFabcdef\xff\xc3\xb6"
	for name, frame := range goodFrames {
		for range rounds {
			garbage := make([]byte, random.IntN(300))
			for index := range garbage {
				garbage[index] = alphabet[random.IntN(len(alphabet))]
			}
			before := string(garbage)
			lastIsGood(t, name, before, reader.Play(named(t, name), today, reader.Chunk{Bytes: garbage},
				reader.Chunk{After: time.Second, Bytes: []byte(frame[0])}))
		}
	}
}

// lastIsGood fails the test unless the last of some readings is that of the profile's good frame.
func lastIsGood(t *testing.T, profile, before string, readings []reader.Reading) {
	t.Helper()
	if len(readings) == 0 || said(readings[len(readings)-1]) != goodFrames[profile][1] {
		t.Errorf("%s: after %q: %v", profile, before, readings)
	}
}

// TestGarbageWithoutAPauseSpoilsNothing is the same with nothing between garbage and frame, for the readers whose frames
// show where they begin.
func TestGarbageWithoutAPauseSpoilsNothing(t *testing.T) {
	for name, frame := range goodFrames {
		if name == "mrz" { // shows neither its beginning nor its end
			continue
		}
		for _, garbage := range []string{"AT\r", "\x00\xff\x9cAT\r\n", "\x02\r\n", ";60\r", "%B411\r", "\x0262E3\r\n", "]\r\n"} {
			lastIsGood(t, name, garbage, reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(garbage + frame[0])}))
		}
	}
}

// TestAnEndlessStreamIsGivenUp fills the buffer of a reader many times over.
func TestAnEndlessStreamIsGivenUp(t *testing.T) {
	for name, frame := range goodFrames {
		noise := strings.Repeat("7", 50_000)
		readings := reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(noise)},
			reader.Chunk{After: time.Second, Bytes: []byte(frame[0])})
		lastIsGood(t, name, "noise without end", readings)
	}
}

// TestNoStalePrefixInFrontOfTheSecondScan is Banrai/PiScan#1: a frame that stopped half way is no part of the next.
func TestNoStalePrefixInFrontOfTheSecondScan(t *testing.T) {
	for name, frame := range goodFrames {
		for cut := 1; cut < len(frame[0]); cut++ {
			readings := reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(frame[0][:cut])},
				reader.Chunk{After: time.Second, Bytes: []byte(frame[0])})
			lastIsGood(t, name, frame[0][:cut], readings)
			for _, reading := range readings[:len(readings)-1] {
				if said(reading) != "" && said(reading) != frame[1] && name != "scanner-no-suffix" {
					t.Errorf("%s: %q is read as another member", name, frame[0][:cut])
				}
			}
		}
	}
}

// TestAFrameSplitInTwoReads is tarm/serial#129: bytes come as the line pleases, and it changes nothing.
func TestAFrameSplitInTwoReads(t *testing.T) {
	random, rounds := seeded(t)
	for name, frame := range goodFrames {
		want := reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(frame[0])})
		for range rounds {
			var chunks []reader.Chunk
			for rest := frame[0]; rest != ""; {
				length := 1 + random.IntN(len(rest))
				chunks = append(chunks, reader.Chunk{After: time.Millisecond, Bytes: []byte(rest[:length])})
				rest = rest[length:]
			}
			if got := reader.Play(named(t, name), today, chunks...); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: in %d pieces: %v", name, len(chunks), got)
			}
		}
	}
}

// seeded is a source of chance whose seed is printed when the test fails, and how often to use it.
func seeded(t *testing.T) (*rand.Rand, int) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("REELKIOSK_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("REELKIOSK_SEED=%d repeats this", seed)
		}
	})
	if os.Getenv("REELKIOSK_LONG") != "" {
		return rand.New(rand.NewPCG(seed, 0)), 300
	}
	return rand.New(rand.NewPCG(seed, 0)), 30
}
