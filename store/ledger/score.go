package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// EnterScore types the score of a seat; the answer is a wire.Scored.
	EnterScore wire.EnterScore
	// CorrectScore decides what a seat earned (clause 23); the answer is a wire.Scored.
	CorrectScore wire.CorrectScore
)

// scoreRecord is all that was typed for a seat.
type scoreRecord struct {
	Lines []scoreLine `json:"lines"`
	// Stands is which line counts, from 1; 0 while none does.
	Stands int `json:"stands,omitempty"`
}

// scoreLine is one typing. What a broken run earned is kept, and does not count (clause 20).
type scoreLine struct {
	Points    int64     `json:"points"`
	Run       int       `json:"run"`
	By        string    `json:"by"`
	At        time.Time `json:"at"`
	Corrected bool      `json:"corrected,omitempty"`
}

// scoreTyped is the outcome of ScoreTyped and, by a decision, of ScoreCorrected.
type scoreTyped struct {
	Seat   tournament.SeatID `json:"seat"`
	Points int64             `json:"points"`
	Run    int               `json:"run"`
	Stands bool              `json:"stands,omitempty"`
}

type scoreCorrected scoreTyped

func (*scoreTyped) what() What     { return ScoreTyped }
func (*scoreCorrected) what() What { return ScoreCorrected }

func (o *scoreTyped) apply(s *state, event *Event) error { return s.score(o, event, false) }
func (o *scoreCorrected) apply(s *state, event *Event) error {
	return s.score((*scoreTyped)(o), event, true)
}

// score adds a typing; one that counts makes the seat played and ranks it.
func (s *state) score(o *scoreTyped, event *Event, corrected bool) error {
	held, err := s.seat(o.Seat)
	if err != nil {
		return err
	}
	key := scoreKey(held.Heat, o.Seat)
	record, err := load[scoreRecord](s.view, key)
	if err != nil {
		return err
	}
	if record == nil {
		record = &scoreRecord{}
	}
	if err := s.unrank(o.Seat); err != nil {
		return err
	}
	record.Lines = append(record.Lines, scoreLine{o.Points, o.Run, event.Who, event.At, corrected})
	record.Stands = 0
	if o.Stands {
		record.Stands = len(record.Lines)
	}
	if err := s.put(key, record); err != nil || !o.Stands {
		return err
	}
	stage, err := s.stageOf(held.Heat)
	if err != nil {
		return err
	}
	if !held.Disqualified {
		s.view.Put(rankKey(stage, o.Points, o.Seat), []byte(held.Person))
	}
	return s.played(o.Seat, held)
}

// played makes a seat played, and its entry.
func (s *state) played(id tournament.SeatID, held *seat) error {
	if held.State == tournament.SeatIssued { // its holder was there and not scanned, and the director decided that it counts
		if err := s.setSeat(id, tournament.SeatCheckedIn, nil); err != nil {
			return err
		}
	}
	if held.State == tournament.SeatPlayed {
		return nil
	}
	if err := s.setSeat(id, tournament.SeatPlayed, nil); err != nil || held.Entry == "" {
		return err
	}
	return s.setOwnEntry(held.Entry, id, nil, tournament.EntryPlayed)
}

// unrank takes the score that stands from the ranking; what was typed is kept.
func (s *state) unrank(id tournament.SeatID) error {
	held, err := s.seat(id)
	if err != nil {
		return err
	}
	key := scoreKey(held.Heat, id)
	record, err := load[scoreRecord](s.view, key)
	if err != nil || record == nil || record.Stands == 0 {
		return err
	}
	stage, err := s.stageOf(held.Heat)
	if err != nil {
		return err
	}
	s.view.Delete(rankKey(stage, record.Lines[record.Stands-1].Points, id))
	record.Stands = 0
	return s.put(key, record)
}

// stageOf returns the stage of a heat.
func (s *state) stageOf(id tournament.HeatID) (tournament.StageKind, error) {
	now, known, err := s.heat(s.view, id)
	if err == nil && !known {
		err = fmt.Errorf("%w: a seat of a heat that is none", ErrBooks)
	}
	return now.Stage, err
}

func scoreKey(heat tournament.HeatID, id tournament.SeatID) []byte {
	return append(append(join(prefixScore, string(heat)), '/'), id...)
}

// rankKey orders the scores of a stage from the best.
func rankKey(stage tournament.StageKind, points int64, id tournament.SeatID) []byte {
	return fmt.Appendf(nil, "%s%s/%019d/%s", prefixRank, stage, math.MaxInt64-points, id)
}

func cardsKey(stage tournament.StageKind, id tournament.SeatID) []byte {
	return fmt.Appendf(nil, "%s%s/%s", prefixCards, stage, id)
}

