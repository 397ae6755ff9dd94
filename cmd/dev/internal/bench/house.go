package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/cmd/dev/internal/books"
	"reelkiosk/devices/emulator"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// theKiosk is the name of the one kiosk of the measured house.
const theKiosk = "bench-1"

// chunk is how many members share an act and a commit.
const chunk = 1000

// house is a central with many members and a long exclusion list, and one enrolled kiosk that speaks to it by TLS.
type house struct {
	*books.Books
	folder              string
	members, exclusions int
	options             central.Options
	// identity is the file of the kiosk's identity, instance its start.
	identity, instance string
	tls                client.Options
}

// measureHouse measures the first fill, what the copy takes of memory, and a registration by it.
func measureHouse(ctx context.Context, options Options, folder string) (rows []Row, err error) {
	h := &house{folder: folder, members: 1_000_000, exclusions: 10_000_000, identity: filepath.Join(folder, "kiosk.pem")}
	if options.Quick {
		h.members, h.exclusions = h.members/50, h.exclusions/50
	}
	if _, err := newFolder(folder); err != nil {
		return nil, err
	}
	if h.Books, err = books.Open(ctx, options.Programs, folder, nil); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	if err := h.fill(ctx); err != nil {
		return nil, err
	}
	if err := h.enrol(ctx); err != nil {
		return nil, err
	}
	for _, measure := range []func(context.Context) ([]Row, error){h.fills, h.holds, h.givesAlone} {
		measured, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// size says how large the house is.
func (h *house) size() string {
	return fmt.Sprintf("%d members, %d exclusions", h.members, h.exclusions)
}

// fill stops central, writes members and the list into its books, and starts it again.
func (h *house) fill(ctx context.Context) (err error) {
	if err := h.Close(); err != nil {
		return err
	}
	if h.options, err = central.Load(h.Data(), h.Keys(), ""); err != nil {
		return err
	}
	if err := h.enter(ctx); err != nil {
		return err
	}
	if err := h.options.BuildList(ctx, exclusion.Synthetic(h.exclusions)); err != nil {
		return err
	}
	return h.StartCentral(ctx)
}

// enter writes the members.
func (h *house) enter(ctx context.Context) (err error) {
	store, err := h.options.OpenBooks()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	leader, err := store.Lead(ctx)
	if err != nil {
		return err
	}
	ledgers := ledger.New(h.options.Definition, h.options.Vault, exclusion.NewSet(nil))
	for first := 0; first < h.members; first += chunk {
		var batch *kv.Batch
		err := store.View(ctx, func(view kv.Reader) error {
			overlay := kv.NewOverlay(view)
			_, err := ledgers.Apply(overlay, ledger.Request{
				At: time.Now(), Who: "bench", Where: "import", Random: rand.Reader, Act: ledger.ImportMembers{Rows: membersFrom(first)},
			})
			batch = overlay.Batch()
			return err
		})
		if err == nil {
			err = leader.Apply(ctx, batch)
		}
		if err != nil {
			return fmt.Errorf("enter members: %w", err)
		}
	}
	return nil
}

// membersFrom returns a chunk of members, from a number on; no two share anything.
func membersFrom(first int) []wire.Member {
	const aDay = 10_000 // identity numbers of one birth date
	rows := make([]wire.Member, chunk)
	for i := range rows {
		number := first + i
		day := number / aDay
		born := tournament.Date{Year: 1950, Month: 1, Day: 1}.AddDays(day)
		rows[i] = wire.Member{
			Line: number + 2, Number: fmt.Sprintf("M%09d", number), Cards: []string{fmt.Sprintf("6%015d", number)},
			Surname: "Mokoenanaidoo", Given: "Thandi Nomsa", IDNumber: emulator.IdentityNumber(born, number%aDay), BirthDate: born,
			Verified: true,
		}
	}
	return rows
}

// enrol enrols the kiosk and has it say hello.
func (h *house) enrol(ctx context.Context) error {
	text, err := h.Code(theKiosk)
	if err != nil {
		return err
	}
	code, err := tournament.ParseEnrolmentCode(text)
	if err != nil {
		return err
	}
	own, err := replica.Open(h.ownFile(), rand.Reader)
	if err != nil {
		return err
	}
	enrolment := own.Enrolment()
	if err := own.Close(); err != nil {
		return err
	}
	applicant, err := trust.NewApplicant(code, enrolment, rand.Reader)
	if err != nil {
		return err
	}
	way, err := client.New(h.Base(), client.Options{TLS: trust.ApplicantConfig()})
	if err != nil {
		return err
	}
	defer way.Close()
	answer, err := way.Enrol(ctx, applicant.Request())
	if err != nil {
		return err
	}
	identity, err := applicant.Accept(answer)
	if err != nil {
		return err
	}
	if err := identity.Save(h.identity); err != nil {
		return err
	}
	h.instance = strings.ToLower(rand.Text())
	if h.tls, err = kioskOptions(h.identity, h.instance); err != nil {
		return err
	}
	return h.hello(ctx, enrolment)
}

// kioskOptions are how a kiosk with an identity speaks to central.
func kioskOptions(identity, instance string) (client.Options, error) {
	bearer, err := trust.NewBearer(identity)
	if err != nil {
		return client.Options{}, err
	}
	return client.Options{TLS: bearer.TLS(), Instance: instance}, nil
}

func (h *house) hello(ctx context.Context, enrolment string) error {
	way, err := client.New(h.Base(), h.tls)
	if err != nil {
		return err
	}
	defer way.Close()
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return err
	}
	_, err = way.Hello(ctx, wire.Hello{
		Instance: h.instance, Boot: strings.TrimSpace(string(boot)), Version: "bench", Enrolment: enrolment,
	})
	return err
}

// ownFile is the kiosk's own file.
func (h *house) ownFile() string { return filepath.Join(h.folder, "kiosk.db") }

// copyFolder is where the copy lies that is measured further.
func (h *house) copyFolder() string { return filepath.Join(h.folder, "copy") }
