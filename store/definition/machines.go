package definition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

// manyMachines is the most machines of a tournament.
const manyMachines = 1000

// readMachines returns the machines in order. A block of the file is one machine or several of one place.
func readMachines(top *strict.Table) []tournament.Machine {
	var machines []tournament.Machine
	numbers, assets := map[int]bool{}, map[string]bool{}
	blocks := top.Tables("machines")
	if len(blocks) == 0 {
		top.Missing("machines", "at least one [[machines]] must be given")
	}
	for _, block := range blocks {
		// One mistake for a block, however many of its machines share it.
		var twice, assetTwice sync.Once
		for _, machine := range readBlock(block) {
			if numbers[machine.Number] {
				twice.Do(func() { block.Mistake("numbers", fmt.Sprintf("must not have machine %d again", machine.Number)) })
			}
			if assets[machine.Asset] && machine.Asset != "" {
				assetTwice.Do(func() { block.Mistake("asset", fmt.Sprintf("must not give asset %s again", machine.Asset)) })
			}
			numbers[machine.Number], assets[machine.Asset] = true, true
			machines = append(machines, machine)
		}
	}
	if len(machines) > manyMachines {
		top.Mistake("machines", fmt.Sprintf("must be at most %d machines, not %d", manyMachines, len(machines)))
	}
	return machines
}

func readBlock(block *strict.Table) []tournament.Machine {
	numbers := strict.Take(block, "numbers", machineNumbers)
	asset, place := strict.Take(block, "asset", line), strict.Take(block, "place", line)
	out := outOfService(block, numbers)
	machines := make([]tournament.Machine, len(numbers))
	for i, number := range numbers {
		counted, right := countUp(asset, i)
		if !right && asset != "" {
			block.Mistake("asset", "must end in digits, so that it can count up with the numbers")
			asset = ""
		}
		machines[i] = tournament.Machine{Number: number, Asset: counted, Place: place, OutOfService: out(number)}
	}
	return machines
}

// outOfService returns which machines of a block are out of service from the start: all of them, or those of a list.
func outOfService(block *strict.Table, numbers []int) func(int) bool {
	value, given := block.Value("out_of_service"), block.Has("out_of_service")
	all, isTruth := value.(bool)
	list, isList := value.([]any)
	listed := map[int]bool{}
	right := !given || isTruth || isList
	for _, element := range list {
		number, isNumber := element.(int64)
		listed[int(number)] = true
		right = right && isNumber && (numbers == nil || slices.Contains(numbers, int(number)))
	}
	if !right {
		block.Mistake("out_of_service", "must be true, false, or a list of this block's numbers, such as [7, 8]")
	}
	return func(number int) bool { return all || listed[number] }
}

// machineNumbers are the numbers of a block: one number, or numbers and ranges, upwards or downwards, with commas between.
var machineNumbers = strict.Kind[[]int]{
	Allowed: fmt.Sprintf(`must be a number, or numbers and ranges such as "1-5, 8, 10-7", each from 1 to %d`, most),
	Read: func(value any) ([]int, bool) {
		switch value := value.(type) {
		case int64:
			number, right := strict.Whole(1, most).Read(value)
			return []int{number}, right
		case string:
			return parseNumbers(value)
		}
		return nil, false
	},
}

func parseNumbers(text string) (numbers []int, right bool) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.ParseUint(strings.TrimSpace(from), 10, 16)
		last, err2 := strconv.ParseUint(strings.TrimSpace(to), 10, 16)
		if err1 != nil || err2 != nil || min(first, last) < 1 || max(first, last) > most {
			return nil, false
		}
		step := 1
		if last < first {
			step = -1
		}
		for number := int(first); ; number += step {
			numbers = append(numbers, number)
			if number == int(last) {
				break
			}
		}
		if len(numbers) > most {
			return nil, false
		}
	}
	return numbers, true
}

// countUp returns an asset number so many further on: "RDG-1109" and 2 make "RDG-1111".
func countUp(asset string, further int) (string, bool) {
	if further == 0 {
		return asset, true
	}
	letters := strings.TrimRight(asset, "0123456789")
	digits := asset[len(letters):]
	first, err := strconv.ParseUint(digits, 10, 62)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%s%0*d", letters, len(digits), first+uint64(further)), true
}
