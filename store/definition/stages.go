package definition

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

// manyHeats is the most heats of a definition: forty weeks around the clock, one a quarter of an hour, have 27,000.
const manyHeats = 100_000

// order is the order in which stages are played.
var order = []tournament.StageKind{tournament.Qualifying, tournament.SemiFinal, tournament.Final}

// readStages returns the stages with their heats. The rest of the tournament must have been read.
func readStages(top *strict.Table, result *tournament.Tournament) []tournament.Stage {
	tables := top.Tables("stages")
	if len(tables) == 0 {
		top.Missing("stages", "at least the qualifying stage must be given as [[stages]]")
	}
	stages := make([]tournament.Stage, len(tables))
	var slots []slot
	for i, each := range tables {
		stages[i].Kind = strict.Take(each, "kind", strict.Choice(order...))
		stages[i].Size = readSize(each, len(result.Machines))
		slots = append(slots, readSlots(each, result, i)...)
	}
	checkOrder(tables, stages)
	if slices.ContainsFunc(stages, isFinal) && result.Rules.FinalPlaces == 0 {
		top.Table("rules").Missing("final_places", fmt.Sprintf("since there is a final; must be a whole number from 1 to %d", most))
	}
	if len(slots) > manyHeats {
		top.Mistake("stages", fmt.Sprintf("must have at most %d heats", manyHeats))
		return stages
	}
	slices.SortStableFunc(slots, func(left, right slot) int {
		return cmp.Or(left.start.Compare(right.start), left.stage-right.stage)
	})
	if usable(result) {
		checkOverlap(slots, result.Rules.HeatLength)
		checkSequence(tables, slots)
		number(stages, slots, result)
	}
	return stages
}

func isFinal(stage tournament.Stage) bool { return stage.Kind == tournament.Final }

func readSize(stage *strict.Table, machines int) int {
	size := strict.Take(stage, "size", strict.Whole(1, manyMachines))
	if size > machines && machines > 0 {
		stage.Mistake("size", fmt.Sprintf("must be at most the number of machines, %d", machines))
	}
	return size
}

// readSlots returns the starts of a stage's timetables and single heats, as they stand.
func readSlots(stage *strict.Table, result *tournament.Tournament, index int) (slots []slot) {
	timetables, heats := stage.Tables("timetables"), stage.Tables("heats")
	if len(timetables)+len(heats) == 0 {
		stage.Mistake("", "must have a [[stages.timetables]] or a [[stages.heats]]")
	}
	for _, timetable := range timetables {
		slots = append(slots, readTimetable(timetable, result, index)...)
		if len(slots) > manyHeats {
			return slots
		}
	}
	for _, heat := range heats {
		if start, right := readHeat(heat, result); right {
			slots = append(slots, slot{start, index, heat, "start"})
		}
	}
	return slots
}

const startAllowed = "must be a date and time such as 2028-06-10T15:00:00"

// readHeat returns the start of a single heat.
func readHeat(heat *strict.Table, result *tournament.Tournament) (start time.Time, right bool) {
	switch value := heat.Value("start").(type) {
	case time.Time:
		start, right = value, true
	case toml.LocalDateTime:
		if right = result.Zone != nil; right {
			day, _ := asDate(value.LocalDate)
			start, right = wall(day, value.Hour*60+value.Minute, result.Zone)
			start = start.Add(time.Duration(value.Second)*time.Second + time.Duration(value.Nanosecond))
			if !right {
				heat.Mistake("start", "must be a time that the clocks of the zone show; they are put forward over this one")
				return start, false
			}
		}
	case nil:
		heat.Missing("start", startAllowed)
		return start, false
	default:
		heat.Mistake("start", startAllowed)
		return start, false
	}
	if !right || !usable(result) {
		return start, false
	}
	start = start.In(result.Zone)
	if start.Second() != 0 || start.Nanosecond() != 0 {
		heat.Mistake("start", "must be a whole minute")
		return start, false
	}
	// A heat after midnight still belongs to the evening of the last day.
	calendar, gaming := tournament.DateOf(start), tournament.GamingDay(start, result.Rules.GamingDayStarts, result.Zone)
	if calendar.Before(result.First) || gaming.After(result.Last) {
		heat.Mistake("start", fmt.Sprintf("must be in the period, %s to %s", result.First, result.Last))
		return start, false
	}
	return start, true
}

// checkOrder notes stages that are given twice, in another order than they are played, or without a qualifying stage.
func checkOrder(tables []*strict.Table, stages []tournament.Stage) {
	next := 0
	for i, stage := range stages {
		at := slices.Index(order, stage.Kind)
		switch {
		case at < 0:
			return // it has its own mistake
		case i == 0 && at > 0:
			tables[i].Mistake("kind", `must be "qualifying" for the first stage`)
		case at < next:
			tables[i].Mistake("kind", `must come once, in the order "qualifying", "semi-final", "final"`)
		}
		next = at + 1
	}
}

// checkOverlap notes, once for each two places in the file, heats that would begin while another holds the machines. Every
// heat uses the first machines of the order, whatever its stage.
func checkOverlap(slots []slot, length time.Duration) {
	type pair struct{ earlier, later *strict.Table }
	noted := map[pair]bool{}
	for i := 1; i < len(slots); i++ {
		earlier, later := slots[i-1], slots[i]
		if later.start.Sub(earlier.start) >= length || noted[pair{earlier.from, later.from}] {
			continue
		}
		noted[pair{earlier.from, later.from}] = true
		later.from.Mistake(later.key, fmt.Sprintf(
			"heats of the same machines must not overlap (clause 11): one of %s would begin before that of %s, line %d, has had its %s",
			moment(later.start), moment(earlier.start), earlier.from.Line(), strict.Short(length)))
	}
}

// checkSequence notes stages that begin before the stage before them has had all its heats.
func checkSequence(tables []*strict.Table, slots []slot) {
	last := map[int]time.Time{}
	first := map[int]time.Time{}
	for _, slot := range slots {
		if _, begun := first[slot.stage]; !begun {
			first[slot.stage] = slot.start
		}
		last[slot.stage] = slot.start
	}
	for i := 1; i < len(tables); i++ {
		begins, there := first[i]
		if ended := last[i-1]; there && begins.Before(ended) {
			tables[i].Mistake("", fmt.Sprintf("must begin after the stage before it: its first heat is of %s, the last one there of %s",
				moment(begins), moment(ended)))
		}
	}
}

func moment(start time.Time) string { return start.Format("2006-01-02 15:04") }

// number gives the heats, in the order of their starts, to their stages, each with its gaming day, number and ID.
func number(stages []tournament.Stage, slots []slot, result *tournament.Tournament) {
	counts := make([]int, len(stages))
	for _, slot := range slots {
		counts[slot.stage]++
	}
	for i := range stages {
		stages[i].Heats = make([]tournament.Heat, 0, counts[i])
	}
	for _, slot := range slots {
		stage := &stages[slot.stage]
		heat := tournament.Heat{
			Stage:  stage.Kind,
			Day:    tournament.GamingDay(slot.start, result.Rules.GamingDayStarts, result.Zone),
			Number: 1,
			Start:  slot.start,
			Size:   stage.Size,
		}
		if before := len(stage.Heats) - 1; before >= 0 && stage.Heats[before].Day == heat.Day {
			heat.Number = stage.Heats[before].Number + 1
		}
		heat.ID = tournament.HeatID(string(heat.Stage) + "-" + heat.Day.String() + "-" + strconv.Itoa(heat.Number))
		stage.Heats = append(stage.Heats, heat)
	}
}
