// Package firststart is the first start of a kiosk as a state machine: a technician types central's address and a one-time
// code, and the kiosk asks central to enrol it. It is pure: what is typed goes in, the next state and what to ask central
// come out. One question is asked at a time.
package firststart

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"reelkiosk/store/tournament"
)

// Screen is what is shown.
type Screen string

// The screens.
const (
	// ScreenAddress and ScreenCode ask for central's address and for the code.
	ScreenAddress Screen = "address"
	ScreenCode    Screen = "code"
	// ScreenAsking: central is being asked.
	ScreenAsking Screen = "asking"
	// ScreenFailed says why the kiosk is not enrolled, and what to do.
	ScreenFailed Screen = "failed"
	// ScreenOtherName says that the kiosk is enrolled, by another name than its configuration says.
	ScreenOtherName Screen = "other-name"
	// ScreenOver: the kiosk is enrolled and goes on.
	ScreenOver Screen = "over"
)

// Failure is why the kiosk is not enrolled.
type Failure string

// The failures.
const (
	// FailureAway: nobody answers at the address. The code is still good.
	FailureAway Failure = "away"
	// FailureImposter: who answers is not the central that gave the code.
	FailureImposter Failure = "imposter"
	// FailureUnknown: central gave no such code, or has replaced it. FailureExpired, FailureUsed and FailureSpent: the code's
	// time is over; it has enrolled a kiosk; there were too many false tries.
	FailureUnknown Failure = "unknown"
	FailureExpired Failure = "expired"
	FailureUsed    Failure = "used"
	FailureSpent   Failure = "spent"
	// FailureClock: central does not trust its clock and writes nothing.
	FailureClock Failure = "clock"
	// FailureDisk: central has taken the kiosk in, and the kiosk cannot keep that on its disk.
	FailureDisk Failure = "disk"
	// FailureOther: something else, which the log has.
	FailureOther Failure = "other"
)

// spoilt are the failures after which the code is no good any more.
var spoilt = map[Failure]bool{
	FailureImposter: true, FailureUnknown: true, FailureExpired: true, FailureUsed: true, FailureSpent: true, FailureDisk: true,
}

// Spoilt reports whether another code is needed.
func (f Failure) Spoilt() bool { return spoilt[f] }

// DefaultPort is the port of a central whose address names none.
const DefaultPort = 7180

// mostAddress is the most symbols of an address that fit on the screen.
const mostAddress = 40

// State is what is known and what is shown.
type State struct {
	Screen Screen
	// Name is the kiosk's in its configuration.
	Name string
	// Address is central's as it was typed: HOST or HOST:PORT. Code is what was typed of the code, in its canonical symbols.
	Address, Code string
	Failure       Failure
	// As is the name that central enrolled the kiosk by.
	As string
	// asked counts what central was asked, so that a late answer is told from the one that is waited for.
	asked uint64
}

// Ask is what central is to be asked. Its answer is an Answered with the same number.
type Ask struct {
	Number  uint64
	Central string
	Code    tournament.EnrolmentCode
}

// Event is something that happens.
type Event interface{ event() }

type (
	// Symbol is a key with a symbol.
	Symbol struct{ Symbol rune }
	// Pressed is any other key or button.
	Pressed struct{ Button Button }
	// Answered is what came of an Ask: the name that the kiosk was enrolled by, or why it was not.
	Answered struct {
		Number  uint64
		As      string
		Failure Failure
	}
)

func (Symbol) event()   {}
func (Pressed) event()  {}
func (Answered) event() {}

// Button is a key or a button that is no symbol.
type Button string

// The buttons.
const (
	// ButtonDelete takes the last symbol away, ButtonClear all of them.
	ButtonDelete Button = "delete"
	ButtonClear  Button = "clear"
	// ButtonNext goes on: to the code, to central, or again to central.
	ButtonNext Button = "next"
	// ButtonAddress and ButtonCode go back to what was typed; ButtonOtherCode asks for another code.
	ButtonAddress   Button = "address"
	ButtonCode      Button = "code"
	ButtonOtherCode Button = "other-code"
	// ButtonStop gives up waiting for central.
	ButtonStop Button = "stop"
)

// Start returns the first state of a kiosk of that name, whose configuration says where central is; empty where it does not.
func Start(name, central string) State {
	return State{Screen: ScreenAddress, Name: name, Address: strings.TrimSuffix(strings.TrimPrefix(central, "https://"), "/")}
}

