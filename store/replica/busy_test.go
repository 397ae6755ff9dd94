package replica

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// busyVariable turns the test's binary into a kiosk's stores under load: "FOLDER URL SEED".
const busyVariable = "REELKIOSK_TEST_BUSY"

// What a busy process says: that its file is open, what its own file holds after a change was acknowledged, up to which
// event its copy is known to have the books, that it gave a seat by itself, and what went wrong.
const (
	saidOpen, saidHolds, saidCopy, saidGave, saidWrong = "open ", "holds ", "copy ", "gave ", "wrong "
)

// busy is a kiosk's stores under load, in a process of its own.
type busy struct {
	*Replica
	*Alone
	mirror *Mirror
	way    *client.Client
	random *mathrand.Rand
}

// busyMain works until it is killed: it asks, settles, prints, buries and retries, takes grants and gives seats, while its
// copy follows central's books.
func busyMain(order string) {
	words := strings.Fields(order)
	seed, _ := strconv.ParseUint(words[2], 10, 64)
	b, err := openBusy(words[0], words[1], seed)
	for err == nil {
		if err = b.act(); err == nil {
			fmt.Println(saidHolds + holdings(b.Replica, b.Alone))
		}
	}
	fmt.Println(saidWrong, err)
	os.Exit(1)
}

// ownFile is the name of the Replica's file on the disk whose power is cut.
const ownFile = "kiosk.db"

func openBusy(folder, url string, seed uint64) (*busy, error) {
	file, err := Open(filepath.Join(folder, ownFile), rand.Reader)
	if err != nil {
		return nil, err
	}
	fmt.Println(saidOpen + file.Enrolment())
	way, err := client.New(url, client.Options{})
	if err != nil {
		return nil, err
	}
	b := &busy{Replica: file, way: way, random: mathrand.New(mathrand.NewPCG(seed, 1))}
	b.mirror = NewMirror(folder, sinceStart(), slog.New(slog.DiscardHandler))
	go b.mirror.Keep(context.Background(), way, Keeping{
		Keys:  func(context.Context) (vault.Keys, uint32, error) { return vault.New(hallKeys).Floor(1), 1, nil },
		Heard: func(head wire.FeedHead) { fmt.Println(saidCopy + strconv.FormatUint(head.Sequence, 10)) },
	})
	b.Alone, err = OpenAlone(file, b.mirror, "kiosk-1", busyClock(b.mirror), rand.Reader)
	return b, err
}

func sinceStart() func() time.Duration {
	start := time.Now().Add(-time.Hour)
	return func() time.Duration { return time.Since(start) }
}

func busyClock(mirror *Mirror) AloneClock {
	return AloneClock{Boot: "boot-1", Elapsed: mirror.elapsed, Now: func() (time.Time, bool) { return time.Now(), true }}
}

// act changes the file once.
func (b *busy) act() error {
	requests, intents, dead := b.Requests(), b.Intents(), b.Dead()
	switch b.random.IntN(8) {
	case 0, 1:
		_, err := b.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: strings.Repeat("x", b.random.IntN(3000))})
		return err
	case 2:
		if len(requests) == 0 {
			return nil
		}
		return b.deliver(requests[b.random.IntN(len(requests))])
	case 3:
		if len(intents) == 0 {
			return nil
		}
		_, err := b.Conclude(wire.PrintOutcome{Ticket: intents[b.random.IntN(len(intents))].Ticket, State: tournament.CopyPrinted})
		return err
	case 4:
		if at := slices.IndexFunc(requests, func(r Request) bool { return r.Path == wire.PathNotices }); at >= 0 && len(dead) < 20 {
			return b.Bury(requests[at], "it makes no sense", time.Now())
		}
		return nil
	case 5:
		if len(dead) == 0 {
			return nil
		}
		_, err := b.Retry(dead[b.random.IntN(len(dead))].Number)
		return err
	case 6:
		return b.turn()
	}
	return b.give()
}

// deliver has central answer what this is about, and takes its word for everything else.
func (b *busy) deliver(request Request) error {
	if !slices.Contains([]string{wire.PathGrants, wire.PathGivenBack, wire.PathLetGo, wire.PathSeatReports}, request.Path) {
		intent := &Intent{Ticket: fmt.Sprint("T", request.Sequence), Seat: "s"}
		if b.random.IntN(2) == 0 {
			intent = nil
		}
		return b.Settle(request, intent)
	}
	answer, err := b.way.Send(context.Background(), client.Key{Enrolment: b.Enrolment(), Sequence: request.Sequence}, request.Path, request.Body)
	if errors.Is(err, client.ErrAway) {
		return err
	}
	_, err = b.Answered(request, answer, err, nil)
	return err
}

func (b *busy) turn() error {
	_, err := b.Turn(context.Background(), true)
	if errors.Is(err, ErrNoMirror) || errors.Is(err, ErrLocked) {
		return nil // the copy is not there yet
	}
	return err
}

// give gives somebody a seat, where the kiosk may.
func (b *busy) give() error {
	person, heats, err := b.Alone.Identify(context.Background(), wire.Identify{Document: paper(b.random.IntN(30)), Kiosk: "kiosk-1"}, 50)
	if err == nil && len(heats) > 0 {
		var seat wire.Seat
		seat, _, err = b.Give(context.Background(), wire.Register{
			Person: person.ID, Heat: heats[b.random.IntN(len(heats))].ID, Kiosk: "kiosk-1", Rules: b.mirror.defined.Text.Hash, Declared: true, By: "document",
		})
		if err == nil {
			fmt.Println(saidGave + string(seat.ID))
		}
	}
	if _, refused := errors.AsType[*tournament.Refusal](err); refused || errors.Is(err, ErrNoMirror) || errors.Is(err, ErrLocked) {
		return nil
	}
	return err
}

// holdings says in one word what a file holds, in whatever order it came to be.
func holdings(r *Replica, a *Alone) string {
	sum := sha256.New()
	var records []any
	for _, request := range r.Requests() {
		records = append(records, [2]any{request.Sequence, request})
	}
	for _, intent := range r.Intents() {
		records = append(records, intent)
	}
	for _, dead := range r.Dead() {
		records = append(records, dead)
	}
	for _, report := range a.laid {
		records = append(records, report)
	}
	records = append(records, r.enrolment, r.last, string(a.record))
	lines := make([]string, len(records))
	for i, record := range records {
		text, err := json.Marshal(record)
		if err != nil {
			panic(err)
		}
		lines[i] = string(text)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(sum, line)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
