package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Redefine says that the books go by another definition from now on; the answer is a wire.Accepted. Whoever asks has looked
// whether they may (Conflicts).
type Redefine struct {
	// Was and Now are the definitions' hashes (wire.EncodeDefinition).
	Was, Now string
}

func (a Redefine) decide(t *turn) (any, error) {
	detail := fmt.Sprintf("definition %s in place of %s", a.Now, a.Was)
	if err := t.record("", &noticed{Kind: wire.DefinitionChanged, Detail: detail}); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// Conflicts returns what stands against these books going by their definition from now on instead of the one that they went
// by, a line each: another tournament, a heat that is past, has seats or was acted on and would be another or none, a
// machine on which somebody sits. Changes of what has happened or was promised are acts (clause 10).
func (b *Books) Conflicts(view kv.Reader, was *tournament.Tournament, now time.Time) ([]string, error) {
	if was.ID != b.definition.ID {
		return []string{fmt.Sprintf("id: the books are of the tournament %s, and this is %s; another tournament has books of its own: reelctl init",
			was.ID, b.definition.ID)}, nil
	}
	c := conflicts{Books: b, view: view, before: New(was, b.vault, b.exclusions), now: now}
	if code := was.Rules.SeatPrice.Currency; code != b.definition.Rules.SeatPrice.Currency {
		c.add("currency: amounts in the books are in %s", code)
	}
	if err := c.heats(); err != nil {
		return nil, err
	}
	return c.found, c.seats()
}

// conflicts gathers what Conflicts returns.
type conflicts struct {
	*Books
	view   kv.Reader
	before *Books
	now    time.Time
	found  []string
}

func (c *conflicts) add(format string, values ...any) {
	c.found = append(c.found, fmt.Sprintf(format, values...))
}

// heats compares the heats of both definitions.
func (c *conflicts) heats() error {
	for _, old := range c.before.heats {
		at, still := c.byID[old.ID]
		if still && sameHeat(old, c.Books.heats[at]) {
			continue
		}
		stood, err := c.before.stands(c.view, old)
		if err != nil {
			return err
		}
		what := "would be gone"
		if still {
			what = "would start " + c.Books.heats[at].Start.Format("2006-01-02 15:04") + fmt.Sprintf(" with %d seats", c.Books.heats[at].Size)
		}
		switch taken := stood.Taken.count(); {
		case !stood.Heat.Start.After(c.now):
			c.add("heat %s of %s %s, and is past", old.ID, old.Start.Format("2006-01-02 15:04"), what)
		case taken > 0:
			c.add("heat %s of %s %s, and %d seats are issued in it; cancel it, or move it, by an act of the director", old.ID,
				old.Start.Format("2006-01-02 15:04"), what, taken)
		case stood.Granted.count() > 0:
			c.add("heat %s of %s %s, and kiosks may be giving seats in it; cancel it, or move it, by an act of the director", old.ID,
				old.Start.Format("2006-01-02 15:04"), what)
		case stood.Cancelled, !stood.heat.Start.IsZero(), stood.Held, stood.Phase != "", stood.Run > 0:
			c.add("heat %s of %s %s, and the director has decided on it since; leave it in the definition as it was", old.ID,
				old.Start.Format("2006-01-02 15:04"), what)
		}
	}
	return c.added()
}

// added looks at the heats that are new.
func (c *conflicts) added() error {
	decided, err := c.movedHeats(c.view)
	if err != nil {
		return err
	}
	length := c.definition.Rules.HeatLength
	for _, heat := range c.Books.heats {
		if _, before := c.before.byID[heat.ID]; before {
			continue
		}
		_, taken, err := c.addedHeat(c.view, heat.ID)
		switch {
		case err != nil:
			return err
		case taken:
			c.add("heat %s: the director has added a heat of this name", heat.ID)
		case !heat.Start.After(c.now):
			c.add("heat %s of %s is new, and would be past", heat.ID, heat.Start.Format("2006-01-02 15:04"))
		}
		for _, other := range decided {
			if apart := heat.Start.Sub(other.Heat.Start).Abs(); apart < length && other.ID != heat.ID && !other.Cancelled {
				c.add("heat %s of %s is new, and heat %s, which the director has moved or added, holds the machines then (clause 11)",
					heat.ID, heat.Start.Format("2006-01-02 15:04"), other.ID)
			}
		}
	}
	return nil
}

// sameHeat reports whether two heats of one name are the same to their players.
func sameHeat(left, right tournament.Heat) bool {
	return left.Start.Equal(right.Start) && left.Size == right.Size && left.Stage == right.Stage && left.Day == right.Day && left.Number == right.Number
}

// seats looks whether each seat that somebody has keeps its machine.
func (c *conflicts) seats() error {
	var gone []int
	low := []byte(prefixSeat)
	records, failed := c.view.Range(low, after(low))
	for key, value := range records {
		var record seat
		if err := read(key, value, &record); err != nil {
			return err
		}
		old, known := c.before.machines[record.Machine]
		now, still := c.machines[record.Machine]
		if record.State != tournament.SeatVoid && known && (!still || now.Asset != old.Asset) && !slices.Contains(gone, record.Machine) {
			gone = append(gone, record.Machine)
			c.add("machine %d (%s) would be gone or another, and seats are issued on it; take it out of service instead: reelctl machine %d out",
				record.Machine, old.Asset, record.Machine)
		}
	}
	return failed()
}