func (a EnterScore) decide(t *turn) (any, error) {
	if a.Points < 0 || a.Points > wire.MostPoints {
		return nil, fmt.Errorf("%w: a score has 0 to %d points", ErrInvalid, wire.MostPoints)
	}
	if a.Ticket != "" {
		id, held, number, err := t.copyUnder(a.Ticket)
		switch {
		case err != nil:
			return nil, err
		case a.Seat != "" && a.Seat != id:
			return nil, fmt.Errorf("%w: the ticket is another seat's", ErrInvalid)
		case held.Copies[number-1].State == tournament.CopyVoid:
			return nil, tournament.VoidCopy.Refuse()
		}
		a.Seat = id
	}
	held, now, err := t.seatOf(a.Seat)
	if err != nil {
		return nil, err
	}
	if err := t.scorable(a, held, now); err != nil {
		return nil, err
	}
	record, err := load[scoreRecord](t.view, scoreKey(held.Heat, a.Seat))
	if err != nil {
		return nil, err
	}
	came := scoreTyped{Seat: a.Seat, Points: a.Points, Run: now.Run, Stands: !t.definition.Rules.ScoresTwice}
	if !came.Stands && record != nil {
		first := record.Lines[len(record.Lines)-1]
		switch {
		case first.Run != now.Run:
		case first.By == t.request.Who:
			return nil, tournament.SecondNeeded.Refuse()
		case first.Points != a.Points:
			evidence := Evidence{
				Heat: held.Heat, Machine: held.Machine, Seats: []tournament.SeatID{a.Seat}, Reason: tournament.ScoreDiffers,
				Said: fmt.Sprintf("%s: %d, %s: %d", first.By, first.Points, t.request.Who, a.Points),
			}
			return nil, asError(tournament.ScoreDiffers.Refuse(), t.openCase(CaseScore, held.Person, evidence))
		default:
			came.Stands = true
		}
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	return wire.Scored{Seat: a.Seat, Points: a.Points, Stands: came.Stands}, nil
}

// scorable refuses a score for a seat that has one, or that can have none. One that was never checked in is a case.
func (t *turn) scorable(a EnterScore, held *seat, now playing) error {
	switch {
	case !now.Phase.begun():
		return tournament.HeatNotStarted.Refuse()
	case held.State == tournament.SeatPlayed:
		return tournament.ScoreStands.Refuse()
	case held.State == tournament.SeatMalfunction:
		return tournament.SeatOver.Refuse()
	case held.State != tournament.SeatCheckedIn:
		evidence := Evidence{
			Heat: held.Heat, Machine: held.Machine, Seats: []tournament.SeatID{a.Seat}, Reason: tournament.NotCheckedIn,
			Said: fmt.Sprintf("%d points", a.Points),
		}
		return asError(tournament.NotCheckedIn.Refuse(), t.openCase(CaseScore, held.Person, evidence))
	}
	return nil
}

func (a CorrectScore) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	switch {
	case err != nil:
		return nil, err
	case a.Why == "" || a.Points < 0 || a.Points > wire.MostPoints:
		return nil, fmt.Errorf("%w: a correction has a reason and 0 to %d points", ErrInvalid, wire.MostPoints)
	case !now.Phase.begun():
		return nil, tournament.HeatNotStarted.Refuse()
	case held.State != tournament.SeatPlayed && held.State != tournament.SeatCheckedIn && !(held.State == tournament.SeatIssued && held.Present):
		return nil, tournament.SeatOver.Refuse()
	}
	if err := t.record(a.Why, &scoreCorrected{Seat: a.Seat, Points: a.Points, Run: now.Run, Stands: true}); err != nil {
		return nil, err
	}
	if err := t.caseForLists(held.Person, a.Seat, ""); err != nil {
		return nil, err
	}
	return wire.Scored{Seat: a.Seat, Points: a.Points, Stands: true}, nil
}

// scores returns the scores of a stage that count, best first, with the cards drawn for them: without those of players who
// may not take part (clause 2), and at most so many where most is not 0.
func (t *turn) scores(stage tournament.StageKind, most int) ([]tournament.Score, error) {
	low := []byte(prefixRank + string(stage) + "/")
	out := map[tournament.PersonID]bool{}
	var scores []tournament.Score
	keys, failed := t.view.Range(low, after(low))
	for key, value := range keys {
		who := tournament.PersonID(value)
		barred, known := out[who]
		if !known {
			var err error
			if barred, err = t.outOfRanking(who); err != nil {
				return nil, err
			}
			out[who] = barred
		}
		if barred {
			continue
		}
		one, err := scoreOf(key[len(low):], who)
		if err != nil {
			return nil, err
		}
		cards, err := load[[]int](t.view, cardsKey(stage, one.Seat))
		if err != nil {
			return nil, err
		}
		if cards != nil {
			one.Cards = *cards
		}
		// Equal points stay together, since their cards may change their order.
		if most > 0 && len(scores) >= most && scores[len(scores)-1].Points != one.Points {
			break
		}
		scores = append(scores, one)
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading a ranking: %w", err)
	}
	return tournament.Ranked(scores), nil
}

