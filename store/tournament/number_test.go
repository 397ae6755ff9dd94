package tournament

import (
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
)

// kinds are the kinds of numbers.
var kinds = []struct {
	name  string
	draw  func(io.Reader) (string, error)
	parse func(string) (string, error)
}{
	{"ticket", func(r io.Reader) (string, error) { n, err := NewTicketNumber(r); return string(n), err },
		func(text string) (string, error) { n, err := ParseTicketNumber(text); return string(n), err }},
	{"receipt", func(r io.Reader) (string, error) { n, err := NewReceiptNumber(r); return string(n), err },
		func(text string) (string, error) { n, err := ParseReceiptNumber(text); return string(n), err }},
	{"enrolment code", func(r io.Reader) (string, error) { n, err := NewEnrolmentCode(r); return string(n), err },
		func(text string) (string, error) { n, err := ParseEnrolmentCode(text); return string(n), err }},
}

func TestNumbersAreDrawnAndReadBack(t *testing.T) {
	for _, kind := range kinds {
		seen := map[string]bool{}
		for range 2000 {
			number, err := kind.draw(rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			if len(number) != NumberLength || strings.Trim(number, crockford) != "" {
				t.Fatalf("%s %s: want %d symbols of %s", kind.name, number, NumberLength, crockford)
			}
			if seen[number] {
				t.Fatalf("%s %s was drawn twice", kind.name, number)
			}
			seen[number] = true
			for _, written := range []string{
				number, strings.ToLower(number), grouped(number), strings.ReplaceAll(grouped(number), " ", "-"), " " + number + " ",
				strings.NewReplacer("1", "I", "0", "O").Replace(number), strings.NewReplacer("1", "l", "0", "o").Replace(number),
			} {
				if read, err := kind.parse(written); err != nil || read != number {
					t.Fatalf("%s %q: got %s, %v", kind.name, written, read, err)
				}
			}
		}
	}
}

func TestANumberNeverPassesForOneOfAnotherKind(t *testing.T) {
	for _, kind := range kinds {
		for range 500 {
			number, _ := kind.draw(rand.Reader)
			for _, other := range kinds {
				if _, err := other.parse(number); other.name != kind.name && !errors.Is(err, ErrNumber) {
					t.Fatalf("%s %s was read as %s", kind.name, number, other.name)
				}
			}
		}
	}
}

// Every single misread and every transposition is made of many numbers, and counted: at least 99.9 % must be caught, and
// all are. A symbol that is read as its alias (I for 1) is no misread.
func TestMisreadsAreCaught(t *testing.T) {
	made, caught := map[string]int{}, map[string]int{}
	try := func(what, number, wrong string, parse func(string) (string, error)) {
		if wrong == number {
			return
		}
		made[what]++
		if _, err := parse(wrong); errors.Is(err, ErrNumber) {
			caught[what]++
		}
	}
	for _, kind := range kinds {
		for range 200 {
			number, err := kind.draw(rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			for i := range number {
				for _, symbol := range crockford {
					try("one symbol misread", number, number[:i]+string(symbol)+number[i+1:], kind.parse)
				}
				for j := i + 1; j < len(number); j++ {
					swapped := []byte(number)
					swapped[i], swapped[j] = swapped[j], swapped[i]
					what := "two symbols swapped"
					if j == i+1 {
						what = "two neighbours transposed"
					}
					try(what, number, string(swapped), kind.parse)
				}
				try("one symbol left out", number, number[:i]+number[i+1:], kind.parse)
				try("one symbol twice", number, number[:i+1]+number[i:], kind.parse)
			}
		}
	}
	for what, total := range made {
		if share := float64(caught[what]) / float64(total); share < 0.999 {
			t.Errorf("%s: %d of %d caught (%.4f)", what, caught[what], total, share)
		} else {
			t.Logf("%s: %d of %d caught (%.2f %%)", what, caught[what], total, 100*share)
		}
	}
}

func TestWhatIsNoNumber(t *testing.T) {
	number, _ := NewTicketNumber(rand.Reader)
	for _, text := range []string{
		"", " ", "-", "U", string(number) + "0", string(number[:16]), string(number[:16]) + "U", string(number[:16]) + "*",
		string(number[:16]) + "é", string(number) + "\x00", strings.Repeat("0", 1000),
	} {
		_, err := ParseTicketNumber(text)
		if !errors.Is(err, ErrNumber) {
			t.Errorf("%q: got %v", text, err)
		} else if len(text) > 3 && strings.Contains(err.Error(), text[:4]) {
			t.Errorf("the error repeats the number: %v", err)
		}
	}
}

func TestNumberNeedsItsRandomness(t *testing.T) {
	if _, err := NewTicketNumber(strings.NewReader("nine byte")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestNumbersAreGroupedForPeople(t *testing.T) {
	if got := TicketNumber("ABCDEFGHJKMNPQRST").Grouped(); got != "ABCD EFGH JKMN PQRS T" {
		t.Errorf("got %q", got)
	}
	if got := ReceiptNumber("0123456789ABCDEFG").Grouped(); got != "0123 4567 89AB CDEF G" {
		t.Errorf("got %q", got)
	}
}

func FuzzParseTicketNumber(f *testing.F) {
	f.Add("0000 0000 0000 0000 A")
	f.Add("oil0-IL1o-0000-0000-0")
	number, _ := NewTicketNumber(rand.Reader)
	f.Add(string(number))
	f.Fuzz(func(t *testing.T, text string) {
		number, err := ParseTicketNumber(text)
		if err != nil {
			if !errors.Is(err, ErrNumber) || number != "" {
				t.Fatalf("%q: got %q, %v", text, number, err)
			}
			return
		}
		if again, err := ParseTicketNumber(string(number)); err != nil || again != number {
			t.Fatalf("%q was read as %s, which is read as %s, %v", text, number, again, err)
		}
		if _, err := ParseReceiptNumber(text); err == nil {
			t.Fatalf("%q is a ticket and a receipt", text)
		}
	})
}
