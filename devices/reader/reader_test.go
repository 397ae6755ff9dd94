package reader_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/devices/port"
	"reelkiosk/devices/port/porttest"
	"reelkiosk/devices/reader"
	"reelkiosk/store/tournament"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// cable is a port on which things happen when a test says so.
type cable struct {
	events chan port.Event
	closed bool
}

func (c *cable) Events() <-chan port.Event                     { return c.events }
func (c *cable) Write(context.Context, []byte) error           { return errors.New("readers are not written to") }
func (c *cable) Close() error                                  { c.closed = true; return nil }
func (c *cable) happens(event port.Event)                      { event.At = time.Now(); c.events <- event }
func (c *cable) sends(text string)                             { c.happens(porttest.Data(text)) }
func (c *cable) sendsAfter(silence time.Duration, text string) { time.Sleep(silence); c.sends(text) }

// plug runs a test with a reader of a profile on a cable, in a time of its own. It collects what is read.
func plug(t *testing.T, name string, play func(*cable, *reader.Reader, func() string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		line := &cable{events: make(chan port.Event)}
		cards := reader.New(named(t, name), line, func() tournament.Date { return today })
		readings := make(chan reader.Reading, 1000)
		go func() {
			defer close(readings)
			for reading := range cards.Readings() {
				readings <- reading
			}
		}()
		play(line, cards, func() string {
			synctest.Wait()
			var read []string
			for len(readings) > 0 {
				reading := <-readings
				read = append(read, strings.TrimSpace(string(reading.Refusal)+" "+said(reading)))
			}
			return strings.Join(read, ", ")
		})
		if err := cards.Close(); err != nil || !line.closed {
			t.Errorf("closed: %v, %v", line.closed, err)
		}
		if _, open := <-cards.Readings(); open {
			t.Error("readings go on after Close")
		}
		if _, open := <-cards.States(); open {
			t.Error("states go on after Close")
		}
	})
}

// TestATagLeftOnTheReaderIsReadOnce is arduino12/rdm6300#14: hundreds of frames, one reading.
func TestATagLeftOnTheReaderIsReadOnce(t *testing.T) {
	plug(t, "rdm6300", func(line *cable, _ *reader.Reader, read func() string) {
		const one, two, broken = "\x0262E3086CED08\x03", "\x0204007A1B2C49\x03", "\x0262E3086CED09\x03"
		for range 300 {
			line.sendsAfter(65*time.Millisecond, one)
		}
		if got := read(); got != "62E3086CED" {
			t.Errorf("left there: %s", got)
		}
		for range 100 {
			line.sendsAfter(65*time.Millisecond, one+broken+two)
		}
		if got := read(); got != "04007A1B2C" {
			t.Errorf("another put beside it: %s", got)
		}
		line.sendsAfter(1900*time.Millisecond, one)
		if got := read(); got != "" {
			t.Errorf("out of reach for a moment: %s", got)
		}
		line.sendsAfter(2*time.Second, one)
		if got := read(); got != "62E3086CED" {
			t.Errorf("put there again: %s", got)
		}
		line.sendsAfter(2*time.Second, broken)
		line.sends(broken + one)
		if got := read(); got != "swipe-again, 62E3086CED" {
			t.Errorf("misread at first: %s", got)
		}
	})
}

func TestEachSwipeIsAnActOfItsOwn(t *testing.T) {
	plug(t, "magstripe", func(line *cable, _ *reader.Reader, read func() string) {
		for range 3 {
			line.sends(";6001234567890123?\r")
		}
		if got := read(); got != "6001234567890123, 6001234567890123, 6001234567890123" {
			t.Error(got)
		}
	})
}

// TestASwipeIsReadAtItsLineEnd measures in the reader's own time: no silence is waited for.
func TestASwipeIsReadAtItsLineEnd(t *testing.T) {
	plug(t, "magstripe", func(line *cable, cards *reader.Reader, read func() string) {
		begin := time.Now()
		line.sends(";6001234567890123?\r")
		if got := read(); got != "6001234567890123" || time.Since(begin) != 0 {
			t.Errorf("%q after %v", got, time.Since(begin))
		}
		line.sends(";6001234567890123?") // and without one, when the line falls silent
		if got := read(); got != "" {
			t.Errorf("too soon: %s", got)
		}
		time.Sleep(300 * time.Millisecond)
		if got := read(); got != "6001234567890123" {
			t.Errorf("after a silence: %s", got)
		}
	})
}

// TestAScanWithLineEndsInside sends a licence in pieces, one of which ends at a line end of its own.
func TestAScanWithLineEndsInside(t *testing.T) {
	plug(t, "scanner", func(line *cable, _ *reader.Reader, read func() string) {
		line.sends("]L0@\n\x1e\r")
		line.sendsAfter(50*time.Millisecond, "ANSI 6360001001DLDAQ77\nDCSDOE\nDACJANE\nDBB06061986\nDCGUSA\r")
		line.sendsAfter(50*time.Millisecond, "\r")
		time.Sleep(time.Second)
		if got := read(); got != "77" {
			t.Error(got)
		}
		line.sends("]Q1DRAW-")
		line.sendsAfter(time.Second, "2026\r")
		time.Sleep(time.Second)
		if got := read(); got != "scan-again, no-aim-id" {
			t.Errorf("in two halves: %s", got)
		}
	})
}

