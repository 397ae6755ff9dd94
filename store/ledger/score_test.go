package ledger

import (
	"errors"
	"slices"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// scores types the score of a seat.
func (f *floor) scores(id tournament.SeatID, points int64) {
	f.Helper()
	done[wire.Scored](f, EnterScore{By: pat, Seat: id, Points: points})
}

// ranking returns the whole ranking of a stage.
func (f *floor) ranking(stage tournament.StageKind) []wire.Ranked {
	f.Helper()
	ranking, err := f.books.Ranking(f.view, stage, 0)
	if err != nil {
		f.Fatal(err)
	}
	return ranking.Ranked
}

// seated2 gives somebody an entry and a seat in a heat.
func (f *floor) seated2(who *wire.Document, heat tournament.HeatID) (wire.Bought, wire.Seat) {
	f.Helper()
	bought := f.buys(who, 1)
	return bought, done[wire.Seat](f, registration(bought.Person, heat))
}

// playingFloor is a floor on which somebody plays in the heat at 13:00.
func playingFloor(t *testing.T, edit ...func(*tournament.Tournament)) (*floor, wire.Bought, wire.Seat) {
	f := newFloor(t, edit...)
	bought, seat := f.seated(thandi)
	f.printed(seat)
	f.checksIn(seat, thandi)
	f.starts(at13)
	return f, bought, seat
}

func TestAScoreIsTypedOnceAndCorrectedByADecision(t *testing.T) {
	f, _, seat := playingFloor(t)
	scored := done[wire.Scored](f, EnterScore{By: pat, Ticket: seat.Ticket, Points: 1200})
	if !scored.Stands || scored.Seat != seat.ID {
		t.Errorf("got %+v", scored)
	}
	if state := f.entryOf(seat.Entry).State; state != tournament.EntryPlayed {
		t.Errorf("the entry is %s", state)
	}
	f.refused(EnterScore{By: pat, Seat: seat.ID, Points: 1300}, tournament.ScoreStands, 0)
	done[wire.Scored](f, CorrectScore{because, seat.ID, 1300})
	ranked := f.ranking(tournament.Qualifying)
	if len(ranked) != 1 || ranked[0].Points != 1300 || ranked[0].Rank != 1 || ranked[0].Machine != 1 {
		t.Errorf("got %+v", ranked)
	}
	for name, wrong := range map[string]Act{
		"without a reason":   CorrectScore{wire.Decision{By: pat}, seat.ID, 5},
		"less than nothing":  EnterScore{By: pat, Seat: seat.ID, Points: -1},
		"more than there is": EnterScore{By: pat, Seat: seat.ID, Points: wire.MostPoints + 1},
	} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAScoreForASeatThatWasNeverCheckedInIsACase(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.refused(EnterScore{By: pat, Seat: seat.ID, Points: 5}, tournament.HeatNotStarted, 0)
	f.now = at13Start
	done[wire.Started](f, StartHeat{By: pat, Heat: at13, Present: []tournament.SeatID{seat.ID}})
	f.refused(EnterScore{By: pat, Seat: seat.ID, Points: 5}, tournament.NotCheckedIn, 12)
	if open := f.cases(); !slices.Equal(open, []string{"score-doubtful"}) {
		t.Errorf("cases %v", open)
	}
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 0 {
		t.Errorf("got %+v", ranked)
	}
	// The director saw him play: that is his decision.
	done[wire.Scored](f, CorrectScore{because, seat.ID, 5})
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 1 {
		t.Errorf("got %+v", ranked)
	}
}

func TestWhereScoresAreTypedTwiceTwoPeopleHaveToAgree(t *testing.T) {
	f, _, seat := playingFloor(t, func(d *tournament.Tournament) { d.Rules.ScoresTwice = true })
	typed := func(who string, points int64) (wire.Scored, error) {
		request := f.request(EnterScore{Seat: seat.ID, Points: points})
		request.Who = who
		answer, err := f.books.Apply(f.view, request)
		if err != nil {
			return wire.Scored{}, err
		}
		return As[wire.Scored](answer)
	}
	if scored, err := typed("pat", 700); err != nil || scored.Stands || len(f.ranking(tournament.Qualifying)) != 0 {
		t.Fatalf("got %+v, %v", scored, err)
	}
	if _, err := typed("pat", 700); reasonOfError(err) != tournament.SecondNeeded {
		t.Errorf("the same host twice: %v", err)
	}
	if _, err := typed("lee", 770); reasonOfError(err) != tournament.ScoreDiffers {
		t.Errorf("another number: %v", err)
	}
	if open := f.cases(); !slices.Equal(open, []string{"score-doubtful"}) {
		t.Errorf("cases %v", open)
	}
	if scored, err := typed("lee", 700); err != nil || !scored.Stands {
		t.Errorf("got %+v, %v", scored, err)
	}
}

// Clause 2: whoever is excluded meanwhile leaves the ranking, and so do his scores of before.
func TestScoresOfSomebodyExcludedLeaveTheRanking(t *testing.T) {
	f, _, seat := playingFloor(t)
	f.scores(seat.ID, 700)
	f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 0 {
		t.Errorf("got %+v", ranked)
	}
}

func TestARankingIsOfSingleEntriesAndEqualOnesShareTheirRank(t *testing.T) {
	f := newFloor(t)
	bought, first := f.seated(thandi)
	_, second := f.seated(sipho)
	third := done[wire.Seat](f, registration(bought.Person, at14))
	f.checksIn(first, thandi)
	f.checksIn(second, sipho)
	f.starts(at13)
	f.scores(first.ID, 500)
	f.scores(second.ID, 500)
	f.checksIn(third, thandi)
	f.starts(at14)
	f.scores(third.ID, 800)
	ranked := f.ranking(tournament.Qualifying)
	if len(ranked) != 3 || ranked[0].Seat != third.ID || ranked[1].Rank != 2 || ranked[2].Rank != 2 {
		t.Errorf("got %+v", ranked)
	}
	if top, err := f.books.Ranking(f.view, tournament.Qualifying, 1); err != nil || len(top.Ranked) != 1 || top.Ranked[0].Points != 800 {
		t.Errorf("got %+v, %v", top, err)
	}
}
