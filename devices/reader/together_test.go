package reader_test

import (
	"fmt"
	"strings"
	"testing"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/reader"
)

// TestAGoodFrameBehindAFrameAndGarbageIsRead is Alf.ioBackoffice#16 without any pause: a frame of each kind, garbage at its
// heels, then a good frame. A UID is the exception where no line end comes between: nothing shows where its digits begin, the
// tail of another card's would be another member, and so nobody is read; the next one is.
func TestAGoodFrameBehindAFrameAndGarbageIsRead(t *testing.T) {
	lineEnds := []string{"", "AT\r", "\x00\xff\x9cAT\r\n", "\x02\r\n", ";60\r", "%B411\r", "\x0262E3\r\n", "]\r\n", "\r", "]Q1x\r", "P<UTO\r"}
	glued := []string{
		"\xff\xfe", "AT", ";60", "%B411", "\x0262E3", "]", "\n0F01", "P<UTO", "12", "]Q1x", "?", "\x03", "+", "\x1b", "<<<", "]L0DOE|J",
		strings.Repeat("]", 50), strings.Repeat(";", 50), strings.Repeat("\xff", 300),
	}
	for _, name := range reader.Names() {
		good := goodFrames[name]
		for _, first := range goodFrames {
			for _, garbage := range lineEnds {
				if strings.HasPrefix(name, "uid-") && !strings.HasSuffix(first[0]+garbage, "\r") && !strings.HasSuffix(first[0]+garbage, "\n") {
					continue
				}
				sent := first[0] + garbage
				lastIsGood(t, name, sent, reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(sent + good[0])}))
			}
			for _, garbage := range glued {
				sent := first[0] + garbage + good[0]
				if strings.HasPrefix(name, "uid-") {
					for _, reading := range reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(first[0] + "\r" + garbage + good[0])}) {
						if got := said(reading); got != "" && got != good[1] && !isUID(name, first[0]+"\r", got) {
							t.Errorf("%s: %q is read as another member, %s", name, sent, got)
						}
					}
					sent += good[0] // the player tries again
				}
				lastIsGood(t, name, sent, reader.Play(named(t, name), today, reader.Chunk{Bytes: []byte(sent)}))
			}
		}
	}
}

// isUID reports whether a profile reads a number in a frame by itself.
func isUID(profile, frame, number string) bool {
	named, err := reader.Named(profile)
	if err != nil {
		return false
	}
	for _, reading := range reader.Play(named, today, reader.Chunk{Bytes: []byte(frame)}) {
		if said(reading) == number {
			return true
		}
	}
	return false
}

const (
	anna  = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO7408122F1204159ZE184226B<<<<<10\r"
	other = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C47UTO7408122F3004157<<<<<<<<<<<<<<02\r"
	john  = "]L0DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r"
	jane  = "]L0DOE|JANE|F|RSA|8001010009082|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|2|1\r"
)

// TestTwoDocumentsInOneReadLeadToAHost: whose document it is cannot be said. The same one twice is one.
func TestTwoDocumentsInOneReadLeadToAHost(t *testing.T) {
	run := strings.ReplaceAll(anna, "\r", "")
	for name, test := range map[string]struct{ profile, sent, want string }{
		"a passport":                        {"mrz", anna, "L898902C3[]"},
		"the same twice":                    {"mrz", anna + anna, "L898902C3[]"},
		"the same twice in one run":         {"mrz", run + run, "L898902C3[]"},
		"noise before, between and behind":  {"mrz", "\xff\x9c" + anna + "AT\r" + run + "\xff", "L898902C3[]"},
		"half of it, then all of it":        {"mrz", anna[:50] + "\r" + anna, "L898902C3[]"},
		"one with another passport":         {"mrz", anna + other, "L898902C3[copies-differ], L898902C4[copies-differ]"},
		"a digit wrong, by itself":          {"mrz", strings.Replace(anna, "7408122", "0408122", 1), "document-see-a-host"},
		"a digit wrong, then right":         {"mrz", strings.Replace(anna, "7408122", "0408122", 1) + anna, "L898902C3[]"},
		"no zone in it":                     {"mrz", "P<UTO\rP<UTO\r", "scan-again"},
		"smart card":                        {"scanner", john, "1[]"},
		"the same smart card twice":         {"scanner", john + john, "1[], 1[]"},
		"two smart cards":                   {"scanner", john + "AT\r" + jane, "1[copies-differ], 2[copies-differ]"},
		"a book and another's smart card":   {"scanner", "]A08001015009087\r" + jane, "[copies-differ], 2[copies-differ]"},
		"a ticket, then a smart card":       {"scanner", "]Q1DRAW-1\r" + john, "DRAW-1, 1[]"},
		"half a smart card, then all of it": {"scanner", john[:30] + john, "scan-again, 1[]"},
		"an article and its add-on":         {"scanner", "]E04006381333931\r]E110\r", "4006381333931"},
		"a text with an identifier in it":   {"scanner", "]C0SEAT]E1\r", "SEAT]E1"},
		"a licence that holds an identifier": {"scanner",
			"]L0\x01\x9b\x09\x45" + strings.Repeat("\x00", 300) + "\r]Q1x\r" + strings.Repeat("\x00", 716-306) + "\r", "scan-again"},
	} {
		var got []string
		for _, reading := range reader.Play(named(t, test.profile), today, reader.Chunk{Bytes: []byte(test.sent)}) {
			switch reading.Kind {
			case reader.KindDocument:
				got = append(got, reading.Document.Number+fmt.Sprint(reading.Document.Flags))
			case reader.KindRefused:
				got = append(got, string(reading.Refusal))
			default:
				got = append(got, said(reading))
			}
		}
		if joined := strings.Join(got, ", "); joined != test.want {
			t.Errorf("%s: %s, want %s", name, joined, test.want)
		}
	}
	if !identity.Luhn("8001010009082") {
		t.Error("the second number of this test fails its check digit")
	}
}