func TestAHalfFrameDiesWithThePort(t *testing.T) {
	plug(t, "magstripe", func(line *cable, cards *reader.Reader, read func() string) {
		line.happens(porttest.Opened())
		if state := <-cards.States(); !state.Ready || state.Err != nil {
			t.Errorf("opened: %+v", state)
		}
		line.sends(";60012345")
		line.happens(porttest.Gone(fmt.Errorf("/dev/x: %w", port.ErrUnplugged)))
		line.happens(porttest.Gone(port.ErrAbsent))
		synctest.Wait()
		if state := <-cards.States(); state.Ready || !errors.Is(state.Err, port.ErrAbsent) {
			t.Errorf("the latest state is told: %+v", state)
		}
		line.happens(porttest.Opened())
		<-cards.States()
		line.sends("67890123?\r;6001234567890131?\r")
		if got := read(); got != "unreadable, 6001234567890131" {
			t.Error(got)
		}
	})
}

func TestReadingsThatNobodyTookAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &cable{events: make(chan port.Event)}
		cards := reader.New(named(t, "uid-hex"), line, func() tournament.Date { return today })
		for number := range 20 {
			line.sends(fmt.Sprintf("90D752%02X\r", number))
		}
		synctest.Wait()
		if reading := <-cards.Readings(); said(reading) != "90D7520C" {
			t.Errorf("the oldest that is left is %s", said(reading))
		}
		if err := cards.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAReaderEndsWithItsPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &cable{events: make(chan port.Event)}
		cards := reader.New(named(t, "mrz"), line, func() tournament.Date { return today })
		close(line.events)
		if _, open := <-cards.Readings(); open {
			t.Error("readings go on")
		}
		if err := cards.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestWhatAReadingSays is the table of what the kiosk is told of a scan.
func TestWhatAReadingSays(t *testing.T) {
	for sent, want := range map[string]string{
		"]Q1DRAW-2026-000123\r": "symbol qr DRAW-2026-000123",
		"]A0R7K-31\r":           "symbol code-39 R7K-31",
		"]C08001015009087\r":    "document 8001015009087",
		"]A0*8001015009087*\r":  "document 8001015009087",
		"]A08001015009088\r":    "document-see-a-host check-digit",
		"]Q18001015009087\r":    "symbol qr 8001015009087", // no document comes in a QR code
		"]Q1DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r": "symbol qr DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1",
		"]L0DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r": "document 80010150090871",
		"]L0DOE|JOHN|M|RSA|80010150\r": "scan-again field-count",
		"]L0DOE|JOHN|M|RSA|8001015009088|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r": "document-see-a-host id-number",
		"]L0%MVL1CC00%0000%0000A000%\r":                          "licence-disc vehicle-licence-disc",
		"]L0some text\r":                                         "symbol pdf417 some text",
		"]L0\x01\xc3\xa1\x02\x45\xc3\xa9\r":                      "scanner-set-up-wrong scanner-not-raw",
		"]L0\x01\xe1\x02\x45" + "half\r":                         "scan-again length",
		"]L0\x01\xe1\x02\x45" + strings.Repeat("\r", 716) + "\r": "scan-again licence-content",
		"]o2P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO7408122F1204159ZE184226B<<<<<10\r": "document L898902C3",
		"]o2P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO7408122F1204159ZE184226B<<<<<11\r": "document-see-a-host check-digit",
		"]o2P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO0408122F1204159ZE184226B<<<<<10\r": "document-see-a-host check-digit",
		"]w0123\r":        "unknown-aim-id",
		"]C0\r":           "scan-again",
		"D0012345\r":      "no-aim-id",
		"]E0400638\r\n":   "symbol upc-ean 400638",
		"]C0unfinished":   "scan-again",
		"]C1a\x1db\r":     "symbol gs1-128 a\x1db",
		"]d2AB\r":         "symbol data-matrix AB",
		"]z0line\r\n":     "symbol aztec line",
		"AT\r]C0line\r\n": "no-aim-id, symbol code-128 line",
	} {
		var got []string
		for _, reading := range reader.Play(named(t, "scanner"), today, reader.Chunk{Bytes: []byte(sent)}) {
			got = append(got, told(reading))
		}
		if joined := strings.Join(got, ", "); joined != want {
			t.Errorf("%q: %s, want %s", sent, joined, want)
		}
	}
}

// told is everything that a scanner's reading says, in words.
func told(reading reader.Reading) string {
	switch {
	case reading.Symbol != nil:
		return fmt.Sprintf("%s %s %s", reading.Kind, reading.Symbol.Symbology, reading.Symbol.Text)
	case reading.Document != nil:
		return fmt.Sprintf("%s %s%s", reading.Kind, reading.Document.IDNumber, reading.Document.Number)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", reading.Refusal, string(reading.Fault)))
}

func TestAddonsOfUPCAndEAN(t *testing.T) {
	for sent, want := range map[string]string{
		"]E3400638133393110\r":          `"text":"4006381333931","addon":"10"`,
		"]E3400638133393112345\r":       `"text":"4006381333931","addon":"12345"`,
		"]E04006381333931]E110\r":       `"text":"4006381333931","addon":"10"`,
		"]E04006381333931]E212345\r":    `"text":"4006381333931","addon":"12345"`,
		"]E412345670]E212345\r\n":       `"text":"12345670","addon":"12345"`,
		"]E04006381333931\r]E110\r":     `"text":"4006381333931","addon":"10"`,
		"]E04006381333931\r\n]E110\r\n": `"text":"4006381333931","addon":"10"`,
		"]E04006381333931\r":            `"text":"4006381333931"`,
		"]E04006381333931]E1X0\r":       `"text":"4006381333931]E1X0"`,
		"]C04006381333931]E110\r":       `"text":"4006381333931]E110"`,
	} {
		got, err := json.Marshal(reader.Capture(named(t, "scanner"), []byte(sent), today).Verbatim())
		if err != nil || !strings.HasSuffix(string(got), want+"}") {
			t.Errorf("%q: %s, %v", sent, got, err)
		}
	}
}
