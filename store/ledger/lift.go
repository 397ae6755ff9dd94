package ledger

import (
	"fmt"
	"slices"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

type (
	// Exclude bars somebody by a paper that was scanned or typed (clauses 2 and 3); the answer is a wire.ImportDone.
	Exclude wire.Exclude
	// LiftExclusion ends an exclusion by a paper of its own (clause 2); the answer is a wire.Accepted.
	LiftExclusion wire.LiftExclusion
)

// exclusionLifted is the outcome of ExclusionLifted.
type exclusionLifted struct {
	Reference string `json:"reference"`
	Paper     string `json:"paper"`
	// Reinstated are people whose disqualification ends with it.
	Reinstated []tournament.PersonID `json:"reinstated,omitempty"`
}

func (*exclusionLifted) what() What { return ExclusionLifted }

// apply takes the paper's hashes from the list, but for those that another paper has too: the lowest kind that is left is
// what they are listed with.
func (o *exclusionLifted) apply(s *state, event *Event) error {
	var lifted exclusionRecord
	err := change(s, join(prefixExclusion, o.Reference), func(record *exclusionRecord) error {
		record.Lifted, lifted = event.At, *record
		return nil
	})
	if err != nil {
		return err
	}
	row, readable, err := open[wire.Exclusion](s.view, s.vault, lifted.ID, lifted.Sealed)
	if err != nil {
		return err
	}
	if readable {
		left, err := s.othersListed()
		if err != nil {
			return err
		}
		marks := s.exclusionMarks(&row)
		for _, hash := range append(slices.Concat(marks.numbers, marks.cards), marks.name) {
			switch kind, listed := left[hash]; {
			case hash.IsZero():
			case listed:
				exclusion.PutChange(s.view, hash, kind)
			default:
				exclusion.PutLifted(s.view, hash)
			}
		}
	}
	for _, id := range o.Reinstated {
		err := change(s, join(prefixPerson, string(id)), func(known *person) error {
			known.Disqualified = false
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// othersListed returns what the papers that are not lifted bar, with the lowest kind of each.
func (s *state) othersListed() (map[vault.Hash]exclusion.Kind, error) {
	listed := map[vault.Hash]exclusion.Kind{}
	add := func(hash vault.Hash, kind exclusion.Kind) {
		if before, known := listed[hash]; !known || kind < before {
			listed[hash] = kind
		}
	}
	var failed error
	err := each(s.view, prefixExclusion, func(_ string, record *exclusionRecord) {
		if failed != nil || !record.Lifted.IsZero() {
			return
		}
		row, readable, err := open[wire.Exclusion](s.view, s.vault, record.ID, record.Sealed)
		if failed = err; err != nil || !readable {
			return
		}
		kind, err := exclusion.ParseKind(row.Kind)
		if failed = err; err != nil {
			return
		}
		marks := s.exclusionMarks(&row)
		for _, hash := range slices.Concat(marks.numbers, marks.cards) {
			add(hash, kind)
		}
		if !marks.name.IsZero() {
			add(marks.name, exclusion.Possible)
		}
	})
	if err == nil {
		err = failed
	}
	return listed, err
}

func (a Exclude) decide(t *turn) (any, error) {
	if a.Why == "" {
		return nil, fmt.Errorf("%w: an exclusion without a reason", ErrInvalid)
	}
	if a.Exclusion.From.IsZero() {
		a.Exclusion.From = tournament.DateOf(t.at)
	}
	return ImportExclusions{Rows: []wire.Exclusion{a.Exclusion}}.decide(t)
}

func (a LiftExclusion) decide(t *turn) (any, error) {
	if a.Why == "" || a.Paper == "" || len(a.Paper) > mostText {
		return nil, fmt.Errorf("%w: an exclusion is lifted with a reason and the reference of a paper", ErrInvalid)
	}
	record, err := load[exclusionRecord](t.view, join(prefixExclusion, a.Reference))
	switch {
	case err != nil:
		return nil, err
	case record == nil:
		return nil, tournament.UnknownExclusion.Refuse()
	case !record.Lifted.IsZero():
		return nil, tournament.ExclusionLifted.Refuse().At(record.Lifted)
	}
	came := exclusionLifted{Reference: a.Reference, Paper: a.Paper}
	if a.Reinstate {
		row, readable, err := open[wire.Exclusion](t.view, t.vault, record.ID, record.Sealed)
		if err != nil {
			return nil, err
		}
		if readable {
			if came.Reinstated, err = t.peopleWith(t.exclusionMarks(&row)); err != nil {
				return nil, err
			}
		}
	}
	return t.accept(a.Why, &came)
}