// scoreOf reads what follows the stage in a rankKey.
func scoreOf(rest []byte, who tournament.PersonID) (tournament.Score, error) {
	inverted, id, found := bytes.Cut(rest, []byte{'/'})
	number, err := strconv.ParseInt(string(inverted), 10, 64)
	if err != nil || !found {
		return tournament.Score{}, fmt.Errorf("%w: a ranked score %q", ErrBooks, hex.EncodeToString(rest))
	}
	return tournament.Score{Seat: tournament.SeatID(id), Player: who, Points: math.MaxInt64 - number}, nil
}

// outOfRanking reports whether a player's scores do not count: excluded, connected or disqualified by now (clauses 2 and 3).
func (t *turn) outOfRanking(who tournament.PersonID) (bool, error) {
	record, err := need[person](t.view, join(prefixPerson, string(who)))
	if err != nil || record.Disqualified || record.Barred != "" {
		return true, err
	}
	marks, err := record.Marks.list()
	if err != nil {
		return true, err
	}
	refusal, err := t.barredBy(marks)
	return refusal != nil, err
}

// Ranking returns the best so many single entries of a stage (clauses 13, 14 and 17): equal ones share their rank, unless cards
// told them apart.
func (b *Books) Ranking(view kv.Reader, stage tournament.StageKind, limit int) (wire.Ranking, error) {
	answer := wire.Ranking{Stage: stage, Ranked: []wire.Ranked{}}
	t, err := b.turn(kv.NewOverlay(view), &Request{})
	if err != nil {
		return answer, err
	}
	scores, err := t.scores(stage, limit)
	if err != nil {
		return answer, err
	}
	for i, one := range scores {
		if i == limit && limit > 0 {
			break
		}
		held, err := t.seat(one.Seat)
		if err != nil {
			return answer, err
		}
		line := wire.Ranked{
			Rank: i + 1, Points: one.Points, Person: one.Player, Seat: one.Seat, Heat: held.Heat, Machine: held.Machine, Cards: one.Cards,
			Shown: "… " + string(held.Copies[len(held.Copies)-1].Ticket[12:]),
		}
		if last := len(answer.Ranked) - 1; last >= 0 && answer.Ranked[last].Points == one.Points && slices.Equal(answer.Ranked[last].Cards, one.Cards) {
			line.Rank = answer.Ranked[last].Rank
		}
		answer.Ranked = append(answer.Ranked, line)
	}
	return answer, nil
}

// ScoreRecord is one typing of a score as it is exported.
type ScoreRecord struct {
	Heat      tournament.HeatID   `json:"heat"`
	Seat      tournament.SeatID   `json:"seat"`
	Person    tournament.PersonID `json:"person"`
	Machine   int                 `json:"machine"`
	Points    int64               `json:"points"`
	Run       int                 `json:"run"`
	By        string              `json:"by"`
	At        time.Time           `json:"at"`
	Corrected bool                `json:"corrected" doc:"by a decision"`
	Stands    bool                `json:"stands" doc:"it counts"`
}

// Scores returns every typing of a score of at most so many seats after a heat and seat, which is "HEAT/SEAT".
func (b *Books) Scores(view kv.Reader, newer string, limit int) ([]ScoreRecord, error) {
	records, seats := []ScoreRecord{}, 0
	s := state{b, kv.NewOverlay(view)}
	keys, failed := view.Range(append(join(prefixScore, newer), 0), after([]byte(prefixScore)))
	for key, value := range keys {
		if seats++; seats > limit {
			break
		}
		var record scoreRecord
		if err := json.Unmarshal(value, &record); err != nil {
			return nil, fmt.Errorf("%w: a score: %w", ErrBooks, err)
		}
		heat, id, _ := strings.Cut(string(key[len(prefixScore):]), "/")
		held, err := s.seat(tournament.SeatID(id))
		if err != nil {
			return nil, err
		}
		for i, line := range record.Lines {
			records = append(records, ScoreRecord{
				Heat: tournament.HeatID(heat), Seat: tournament.SeatID(id), Person: held.Person, Machine: held.Machine, Points: line.Points,
				Run: line.Run, By: line.By, At: line.At, Corrected: line.Corrected, Stands: record.Stands == i+1 && !held.Disqualified,
			})
		}
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading scores: %w", err)
	}
	return records, nil
}
