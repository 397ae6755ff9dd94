package reader

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// UID is what a 13.56 MHz reader says of a card: its unique identifier in the order of ISO/IEC 14443-3, or why there is
// none. A reader that is set up wrong must not make another member of a card.
type UID struct {
	UID    string   `json:"uid,omitempty"` // 8, 14 or 20 hexadecimal digits in capitals
	Refuse UIDFault `json:"refuse,omitempty"`
}

// UIDFault is why there is no UID.
type UIDFault string

// The faults of a UID.
const (
	UIDCharacters UIDFault = "characters"  // not digits of the format
	UIDRange      UIDFault = "range"       // a decimal number that does not fit four bytes
	UIDLength     UIDFault = "length"      // not four, seven or ten bytes, nor four and a check byte
	UIDCheck      UIDFault = "bcc"         // the fifth byte is not the XOR of the four before
	UIDCascade    UIDFault = "cascade-tag" // begins with 88: the first part of a longer UID
	UIDRandom     UIDFault = "random-uid"  // begins with 08: a telephone's, another one each time
	UIDHalf       UIDFault = "half"        // the reader stopped before the end: the digits may go on
	UIDBankCard   UIDFault = "bank-card"   // the digits are a payment card's number
)

const (
	cascadeTag = 0x88 // ISO/IEC 14443-3, 6.5.4: CT
	randomUID  = 0x08 // ISO/IEC 14443-3, 6.5.4: uid0 of a random identifier
)

// parseUID reads what a reader sends for one card: hexadecimal digits of either case, two for a byte, or a decimal number
// of four bytes; line ends, STX and ETX around it.
func parseUID(frame []byte, settings UIDSettings) UID {
	text := bytes.Trim(frame, "\x02\x03\r\n")
	if isBankNumberByItself(text, Members{}) {
		return UID{Refuse: UIDBankCard}
	}
	uid, fault := uidBytes(text, settings.Decimal)
	if fault != "" {
		return UID{Refuse: fault}
	}
	if settings.Reverse {
		slices.Reverse(uid)
	}
	switch len(uid) {
	case 4, 7, 10:
	case 5:
		if XORChecksum.over(uid[:4]) != uid[4] {
			return UID{Refuse: UIDCheck}
		}
		uid = uid[:4]
	default:
		return UID{Refuse: UIDLength}
	}
	switch uid[0] {
	case cascadeTag:
		return UID{Refuse: UIDCascade}
	case randomUID:
		return UID{Refuse: UIDRandom}
	}
	return UID{UID: fmt.Sprintf("%X", uid)}
}

func uidBytes(text []byte, decimal bool) ([]byte, UIDFault) {
	if !decimal {
		for _, char := range text {
			if _, ok := hexDigit(char); !ok {
				return nil, UIDCharacters
			}
		}
		uid, whole := hexBytes(text)
		if !whole {
			return nil, UIDLength
		}
		return uid, ""
	}
	for _, char := range text {
		if char < '0' || char > '9' {
			return nil, UIDCharacters
		}
	}
	if len(text) == 0 {
		return nil, UIDLength
	}
	number, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || number > math.MaxUint32 {
		return nil, UIDRange
	}
	return []byte{byte(number >> 24), byte(number >> 16), byte(number >> 8), byte(number)}, ""
}
