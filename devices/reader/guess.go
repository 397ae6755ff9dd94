package reader

import (
	"reflect"
	"slices"
	"strings"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// TypeUnknown and TypeDocument are the types of reports that no profile made: of bytes in which nothing makes sense, or in
// which profiles see different members, and of a document without the identifier that a scanner sends in front.
const (
	TypeUnknown  Type = "unknown"
	TypeDocument Type = "document"
)

// ReportFault is why Guess chose no profile.
type ReportFault string

// The faults of a guess.
const (
	GuessNothing   ReportFault = "unreadable" // no profile makes sense of the bytes
	GuessAmbiguous ReportFault = "ambiguous"  // profiles find different members: say which one it is
)

// Decode says what a kiosk would make of captured bytes on a day: with a built-in profile of that name, or, if the name is
// empty, with the one that Guess finds. The error wraps ErrProfile.
func Decode(profile string, capture []byte, on tournament.Date) (Report, error) {
	if profile == "" {
		return Guess(capture, on)
	}
	named, err := Named(profile)
	if err != nil {
		return Report{}, err
	}
	return Capture(named, capture, on), nil
}

// Guess finds the built-in profile that makes sense of captured bytes, and says what a reader of it would make of them on
// a day. A capture does not show how its reader was set up: where two profiles find different members in it, Guess names
// both and chooses neither. A document without a scanner's identifier in front, which a kiosk would refuse, is read all
// the same. The error wraps ErrProfile: the built-in profiles are broken.
func Guess(capture []byte, on tournament.Date) (Report, error) {
	profiles, err := builtIn()
	if err != nil {
		return Report{}, err
	}
	keys, err := publishedKeys()
	if err != nil {
		return Report{}, err
	}
	var reports []Report
	for _, profile := range profiles {
		reports = append(reports, decode(profile, capture, on))
	}
	reports = append(reports, Report{
		Type: TypeDocument, reads: []read{paper{Result: identity.Read(capture, keys, on)}},
		Note: "read without the AIM identifier of a scanner; a kiosk refuses it so",
	})
	best := senseless
	for _, report := range reports {
		best = max(best, report.sense())
	}
	var candidates []Report // those that make the most of it, each that finds other people
	for _, report := range reports {
		if report.rivals(best, reports) && !slices.ContainsFunc(candidates, report.agrees) {
			candidates = append(candidates, report)
		}
	}
	switch {
	case best == senseless:
		return Report{Type: TypeUnknown, Fault: GuessNothing}, nil
	case len(candidates) > 1:
		return Report{Type: TypeUnknown, Fault: GuessAmbiguous, Candidates: candidates}, nil
	}
	return candidates[0], nil
}

// sense is how much a profile makes of a capture.
type sense int

const (
	senseless sense = iota
	begun           // something was begun that this reader reads
	partly          // a card, a document or a symbol, but what is around it makes no sense
	refused         // it is known what it is, and not taken
	taken           // a card, a document or a symbol
)

// rivals reports whether a report must be looked at: it makes the most of the capture, or it knows a card that it refuses
// where the same type of reader, set up in another way, finds one to take.
func (r Report) rivals(best sense, all []Report) bool {
	if best == taken && r.sense() == refused {
		return slices.ContainsFunc(all, func(other Report) bool { return other.Type == r.Type && other.sense() == taken })
	}
	return r.sense() == best
}

// sense is the most that any of the reads makes.
func (r Report) sense() sense {
	most := senseless
	for _, found := range r.reads {
		most = max(most, senseOf(found))
	}
	switch {
	case r.noisy && most == taken:
		return partly
	case r.noisy && most == begun:
		return senseless
	}
	return most
}

func senseOf(found read) sense {
	switch found := found.(type) {
	case paper:
		if found.Kind == "" && found.Fault != identity.ErrLicenceDisc {
			return senseless
		}
		if found.Fault != nil {
			return refused
		}
	case badTag:
		if !found.whole { // any text has the byte that begins a tag
			return senseless
		}
	case Swipe:
		if found.astray {
			return senseless
		}
	case UID:
		if found.Refuse == UIDCascade {
			return refused
		}
	}
	reading := found.reading()
	switch reading.Kind {
	case KindSymbol:
		if strings.HasSuffix(reading.Symbol.Text, "\r") || strings.HasSuffix(reading.Symbol.Text, "\n") {
			return begun // the suffix of a scanner that is set up otherwise
		}
		return taken
	case KindRefused:
	default:
		return taken
	}
	switch reading.Refusal {
	case Unreadable, NoAIMID:
		return senseless
	case SwipeAgain, ScanAgain, ReaderSetUp:
		return begun
	}
	return refused
}

// agrees reports whether another report finds the same cards and documents.
func (r Report) agrees(other Report) bool {
	return reflect.DeepEqual(r.people(), other.people())
}

// people are the cards and documents that were read.
func (r Report) people() []any {
	var people []any
	for _, found := range r.reads {
		reading := found.reading()
		switch {
		case reading.Card != nil:
			people = append(people, *reading.Card)
		case reading.Document != nil:
			people = append(people, *reading.Document)
		}
	}
	return people
}
