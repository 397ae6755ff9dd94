package reader

import (
	"encoding/json"
	"slices"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// Report is what would become of captured bytes. Its JSON has the field names of the test vectors: for a magnetic stripe
// the swipes and the sensor's state, for tags all frames, repeats too, and the count of those dropped; for the others the
// fields of the one read, or a list of reads if there are several. Nothing of a bank card is in it, nor what stands on a
// card that is not the club's, nor long rows of digits of anything that was not recognised: they may be a bank card's,
// misread by one byte.
type Report struct {
	Profile    string // its name; empty if there is none
	Type       Type
	Note       string
	Fault      ReportFault // why no profile was chosen
	Candidates []Report    // which there were

	reads    []read
	noisy    bool // there is more in the capture than what was read
	verbatim bool
}

// Verbatim returns the report whose JSON has all that was found, but of a bank card. It is for test vectors alone, whose
// bytes are nobody's: show it to no one.
func (r Report) Verbatim() Report {
	r.verbatim = true
	return r
}

// Capture says what a reader of this profile would make of bytes that came in one go, on a day. The bytes stay as they
// are. The last suffix may be missing, as where somebody copied the digits alone.
func Capture(profile Profile, capture []byte, on tournament.Date) Report {
	report := decode(profile, capture, on)
	if len(report.reads) == 0 {
		report.reads = nothing(profile.Type, on)
	}
	return report
}

func decode(profile Profile, capture []byte, on tournament.Date) Report {
	report := Report{Profile: profile.Name, Type: profile.Type}
	decoder := newDecoder(profile, func() tournament.Date { return on }, func(found read) {
		report.reads = append(report.reads, found)
	})
	decoder.capture = true
	decoder.push(time.Time{}, slices.Clone(capture))
	decoder.silence()
	report.noisy = decoder.framer.noisy() || slices.ContainsFunc(report.reads, func(found read) bool { return senseOf(found) == senseless })
	return report
}

// nothing is what a reader makes of no bytes, where that is an answer.
func nothing(kind Type, on tournament.Date) []read {
	switch kind {
	case TypeUID:
		return []read{parseUID(nil, UIDSettings{})}
	case TypeScanner:
		return []read{Scan{Fault: ScanNoAIMID}}
	case TypeMRZ:
		return []read{paper{Result: identity.ReadMRZ(nil, on)}}
	}
	return nil
}

// Readings are what the kiosk makes of the capture, in order.
func (r Report) Readings() []Reading {
	var readings []Reading
	for _, found := range r.reads {
		readings = append(readings, found.reading())
	}
	return readings
}

// MarshalJSON writes the report.
func (r Report) MarshalJSON() ([]byte, error) {
	head := struct {
		Profile string `json:"profile,omitempty"`
		Note    string `json:"note,omitempty"`
	}{r.Profile, r.Note}
	switch r.Type {
	case TypeUnknown:
		return json.Marshal(struct {
			Kind       Type        `json:"kind"`
			Error      ReportFault `json:"error"`
			Candidates []Report    `json:"candidates,omitempty"`
		}{r.Type, r.Fault, r.Candidates})
	case TypeStripe:
		body := struct {
			Kind   Type    `json:"kind"`
			Swipes []Swipe `json:"swipes"`
			Sensor Sensor  `json:"sensor,omitempty"`
		}{Kind: r.Type, Swipes: []Swipe{}}
		for _, found := range r.reads {
			switch found := found.(type) {
			case Swipe:
				if !r.verbatim {
					found.Data, found.Track1, found.Track2 = nil, nil, nil
				}
				body.Swipes = append(body.Swipes, found)
			case Sensor:
				body.Sensor = found
			}
		}
		return joinObjects(head, body)
	case TypeTag:
		body := struct {
			Kind Type  `json:"kind"`
			Tags []Tag `json:"tags"`
			Bad  int   `json:"bad"`
		}{Kind: r.Type, Tags: []Tag{}}
		for _, found := range r.reads {
			if tag, ok := found.(Tag); ok {
				if !r.verbatim && r.noisy && allDigits([]byte(tag.Tag)) { // perhaps a piece of a bank card's number
					tag = Tag{Tag: hide(tag.Tag), Decimal: hide(tag.Decimal), Wiegand26: hide(tag.Wiegand26)}
				}
				body.Tags = append(body.Tags, tag)
			} else {
				body.Bad++
			}
		}
		return joinObjects(head, body)
	}
	reads := make([]json.RawMessage, len(r.reads))
	for index, found := range r.reads {
		var err error
		if reads[index], err = r.single(found); err != nil {
			return nil, err
		}
		if !r.verbatim && !recognised(found) {
			reads[index] = hideUnrecognised(found, reads[index])
		}
	}
	if len(reads) == 1 {
		return joinObjects(head, reads[0])
	}
	return joinObjects(head, struct {
		Kind  Type              `json:"kind"`
		Reads []json.RawMessage `json:"reads"`
	}{r.Type, reads})
}

// recognised reports whether a read is of something known: a document that may be trusted, or a card. A UID of which nearly
// all digits are decimal is shown to nobody: one in eighty of seven bytes is so, and it may be a piece of a bank card's number.
func recognised(found read) bool {
	reading := found.reading()
	if reading.Kind != KindCard {
		return reading.Kind == KindDocument
	}
	decimal := 0
	for index := range len(reading.Card.Number) {
		if isDigit(reading.Card.Number[index]) {
			decimal++
		}
	}
	return decimal < shortestBankNumber
}

// hideUnrecognised hides what may be a piece of a bank card's number in the JSON of a read.
func hideUnrecognised(found read, text []byte) []byte {
	if uid, ok := found.(UID); ok && uid.UID != "" {
		return []byte(hide(string(text)))
	}
	return masked(text)
}

// single writes one read. Its kind is the document's if it is one, else symbol for a scan, or the reader's.
func (r Report) single(found read) ([]byte, error) {
	kind := string(r.Type)
	switch found := found.(type) {
	case Scan:
		if found.Result.Kind != "" {
			return json.Marshal(found)
		}
		if found.reading().Kind == KindSymbol {
			kind = string(KindSymbol)
		}
	case paper:
		if found.Kind != "" {
			return json.Marshal(found)
		}
	}
	return joinObjects(struct {
		Kind string `json:"kind"`
	}{kind}, found)
}
