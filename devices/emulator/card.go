package emulator

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// CardReader plays a reader of cards on a line: a magnetic stripe reader, a 125 kHz tag reader and a 13.56 MHz reader in
// one; a test or a demonstration uses the one that its profile expects.
type CardReader struct {
	line  *Line
	setup CardSetup
}

// CardSetup is how the reader is set up. The zero value is a stripe reader that ends each swipe with CR, an RDM6300, and
// a reader that writes each UID in hexadecimal, first byte first, and CR LF.
type CardSetup struct {
	LRC      bool      // an LRC follows each track's end sentinel
	Before   string    // sent before each swipe
	After    string    // sent behind each swipe in the place of CR
	Tag      TagFormat // how a 125 kHz tag is sent
	STX      bool      // a UID is sent between STX and ETX instead of before CR LF
	Decimal  bool      // a UID of four bytes is sent as a decimal number
	Reversed bool      // a UID is sent last byte first
	BCC      bool      // a UID of four bytes is followed by their XOR
}

// TagFormat is how a 125 kHz reader sends the ten hexadecimal digits of an EM4100 tag.
type TagFormat int

const (
	// RDM6300: STX, digits, XOR of the five bytes as two digits, ETX.
	RDM6300 TagFormat = iota
	// ID12: as RDM6300, with CR LF before the ETX.
	ID12
	// Parallax28140: LF, digits, CR; no checksum. The reader is set to 2400 baud.
	Parallax28140
	// SumClone: as RDM6300, but the bytes are added instead of XORed.
	SumClone
)

// Tracks are what stands on the three tracks of a magnetic stripe (ISO/IEC 7811), with or without the sentinels. An empty
// track is blank, and nothing is sent of it.
type Tracks struct{ One, Two, Three string }

// Unreadable stands for a track that the reader could not read.
const Unreadable = "E"

// ErrCard is wrapped where a tag or a UID cannot be one.
var ErrCard = errors.New("no such card")

// NewCardReader puts a card reader on a line.
func NewCardReader(line *Line, setup CardSetup) *CardReader {
	if setup.After == "" {
		setup.After = "\r"
	}
	return &CardReader{line, setup}
}

// Line returns the reader's cable.
func (r *CardReader) Line() *Line { return r.line }

// Swipe sends a magnetic stripe.
func (r *CardReader) Swipe(card Tracks, faults ...Fault) error {
	var frame strings.Builder
	frame.WriteString(r.setup.Before)
	for _, track := range []struct{ start, data string }{{"%", card.One}, {";", card.Two}, {"+", card.Three}} {
		if track.data == "" {
			continue
		}
		data := strings.TrimSuffix(strings.TrimPrefix(track.data, track.start), "?")
		text := track.start + data + "?"
		frame.WriteString(text)
		if r.setup.LRC && data != Unreadable {
			frame.WriteByte(lrc(text))
		}
	}
	frame.WriteString(r.setup.After)
	return r.Send([]byte(frame.String()), faults...)
}

// lrc returns the check character of a track from its start sentinel to its end sentinel (ISO/IEC 7811-2): the XOR of
// the characters' codes, which are six bits above 0x20 on track 1 and four bits above 0x30 on the others. The start
// sentinel of track 3 is the code 11 like that of track 2, whatever the reader writes for it.
func lrc(track string) byte {
	base := byte(0x30)
	if track[0] == '%' {
		base = 0x20
	}
	if track[0] == '+' {
		track = ";" + track[1:]
	}
	var check byte
	for _, character := range []byte(track) {
		check ^= character - base
	}
	return base + check
}

// Tag sends the frame of a 125 kHz tag, given by its ten hexadecimal digits. The error wraps ErrCard.
func (r *CardReader) Tag(digits string, faults ...Fault) error {
	tag, err := hex.DecodeString(digits)
	if err != nil || len(tag) != 5 {
		return fmt.Errorf("%w: tag %q: must be ten hexadecimal digits", ErrCard, digits)
	}
	var xor, sum byte
	for _, part := range tag {
		xor ^= part
		sum += part
	}
	text := strings.ToUpper(digits)
	var frame string
	switch r.setup.Tag {
	case ID12:
		frame = fmt.Sprintf("\x02%s%02X\r\n\x03", text, xor)
	case Parallax28140:
		frame = "\n" + text + "\r"
	case SumClone:
		frame = fmt.Sprintf("\x02%s%02X\x03", text, sum)
	default:
		frame = fmt.Sprintf("\x02%s%02X\x03", text, xor)
	}
	return r.Send([]byte(frame), faults...)
}

// UID sends the identifier of a 13.56 MHz card (ISO/IEC 14443-3: four, seven or ten bytes), given in hexadecimal. Any
// other whole number of bytes is sent too, as a badly set reader would. The error wraps ErrCard.
func (r *CardReader) UID(digits string, faults ...Fault) error {
	uid, err := hex.DecodeString(digits)
	if err != nil || len(uid) == 0 {
		return fmt.Errorf("%w: UID %q: must be hexadecimal digits, two for each byte", ErrCard, digits)
	}
	if r.setup.BCC && len(uid) == 4 {
		uid = append(uid, uid[0]^uid[1]^uid[2]^uid[3])
	}
	if r.setup.Reversed {
		for left, right := 0, len(uid)-1; left < right; left, right = left+1, right-1 {
			uid[left], uid[right] = uid[right], uid[left]
		}
	}
	text := strings.ToUpper(hex.EncodeToString(uid))
	if r.setup.Decimal {
		number, err := strconv.ParseUint(text, 16, 32)
		if err != nil {
			return fmt.Errorf("%w: UID %q: more than four bytes are no decimal number", ErrCard, digits)
		}
		text = fmt.Sprintf("%010d", number)
	}
	frame := text + "\r\n"
	if r.setup.STX {
		frame = "\x02" + text + "\x03"
	}
	return r.Send([]byte(frame), faults...)
}

// Send sends bytes as they are, such as a capture from a real reader.
func (r *CardReader) Send(frame []byte, faults ...Fault) error { return r.line.send(frame, faults) }
