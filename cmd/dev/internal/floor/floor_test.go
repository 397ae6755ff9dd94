package floor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/devices/emulator"
	"reelkiosk/kiosk/visit"
)

// programs is the folder of the built programs.
var programs string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "reelkiosk-programs-")
	if err == nil {
		programs = folder
		var root string
		if root, err = program.Root(); err == nil {
			err = program.Build(context.Background(), root, programs, "central", "reelctl", "kiosk")
		}
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

func open(t *testing.T, options Options) *Floor {
	t.Helper()
	options.Programs, options.Folder = programs, t.TempDir()
	if options.Width == 0 {
		options.Width, options.Height = 1080, 1920
	}
	f, err := Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if strings.Contains(f.Kiosk.Output(), "Error in Fyne call thread") {
			t.Error("the window was touched from another goroutine than Fyne's own")
		}
	})
	return f
}

// visitor does one thing after another and fails the test at the first that does not go.
type visitor struct {
	t *testing.T
	f *Floor
}

func (v visitor) do(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

// shows swipes the card or scans the document of somebody.
func (v visitor) shows(name, how string) {
	v.t.Helper()
	if how == "swipe" {
		v.do(v.f.Swipe(name))
	} else {
		v.do(v.f.Scan(name))
	}
}

func (v visitor) sees(wanted visit.Screen) {
	v.t.Helper()
	_, err := v.f.AwaitScreen(v.t.Context(), wanted)
	v.do(err)
}

func (v visitor) meets(wanted visit.Trouble) {
	v.t.Helper()
	_, err := v.f.AwaitTrouble(v.t.Context(), wanted)
	v.do(err)
}

func (v visitor) taps(buttons ...visit.Button) {
	v.t.Helper()
	for _, button := range buttons {
		v.do(v.f.Tap(v.t.Context(), button, ""))
	}
}

// leaves cancels whatever is shown.
func (v visitor) leaves() {
	v.t.Helper()
	v.taps(visit.ButtonCancel)
	v.sees(visit.ScreenAttract)
}

func (v visitor) ticket() emulator.Ticket {
	v.t.Helper()
	select {
	case ticket := <-v.f.Printer.Tickets():
		return ticket
	case <-time.After(20 * time.Second):
		v.t.Fatal("no ticket came out")
		return emulator.Ticket{}
	}
}

func TestFromSwipeToTicket(t *testing.T) {
	for name, size := range map[string][2]int{"portrait": {1080, 1920}, "landscape": {1920, 1080}} {
		t.Run(name, func(t *testing.T) {
			v := visitor{t, open(t, Options{Width: size[0], Height: size[1]})}
			v.do(v.f.AwaitReady(t.Context()))
			v.do(v.f.Swipe("thandi"))
			v.sees(visit.ScreenGreeting)
			v.taps(visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes, visit.ButtonTake) // four touches
			ticket := v.ticket()
			v.sees(visit.ScreenDone)
			for _, want := range []string{"MACHINE 1", "COPY"} {
				if has := strings.Contains(ticket.Text, want); has != (want != "COPY") {
					t.Errorf("ticket has %q: %v\n%s", want, has, ticket.Text)
				}
			}
			if strings.Contains(ticket.Text, "Mokoena") {
				t.Errorf("the ticket says the player's whole name:\n%s", ticket.Text)
			}
			v.readsBack(ticket)
			v.taps(visit.ButtonDone)
			v.sees(visit.ScreenAttract)

			v.do(v.f.Scan("maria")) // an ID alone is enough (clause 4)
			v.sees(visit.ScreenGreeting)
			v.taps(visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes, visit.ButtonTogether)
			for range 4 {
				v.ticket()
			}
			v.sees(visit.ScreenDone)
			v.agrees(5)
		})
	}
}

// readsBack has an independent decoder read the ticket's QR, and compares it with the number in plain letters.
func (v visitor) readsBack(ticket emulator.Ticket) {
	v.t.Helper()
	folder := v.t.TempDir()
	v.do(ticket.Save(folder, "ticket"))
	output, err := exec.Command("ZXingReader", "-format", "QRCode", "-1", filepath.Join(folder, "ticket.png")).CombinedOutput()
	if err != nil {
		v.t.Fatalf("ZXingReader (Debian package zxing-cpp-tools): %v\n%s", err, output)
	}
	_, number, _ := strings.Cut(strings.TrimSpace(string(output)), `"`) // FILE QRCode "NUMBER"
	number = strings.TrimSuffix(number, `"`)
	plain := strings.NewReplacer(" ", "", "-", "", "\n", "").Replace(ticket.Text)
	if len(number) != 17 || !strings.Contains(plain, number) {
		v.t.Errorf("the QR says %q, which the ticket does not say in letters:\n%s", output, ticket.Text)
	}
}

// agrees waits until the books have as many seats on paper as were printed.
func (v visitor) agrees(want int) {
	v.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		output, err := v.f.Reelctl("export", "seats")
		v.do(err)
		got := strings.Count(output, `"printed"`) + strings.Count(output, ",printed,")
		if got == want {
			return
		}
		select {
		case <-limit:
			v.t.Fatalf("the books have %d printed copies, want %d:\n%s", got, want, output)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Central stops on a Saturday night: the seat, its ticket and, when central is back, its place in the books.
func TestASeatIsGivenWhileCentralIsAway(t *testing.T) {
	v := visitor{t, open(t, Options{})}
	v.do(v.f.AwaitReady(t.Context()))
	v.do(v.f.AwaitAlone(t.Context()))
	v.do(v.f.Central.Stop())
	v.do(v.f.Swipe("thandi"))
	v.sees(visit.ScreenGreeting)
	v.taps(visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes, visit.ButtonTake)
	ticket := v.ticket()
	v.sees(visit.ScreenDone)
	v.readsBack(ticket)
	v.do(v.f.StartCentral(t.Context()))
	v.agrees(1)
}

func TestRefusals(t *testing.T) {
	v := visitor{t, open(t, Options{})}
	v.do(v.f.AwaitReady(t.Context()))
	for _, who := range []struct{ name, how, why string }{
		{"sipho", "swipe", "self-excluded"},
		{"sipho", "scan", "self-excluded, by document"},
		{"bongani", "scan", "refusal of entry"},
		{"karen", "swipe", "connected"},
		{"jabu", "scan", "under age"},
	} {
		t.Run(who.why, func(t *testing.T) {
			v := visitor{t, v.f}
			v.shows(who.name, who.how)
			v.sees(visit.ScreenSeeHost)
			v.leaves()
		})
	}
	for _, who := range []struct {
		name, how string
		why       visit.Trouble
	}{
		{"nomsa", "swipe", visit.TroubleNoEntries},
		{"zanele", "swipe", visit.TroubleWindowOver},
		{"anna", "scan", visit.TroubleDocumentExpired},
	} {
		t.Run(string(who.why), func(t *testing.T) {
			v := visitor{t, v.f}
			v.shows(who.name, who.how)
			v.meets(who.why)
			v.leaves()
		})
	}
	t.Run("a card whose holder was never verified", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Swipe("johan"))
		v.sees(visit.ScreenSeeHost)
		v.leaves()
		v.do(v.f.Scan("johan"))
		v.sees(visit.ScreenGreeting)
		v.leaves()
	})
	t.Run("a card that nobody has", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Card.Swipe(emulator.Tracks{Two: "6001000099999999=4912000"}))
		v.meets(visit.TroubleUnknownCard)
		v.leaves()
	})
	t.Run("a bank card", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Card.Swipe(emulator.Tracks{One: "B4111111111111111^A/B^2912101", Two: "4111111111111111=2912101"}))
		_, err := v.f.AwaitHint(t.Context(), visit.HintBankCard)
		v.do(err)
		if strings.Contains(v.f.Kiosk.Output(), "411111") {
			t.Error("the kiosk's log has digits of a bank card")
		}
	})
	t.Run("a receipt that somebody owns", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Swipe("lindiwe"))
		v.meets(visit.TroubleNoEntries)
		v.do(v.f.ScanReceipt("lindiwe"))
		v.sees(visit.ScreenGreeting)
		v.leaves()
		v.do(v.f.Swipe("nomsa"))
		v.meets(visit.TroubleNoEntries)
		v.do(v.f.ScanReceipt("lindiwe"))
		v.meets(visit.TroubleReceipt)
		v.leaves()
	})
	t.Run("the printer has no paper", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Swipe("thandi"))
		v.taps(visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes)
		v.sees(visit.ScreenOffer)
		v.f.Printer.Begin(emulator.PaperOut)
		v.taps(visit.ButtonTake)
		v.meets(visit.TroublePrinter)
		v.f.Printer.End(emulator.PaperOut)
		v.leaves()
		v.agrees(0) // no printer, no seat
	})
	t.Run("a receipt while central is away", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.AwaitAlone(t.Context()))
		v.do(v.f.Central.Stop())
		v.do(v.f.Swipe("nomsa"))
		v.meets(visit.TroubleNoEntries)
		v.do(v.f.ScanReceipt("lindiwe")) // claimed online only
		v.meets(visit.TroubleCentral)
		v.leaves()
		v.do(v.f.StartCentral(t.Context()))
	})
	t.Run("a print without an answer", func(t *testing.T) {
		v := visitor{t, v.f}
		v.do(v.f.Scan("pieter"))
		v.taps(visit.ButtonContinue, visit.ButtonAccept, visit.ButtonYes)
		v.sees(visit.ScreenOffer)
		v.f.Mute(200)
		v.taps(visit.ButtonTake)
		v.sees(visit.ScreenUnconfirmed)
		v.f.Printer.End(emulator.Mute)
		v.leaves()
		output, err := v.f.Reelctl("export", "seats")
		v.do(err)
		if !strings.Contains(output, "unconfirmed") {
			t.Errorf("the books list no unconfirmed print:\n%s", output)
		}
	})
}

