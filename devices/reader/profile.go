package reader

import (
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/port"
)

// Profile describes a model of reader and how it is set up.
type Profile struct {
	Name string // of the file, without its ending
	Type Type
	Line port.Settings // without a name
	// Frame says how the reader's frames begin and end.
	Frame Frame
	// Repeat is how long a card must have been away before it counts as put there again; 0 takes every frame for an
	// act of its own.
	Repeat time.Duration
	// Members are the numbers of the club's magnetic stripe cards.
	Members Members

	Stripe   Stripe      // TypeStripe
	Checksum Checksum    // TypeTag
	UID      UIDSettings // TypeUID

	// LicenceKeys open South African driving licences: TypeScanner. The published ones are the default.
	LicenceKeys identity.LicenceKeys
}

// Type is a kind of reader.
type Type string

// The kinds of reader.
const (
	TypeStripe  Type = "magstripe" // magnetic stripe cards
	TypeTag     Type = "em4100"    // 125 kHz tags
	TypeUID     Type = "uid"       // 13.56 MHz cards
	TypeScanner Type = "scanner"   // bar codes and two-dimensional symbols, with AIM identifiers
	TypeMRZ     Type = "mrz"       // machine-readable zones
)

var types = []Type{TypeStripe, TypeTag, TypeUID, TypeScanner, TypeMRZ}

// Frame says how a reader's frames begin and end.
type Frame struct {
	Prefix string        // what stands in front of each; empty: nothing
	Suffix string        // what stands behind each; empty: nothing
	Ends   End           // whether the suffix ends a frame, or only silence does
	Gap    time.Duration // the silence that ends a frame, or drops one that stopped half way
}

// End says what ends a frame.
type End string

// The ends of a frame.
const (
	EndSuffix End = "suffix"
	EndGap    End = "gap" // for payloads that may hold the suffix
)

// Stripe is how a magnetic stripe reader is set up.
type Stripe struct {
	LRC    bool   // a check character follows every end sentinel
	Track3 string // what track 3 begins with: "+", or ";" as track 2 does, when it follows track 2
}

// UIDSettings is how a reader of 13.56 MHz cards is set up.
type UIDSettings struct {
	Decimal bool // it sends a decimal number, not hexadecimal digits
	Reverse bool // it sends the last byte first
}

// Members is the range of the club's card numbers: From and To have as many digits as all between them.
type Members struct{ From, To string }

// Has reports whether a number is in the range.
func (m Members) Has(number []byte) bool {
	return len(number) == len(m.From) && allDigits(number) && m.From <= string(number) && string(number) <= m.To
}

func allDigits(text []byte) bool {
	for _, char := range text {
		if char < '0' || char > '9' {
			return false
		}
	}
	return true
}

// Settings are those of the port that a reader of this model hangs on, by its name.
func (p Profile) Settings(name string) port.Settings {
	settings := p.Line
	settings.Name = name
	return settings
}

// tagDigits is how many digits stand between prefix and suffix of a tag's frame.
func (p Profile) tagDigits() int { return 2 * (tagBytes + p.Checksum.bytes()) }

// The sentinels of the readers that have them.
const (
	stx = "\x02"
	etx = "\x03"
)

// defaults are what a profile of a type has where its file says nothing.
func defaults(kind Type) Profile {
	profile := Profile{
		Type:    kind,
		Line:    port.Settings{Baud: 9600, DataBits: 8, StopBits: 1},
		Frame:   Frame{Suffix: "\r", Ends: EndSuffix, Gap: 300 * time.Millisecond},
		Members: Members{"6001000000000000", "6001999999999999"},
	}
	switch kind {
	case TypeStripe:
		profile.Stripe.Track3 = "+"
	case TypeTag:
		profile.Frame.Prefix, profile.Frame.Suffix = stx, etx
		profile.Repeat = 2 * time.Second
		profile.Checksum = XORChecksum
	case TypeUID:
		profile.Repeat = 2 * time.Second
	case TypeScanner, TypeMRZ:
		profile.Frame.Ends = EndGap
		profile.Frame.Gap = 80 * time.Millisecond
	}
	return profile
}

// framer is what cuts this reader's bytes into frames.
func (p Profile) framer() framer {
	if p.Type == TypeTag {
		return &sentinels{
			prefix: p.Frame.Prefix[0], digits: p.tagDigits(), suffix: []byte(p.Frame.Suffix), gap: p.Frame.Gap,
		}
	}
	cut := &packets{prefix: []byte(p.Frame.Prefix), gap: p.Frame.Gap, restarts: p.Type != TypeScanner}
	if p.Frame.Ends == EndSuffix {
		cut.suffix = []byte(p.Frame.Suffix)
	}
	return cut
}
