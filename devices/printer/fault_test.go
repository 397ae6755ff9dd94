package printer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
)

// someOf returns the numbers from 1 to most with REELKIOSK_LONG=1, else every so manieth of them, from a place that
// rotates. REELKIOSK_SEED plays a run again.
func someOf(t *testing.T, most, every int) []int {
	t.Helper()
	from := 1
	if os.Getenv("REELKIOSK_LONG") != "1" {
		seed := rand.Uint64()
		if given := os.Getenv("REELKIOSK_SEED"); given != "" {
			var err error
			if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		from += rand.New(rand.NewPCG(seed, 0)).IntN(every)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("REELKIOSK_SEED=%d plays this again", seed)
			}
		})
	} else {
		every = 1
	}
	var chosen []int
	for at := from; at <= most; at += every {
		chosen = append(chosen, at)
	}
	return chosen
}

// honest checks what must hold of the first job, whatever happened to it.
func (b *bench) honest(t *testing.T, outcome printer.Outcome) {
	t.Helper()
	whole, any := b.whole(1), b.anyOf(1)
	late := slices.Contains(b.late, printer.JobID(number(1)))
	switch {
	case whole > 1 || any > 1:
		t.Errorf("the ticket came out %d times whole, %d in all (%+v)", whole, any, outcome)
	case (outcome.Result == printer.Printed || late) && whole != 1:
		t.Errorf("called printed (late: %v), and %d tickets came out whole: %+v", late, whole, outcome)
	case outcome.Result == printer.NotStarted && any != 0:
		t.Errorf("called not started, and there is a ticket: %+v", outcome)
	case outcome.Result == printer.NotStarted && late:
		t.Error("called not started, and confirmed late")
	}
}

// next checks that the next job, the reprint that somebody decided on, comes out whole and alone on its paper.
func (b *bench) next(t *testing.T, tells bool) {
	t.Helper()
	outcome := b.print(2)
	b.settle()
	if tells && outcome.Result != printer.Printed || outcome.Result == printer.NotStarted {
		t.Errorf("the next job: %+v", outcome)
	}
	if b.whole(2) != 1 || b.anyOf(2) != 1 {
		t.Errorf("the next ticket came out %d times whole, %d in all", b.whole(2), b.anyOf(2))
	}
}

func TestUnpluggedAtEveryByteThereIsOneTicketOrAnUnconfirmedOne(t *testing.T) {
	for _, model := range models {
		t.Run(model.name, func(t *testing.T) {
			total := 0
			atBench(t, model.name, func(t *testing.T, b *bench) {
				b.settle()
				before := b.wire.count()
				b.print(1)
				total = b.wire.count() - before
			})
			for _, at := range someOf(t, total, max(10, total/60)) {
				atBench(t, model.name, func(t *testing.T, b *bench) {
					b.torn = true
					b.settle()
					b.wire.pullAfter(at)
					outcome := b.print(1)
					b.settle()
					if model.tells && outcome.Result == printer.Unconfirmed && outcome.Reason != printer.Lost {
						t.Errorf("after byte %d: %+v", at, outcome)
					}
					b.wire.plug()
					b.settle()
					b.honest(t, outcome)
					b.next(t, model.tells)
					if t.Failed() {
						t.Errorf("unplugged after byte %d of %d", at, total)
					}
				})
			}
		})
	}
}

// stopping are the troubles in which a printer does not print, and what it is then.
var stopping = map[emulator.Trouble]printer.State{
	emulator.PaperOut: printer.PaperOut, emulator.CoverOpen: printer.CoverOpen, emulator.KnifeStuck: printer.CutterError,
	emulator.HeadFault: printer.Error, emulator.Mute: printer.Unknown, emulator.PowerOff: printer.Unknown,
}

