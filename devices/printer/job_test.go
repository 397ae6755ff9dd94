package printer_test

import (
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
)

// Every model, and what its profile can know.
var models = []struct {
	name  string
	tells bool
}{
	{"epson-48", true}, {"epson-42", true}, {"compatible-48", true}, {"compatible-42", true}, {"silent-48", false},
}

func TestAJobIsPrintedWhenThePrinterSaysSo(t *testing.T) {
	for _, model := range models {
		t.Run(model.name, func(t *testing.T) {
			atBench(t, model.name, func(t *testing.T, b *bench) {
				for copy := 1; copy <= 3; copy++ {
					outcome := b.print(copy)
					want := printer.Outcome{Result: printer.Printed}
					if !model.tells {
						want = printer.Outcome{Result: printer.Unconfirmed, Reason: printer.NeverTells}
					}
					if outcome.Result != want.Result || outcome.Reason != want.Reason || outcome.Err != nil {
						t.Fatalf("copy %d: %+v", copy, outcome)
					}
					if model.tells && outcome.Status.State != printer.Ready {
						t.Errorf("copy %d: the printer is %v", copy, outcome.Status.State)
					}
				}
				b.settle()
				for copy := 1; copy <= 3; copy++ {
					if b.whole(copy) != 1 || b.anyOf(copy) != 1 {
						t.Errorf("copy %d came out %d times whole, %d in all", copy, b.whole(copy), b.anyOf(copy))
					}
				}
				if len(b.papers) != 3 || len(b.late) != 0 || b.device.Lost() != 0 {
					t.Errorf("%d papers, %q confirmed late, %d bytes lost", len(b.papers), b.late, b.device.Lost())
				}
			})
		})
	}
}

func TestStatesAreToldAsTheyChange(t *testing.T) {
	for _, model := range []string{"epson-48", "compatible-48"} {
		t.Run(model, func(t *testing.T) {
			atBench(t, model, func(t *testing.T, b *bench) {
				b.settle()
				for _, trouble := range []struct {
					begins emulator.Trouble
					is     printer.State
				}{
					{emulator.PaperLow, printer.PaperLow}, {emulator.PaperOut, printer.PaperOut}, {emulator.CoverOpen, printer.CoverOpen},
					{emulator.KnifeStuck, printer.CutterError}, {emulator.HeadFault, printer.Error},
					{emulator.Mute, printer.Unknown}, {emulator.PowerOff, printer.Unknown},
				} {
					b.changes = nil
					b.device.Begin(trouble.begins)
					b.settle()
					if status := b.printer.Status(t.Context()); status.State != trouble.is {
						t.Errorf("%v: the printer is %v, want %v", trouble.begins, status.State, trouble.is)
					}
					b.device.End(trouble.begins)
					b.settle()
					// A refill may be seen with the paper already there and the roll's other sensor not yet.
					if want := []printer.State{trouble.is, printer.Ready}; !slices.Equal(b.changes, want) {
						t.Errorf("%v: told %v, want %v", trouble.begins, b.changes, want)
					}
				}
				b.changes = nil
				b.wire.pull()
				b.settle()
				status := b.printer.Status(t.Context())
				if status.State != printer.Gone || status.Err != port.ErrUnplugged {
					t.Errorf("unplugged: %+v", status)
				}
				b.wire.plug()
				b.settle()
				if want := []printer.State{printer.Gone, printer.Unknown, printer.Ready}; !slices.Equal(b.changes, want) {
					t.Errorf("unplugged and plugged in: told %v, want %v", b.changes, want)
				}
			})
		})
	}
}

func TestAModelThatNeverTellsIsSaidToBeOne(t *testing.T) {
	atBench(t, "silent-48", func(t *testing.T, b *bench) {
		if status := b.printer.Status(t.Context()); status.State != printer.Untold || !status.CanPrint() {
			t.Errorf("%+v", status)
		}
		b.wire.pull()
		b.settle()
		if status := b.printer.Status(t.Context()); status.State != printer.Gone || status.CanPrint() {
			t.Errorf("unplugged: %+v", status)
		}
		if outcome := b.print(1); outcome.Result != printer.NotStarted || outcome.Status.State != printer.Gone {
			t.Errorf("unplugged: %+v", outcome)
		}
	})
}

func TestALateConfirmationTurnsUnconfirmedIntoPrinted(t *testing.T) {
	for _, model := range []string{"epson-48", "compatible-48"} {
		t.Run(model, func(t *testing.T) {
			atBench(t, model, func(t *testing.T, b *bench) {
				b.settle()
				b.device.Begin(emulator.Sluggish)
				outcome := b.print(1)
				if outcome.Result != printer.Unconfirmed || outcome.Reason != printer.NoAnswer {
					t.Fatalf("%+v", outcome)
				}
				b.settle()
				if want := []printer.JobID{printer.JobID(number(1))}; !slices.Equal(b.late, want) {
					t.Fatalf("confirmed late: %q, want %q", b.late, want)
				}
				if b.whole(1) != 1 || len(b.papers) != 1 {
					t.Errorf("%d papers, %d of them the ticket", len(b.papers), b.whole(1))
				}
				b.device.End(emulator.Sluggish)
				if outcome := b.print(2); outcome.Result != printer.Printed {
					t.Errorf("the next job: %+v", outcome)
				}
				b.settle()
				if len(b.papers) != 2 || b.whole(2) != 1 {
					t.Errorf("after the next job %d papers: nothing was to be brought back", len(b.papers))
				}
			})
		})
	}
}

