package reader

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/port"
	"reelkiosk/store/tournament"
)

// Search finds out how a reader is set up from what it sends. It is pure: it says how to listen, is told what was heard,
// and ranks what that may be.
//
//	search := reader.NewSearch(today)
//	search.Listen()     // set the port so; have a club card swiped
//	search.Hear(burst)  // what came
//	search.Guesses()    // the best three
//
// One swipe mostly tells the speed, even where it was heard at another: bits that are longer than those of the receiver leave
// their mark in the bytes. Seven bits with a parity are seen in the eighth bit of what was heard as eight.
type Search struct {
	on      tournament.Date
	built   []Profile
	printed string // what is printed on the card, in capitals without spaces; empty where it was not told
	heard   []Burst
	silent  map[port.Settings]int // how often nothing came, though somebody swiped
	ranked  []Guessed             // of what was heard; nil if it is to be found out
}

// Guessed is how a reader may be set up, and what it would read.
type Guessed struct {
	// Profile is the profile with its line; Unlike is how it differs from the built-in one of its name, empty if it does not.
	Profile Profile
	Unlike  string
	// Reads is what it made of each burst that was heard on such a line, the newest last: a club card's number as a
	// technician may see it, a kind of document, or a refusal.
	Reads []string
	// Right is how many of them are cards or documents, with nothing else in the burst but noise outside of frames.
	Right int
	// Why is what speaks for it.
	Why string
	// Score is what it is ranked by, for comparison alone.
	Score float64
}

// mostHeard is how many bursts are kept.
const mostHeard = 12

// NewSearch begins a search, on a day by which ages are counted.
func NewSearch(on tournament.Date) (*Search, error) {
	built, err := builtIn()
	if err != nil {
		return nil, err
	}
	return &Search{on: on, built: built, silent: map[port.Settings]int{}}, nil
}

// Members says which numbers are the club's, where it is not the built-in range.
func (s *Search) Members(members Members) {
	s.built = slices.Clone(s.built)
	for at := range s.built {
		s.built[at].Members = members
	}
}

// Printed says what is printed on the card that is swiped: it tells settings apart that read different numbers of it, such
// as the order of bytes.
func (s *Search) Printed(number string) {
	s.ranked = nil
	s.printed = strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ":", "").Replace(number))
}

// Hear takes a burst. Its Line says how the port was set.
func (s *Search) Hear(burst Burst) {
	if len(burst.Bytes()) == 0 {
		return
	}
	burst.Line, s.ranked = unnamed(burst.Line), nil
	if s.heard = append(s.heard, burst); len(s.heard) > mostHeard {
		s.heard[0].Wipe()
		s.heard = s.heard[1:]
	}
}

// Nothing says that a card was swiped and nothing came.
func (s *Search) Nothing() {
	s.silent[s.Listen()]++
	s.ranked = nil
}

// Wipe overwrites what was heard.
func (s *Search) Wipe() {
	for _, burst := range s.heard {
		burst.Wipe()
	}
	s.heard, s.ranked = nil, nil
}

func unnamed(line port.Settings) port.Settings {
	line = line.Normal()
	line.Name = ""
	return line
}

// readAs is a burst as it would have come on a line.
type readAs struct{ Burst }

// asLines returns the burst as each line would have sent it that it may be from.
func asLines(burst Burst) []readAs {
	if plain := burst.Line; plain.DataBits == 8 && plain.Parity == port.NoParity {
		if line, is := eighthBits(burst.Bytes()); is {
			return []readAs{{burst}, {burst.sevenBits(line)}}
		}
	}
	return []readAs{{burst}}
}

// Guesses returns the best three ways to read what was heard, the best first. There are none where nothing made sense.
func (s *Search) Guesses() []Guessed {
	if s.ranked == nil {
		s.ranked = s.rank()
	}
	return s.ranked
}

func (s *Search) rank() []Guessed {
	lines := map[port.Settings][]readAs{}
	for _, burst := range s.heard {
		for _, each := range asLines(burst) {
			each.Line = unnamed(each.Line)
			lines[each.Line] = append(lines[each.Line], each)
		}
	}
	var guesses []Guessed
	for line, bursts := range lines {
		seen := map[string]bool{}
		for _, burst := range bursts {
			for _, profile := range variantsOf(burst.Bytes(), s.built) {
				profile.Line = line
				if key := profile.Name + fmt.Sprintf("%+v", profile.Frame); !seen[key] {
					seen[key] = true
					if guess, is := s.judge(profile, bursts); is {
						guesses = append(guesses, guess)
					}
				}
			}
		}
	}
	slices.SortFunc(guesses, func(a, b Guessed) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Unlike), len(b.Unlike)), strings.Compare(a.Profile.Name, b.Profile.Name))
	})
	return firstOfEach(guesses, 3)
}

// firstOfEach keeps the best of those that differ in their frames alone and read the same.
func firstOfEach(guesses []Guessed, most int) []Guessed {
	kept := []Guessed{}
	for _, guess := range guesses {
		same := func(other Guessed) bool {
			return other.Profile.Name == guess.Profile.Name && other.Profile.Line == guess.Profile.Line && slices.Equal(other.Reads, guess.Reads)
		}
		if len(kept) < most && !slices.ContainsFunc(kept, same) {
			kept = append(kept, guess)
		}
	}
	return kept
}

