package reader

import "fmt"

// Tag is what a 125 kHz tag of the kind EM4100 says: five bytes, written as ten hexadecimal digits.
type Tag struct {
	Tag       string `json:"tag"`       // in capitals; the tag is ten digits, not a number
	Decimal   string `json:"decimal"`   // the low 32 bits, ten decimal digits: what is often printed on the tag
	Wiegand26 string `json:"wiegand26"` // the low 24 bits as facility and number, the other print
}

// tagBytes is how many bytes an EM4100 tag has.
const tagBytes = 5

// parseTag reads the digits of a frame, the checksum's two behind the tag's ten if the reader sends one. It reports false
// for anything but digits and for a wrong checksum.
func parseTag(digits []byte, checksum Checksum) (Tag, bool) {
	bytes, ok := hexBytes(digits)
	if !ok || len(bytes) != tagBytes+checksum.bytes() {
		return Tag{}, false
	}
	tag := bytes[:tagBytes]
	if checksum != NoChecksum && bytes[tagBytes] != checksum.over(tag) {
		return Tag{}, false
	}
	low := uint32(tag[1])<<24 | uint32(tag[2])<<16 | uint32(tag[3])<<8 | uint32(tag[4])
	return Tag{
		Tag:       fmt.Sprintf("%X", tag),
		Decimal:   fmt.Sprintf("%010d", low),
		Wiegand26: fmt.Sprintf("%03d,%05d", low>>16&0xff, low&0xffff),
	}, true
}

// Checksum is how a reader of tags checks the five bytes of a tag.
type Checksum string

// The checksums.
const (
	XORChecksum Checksum = "xor"
	SumChecksum Checksum = "sum" // a clone's: the bytes added, modulo 256
	NoChecksum  Checksum = "none"
)

func (c Checksum) bytes() int {
	if c == NoChecksum {
		return 0
	}
	return 1
}

func (c Checksum) over(bytes []byte) byte {
	var check byte
	for _, value := range bytes {
		if c == SumChecksum {
			check += value
		} else {
			check ^= value
		}
	}
	return check
}

// hexBytes is the bytes that hexadecimal digits of either case stand for, two digits each.
func hexBytes(digits []byte) ([]byte, bool) {
	bytes := make([]byte, 0, len(digits)/2)
	for index, char := range digits {
		value, ok := hexDigit(char)
		switch {
		case !ok:
			return nil, false
		case index%2 == 0:
			bytes = append(bytes, value<<4)
		default:
			bytes[index/2] |= value
		}
	}
	return bytes, len(digits)%2 == 0
}