func TestATroubleBeforeTheJobKeepsItFromStarting(t *testing.T) {
	for _, model := range models {
		if !model.tells {
			continue
		}
		for trouble, state := range stopping {
			t.Run(fmt.Sprintf("%s %v", model.name, trouble), func(t *testing.T) {
				atBench(t, model.name, func(t *testing.T, b *bench) {
					b.settle()
					b.device.Begin(trouble)
					time.Sleep(10 * time.Millisecond)
					before := b.wire.count()
					outcome := b.print(1)
					if outcome.Result != printer.NotStarted || outcome.Status.State != state {
						t.Errorf("%+v, want it not started, the printer %v", outcome, state)
					}
					b.settle()
					b.onlyQuestions(t, before)
					b.device.End(trouble)
					b.settle()
					if len(b.papers) != 0 {
						t.Errorf("%d papers came out by themselves", len(b.papers))
					}
					b.next(t, true)
				})
			})
		}
	}
}

func TestATroubleThatDoesNotStopThePrinterDoesNotStopTheJob(t *testing.T) {
	for _, model := range models {
		atBench(t, model.name, func(t *testing.T, b *bench) {
			b.settle()
			b.device.Begin(emulator.PaperLow)
			outcome := b.print(1)
			b.settle()
			if b.whole(1) != 1 || model.tells && (outcome.Result != printer.Printed || outcome.Status.State != printer.PaperLow) {
				t.Errorf("%s, paper low: %d tickets, %+v", model.name, b.whole(1), outcome)
			}
		})
	}
}

func TestATroubleDuringTheJobNeverMakesTwoTicketsOrAFalseOne(t *testing.T) {
	for _, model := range models {
		rows := 0
		atBench(t, model.name, func(t *testing.T, b *bench) {
			b.print(1)
			b.settle()
			rows = b.papers[0].Image.Height()
		})
		for trouble := emulator.PaperLow; trouble <= emulator.Sluggish; trouble++ {
			t.Run(fmt.Sprintf("%s %v", model.name, trouble), func(t *testing.T) {
				for _, at := range someOf(t, rows, 200) {
					atBench(t, model.name, func(t *testing.T, b *bench) { b.during(t, model.tells, trouble, at) })
				}
			})
		}
	}
}

// during plays a trouble that begins in the middle of the first job, after so many rows, and is over a while later.
func (b *bench) during(t *testing.T, tells bool, trouble emulator.Trouble, rows int) {
	b.settle()
	b.device.BeginAfterRows(trouble, rows)
	outcome := b.print(1)
	b.torn = outcome.Result == printer.Unconfirmed // it may have broken off within a command
	before := b.wire.count()
	b.settle()
	if tells && b.stillBad(t) {
		b.onlyQuestions(t, before)
	}
	b.device.End(trouble)
	b.settle()
	b.honest(t, outcome)
	if b.profile.Clear && outcome.Reason == printer.Stopped && rows < b.lastPrinted(t) && b.whole(1) != 0 {
		t.Error("the rest of the ticket came out by itself once the trouble was over")
	}
	if tells {
		b.next(t, tells)
	}
	if t.Failed() {
		t.Errorf("%v after row %d: %+v", trouble, rows, outcome)
	}
}

// lastPrinted returns how many rows the paper moves until the last black row of a ticket is on it.
func (b *bench) lastPrinted(t *testing.T) int {
	picture := onPaper(t, b.profile, seatTicket(1)).Image
	for y := picture.Height(); y > 0; y-- {
		if !picture.Rows(y-1, y).Blank() {
			return y - 24
		}
	}
	return 0
}

// stillBad reports whether the printer is still in trouble, as a job may have ended before the trouble began.
func (b *bench) stillBad(t *testing.T) bool { return !b.printer.Status(t.Context()).CanPrint() }

