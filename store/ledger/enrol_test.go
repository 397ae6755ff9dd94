package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// gives makes a code for a kiosk.
func (f *floor) gives(kiosk, id string) CodeMade {
	f.Helper()
	return done[CodeMade](f, IssueCode{Kiosk: kiosk, Role: wire.RoleKiosk, ID: id, Seed: []byte("seed"), Operator: "pat"})
}

// enrols enrols a kiosk with the key and the enrolment of its name.
func (f *floor) enrols(kiosk string) *Kiosk {
	f.Helper()
	id := fmt.Sprintf("code-%s-%d", kiosk, len(f.events()))
	f.gives(kiosk, id)
	return done[*Kiosk](f, proven(id, kiosk))
}

func proven(code, kiosk string) Enrol {
	return Enrol{Code: code, Key: "key of " + kiosk, Enrolment: "enrolment-" + kiosk, Proven: true}
}

func hello(kiosk, instance, boot string, silent time.Duration) Hello {
	return Hello{Kiosk: kiosk, Instance: instance, Boot: boot, Version: "1", Enrolment: "enrolment-" + kiosk, Silent: silent}
}

func (f *floor) state(kiosk string) wire.KioskState {
	f.Helper()
	known, err := f.books.KioskNamed(f.view, kiosk)
	if err != nil || known == nil {
		f.Fatalf("%s: got %v, %v", kiosk, known, err)
	}
	return known.State
}

func TestACodeEnrolsOneKioskOnce(t *testing.T) {
	f := newFloor(t)
	made := f.gives("kiosk-1", "one")
	if !made.Until.Equal(noon.Add(15*time.Minute)) || made.Replaces {
		t.Errorf("got %+v", made)
	}
	known := done[*Kiosk](f, proven("one", "kiosk-1"))
	if known.Name != "kiosk-1" || known.Role != wire.RoleKiosk || known.State != wire.KioskEnrolled || known.Enrolment != "enrolment-kiosk-1" {
		t.Errorf("got %+v", known)
	}
	f.refused(proven("one", "another"), tournament.CodeUsed, 0)
	// Its own kiosk may not have heard the answer.
	f.now = f.now.Add(time.Hour)
	before := len(f.events())
	if again := done[*Kiosk](f, proven("one", "kiosk-1")); again.Key != known.Key || len(f.events()) != before {
		t.Errorf("asked again: %+v, %d events", again, len(f.events())-before)
	}
}

func TestCodesThatEnrolNobody(t *testing.T) {
	t.Run("unknown", func(t *testing.T) {
		newFloor(t).refused(proven("one", "kiosk-1"), tournament.CodeUnknown, 0)
	})
	t.Run("expired", func(t *testing.T) {
		f := newFloor(t)
		made := f.gives("kiosk-1", "one")
		f.now = noon.Add(CodeLife)
		if refusal := f.refused(proven("one", "kiosk-1"), tournament.CodeExpired, 0); !refusal.Until.Equal(made.Until) {
			t.Errorf("got %+v", refusal)
		}
	})
	t.Run("replaced by a later one", func(t *testing.T) {
		f := newFloor(t)
		f.gives("kiosk-1", "one")
		f.gives("kiosk-2", "two")
		f.gives("kiosk-1", "three")
		f.refused(proven("one", "kiosk-1"), tournament.CodeUnknown, 0)
		done[*Kiosk](f, proven("two", "kiosk-2"))
		done[*Kiosk](f, proven("three", "kiosk-1"))
	})
	t.Run("too many false tries", func(t *testing.T) {
		f := newFloor(t)
		f.gives("kiosk-1", "one")
		guess := proven("one", "kiosk-1")
		guess.Proven = false
		for range codeTries {
			f.refused(guess, tournament.CodeUnknown, 0)
		}
		before := len(f.events())
		f.refused(guess, tournament.CodeSpent, 0)
		f.refused(proven("one", "kiosk-1"), tournament.CodeSpent, 0)
		if len(f.events()) != before {
			t.Error("tries after the last fill the books")
		}
	})
	t.Run("for nobody", func(t *testing.T) {
		f := newFloor(t)
		for _, act := range []IssueCode{
			{Role: wire.RoleKiosk, ID: "one", Seed: []byte("s")}, {Kiosk: "k", Role: wire.RoleOperator, ID: "one", Seed: []byte("s")},
			{Kiosk: "k", Role: wire.RoleDesk, Seed: []byte("s")}, {Kiosk: "k", Role: wire.RoleDesk, ID: "one"},
		} {
			if _, err := f.ask(act); !errors.Is(err, ErrInvalid) {
				t.Errorf("%+v: got %v", act, err)
			}
		}
	})
}

func TestTheBooksHoldNoCode(t *testing.T) {
	f := newFloor(t)
	f.gives("kiosk-1", "the id")
	text, err := json.Marshal(f.events())
	if err != nil || !bytes.Contains(text, []byte("the id")) {
		t.Fatalf("got %s, %v", text, err)
	}
	if seed, err := f.books.CodeSeed(f.view, "the id"); err != nil || string(seed) != "seed" {
		t.Errorf("got %q, %v", seed, err)
	}
	if seed, err := f.books.CodeSeed(f.view, "another"); err != nil || seed != nil {
		t.Errorf("got %q, %v", seed, err)
	}
}

