package reader

import (
	"bytes"
	"reflect"
	"slices"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// Only silence ends the frames of scanners and of some readers of machine-readable zones. Where a read follows another one,
// or noise, without a pause, they come in one frame.

// runTogether cuts a frame of a scanner in front of every identifier that stands behind a line end. No cut is made within
// a driving licence, which holds any byte, nor in front of the add-on of a UPC or EAN.
func runTogether(frame []byte) (parts [][]byte) {
	start := 0
	for at := opaque(frame); at < len(frame); at++ {
		lineEnd := frame[at-1] == '\r' || frame[at-1] == '\n'
		if lineEnd && beginsScan(frame[at:]) && !isAddon(frame[start:], frame[at:]) {
			parts, start = append(parts, frame[start:at]), at
			at += opaque(frame[at:]) - 1
		}
	}
	return append(parts, frame[start:])
}

// opaque is how many bytes at the beginning of a text are not looked into for an identifier: those of a driving licence, or
// one.
func opaque(text []byte) int {
	if hasIdentifier(text) && identity.IsLicence(text[identifierLength:]) {
		return identifierLength + identity.LicenceLength
	}
	return 1
}

// beginsScan reports whether an identifier of a symbology in use stands there, and something behind it.
func beginsScan(text []byte) bool {
	return hasIdentifier(text) && symbologies[text[1]] != "" && len(bytes.TrimRight(text, "\r\n")) > identifierLength
}

// isAddon reports whether a block is the second one of a UPC or EAN: ]E1 or ]E2 and two or five digits.
func isAddon(before, block []byte) bool {
	digits := bytes.TrimRight(block[identifierLength:], "\r\n")
	return hasIdentifier(before) && symbologies[before[1]] == upcEAN && symbologies[block[1]] == upcEAN &&
		(len(digits) == 2 || len(digits) == 5) && allDigits(digits)
}

// lastInside is where the last scan begins in what is left of a frame that is no document, or 0.
func lastInside(part []byte) int {
	for at := len(part) - identifierLength; at >= opaque(part); at-- {
		if part[at] == ']' && beginsScan(part[at:]) && !isAddon(part, part[at:]) {
			return at
		}
	}
	return 0
}

// zonesIn reads a frame of a reader of machine-readable zones. If it is none as a whole, those in it are looked for whose
// check digits are all right: noise may stand in front of a zone's first line, behind its last, and on lines of its own.
// The same zone twice counts once.
func zonesIn(frame []byte, on tournament.Date) []identity.Result {
	whole := identity.ReadMRZ(frame, on)
	if whole.Kind != "" {
		return []identity.Result{whole}
	}
	var found []identity.Result
	lines := bytes.FieldsFunc(frame, func(char rune) bool { return char <= ' ' })
	for first := range lines {
		for _, shape := range zoneShapes {
			for _, zone := range shape.at(lines[first:]) {
				if result := identity.ReadMRZ(zone, on); result.Kind != "" && result.Fault == nil && !slices.ContainsFunc(found, sameDocument(result)) {
					found = append(found, result)
				}
			}
		}
	}
	if found == nil {
		return []identity.Result{whole}
	}
	return found
}

// zoneShape is lines of one length. In one run they are one line.
type zoneShape struct{ lines, length int }

var zoneShapes = []zoneShape{{2, 44}, {2, 36}, {3, 30}, {1, 88}, {1, 72}, {1, 90}} // ICAO 9303: TD3, TD2, TD1

// at returns the zones of a shape that may begin in the first of some lines.
func (s zoneShape) at(lines [][]byte) (zones [][]byte) {
	if len(lines) < s.lines || len(lines[0]) < s.length || len(lines[s.lines-1]) < s.length {
		return nil
	}
	first, last := lines[0][len(lines[0])-s.length:], lines[s.lines-1][:s.length]
	if s.lines == 1 {
		return likelyZones(first, last)
	}
	for _, between := range lines[1 : s.lines-1] {
		if len(between) != s.length {
			return nil
		}
		first = bytes.Join([][]byte{first, between}, nil)
	}
	return likelyZones(bytes.Join([][]byte{first, last}, nil))
}

// likelyZones are those that begin with a document's code (ICAO 9303 parts 4 to 7): passports, cards, visas.
func likelyZones(zones ...[]byte) [][]byte {
	return slices.DeleteFunc(zones, func(zone []byte) bool { return !bytes.ContainsRune([]byte("PIACV"), rune(zone[0])) })
}

func sameDocument(result identity.Result) func(identity.Result) bool {
	document, _ := result.Document()
	return func(other identity.Result) bool {
		its, ok := other.Document()
		return ok && reflect.DeepEqual(its, document)
	}
}

// differ reports whether documents that came in one read are not all the same. Whose they are, a host must see.
func differ(results []identity.Result) bool {
	var first identity.Result
	for _, result := range results {
		if _, ok := result.Document(); !ok {
			continue
		}
		if first.Paper == nil {
			first = result
		}
		if !sameDocument(first)(result) {
			return true
		}
	}
	return false
}
