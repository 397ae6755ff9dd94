package printer

import (
	"fmt"

	"reelkiosk/devices/printer/escpos"
)

// Encode returns the bytes that print the document on a printer of the profile, from the reset to the last cut, without
// the question whether it was done. The error wraps ErrDocument.
func Encode(profile Profile, document Document) ([]byte, error) {
	parts, err := encode(profile, document)
	if err != nil {
		return nil, err
	}
	var whole []byte
	for _, part := range parts {
		whole = append(whole, part.bytes...)
	}
	return whole, nil
}

// part is as many whole commands as the printer is given at once: half of what it can hold, unless one is larger.
type part struct {
	bytes []byte
	rows  int // of paper that they move
}

// window is how many bytes a part has at most. Two parts fit into the printer's buffer: one that it works on and the
// next.
func (p Profile) window() int { return p.Buffer / 2 }

// encode lays the document out and cuts the bytes into parts, between commands.
func encode(profile Profile, document Document) ([]part, error) {
	steps, err := lay(profile, document)
	if err != nil {
		return nil, err
	}
	var parts []part
	var encoder escpos.Encoder
	for _, step := range steps {
		encoded, err := encoder.Append(nil, step.command)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDocument, err)
		}
		last := len(parts) - 1
		if last < 0 || len(parts[last].bytes)+len(encoded) > profile.window() {
			parts = append(parts, part{})
			last++
		}
		parts[last].bytes = append(parts[last].bytes, encoded...)
		parts[last].rows += step.rows
	}
	return parts, nil
}
