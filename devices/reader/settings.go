package reader

import (
	"fmt"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/store/strict"
)

var anyText = strict.Text("must be text in quotation marks", nil)

var parity = strict.Kind[port.Parity]{
	Allowed: "must be none, odd or even",
	Read: func(value any) (parity port.Parity, right bool) {
		name, right := value.(string)
		return parity, right && parity.UnmarshalText([]byte(name)) == nil
	},
}

func duration(least, most time.Duration) strict.Kind[time.Duration] {
	return strict.Duration(fmt.Sprintf("must be a time from \"%v\" to \"%v\", such as \"80ms\"", least, most), least, most, 1)
}

// choice is a word that must be one of a few.
func choice[Word ~string](words ...Word) strict.Kind[Word] {
	kind := strict.Choice(words...)
	kind.Allowed = fmt.Sprintf("must be one of %q", words)
	return kind
}
