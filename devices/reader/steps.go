package reader

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// Step is one thing that a parser made of a burst, for a technician to follow. Nothing in it is anybody's number but a
// club card's.
type Step struct {
	// Right says that it went as it should.
	Right bool `json:"right"`
	// What is what was found: '16 bytes between prefix "\x02" and suffix "\r"', 'track 2: ok'.
	What string `json:"what"`
	// Why is why a frame was refused, and what to do about it; empty where nothing was.
	Why string `json:"why,omitempty"`
}

// Steps says step by step what a reader of a profile makes of a burst: how it is cut into frames, what each frame is, and
// what the kiosk takes or refuses, with the reason.
func (b Burst) Steps(profile Profile, on tournament.Date) []Step {
	steps := b.frames(profile)
	taken := 0
	noisy := b.decode(profile, on, func(found read) {
		taken++
		steps = append(steps, stepsOf(found)...)
	})
	if noisy {
		steps = append(steps, Step{What: "there are bytes outside any frame", Why: "noise, or a prefix that the profile does not know; they are skipped"})
	}
	if taken == 0 {
		steps = append(steps, Step{What: "nothing to read", Why: whyNothing(profile)})
	}
	return steps
}

func whyNothing(profile Profile) string {
	switch {
	case profile.Type == TypeTag:
		return fmt.Sprintf("no %d hexadecimal digits between %q and %q: another speed, or another reader", profile.tagDigits(), profile.Frame.Prefix, profile.Frame.Suffix)
	case profile.Frame.Prefix != "":
		return fmt.Sprintf("the prefix %q does not stand in it: another speed, or another reader", profile.Frame.Prefix)
	}
	return "only line ends came"
}

// frames says how a burst is cut.
func (b Burst) frames(profile Profile) (steps []Step) {
	cut := profile.framer()
	defer cut.reset()
	emit := func(frame []byte, whole bool) {
		if len(frame) > 0 && len(bytes.Trim(frame, "\r\n")) == 0 {
			return // the LF of CR LF, which is no frame
		}
		steps = append(steps, frameStep(profile, frame, whole))
	}
	at := time.Unix(0, 0)
	for _, piece := range b.Pieces {
		at = at.Add(piece.After)
		cut.push(at, piece.Data, emit)
	}
	cut.silence(emit)
	return steps
}

func frameStep(profile Profile, frame []byte, whole bool) Step {
	if len(frame) == 0 {
		return Step{What: "a frame was begun and dropped", Why: "a byte in it is no hexadecimal digit, or the suffix stands elsewhere"}
	}
	around := "up to a silence of " + profile.Frame.Gap.String()
	if profile.Type == TypeTag || profile.Frame.Ends == EndSuffix {
		around = fmt.Sprintf("before the suffix %q", profile.Frame.Suffix)
	}
	if profile.Frame.Prefix != "" {
		around = fmt.Sprintf("behind the prefix %q, %s", profile.Frame.Prefix, around)
	}
	if !whole {
		return Step{
			What: fmt.Sprintf("a frame of %d bytes that stopped half way", len(frame)),
			Why:  fmt.Sprintf("the suffix %q did not come: half a read, or the reader sends another suffix", profile.Frame.Suffix),
		}
	}
	return Step{Right: true, What: fmt.Sprintf("a frame of %d bytes %s", len(frame), around)}
}

// stepsOf says what one frame is.
func stepsOf(found read) (steps []Step) {
	switch found := found.(type) {
	case Swipe:
		for _, number := range slices.Sorted(maps.Keys(found.Tracks)) {
			state := found.Tracks[number]
			if state == TrackAbsent {
				continue
			}
			steps = append(steps, Step{Right: state == TrackOK, What: "track " + number + ": " + string(state), Why: trackReasons[state]})
		}
	case badTag:
		steps = append(steps, Step{What: "a tag's frame that was dropped", Why: "its checksum is wrong, or it is not hexadecimal: misread, or the profile's checksum is another reader's"})
	case UID:
		if found.Refuse != "" {
			steps = append(steps, Step{What: "no UID: " + string(found.Refuse), Why: uidReasons[found.Refuse]})
		}
	case Scan:
		if found.Fault != "" {
			steps = append(steps, Step{What: "no scan: " + string(found.Fault), Why: scanReasons[found.Fault]})
			break
		}
		steps = append(steps, Step{Right: true, What: fmt.Sprintf("AIM identifier: %s, modifier %s", found.Symbology, found.Modifier)})
	}
	return append(steps, takenStep(found.reading()))
}

