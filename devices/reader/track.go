package reader

import "bytes"

// TrackState says what became of one track of a magnetic stripe.
type TrackState string

// The states of a track.
const (
	TrackOK     TrackState = "ok"
	TrackError  TrackState = "error"  // the reader or the parser could not read it
	TrackEmpty  TrackState = "empty"  // nothing between the sentinels
	TrackAbsent TrackState = "absent" // blank, so that the reader sent nothing
)

// code is how the characters of a track are written on the card (ISO/IEC 7811-2): in six bits with letters, or in four
// without; the parity bit is not counted. A character is the first one in ASCII plus its code.
type code struct {
	first, bits byte
}

var (
	letters = code{first: 0x20, bits: 0x3f}
	figures = code{first: 0x30, bits: 0x0f}
)

// trackRule is what holds for the tracks that begin with one start sentinel.
type trackRule struct {
	number int // 1 to 3
	code   code
	limit  int  // characters between the sentinels
	start  byte // the start sentinel that stands on the card; readers may send another, to tell tracks apart
}

// The limits are those of ISO/IEC 7811-2 (79 and 40 characters) and ISO/IEC 4909 (107), less two sentinels and the LRC.
var (
	track1      = trackRule{1, letters, 76, '%'}
	track2      = trackRule{2, figures, 37, ';'}
	track3      = trackRule{3, figures, 104, ';'}
	track3AAMVA = trackRule{3, letters, 104, '%'}
)

const (
	endSentinel = '?'
	unreadMark  = "E" // what a reader sends in place of the data of a track that it could not read
)

// ruleOf returns the rule of the tracks that begin with a character, if any do.
func ruleOf(char byte) (trackRule, bool) {
	switch char {
	case '%':
		return track1, true
	case ';':
		return track2, true
	case '+':
		return track3, true
	case '#':
		return track3AAMVA, true
	}
	return trackRule{}, false
}

// track is one track as it was read.
type track struct {
	state TrackState
	data  []byte // ok: what stands between the sentinels, in the reader's own memory
	ended bool   // an end sentinel stood there
}

// readTrack reads the track that a text begins with and returns how many bytes it takes. With lrc a check character
// follows the end sentinel. It may be any character, a sentinel too, and is known by its place alone. Where it is wrong, but
// would begin a track that goes on, it was not sent.
func readTrack(text []byte, rule trackRule, lrc bool) (track, int) {
	end := 1
	for end < len(text) && text[end] != endSentinel && !rule.cutBy(text[end]) {
		end++
	}
	if end == len(text) || text[end] != endSentinel {
		return track{state: TrackError}, end
	}
	read := track{state: rule.judge(text[1:end]), data: text[1:end], ended: true}
	end++
	if !lrc {
		return read, end
	}
	switch {
	case end == len(text):
		read.state = TrackError
	case text[end] == rule.lrc(text[1:end]):
		end++
	default:
		read.state = TrackError
		if !beginsTrack(text[end:]) {
			end++
		}
	}
	return read, end
}

// beginsTrack reports whether a text begins with a track of at least one character.
func beginsTrack(text []byte) bool {
	_, begins := ruleOf(text[0])
	if !begins || len(text) == 1 {
		return false
	}
	_, again := ruleOf(text[1])
	return !again
}

// cutBy reports whether a character begins another track, since it cannot stand in this one.
func (r trackRule) cutBy(char byte) bool {
	_, begins := ruleOf(char)
	return begins && (r.code == figures || char != '#')
}

// judge says what became of a track of which the text between the sentinels came.
func (r trackRule) judge(data []byte) TrackState {
	switch {
	case len(data) == 0:
		return TrackEmpty
	case string(data) == unreadMark || len(data) > r.limit:
		return TrackError
	}
	for _, char := range upper(data) {
		if char-r.code.first > r.code.bits {
			return TrackError
		}
	}
	return TrackOK
}

// lrc is the check character of a track: the XOR of all codes from the start to the end sentinel.
func (r trackRule) lrc(afterStart []byte) byte {
	sum := r.start - r.code.first
	for _, char := range upper(afterStart) {
		sum ^= char - r.code.first
	}
	return r.code.first + sum&r.code.bits
}

// upper yields text with capitals for small letters, which no card has but some readers send.
func upper(text []byte) func(yield func(int, byte) bool) {
	return func(yield func(int, byte) bool) {
		for index, char := range text {
			if 'a' <= char && char <= 'z' {
				char -= 'a' - 'A'
			}
			if !yield(index, char) {
				return
			}
		}
	}
}

// field returns what stands before the first separator, and what behind it.
func field(data []byte, separator byte) (first, rest []byte) {
	first, rest, _ = bytes.Cut(data, []byte{separator})
	return first, rest
}
