package reader

import (
	"bytes"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// read is one thing that a parser found: a Swipe, Sensor, Tag, badTag, UID, Scan or paper.
type read interface {
	// reading is what the kiosk makes of it.
	reading() Reading
}

// decoder turns a reader's bytes into reads. It is pure.
type decoder struct {
	profile Profile
	framer  framer
	today   func() tournament.Date
	found   func(read)
	// capture says that the bytes are a capture, in which the last suffix may be missing.
	capture bool
}

func newDecoder(profile Profile, today func() tournament.Date, found func(read)) *decoder {
	return &decoder{profile: profile, framer: profile.framer(), today: today, found: found}
}

// push takes bytes that came at a moment, and wipes them.
func (d *decoder) push(at time.Time, data []byte) {
	d.framer.push(at, data, d.parse)
	clear(data)
}

// silence says that the line has been quiet for the profile's gap.
func (d *decoder) silence() { d.framer.silence(d.parse) }

// parse reads one frame. Line ends alone, which some readers send behind a frame, are none.
func (d *decoder) parse(frame []byte, whole bool) {
	whole = whole || d.capture
	if len(bytes.Trim(frame, "\r\n")) == 0 && d.profile.Type != TypeTag {
		return
	}
	switch d.profile.Type {
	case TypeStripe:
		swipes, sensor := parseStripe(frame, d.profile, d.capture)
		for _, swipe := range swipes {
			d.found(swipe)
		}
		if sensor != "" {
			d.found(sensor)
		}
	case TypeTag:
		if tag, ok := parseTag(frame, d.profile.Checksum); ok {
			d.found(tag)
		} else {
			d.found(badTag{whole: len(frame) > 0})
		}
	case TypeUID:
		if !whole {
			d.found(UID{Refuse: UIDHalf})
			return
		}
		d.found(parseUID(frame, d.profile.UID))
	case TypeScanner:
		for _, scan := range parseScan(frame, d.profile, d.capture, d.today()) {
			d.found(scan)
		}
	case TypeMRZ:
		zones := zonesIn(frame, d.today())
		for _, zone := range zones {
			d.found(paper{zone, differ(zones)})
		}
	}
}

// Sensor is what an insert reader says of the card in its slot.
type Sensor string

// The states of an insert reader's sensor.
const (
	CardPresent Sensor = "card-present"
	NoCard      Sensor = "no-card"
)

// badTag is a tag's frame that was dropped: whole with a wrong checksum, or at the first byte that did not fit.
type badTag struct{ whole bool }

// paper is a document that was read by itself. Another one may have come in the same read.
type paper struct {
	identity.Result
	differs bool
}

func (s Swipe) reading() Reading {
	switch s.Result {
	case SwipeMember:
		return Reading{Kind: KindCard, Card: &Card{s.CardNumber}}
	case SwipeBank:
		return refuse(BankCard)
	case SwipeOther:
		return refuse(OtherCard)
	case SwipeUnreadable:
		if s.setUpWrong {
			return refuse(ReaderSetUp)
		}
		return refuse(Unreadable)
	}
	return refuse(SwipeAgain)
}

func (s Sensor) reading() Reading {
	return Reading{Kind: KindPresence, Present: s == CardPresent}
}

func (t Tag) reading() Reading { return Reading{Kind: KindCard, Card: &Card{t.Tag}} }

func (badTag) reading() Reading { return refuse(SwipeAgain) }

func (u UID) reading() Reading {
	switch u.Refuse {
	case "":
		return Reading{Kind: KindCard, Card: &Card{u.UID}}
	case UIDBankCard:
		return refuse(BankCard)
	case UIDRandom:
		return refuse(PhoneCard)
	case UIDCharacters:
		return refuse(Unreadable)
	case UIDCheck, UIDHalf:
		return refuse(SwipeAgain)
	}
	return refuse(ReaderSetUp)
}

func (s Scan) reading() Reading {
	switch s.Fault {
	case "":
		if s.Result.Fault == identity.ErrUnknown {
			return Reading{Kind: KindSymbol, Symbol: &Symbol{s.Symbology, s.Text}}
		}
		return documentReading(s.Result, s.differs)
	case ScanBankCard:
		return refuse(BankCard)
	case ScanUnknownAIMID:
		return refuse(UnknownCode)
	case ScanEmpty, ScanHalf:
		return refuse(ScanAgain)
	}
	return refuse(NoAIMID)
}

func (p paper) reading() Reading { return documentReading(p.Result, p.differs) }
