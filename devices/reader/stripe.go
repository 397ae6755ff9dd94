package reader

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Swipe is what one swipe of a magnetic stripe card gave (ISO/IEC 7811 and 7813, as a reader sends them in ASCII). For
// a bank card it holds nothing but the states of the tracks. What stands on the tracks is told of captures alone.
type Swipe struct {
	Result     SwipeResult           `json:"result"`
	CardNumber string                `json:"card_number,omitempty"` // of a member's card
	Tracks     map[string]TrackState `json:"tracks"`                // by "1", "2" and "3"
	Shape      map[string]string     `json:"shape,omitempty"`       // of the tracks that are ok: # for a digit, A for a letter
	Data       map[string]string     `json:"data,omitempty"`        // of the tracks that are ok
	Track1     *NameTrack            `json:"track1,omitempty"`      // of format B
	Track2     *NumberTrack          `json:"track2,omitempty"`

	astray     bool // a start sentinel in the middle of other text, with no end
	setUpWrong bool // it is no noise, but text with letters that no card has: the reader's keyboard layout is wrong
}

// SwipeResult says what a swipe is good for.
type SwipeResult string

// The results of a swipe.
const (
	SwipeMember     SwipeResult = "member-card"
	SwipeBank       SwipeResult = "bank-card"
	SwipeOther      SwipeResult = "other-card"
	SwipeMisread    SwipeResult = "swipe-again" // no number that can be trusted
	SwipeUnreadable SwipeResult = "unreadable"  // no card data
)

// NumberTrack is what track 2 says (ISO/IEC 7813): number, expiry YY-MM, service code; each empty if it is not there.
type NumberTrack struct {
	Number      string `json:"number"`
	Expiry      string `json:"expiry,omitempty"`
	ServiceCode string `json:"service_code,omitempty"`
}

// NameTrack is what track 1 of format B says: also the cardholder's name.
type NameTrack struct {
	Format     string `json:"format"`
	Surname    string `json:"surname"`
	GivenNames string `json:"given_names"`
	NumberTrack
}

// escape begins a message of an insert reader, which ends with its sensor's state: 1 blocked, 0 not.
const escape = 0x1b

// parseStripe reads one line of a stripe reader: the swipes in it, and the state of an insert reader's sensor if it
// tells one. A track whose number is not higher than the one before begins another swipe. What stands outside the tracks
// is noise, or a prefix or suffix that the reader adds. Swipes that stopped half way one behind the other count as one, and
// of many swipes in one line the last are left: no hand is so quick, and noise must not fill the memory.
func parseStripe(line []byte, profile Profile, capture bool) (swipes []Swipe, sensor Sensor) {
	settings := profile.Stripe
	noise := make([]byte, 0, len(line))
	defer clear(noise[:cap(noise)])
	var card *stripe
	half := false // the last of the swipes stopped half way
	for at := 0; at < len(line); {
		rule, begins := ruleOf(line[at])
		if !begins {
			noise = append(noise, line[at])
			at++
			continue
		}
		if settings.Track3 == ";" && rule == track2 && card != nil && card.last == 2 {
			rule = track3
		}
		if card == nil || rule.number <= card.last {
			if card != nil && (card.anyEnded() || !half) {
				swipes = append(latest(swipes), card.swipe(profile.Members, capture))
				half = !card.anyEnded()
			}
			card = &stripe{}
		}
		read, length := readTrack(line[at:], rule, settings.LRC)
		card.tracks[rule.number], card.last = read, rule.number
		at += length
	}
	noise, sensor = sensorIn(noise)
	foreign := bytes.ContainsFunc(line, func(char rune) bool { return char >= 0x80 })
	switch {
	case card == nil && hasText(noise), card != nil && len(swipes) == 0 && !card.anyEnded() && foreign:
		swipes = append(swipes, Swipe{
			Result: SwipeUnreadable, Tracks: (&stripe{}).states(), setUpWrong: foreign && utf8.Valid(line),
		})
	case card != nil && (card.anyEnded() || !half):
		swipes = append(latest(swipes), card.swipe(profile.Members, capture))
	}
	inText := hasText(noise) || bytes.ContainsFunc(bytes.Trim(line, "\r\n\x02\x03\x1b"), func(char rune) bool { return char < ' ' })
	for index := range swipes {
		swipes[index].astray = swipes[index].astray && inText
	}
	return swipes, sensor
}

// mostSwipes is how many swipes in one line are told: as many as wait for whoever takes a reader's readings.
const mostSwipes = waiting

// latest makes room for one more swipe.
func latest(swipes []Swipe) []Swipe {
	if len(swipes) < mostSwipes {
		return swipes
	}
	return append(swipes[:0], swipes[1:]...)
}

// sensorIn takes the message of an insert reader out of the noise.
func sensorIn(noise []byte) ([]byte, Sensor) {
	before, message, found := bytes.Cut(noise, []byte{escape})
	if !found {
		return noise, ""
	}
	switch string(bytes.Trim(message, "\r\n\x00\x1b")) {
	case "1":
		return before, CardPresent
	case "0":
		return before, NoCard
	}
	return before, ""
}

// hasText reports whether there is anything but control characters and spaces.
func hasText(noise []byte) bool {
	return bytes.ContainsFunc(noise, func(char rune) bool { return char > ' ' && char != 0x7f })
}