func TestATroubleAfterTheJobIsNoAffairOfTheJob(t *testing.T) {
	for _, model := range models {
		if !model.tells {
			continue
		}
		for trouble, state := range stopping {
			t.Run(fmt.Sprintf("%s %v", model.name, trouble), func(t *testing.T) {
				atBench(t, model.name, func(t *testing.T, b *bench) {
					if outcome := b.print(1); outcome.Result != printer.Printed {
						t.Fatalf("%+v", outcome)
					}
					b.device.Begin(trouble)
					b.settle()
					if status := b.printer.Status(t.Context()); status.State != state {
						t.Errorf("afterwards the printer is %v, want %v", status.State, state)
					}
					b.device.End(trouble)
					b.settle()
					b.honest(t, printer.Outcome{Result: printer.Printed})
					b.next(t, true)
					if len(b.papers) != 2 && trouble != emulator.PaperOut {
						t.Errorf("%d papers for two jobs", len(b.papers))
					}
				})
			})
		}
	}
}

func TestAProgramThatEndedInTheMiddleOfAJobComesBackToACleanPrinter(t *testing.T) {
	for _, model := range models {
		t.Run(model.name, func(t *testing.T) {
			sent, err := printer.Encode(profileNamed(t, model.name), seatTicket(1))
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range someOf(t, len(sent)-1, len(sent)/10) {
				atBench(t, model.name, func(t *testing.T, b *bench) {
					b.torn = true
					b.wire.send(sent[:at]) // by the program's earlier life
					b.settle()
					b.next(t, model.tells)
					if t.Failed() {
						t.Errorf("ended after byte %d of %d", at, len(sent))
					}
				}, printer.AfterCrash())
			}
		})
	}
}

func TestADeviceThatTakesNoBytesIsNotWaitedForForEver(t *testing.T) {
	atBench(t, "epson-48", func(t *testing.T, b *bench) {
		b.settle()
		b.wire.jam(true)
		if outcome := b.print(1); outcome.Result != printer.NotStarted || outcome.Status.CanPrint() {
			t.Errorf("%+v", outcome)
		}
		b.wire.jam(false)
		b.settle()
		b.next(t, true)
	})
}

func TestXOFFHoldsTheJobUpAndXONLetsItGoOn(t *testing.T) {
	for name, test := range map[string]struct {
		hold time.Duration
		want printer.Result
	}{
		"for a second":    {time.Second, printer.Printed},
		"for two minutes": {2 * time.Minute, printer.Unconfirmed},
	} {
		t.Run(name, func(t *testing.T) {
			atBench(t, "epson-48", func(t *testing.T, b *bench) {
				b.settle()
				time.AfterFunc(100*time.Millisecond, func() { device{b.wire}.Write([]byte{0x13}) })
				time.AfterFunc(100*time.Millisecond+test.hold, func() { device{b.wire}.Write([]byte{0x11}) })
				time.AfterFunc(500*time.Millisecond, func() {
					before := b.wire.count()
					time.Sleep(400 * time.Millisecond)
					if sent := b.wire.count() - before; sent != 0 {
						t.Errorf("%d bytes were sent while the printer held us up", sent)
					}
				})
				if outcome := b.print(1); outcome.Result != test.want {
					t.Errorf("%+v", outcome)
				}
				time.Sleep(3 * time.Minute)
				b.next(t, true)
			})
		})
	}
}

// onlyQuestions checks that nothing was written since but DLE EOT, and what prints nothing either: the command that throws
// away what the printer holds, and zeros that end a command cut short.
func (b *bench) onlyQuestions(t *testing.T, since int) {
	t.Helper()
	written := b.wire.since(since)
	written = bytes.ReplaceAll(written, []byte{0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8}, nil)
	written = bytes.ReplaceAll(written, []byte{0}, nil)
	for len(written) > 0 {
		if len(written) < 3 || written[0] != 0x10 || written[1] != 0x04 || written[2] < 1 || written[2] > 4 {
			t.Fatalf("written to a printer that is not ready: %q", written)
		}
		written = written[3:]
	}
}