func TestNoJobIsTakenForAnotherAfterALateOne(t *testing.T) {
	for _, model := range []string{"epson-48", "compatible-48"} {
		t.Run(model, func(t *testing.T) {
			atBench(t, model, func(t *testing.T, b *bench) {
				b.settle()
				b.device.Begin(emulator.Sluggish)
				b.print(1)
				// The second is asked for while the first still prints, and dies in the middle.
				b.device.BeginAfterRows(emulator.PowerOff, 400+1500)
				second := b.print(2)
				b.settle()
				if second.Result == printer.Printed && b.whole(2) == 0 {
					t.Errorf("the second job is %+v, and there is no ticket", second)
				}
			})
		})
	}
}

func TestTheLongestPapersAt9600BaudLoseNothing(t *testing.T) {
	long := printer.Document{}
	for range 120 {
		long = append(long, printer.Text{Text: "Every participant in the tournament shall be deemed to have accepted the rules. ḓ ṱ"})
	}
	for _, model := range models {
		for name, document := range map[string]printer.Document{
			"rules":   append(slices.Clone(long), printer.Cut{}),
			"ticket":  seatTicket(2),
			"letters": {printer.Text{Text: "Zoë"}, printer.Cut{}},
		} {
			for _, slow := range []bool{false, true} {
				t.Run(model.name+" "+name, func(t *testing.T) {
					profile := profileNamed(t, model.name)
					profile.Baud = 9600
					atBenchOf(t, profile, func(t *testing.T, b *bench) {
						b.settle()
						if slow {
							b.device.Begin(emulator.Sluggish)
						}
						if slow && !model.tells {
							return // no way of knowing
						}
						outcome := b.printer.Print(t.Context(), "long", document)
						b.settle()
						b.settle()
						if lost := b.device.Lost(); lost > 0 {
							t.Errorf("%d bytes lost", lost)
						}
						if outcome.Result == printer.NotStarted || !slow && len(b.papers) != 1 {
							t.Fatalf("%d papers, %+v", len(b.papers), outcome)
						}
						if !slow && printed(b.papers[0]) != printed(onPaper(t, b.profile, document)) {
							t.Error("the paper is not the document")
						}
					})
				})
			}
		}
	}
}

func TestWhatWasSaidBeforeIsNotBelieved(t *testing.T) {
	atBench(t, "compatible-48", func(t *testing.T, b *bench) {
		b.settle()
		b.device.Begin(emulator.Mute)
		if status := b.printer.Status(t.Context()); status.State != printer.Unknown {
			t.Fatalf("%+v", status)
		}
		b.device.End(emulator.Mute)
		b.device.Begin(emulator.CoverOpen)
		// Two answers that were given up on come now, and two a moment later: all well, they say.
		device{b.wire}.Write([]byte{0x12, 0x12})
		time.AfterFunc(time.Millisecond, func() { device{b.wire}.Write([]byte{0x12, 0x12}) })
		if outcome := b.print(1); outcome.Result != printer.NotStarted || outcome.Status.State != printer.CoverOpen {
			t.Errorf("%+v", outcome)
		}
	})
}

func TestACableThatIsOutForAMomentOnlyIsNoticed(t *testing.T) {
	for _, model := range models {
		atBench(t, model.name, func(t *testing.T, b *bench) {
			b.torn = true
			b.settle()
			b.wire.bounceAfter(300)
			outcome := b.print(1)
			if outcome.Result != printer.Unconfirmed || outcome.Reason != printer.Lost {
				t.Errorf("%s: %+v", model.name, outcome)
			}
			b.settle()
			b.honest(t, outcome)
			b.next(t, model.tells)
		})
	}
}

func TestAClosedPrinterStartsNothing(t *testing.T) {
	atBench(t, "epson-48", func(t *testing.T, b *bench) {
		b.settle()
		if err := b.printer.Close(); err != nil {
			t.Fatal(err)
		}
		if outcome := b.print(1); outcome.Result != printer.NotStarted || outcome.Err != printer.ErrClosed {
			t.Errorf("%+v", outcome)
		}
		if status := b.printer.Status(t.Context()); status.State != printer.Unknown || status.Err != printer.ErrClosed {
			t.Errorf("%+v", status)
		}
	})
}

func TestClosingInTheMiddleLeavesTheJobUnconfirmed(t *testing.T) {
	atBench(t, "epson-48", func(t *testing.T, b *bench) {
		b.settle()
		outcomes := make(chan printer.Outcome)
		go func() { outcomes <- b.print(1) }()
		time.Sleep(200 * time.Millisecond)
		b.printer.Close()
		if outcome := <-outcomes; outcome.Result != printer.Unconfirmed || outcome.Reason != printer.Abandoned {
			t.Errorf("%+v", outcome)
		}
	})
}