func TestAKioskIsRevokedEnrolledAnewAndRetired(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[wire.Accepted](f, Revoke{Kiosk: "kiosk-1", Why: "stolen"})
	f.refused(hello("kiosk-1", "i1", "b1", 0), tournament.KioskRevoked, 0)
	f.refused(Approve{Kiosk: "kiosk-1"}, tournament.KioskRevoked, 0)
	if known, _ := f.books.KioskNamed(f.view, "kiosk-1"); known.Why != "stolen" {
		t.Errorf("got %+v", known)
	}
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i2", "b2", 0))
	done[wire.Accepted](f, Retire{Kiosk: "kiosk-1", Why: "broken"})
	f.refused(hello("kiosk-1", "i2", "b2", 0), tournament.KioskRetired, 0)
	f.refused(Retire{Kiosk: "kiosk-9", Why: "never seen"}, tournament.NotEnrolled, 0)
	f.refused(Approve{Kiosk: "kiosk-9"}, tournament.NotEnrolled, 0)
	f.refused(hello("kiosk-9", "i", "b", 0), tournament.NotEnrolled, 0)
	if _, err := f.ask(Revoke{Kiosk: "kiosk-1"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("without a reason: %v", err)
	}
}

func TestAnOperatorIsRevokedForGood(t *testing.T) {
	f := newFloor(t)
	done[wire.Accepted](f, Revoke{Kiosk: "lindiwe", Why: "left"})
	known, err := f.books.KioskNamed(f.view, "lindiwe")
	if err != nil || known.Role != wire.RoleOperator || known.State != wire.KioskRevoked {
		t.Errorf("got %+v, %v", known, err)
	}
	if _, err := f.ask(IssueCode{Kiosk: "lindiwe", Role: wire.RoleDesk, ID: "one", Seed: []byte("s")}); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestHelloIsAnsweredAgain(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i1", "b1", 0))
	before := len(f.events())
	known := done[*Kiosk](f, hello("kiosk-1", "i1", "b1", time.Hour))
	if known.Instance != "i1" || known.Boot != "b1" || known.Version != "1" || !known.Started.Equal(noon) || len(f.events()) != before {
		t.Errorf("got %+v and %d events", known, len(f.events())-before)
	}
	done[*Kiosk](f, hello("kiosk-1", "i2", "b1", time.Minute))
	all, err := f.books.Kiosks(f.view)
	if err != nil || len(all) != 1 || all[0].Instance != "i2" || len(all[0].Past) != 1 {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestARebootAfterALongSilenceWaitsForATechnician(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i1", "b1", 0))
	f.refused(hello("kiosk-1", "i2", "b2", LongSilence), tournament.ApprovalNeeded, 0)
	f.refused(hello("kiosk-1", "i2", "b2", 0), tournament.ApprovalNeeded, 0)
	// To start once more does not help: the silence was long all the same.
	f.refused(hello("kiosk-1", "i3", "b3", 0), tournament.ApprovalNeeded, 0)
	if f.state("kiosk-1") != wire.KioskWaiting {
		t.Errorf("it is %s", f.state("kiosk-1"))
	}
	done[wire.Accepted](f, Approve{Kiosk: "kiosk-1", Why: "I stand before it"})
	done[*Kiosk](f, hello("kiosk-1", "i3", "b3", 0))
}

func TestALongSilenceIsNothingToAKioskThatStillHasItsKeys(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i1", "b1", 0))
	restarted := hello("kiosk-1", "i2", "b1", 10*LongSilence)
	restarted.Holds = true
	done[*Kiosk](f, restarted)
}

func TestAnotherFileInTheKioskWaitsForATechnician(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	emptied := hello("kiosk-1", "i1", "b1", 0)
	emptied.Enrolment, emptied.Holds = "enrolment-new", true
	f.refused(emptied, tournament.ApprovalNeeded, 0)
	done[wire.Accepted](f, Approve{Kiosk: "kiosk-1"})
	if known := done[*Kiosk](f, emptied); known.Enrolment != "enrolment-new" || known.Offers != "" {
		t.Errorf("got %+v", known)
	}
}

func TestAClonedKioskIsRefusedOnBothSidesAndReported(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i1", "b1", 0))
	done[*Kiosk](f, hello("kiosk-1", "i2", "b2", 0))
	// What never was an instance of this kiosk is no clone, nor is the newest.
	done[wire.Accepted](f, Cloned{"kiosk-1", "i9"})
	done[wire.Accepted](f, Cloned{"kiosk-1", "i2"})
	if f.state("kiosk-1") != wire.KioskEnrolled {
		t.Fatalf("it is %s", f.state("kiosk-1"))
	}
	done[wire.Accepted](f, Cloned{"kiosk-1", "i1"})
	done[wire.Accepted](f, Cloned{"kiosk-1", "i1"})
	f.refused(hello("kiosk-1", "i2", "b2", 0), tournament.KioskCloned, 0)
	f.refused(hello("kiosk-1", "i3", "b3", 0), tournament.KioskCloned, 0)
	if cases := f.cases(); len(cases) != 1 || cases[0] != string(CaseCloned) {
		t.Errorf("got %v", cases)
	}
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i4", "b4", 0))
}

func TestAnEarlierInstanceThatSaysHelloIsAClone(t *testing.T) {
	f := newFloor(t)
	f.enrols("kiosk-1")
	done[*Kiosk](f, hello("kiosk-1", "i1", "b1", 0))
	done[*Kiosk](f, hello("kiosk-1", "i2", "b2", 0))
	f.refused(hello("kiosk-1", "i1", "b1", 0), tournament.KioskCloned, 0)
	if f.state("kiosk-1") != wire.KioskCloned {
		t.Errorf("it is %s", f.state("kiosk-1"))
	}
}