// stripe is one swipe while it is being read.
type stripe struct {
	tracks [4]track // by their numbers; 0 is not used
	last   int
}

func (s *stripe) anyEnded() bool {
	return s.tracks[1].ended || s.tracks[2].ended || s.tracks[3].ended
}

func (s *stripe) states() map[string]TrackState {
	states := map[string]TrackState{}
	for number := 1; number < len(s.tracks); number++ {
		states[strconv.Itoa(number)] = cmp.Or(s.tracks[number].state, TrackAbsent)
	}
	return states
}

// ok returns the data of a track that was read well, or nil.
func (s *stripe) ok(number int) []byte {
	if s.tracks[number].state != TrackOK {
		return nil
	}
	return s.tracks[number].data
}

// swipe judges the card, and tells its tracks if that is wanted. No text is made of a bank card's.
func (s *stripe) swipe(ours Members, tell bool) Swipe {
	swipe := Swipe{Tracks: s.states(), astray: !s.anyEnded()}
	first, whole := formatB(s.ok(1))
	if !whole {
		first = s.ok(1)
	}
	second, _ := field(s.ok(2), '=')
	member := ours.Has(first) || ours.Has(second)
	switch {
	case s.isBankCard(ours, member):
		swipe.Result = SwipeBank
		return swipe
	case ours.Has(first) && ours.Has(second) && !bytes.Equal(first, second):
		swipe.Result = SwipeMisread // two members on one card: neither is chosen
	case ours.Has(second):
		swipe.Result, swipe.CardNumber = SwipeMember, string(second)
	case ours.Has(first):
		swipe.Result, swipe.CardNumber = SwipeMember, string(first)
	case s.tracks[2].state == TrackError, first == nil && second == nil && !s.onlyTrack3():
		swipe.Result = SwipeMisread
	default:
		swipe.Result = SwipeOther
	}
	if tell {
		s.tell(&swipe)
	}
	return swipe
}

// onlyTrack3 reports whether the card has nothing but a track 3, so that no number was missed.
func (s *stripe) onlyTrack3() bool {
	return s.ok(3) != nil && s.tracks[1].state == "" && s.tracks[2].state == ""
}

// isBankCard reports whether a number on the card is a bank's and not the club's: in the field for it, or wherever else
// on a track the number of a payment card stands. On track 3 two digits for the format stand before it (ISO/IEC 4909).
func (s *stripe) isBankCard(ours Members, member bool) bool {
	first, formatted := formatB(s.ok(1))
	if !formatted {
		first, _ = field(s.ok(1), '^')
	}
	second, _ := field(s.ok(2), '=')
	third, more := field(s.ok(3), '=')
	numbers := [][]byte{first, second, third}
	if len(more) > 0 && len(third) > 2 {
		numbers = append(numbers, third[formatCode:])
	}
	for _, number := range numbers {
		if isBankNumber(number) && !ours.Has(number) {
			return true
		}
	}
	for number := 1; number < len(s.tracks); number++ {
		if data := s.ok(number); member && isBankNumberByItself(data, ours) || !member && holdsBankNumber(data, ours) {
			return true
		}
	}
	return false
}

// formatB returns the number of a track 1 of format B.
func formatB(data []byte) (number []byte, ok bool) {
	if len(data) == 0 || data[0] != 'B' {
		return nil, false
	}
	number, _ = field(data[1:], '^')
	return number, true
}

// tell fills in what a card says that is no bank's.
func (s *stripe) tell(swipe *Swipe) {
	swipe.Data, swipe.Shape = map[string]string{}, map[string]string{}
	for number := 1; number < len(s.tracks); number++ {
		if data := s.ok(number); data != nil {
			swipe.Data[strconv.Itoa(number)], swipe.Shape[strconv.Itoa(number)] = string(data), shape(data)
		}
	}
	if data := s.ok(2); data != nil {
		number, rest := field(data, '=')
		swipe.Track2 = &NumberTrack{Number: string(number)}
		swipe.Track2.tell(string(rest), "=")
	}
	if _, formatted := formatB(s.ok(1)); formatted {
		fields := strings.SplitN(string(s.ok(1)[1:]), "^", 3)
		fields = append(fields, "", "")
		swipe.Track1 = &NameTrack{Format: "B"}
		swipe.Track1.Number = strings.TrimSpace(fields[0])
		surname, given, _ := strings.Cut(fields[1], "/")
		given, _, _ = strings.Cut(given, ".") // a title stands behind the full stop
		swipe.Track1.Surname, swipe.Track1.GivenNames = strings.TrimSpace(surname), strings.TrimSpace(given)
		swipe.Track1.tell(fields[2], "^")
	}
}

// tell reads expiry YYMM and service code; a separator stands in the place of either if it is not given.
func (t *NumberTrack) tell(rest, separator string) {
	take := func(length int) string {
		if after, without := strings.CutPrefix(rest, separator); without {
			rest = after
			return ""
		}
		if len(rest) < length {
			rest = ""
			return ""
		}
		taken := rest[:length]
		rest = rest[length:]
		return taken
	}
	if expiry := take(4); expiry != "" {
		t.Expiry = expiry[:2] + "-" + expiry[2:]
	}
	t.ServiceCode = take(3)
}