// Step returns the state after an event, and what to ask central, or nil.
func Step(s State, event Event) (State, *Ask) {
	switch e := event.(type) {
	case Symbol:
		return s.typed(e.Symbol), nil
	case Pressed:
		return s.pressed(e.Button)
	case Answered:
		return s.answered(e), nil
	}
	return s, nil
}

// typed takes a symbol, where it may stand there.
func (s State) typed(symbol rune) State {
	switch {
	case s.Screen == ScreenAddress && len(s.Address) < mostAddress && strings.ContainsRune(AddressSymbols, symbol):
		s.Address += string(symbol)
	case s.Screen == ScreenCode && len(s.Code) < tournament.NumberLength:
		if canonical, is := tournament.CodeSymbol(symbol); is {
			s.Code += string(canonical)
		}
	}
	return s
}

// AddressSymbols are those that an address is typed with.
const AddressSymbols = "0123456789.:-abcdefghijklmnopqrstuvwxyz"

func (s State) pressed(button Button) (State, *Ask) {
	field := map[Screen]*string{ScreenAddress: &s.Address, ScreenCode: &s.Code}[s.Screen]
	switch {
	case button == ButtonDelete && field != nil && *field != "":
		*field = (*field)[:len(*field)-1]
	case button == ButtonClear && field != nil:
		*field = ""
	case button == ButtonNext:
		return s.next()
	case s.Screen == ScreenAsking && button == ButtonStop:
		s.Screen = ScreenCode
	case s.Screen != ScreenCode && s.Screen != ScreenFailed: // there is nothing to go back to
	case button == ButtonAddress:
		s.Screen = ScreenAddress
	case button == ButtonCode:
		s.Screen = ScreenCode
	case button == ButtonOtherCode:
		s.Screen, s.Code = ScreenCode, ""
	}
	return s, nil
}

func (s State) next() (State, *Ask) {
	central, located := s.Central()
	code, complete := s.Complete()
	switch {
	case s.Screen == ScreenAddress && located:
		s.Screen = ScreenCode
	case s.Screen == ScreenOtherName:
		s.Screen = ScreenOver
	case (s.Screen == ScreenCode || s.Screen == ScreenFailed && !s.Failure.Spoilt()) && located && complete:
		s.Screen, s.asked = ScreenAsking, s.asked+1
		return s, &Ask{s.asked, central, code}
	}
	return s, nil
}

// answered takes an answer. One that came after the technician gave up waiting counts as well if the kiosk is enrolled by it.
func (s State) answered(e Answered) State {
	switch {
	case e.Failure == "":
		s.Screen, s.As = ScreenOver, e.As
		if e.As != s.Name {
			s.Screen = ScreenOtherName
		}
	case s.Screen == ScreenAsking && e.Number == s.asked:
		s.Screen, s.Failure = ScreenFailed, e.Failure
	}
	return s
}

// Complete returns the code, and whether it is one: all symbols are there and the last one fits the others.
func (s State) Complete() (tournament.EnrolmentCode, bool) {
	code, err := tournament.ParseEnrolmentCode(s.Code)
	return code, err == nil
}

// Mistyped reports whether all symbols of the code are there and the last one does not fit the others.
func (s State) Mistyped() bool {
	_, complete := s.Complete()
	return len(s.Code) == tournament.NumberLength && !complete
}

var (
	hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)
	numbers  = regexp.MustCompile(`^[0-9.]+$`)
)

// Central returns central's address as a URL, and whether what was typed is one: a name or numbers of four parts, and a port
// where it is another than DefaultPort.
func (s State) Central() (string, bool) {
	address, err := url.Parse("https://" + s.Address)
	if err != nil || address.Host != s.Address || strings.HasSuffix(s.Address, ":") {
		return "", false
	}
	host, port := address.Hostname(), address.Port()
	_, noNumbers := netip.ParseAddr(host)
	if noNumbers != nil && (numbers.MatchString(host) || !hostName.MatchString(host)) {
		return "", false
	}
	if port == "" {
		return "https://" + s.Address + ":" + strconv.Itoa(DefaultPort), true
	}
	number, err := strconv.ParseUint(port, 10, 16)
	return "https://" + s.Address, err == nil && number > 0
}
