package condition

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestMissingPrinterWithdrawsOnlyWhatNeedsIt(t *testing.T) {
	var s Set
	if !s.Can(GiveSeats) {
		t.Fatal("a well machine gives no seats")
	}
	s.Raise(PrinterGone, "/dev/serial/by-id/printer: unplugged", noon)
	for capability, want := range map[Capability]bool{
		ReadCards: true, ReadDocuments: true, Identify: true, Print: false, GiveSeats: false,
	} {
		if s.Can(capability) != want {
			t.Errorf("%s: %v", capability, !want)
		}
	}
	s.Clear(PrinterGone)
	if !s.Can(GiveSeats) {
		t.Error("the printer is back and no seats are given")
	}
}

func TestNewsIsToldOnce(t *testing.T) {
	var s Set
	for _, step := range []struct {
		name string
		got  func() bool
		want bool
	}{
		{"well stays well", func() bool { return s.Clear(PaperOut) }, false},
		{"it begins", func() bool { return s.Raise(PaperOut, "a", noon) }, true},
		{"it goes on", func() bool { return s.Raise(PaperOut, "a", noon.Add(time.Hour)) }, false},
		{"for another reason", func() bool { return s.Raise(PaperOut, "b", noon.Add(time.Hour)) }, true},
		{"it ends", func() bool { return s.Clear(PaperOut) }, true},
	} {
		if got := step.got(); got != step.want {
			t.Errorf("%s: news %v", step.name, got)
		}
	}
	s.Raise(PaperOut, "a", noon)
	s.Raise(PaperOut, "b", noon.Add(time.Hour))
	if all := s.All(); len(all) != 1 || !all[0].Since.Equal(noon) || all[0].Detail != "b" {
		t.Errorf("got %+v", all)
	}
}

func TestWorstFirst(t *testing.T) {
	var s Set
	for _, name := range []Name{ClockOff, PaperLow, PaperOut, CoverOpen} {
		s.Raise(name, "", noon)
	}
	var got []Name
	for _, condition := range s.All() {
		got = append(got, condition.Name)
	}
	if len(got) != 4 || got[0] != CoverOpen || got[1] != PaperOut || got[2] != PaperLow || got[3] != ClockOff {
		t.Errorf("got %v", got)
	}
}

func TestKindsAreWellFormed(t *testing.T) {
	name, seen := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`), map[Name]bool{}
	for _, kind := range Kinds() {
		if !name.MatchString(string(kind.Name)) || seen[kind.Name] {
			t.Errorf("name %q", kind.Name)
		}
		seen[kind.Name] = true
		if kind.Title == "" || strings.HasSuffix(kind.Title, ".") || kind.Do == "" || kind.Severity < Notice || kind.Severity > Fault {
			t.Errorf("%+v", kind)
		}
		if (kind.Severity == Fault) != (len(kind.Withdraws) > 0 && !KindOf(kind.Name).leavesAnotherWay()) {
			t.Errorf("%s is a %s and withdraws %v", kind.Name, kind.Severity, kind.Withdraws)
		}
	}
}

// leavesAnotherWay: a card or a document alone still identifies, and central itself needs no copy.
func (k Kind) leavesAnotherWay() bool {
	return k.Name == ReaderGone || k.Name == ScannerGone || k.Name == CopyStale
}

func TestUnknownNameIsAProgrammersMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("took a condition that does not exist")
		}
	}()
	new(Set).Raise("no-such", "", noon)
}