func TestACardAndAnIDOfTwoPeopleGoToAHost(t *testing.T) {
	v := visitor{t, open(t, Options{Identification: "both"})}
	v.do(v.f.AwaitReady(t.Context()))
	v.do(v.f.Swipe("thandi"))
	v.sees(visit.ScreenAskID)
	v.do(v.f.Scan("pieter"))
	v.sees(visit.ScreenSeeHost)
	v.leaves()
}

func TestAKioskWithoutReadersPrinterAndCentralSaysSo(t *testing.T) {
	v := visitor{t, open(t, Options{Without: []string{"card", "scanner", "printer"}})}
	v.sees(visit.ScreenAttract)
	v.do(v.f.Central.Stop())
	_, err := v.f.Await(t.Context(), "that it is out of order", func(shown Shown) bool {
		return shown.Out != "" && shown.Ready == visit.Readers{}
	})
	v.do(err)
	for _, line := range v.f.Lines {
		v.do(line.Replug())
	}
	v.do(v.f.StartCentral(t.Context()))
	v.do(v.f.AwaitReady(t.Context())) // all by itself
}

func TestPleaseSeeAHostLooksTheSameWhateverTheReason(t *testing.T) {
	v := visitor{t, open(t, Options{})}
	v.do(v.f.AwaitReady(t.Context()))
	var first []byte
	for range 3 { // the clock may turn in the middle; then once more
		pictures := [2][]byte{}
		for index, scan := range []string{"jabu", "bongani"} {
			v.do(v.f.Scan(scan))
			v.sees(visit.ScreenSeeHost)
			v.do(v.f.Settle())
			picture, err := v.f.Screen.Picture()
			v.do(err)
			pictures[index] = picture.Pix
			v.leaves()
		}
		if bytes.Equal(pictures[0], pictures[1]) {
			return
		}
		first = pictures[0]
	}
	t.Errorf("under age and excluded differ on the screen (%d bytes)", len(first))
}
