package reader

import "reelkiosk/devices/port"

// formats are the ways in which characters are sent that have to be listened for; what is heard with eight bits and no
// parity tells seven bits with one as well.
var formats = []port.Settings{
	{DataBits: 8, StopBits: 1},
	{DataBits: 8, Parity: port.EvenParity, StopBits: 1},
	{DataBits: 8, Parity: port.OddParity, StopBits: 1},
	{DataBits: 7, StopBits: 1},
	{DataBits: 7, Parity: port.EvenParity, StopBits: 1},
	{DataBits: 7, Parity: port.OddParity, StopBits: 1},
}

// Listen says how the port is best set now: as the best guess would have it, to prove that, or else as is most likely after
// all that was heard.
func (s *Search) Listen() port.Settings {
	if guesses := s.Guesses(); len(guesses) > 0 {
		best := guesses[0].Profile.Line
		if other, is := s.unheard(best); is {
			return other
		}
		if guesses[0].Right == 0 {
			return s.fullest(best)
		}
		return best
	}
	best, most := port.Settings{}, 0.0
	for speed, baud := range searchBauds {
		for rank, format := range formats {
			format.Baud = baud
			weight := 100 - 2*float64(speed) - 7*float64(rank) + s.hints(format)
			if best.Baud == 0 || weight > most {
				best, most = format, weight
			}
		}
	}
	return best
}

// hints weighs settings by what was heard with others.
func (s *Search) hints(line port.Settings) (weight float64) {
	const (
		failed    = -200 // it was listened for so, and nothing could be read
		misheard  = -50  // the same, but there was text in it: a bad swipe, or noise
		sameSpeed = 40   // text was heard at this speed, and nothing read: another format of it
		elsewhere = -20  // text was heard at another speed
		suggested = 40   // what was heard at this speed has the parity of this line
		garbage   = -10  // no text was heard at this speed: no format of it is likely
	)
	weight += failed * float64(s.silent[line])
	here, there := false, false // text was heard at this speed, at another
	for _, burst := range s.heard {
		data := burst.Bytes()
		text := isText(data)
		switch {
		case burst.Line == line && text:
			weight += misheard
		case burst.Line == line:
			weight += failed
		case burst.Line.Baud == line.Baud && !text:
			weight += garbage
		case burst.Line.Baud != line.Baud:
			weight += 8 * speedWeight(data, burst.Line.Baud, line.Baud)
			there = there || text
		}
		here = here || text && burst.Line.Baud == line.Baud
		for _, like := range suggestions(burst) {
			if like == line {
				weight += suggested
			}
		}
	}
	switch {
	case here:
		weight += sameSpeed
	case there:
		weight += elsewhere
	}
	return weight
}

// fullest returns the line of the same speed on which the most was heard, where this one loses much of it.
func (s *Search) fullest(line port.Settings) port.Settings {
	most := map[port.Settings]int{}
	for _, burst := range s.heard {
		if burst.Line.Baud == line.Baud {
			most[burst.Line] = max(most[burst.Line], textLength(burst.Bytes()))
		}
	}
	longest := s.longest(line.Baud)
	if float64(most[line]) >= mostHeardOf*float64(longest) {
		return line
	}
	for _, format := range formats {
		format.Baud = line.Baud
		if most[format] == longest {
			return format
		}
	}
	return line
}

// suggestions are the lines that the parity of a burst speaks for.
func suggestions(burst Burst) (lines []port.Settings) {
	if burst.Line.DataBits != 8 || burst.Line.Parity != port.NoParity {
		return nil
	}
	data := burst.Bytes()
	if line, is := eighthBits(data); is {
		line.Baud = burst.Line.Baud
		lines = append(lines, line)
	}
	if parity, is := lostToParity(data); is && isText(data) {
		line := burst.Line
		line.Parity = parity
		lines = append(lines, line)
	}
	return lines
}

// enoughHeard is how many bursts on another line settle whether that is the better one.
const enoughHeard = 3

// unheard returns the line with parity that a line without is better exchanged for, as long as little was heard of that, and
// for ever if it hears more: a part of a number passes for one where nothing checks it.
func (s *Search) unheard(line port.Settings) (port.Settings, bool) {
	if line.DataBits != 8 || line.Parity != port.NoParity {
		return line, false
	}
	var data []byte
	other := line
	most := map[port.Settings]int{}
	times := map[port.Settings]int{}
	for _, burst := range s.heard {
		most[burst.Line] = max(most[burst.Line], len(burst.Bytes()))
		times[burst.Line]++
		if burst.Line == line {
			data = append(data, burst.Bytes()...)
		}
	}
	parity, is := lostToParity(data)
	other.Parity = parity
	return other, is && (most[other] > most[line] || times[other]+s.silent[other] < enoughHeard)
}
