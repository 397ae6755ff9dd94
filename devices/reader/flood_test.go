package reader_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/reader"
)

// TestAFloodOfSentinelsFillsNoMemory: a mebibyte of semicolons took half a minute and more than two gigabytes. What a line
// brings is bounded frame by frame, and twice as much costs no more than about twice as much.
func TestAFloodOfSentinelsFillsNoMemory(t *testing.T) {
	const most = 64 << 10 // what reelctl decode takes
	for _, unit := range []string{
		";", ";1?", ";\r", "%", "%;", "#+;%", "\n", "\x02", "]C0", "]L0", "]C0\r", "7", "4111111111111111", "4111111111111111\r", "<", "<\r",
		"|", "\xff", "ANSI 636000010000DL00000000", "DBB\n", "\n1\r", "P<", "12345678\r", "\n0F0184F07A\r", ";6001234567890123?",
	} {
		half, whole := allocated(t, strings.Repeat(unit, most/2/len(unit))), allocated(t, strings.Repeat(unit, most/len(unit)))
		if whole > 256<<20 || whole > 3*half+16<<20 {
			t.Errorf("%q: %d MiB for %d bytes, %d MiB for half of them", unit, whole>>20, most, half>>20)
		}
	}
}

// allocated is how much memory a guess and its JSON ask for, all in all.
func allocated(t *testing.T, capture string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := reader.Guess([]byte(capture), today)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAFloodInOneLineHidesNoGoodSwipe: the swipe at the end of a full line is read, and the noise before it is one refusal.
func TestAFloodInOneLineHidesNoGoodSwipe(t *testing.T) {
	const good = ";6001234567890123?"
	for name, test := range map[string]struct {
		flood string
		most  int
	}{
		"semicolons": {strings.Repeat(";", 3000), 2}, "every sentinel": {strings.Repeat("%;+#", 700), 2},
		"swipes of one digit": {strings.Repeat(";1?", 1000), 8}, "the same card over and over": {strings.Repeat(good, 200), 8},
	} {
		readings := reader.Play(named(t, "magstripe"), today, reader.Chunk{After: time.Second, Bytes: []byte(test.flood + good + "\r")})
		if len(readings) > test.most || said(readings[len(readings)-1]) != "6001234567890123" {
			t.Errorf("%s: %d readings, the last %v", name, len(readings), readings[len(readings)-1])
		}
	}
}
