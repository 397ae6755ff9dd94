package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// employs makes an operator with duties and a PIN.
func (f *floor) employs(named, pin string, duties ...wire.Duty) {
	f.Helper()
	kept, err := NewVerifier(pin, f.random)
	if err != nil {
		f.Fatal(err)
	}
	done[wire.Accepted](f, SetStaff{Name: named, Duties: duties, Verifier: kept, Why: "hired"})
}

// signIn returns the act of signing in with a PIN.
func (f *floor) signIn(named, pin string, decides bool) SignIn {
	f.Helper()
	salt, err := f.books.Salt(f.view, named)
	if err != nil {
		f.Fatal(err)
	}
	return SignIn{Operator: named, Proof: Prove(pin, salt), Decides: decides}
}

// askedAt asks as an operator at a desk.
func (f *floor) askedAt(desk, who string, act Act) error {
	request := f.request(act)
	request.Who, request.Where = who, desk
	_, err := f.books.Apply(f.view, request)
	return err
}

func TestFiveWrongPINsLockForAQuarterOfAnHour(t *testing.T) {
	f := newFloor(t)
	f.employs("pat", "1357", wire.DutyHost)
	for range 4 {
		f.refused(f.signIn("pat", "0000", false), tournament.WrongPIN, 0)
	}
	done[wire.SignedIn](f, f.signIn("pat", "1357", false)) // a right one begins the count anew
	for range 4 {
		f.refused(f.signIn("pat", "0000", false), tournament.WrongPIN, 0)
	}
	locked := f.refused(f.signIn("pat", "0000", false), tournament.OperatorLocked, 0)
	if !locked.Until.Equal(f.now.Add(15 * time.Minute)) {
		t.Errorf("until %s", locked.Until)
	}
	f.refused(f.signIn("pat", "1357", false), tournament.OperatorLocked, 0)
	if open := f.cases(); !slices.Equal(open, []string{"operator-locked"}) {
		t.Errorf("cases %v", open)
	}
	staff, err := f.books.Staff(f.view)
	if err != nil || len(staff.Staff) != 1 || staff.Staff[0].Locked.IsZero() {
		t.Errorf("got %+v, %v", staff, err)
	}
	f.now = locked.Until
	done[wire.SignedIn](f, f.signIn("pat", "1357", false))
	f.refused(f.signIn("nobody", "1357", false), tournament.UnknownOperator, 0)
}

func TestAnActNeedsADutyAndASignInAndADecisionThePINAtThatMoment(t *testing.T) {
	f := newFloor(t)
	f.employs("pat", "1357", wire.DutyHost)
	f.employs("dee", "2468", wire.DutyDirector)
	_, seat := f.seated(thandi)
	hold := Staffed{Act: HoldHeat{Decision: because, Heat: at14, Hold: true}, Duties: []wire.Duty{wire.DutyHost, wire.DutyDirector}}
	disqualify := Staffed{Act: CancelHeat{Heat: at20, Why: "x"}, Duties: []wire.Duty{wire.DutyDirector}, Decides: true}
	wants := func(desk, who string, act Act, want tournament.Reason) {
		t.Helper()
		if got := reasonOfError(f.askedAt(desk, who, act)); got != want {
			t.Errorf("%s at %s: got %q, want %q", who, desk, got, want)
		}
	}
	signs := func(desk, who, pin string, decides bool) {
		t.Helper()
		if err := f.askedAt(desk, who, f.signIn(who, pin, decides)); err != nil {
			t.Fatal(err)
		}
	}
	wants("desk-1", "pat", hold, tournament.NotSignedIn)
	wants("desk-1", "eve", hold, tournament.UnknownOperator)
	signs("desk-1", "pat", "1357", false)
	wants("desk-2", "pat", hold, tournament.NotSignedIn)
	wants("desk-1", "pat", hold, "")
	wants("desk-1", "pat", disqualify, tournament.RoleNeeded)
	signs("desk-1", "dee", "2468", false)
	wants("desk-1", "dee", disqualify, tournament.PINNeeded) // signed in, but nobody knows who stands there now
	signs("desk-1", "dee", "2468", true)
	wants("desk-2", "dee", disqualify, tournament.PINNeeded)
	f.now = f.now.Add(time.Minute)
	wants("desk-1", "dee", disqualify, "")
	f.now = f.now.Add(time.Millisecond)
	wants("desk-1", "dee", disqualify, tournament.PINNeeded)
	proved := disqualify
	proved.Proved = true
	wants("reelctl", "dee", proved, "")
	if err := f.askedAt("desk-1", "pat", SignOut{"pat"}); err != nil {
		t.Fatal(err)
	}
	wants("desk-1", "pat", hold, tournament.NotSignedIn)
	signs("desk-1", "pat", "1357", false)
	f.now = f.now.Add(17 * time.Hour)
	wants("desk-1", "pat", hold, tournament.NotSignedIn)
	done[wire.Accepted](f, SetStaff{Name: "pat", Why: "left"})
	wants("desk-1", "pat", hold, tournament.UnknownOperator)
	_ = seat
}

func TestStaffThatCannotBe(t *testing.T) {
	f := newFloor(t)
	if _, err := NewVerifier("12a4", f.random); !errors.Is(err, ErrPIN) {
		t.Errorf("got %v", err)
	}
	for name, wrong := range map[string]SetStaff{
		"without a PIN": {Name: "pat", Duties: []wire.Duty{wire.DutyHost}, Why: "x"}, "without a reason": {Name: "pat"},
		"with a duty that is none": {Name: "pat", Duties: []wire.Duty{"king"}, Why: "x", Verifier: &Verifier{}},
	} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is kept of a PIN never leaves central: a kiosk that knew it could try all PINs.
func TestAKioskCannotOpenWhatIsKeptOfAPIN(t *testing.T) {
	f := newFloor(t)
	f.employs("pat", "1357", wire.DutyHost)
	kiosk, into := followedView(t, f)
	record, err := need[operatorRecord](into, join(prefixOperator, "pat"))
	if err != nil {
		t.Fatal(err)
	}
	if _, known, err := open[Verifier](into, kiosk.vault, record.Owner, record.Sealed); known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
}
