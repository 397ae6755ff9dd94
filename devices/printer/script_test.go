package printer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"reelkiosk/devices/port"
	"reelkiosk/devices/port/porttest"
	"reelkiosk/devices/printer"
)

// one is a document of one line, and what it is on the wire of a compatible printer.
var one = printer.Document{printer.Text{Text: "SEAT 7"}, printer.Cut{}}

const oneSent = "\x1b@\x1c.\x1bt\x00\x1b3\x18 SEAT 7\n\x1dVB\x00"

// The questions whether a printer is ready, and its answers when it is.
var (
	askedOffline = porttest.Answers("\x10\x04\x02", "\x12")
	askedPaper   = porttest.Answers("\x10\x04\x04", "\x12")
)

// script plays a printer by the byte.
func script(t *testing.T, model string, exchanges []porttest.Exchange, test func(*printer.Printer)) {
	t.Helper()
	conn := porttest.Play(t, exchanges...)
	// Never asked of itself, but for the once when the port opens.
	under := printer.New(profileNamed(t, model), conn, printer.Poll(1<<62))
	test(under)
	if err := under.Close(); err != nil {
		t.Error(err)
	}
}

func TestAJobOnTheWire(t *testing.T) {
	script(t, "compatible-48", []porttest.Exchange{
		porttest.Happens(porttest.Opened()),
		askedOffline, askedPaper, // since it opened
		askedOffline, askedPaper, // before the job
		porttest.Answers(oneSent+"\x1dr\x01", "\x00"),
		askedOffline, askedPaper, // processed is not printed: is it well afterwards?
	}, func(under *printer.Printer) {
		awaitReady(t, under)
		if outcome := under.Print(t.Context(), "job", one); outcome.Result != printer.Printed {
			t.Errorf("%+v", outcome)
		}
	})
}

// Asking again took a sixth of the time from the touch to the first byte.
func TestAPrinterThatHasJustSaidThatItIsReadyIsNotAskedAgain(t *testing.T) {
	done := []porttest.Exchange{porttest.Answers(oneSent+"\x1dr\x01", "\x00"), askedOffline, askedPaper}
	script(t, "compatible-48", slices.Concat([]porttest.Exchange{
		porttest.Happens(porttest.Opened()), askedOffline, askedPaper, // since it opened
		askedOffline, askedPaper, // Status
	}, done, []porttest.Exchange{askedOffline, askedPaper /* before the second job */}, done), func(under *printer.Printer) {
		awaitReady(t, under)
		if status := under.Status(t.Context()); status.State != printer.Ready {
			t.Fatalf("%+v", status)
		}
		for _, job := range []printer.JobID{"first", "second"} {
			if outcome := under.Print(t.Context(), job, one); outcome.Result != printer.Printed {
				t.Errorf("%s: %+v", job, outcome)
			}
		}
	})
}

func TestAPrinterThatSaysSomethingElseMeanwhileIsAskedAgain(t *testing.T) {
	script(t, "epson-48", []porttest.Exchange{
		porttest.Happens(porttest.Opened()), askedOffline, askedPaper, // since it opened
		porttest.Answers("\x1da\xff", ""),
		askedOffline, askedPaper, // Status
		porttest.Happens(porttest.Data("\x10\x00\x0c\x00")), // the paper has ended
		askedOffline, porttest.Answers("\x10\x04\x04", "\x7e"), // before the job
	}, func(under *printer.Printer) {
		awaitReady(t, under)
		if status := under.Status(t.Context()); status.State != printer.Ready {
			t.Fatalf("%+v", status)
		}
		for status := range under.Changes() {
			if status.State == printer.PaperOut {
				break
			}
		}
		if outcome := under.Print(t.Context(), "job", one); outcome.Result != printer.NotStarted || outcome.Status.State != printer.PaperOut {
			t.Errorf("%+v", outcome)
		}
	})
}

func TestAnErrorIsAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		want   printer.State
	}{
		"the cutter":             {"\x1a", printer.CutterError},
		"something past repair":  {"\x32", printer.Error},
		"a head that is too hot": {"\x52", printer.Error},
		"nothing after all":      {"\x12", printer.Error},
	} {
		script(t, "compatible-48", []porttest.Exchange{
			porttest.Happens(porttest.Opened()),
			porttest.Answers("\x10\x04\x02", "\x52"), askedPaper, porttest.Answers("\x10\x04\x03", test.answer),
		}, func(under *printer.Printer) {
			if status := <-under.Changes(); status.State != test.want {
				t.Errorf("%s: %v, want %v", name, status.State, test.want)
			}
		})
	}
}

func TestEveryAnswerHasItsState(t *testing.T) {
	for _, test := range []struct {
		offline, paper string
		want           printer.State
	}{
		{"\x12", "\x12", printer.Ready}, {"\x12", "\x1e", printer.PaperLow}, {"\x32", "\x72", printer.PaperOut},
		{"\x12", "\x7e", printer.PaperOut}, {"\x16", "\x12", printer.CoverOpen}, {"\x36", "\x7e", printer.CoverOpen},
		{"\x1a", "\x12", printer.Offline},
	} {
		script(t, "compatible-48", []porttest.Exchange{
			porttest.Happens(porttest.Opened()),
			porttest.Answers("\x10\x04\x02", test.offline), porttest.Answers("\x10\x04\x04", test.paper),
		}, func(under *printer.Printer) {
			if status := <-under.Changes(); status.State != test.want {
				t.Errorf("%x and %x: %v, want %v", test.offline, test.paper, status.State, test.want)
			}
		})
	}
}

func TestADocumentThatCannotBePrintedIsNotBegun(t *testing.T) {
	script(t, "compatible-48", []porttest.Exchange{
		porttest.Happens(porttest.Opened()), askedOffline, askedPaper,
	}, func(under *printer.Printer) {
		awaitReady(t, under)
		document := printer.Document{printer.QR{Data: strings.Repeat("A", 400), Module: 10, Level: printer.LevelM}}
		if outcome := under.Print(t.Context(), "job", document); outcome.Result != printer.NotStarted || !errors.Is(outcome.Err, printer.ErrDocument) {
			t.Errorf("%+v", outcome)
		}
	})
}

func TestAPortThatIsLostInAWriteLeavesTheJobUnconfirmed(t *testing.T) {
	script(t, "compatible-48", []porttest.Exchange{
		porttest.Happens(porttest.Opened()), askedOffline, askedPaper,
		askedOffline, askedPaper,
		{Written: []byte(oneSent[:10]), Err: port.ErrGone},
	}, func(under *printer.Printer) {
		awaitReady(t, under)
		outcome := under.Print(t.Context(), "job", one)
		if outcome.Result != printer.Unconfirmed || outcome.Reason != printer.Lost || !errors.Is(outcome.Err, port.ErrGone) {
			t.Errorf("%+v", outcome)
		}
	})
}

// awaitReady waits for the first state, so that the questions of the opening are over.
func awaitReady(t *testing.T, under *printer.Printer) {
	t.Helper()
	for {
		if status := <-under.Changes(); status.State == printer.Ready {
			return
		}
	}
}

func TestWordsOfStatesResultsAndReasons(t *testing.T) {
	words := map[string]bool{}
	for state := printer.Unknown; state <= printer.Untold; state++ {
		words[state.String()] = true
	}
	for result := printer.NotStarted; result <= printer.Unconfirmed; result++ {
		words[result.String()] = true
	}
	for reason := printer.NoReason; reason <= printer.Abandoned; reason++ {
		words[reason.String()] = true
	}
	// 'never tells' is both a state and a reason.
	if len(words) != 10+3+6-1 || words[""] {
		t.Errorf("%d words: %v", len(words), words)
	}
	if got := printer.State(99).String() + printer.Result(99).String() + printer.Reason(99).String(); got != "state 99result 99reason 99" {
		t.Error(got)
	}
}