// takenStep says what the kiosk takes, or why not.
func takenStep(reading Reading) Step {
	switch reading.Kind {
	case KindCard:
		return Step{Right: true, What: "club card " + shownNumber(reading.Card.Number)}
	case KindDocument:
		return Step{Right: true, What: documentShown(*reading.Document)}
	case KindSymbol:
		return Step{Right: true, What: fmt.Sprintf("a symbol that is no document: %s of %d characters", reading.Symbol.Symbology, len(reading.Symbol.Text))}
	case KindPresence:
		return Step{Right: true, What: map[bool]string{true: "a card is in the slot", false: "the slot is empty"}[reading.Present]}
	}
	why := refusalReasons[reading.Refusal]
	if reading.Fault != "" {
		why = strings.TrimSpace("the document's fault: " + string(reading.Fault) + ". " + why)
	}
	return Step{What: "refused: " + string(reading.Refusal), Why: why}
}

// shownNumber is a club card's number as a technician sees it. Digits alone that are no member's range are hidden but for
// the last four: they may be a piece of another card.
func shownNumber(number string) string {
	if len(number) > 4 && allDigits([]byte(number)) {
		return hide(number[:len(number)-4]) + number[len(number)-4:]
	}
	return number
}

// documentShown is which fields of a document were read, without any of them.
func documentShown(document identity.Document) string {
	var fields []string
	for _, field := range []struct {
		name string
		is   bool
	}{
		{"surname", document.Surname != ""}, {"given names", document.GivenNames != ""}, {"identity number", document.IDNumber != ""},
		{"document number", document.Number != ""}, {"birth date", !document.BirthDate.IsZero()}, {"expiry", !document.Expiry.IsZero()},
	} {
		if field.is {
			fields = append(fields, field.name)
		}
	}
	return fmt.Sprintf("%s, with %s", document.Kind, strings.Join(fields, ", "))
}

var trackReasons = map[TrackState]string{
	TrackError: "the reader could not read it, or its end or its check character is wrong: swipe again; if every swipe is so, compare lrc with the reader",
	TrackEmpty: "nothing is written on it",
}

var uidReasons = map[UIDFault]string{
	UIDCharacters: "a character in it is no digit of the profile's format: a prefix, another format, or another reader",
	UIDRange:      "the decimal number does not fit four bytes: the reader sends hexadecimal digits or more bytes",
	UIDLength:     "not four, seven or ten bytes: another format, or not the whole of it",
	UIDCheck:      "the fifth byte is not the XOR of the four before: misread, or the bytes are in another order",
	UIDCascade:    "it begins with 88, the first part of a longer UID: set the reader to send all of it",
	UIDRandom:     "it begins with 08: a telephone or a bank card in one, another number each time",
	UIDHalf:       "the suffix did not come: the digits may go on",
	UIDBankCard:   "the digits are a payment card's",
}

var scanReasons = map[ScanFault]string{
	ScanNoAIMID:      "set the scanner to send AIM identifiers in front of each scan",
	ScanUnknownAIMID: "a kind of symbol that is not used here",
	ScanEmpty:        "nothing stands behind the identifier",
	ScanHalf:         "the suffix did not come: half a scan, or the scanner is set to send another suffix",
	ScanBankCard:     "a payment card's number stands in it: nothing of it is kept",
}

var refusalReasons = map[Refusal]string{
	BankCard:      "a bank card. Nothing of it is kept; use a club card",
	OtherCard:     "its number is not in the club's range, members.from to members.to of the profile",
	PhoneCard:     "a telephone shows another number each time; use a card",
	SwipeAgain:    "misread. If every swipe is, the speed, the parity or the profile is wrong",
	Unreadable:    "nothing that a reader of this profile sends: another speed, or another reader",
	ReaderSetUp:   "the reader is set up otherwise than the profile: its keyboard layout, byte order or format",
	NoAIMID:       "set the scanner to send AIM identifiers",
	UnknownCode:   "scan another kind of symbol",
	ScannerSet:    "the scanner changes bytes: set it to raw, without conversion to UTF-8",
	LicenceDisc:   "a vehicle's licence disc; scan an identity document",
	ScanAgain:     "half a document, or misread; scan again",
	DocumentWrong: "well read, but something in it cannot be; try another document",
}