// judge says what a profile makes of the bursts of its line; not where it makes nothing of any.
func (s *Search) judge(profile Profile, bursts []readAs) (Guessed, bool) {
	guess := Guessed{Profile: profile, Unlike: likeness(profile, s.built)}
	var quality, evidence float64
	most := senseless
	longest := s.longest(profile.Line.Baud)
	for _, burst := range bursts {
		var found []read
		noisy := burst.decode(profile, s.on, func(each read) { found = append(found, each) })
		best, clean := senseless, !noisy || profile.Type != TypeTag || profile.Checksum != NoChecksum
		shown := "nothing"
		for _, each := range found {
			sense := senseIn(each, profile)
			clean = clean && sense == taken
			if sense >= best {
				best, shown = sense, takenStep(each.reading()).What
			}
			evidence = max(evidence, s.evidence(profile, each))
		}
		for _, step := range burst.frames(profile) {
			clean = clean && step.Right // a frame without its suffix is read once the line is silent, and may be half of one
		}
		if what := s.bareDocument(profile, burst.Burst); what != "" && best == senseless {
			best, shown = refused, what
		}
		most = max(most, best)
		guess.Reads = append(guess.Reads, shown)
		whole := float64(textLength(burst.Bytes())) / float64(longest)
		switch {
		case best == taken && clean:
			if whole >= mostHeardOf {
				guess.Right++
			}
			quality += whole
			if noisy { // a prefix told it from noise; a profile without one has taken that for a part of the frame
				quality -= 0.001
			}
		case best == taken:
			quality += 0.7 * whole
		case best == refused:
			quality += 0.3 * whole
		case best == begun:
			quality += 0.1
		}
	}
	if _, is := s.unheard(profile.Line); is {
		guess.Right, quality = 0, quality/4 // perhaps half of the bytes were lost
	}
	if most <= begun {
		return guess, false
	}
	guess.Score = 10*quality/float64(len(bursts)) + evidence + 0.1*float64(min(guess.Right, 3)) - frameCost(profile, s.built)
	guess.Why = s.why(guess)
	return guess, true
}

// senseIn is what a read makes, with doubt where a profile takes anything: of four bytes in decimal, those of fewer than eight
// digits are a sixtieth, and any few digits pass for them.
func senseIn(found read, profile Profile) sense {
	if uid, is := found.(UID); is && profile.UID.Decimal && strings.HasPrefix(uid.UID, "00") {
		return begun
	}
	return senseOf(found)
}

// mostHeardOf is which part of the longest burst another must have to count as whole; noise makes some longer.
const mostHeardOf = 0.7

// longest is how much text the longest burst has that was heard at a speed: a line that hears less loses some.
func (s *Search) longest(baud int) int {
	longest := 1
	for _, burst := range s.heard {
		if burst.Line.Baud == baud {
			longest = max(longest, textLength(burst.Bytes()))
		}
	}
	return longest
}

// bareDocument names the document in a scan without its AIM identifier; empty where there is none.
func (s *Search) bareDocument(profile Profile, burst Burst) string {
	data := bytes.TrimRight(burst.Bytes(), "\r\n")
	defer clear(data)
	if profile.Type != TypeScanner || profile.Frame.Prefix != "" || len(data) == 0 {
		return ""
	}
	if found := identity.Read(data, profile.LicenceKeys, s.on); found.Kind != "" {
		return string(found.Kind) + ", but no AIM identifier: set the scanner to send it"
	}
	return ""
}

// evidence is how sure a read is: what a check digit, a sentinel or a range of numbers has confirmed.
func (s *Search) evidence(profile Profile, found read) float64 {
	reading := found.reading()
	sure := 0.0
	switch found := found.(type) {
	case Swipe:
		sure = 3
		if profile.Stripe.LRC {
			sure++ // a check that was right where none need have been
		}
	case Tag:
		sure = map[Checksum]float64{XORChecksum: 3, SumChecksum: 2.9, NoChecksum: 1.5}[profile.Checksum]
	case UID:
		sure = 1
		if len(found.UID) > 8 && slices.Contains([]string{"02", "04", "05", "07"}, found.UID[:2]) {
			sure += 0.5 // the first byte of a longer UID is its maker's (ISO/IEC 7816-6): ST, NXP, Infineon, TI
		}
	case Scan:
		sure = 3
	case paper:
		sure = 2.5
	}
	if reading.Kind == KindRefused {
		return 0
	}
	if s.printed != "" && reading.Card != nil {
		if isPrinted(found, s.printed) {
			return sure + 6
		}
		return sure - 6
	}
	return sure
}

// isPrinted reports whether a card's number is what stands on it: as such, or as one of the ways in which tags are printed.
func isPrinted(found read, printed string) bool {
	is := func(number string) bool {
		number = strings.NewReplacer(",", "").Replace(number)
		return number != "" && (strings.TrimLeft(number, "0") == strings.TrimLeft(strings.ReplaceAll(printed, ",", ""), "0"))
	}
	if tag, isTag := found.(Tag); isTag {
		return is(tag.Tag) || is(tag.Decimal) || is(tag.Wiegand26)
	}
	return is(found.reading().Card.Number)
}

// frameCost is what a profile loses that was made after the burst, and wins whose own prefix and suffix are in it.
func frameCost(profile Profile, built []Profile) float64 {
	at := slices.IndexFunc(built, func(each Profile) bool { return each.Name == profile.Name })
	cost := -0.1 * float64(len(profile.Frame.Prefix)+len(profile.Frame.Suffix))
	if at >= 0 && built[at].Frame != profile.Frame {
		cost += 1
	}
	return cost
}

func (s *Search) why(guess Guessed) string {
	line := guess.Profile.Line
	said := fmt.Sprintf("%d of %d read at %d baud, %d%c%d", guess.Right, len(guess.Reads), line.Baud, line.DataBits, "NOE"[line.Parity], line.StopBits)
	if guess.Profile.Type == TypeUID && s.printed == "" {
		said += "; compare the number with the one on the card: the order of bytes cannot be heard"
	}
	return said
}
