package printer

// dotsPerMillimetre is that of 203 dots an inch, which the heads of 80 mm printers have; some have 180, and use an eighth
// more paper than is counted.
const dotsPerMillimetre = 8

// Length returns about how many millimetres of paper a document takes on a printer of a profile, the cut included. The error
// wraps ErrDocument.
func Length(profile Profile, document Document) (millimetres int, err error) {
	steps, err := lay(profile, document)
	if err != nil {
		return 0, err
	}
	rows := 0
	for _, step := range steps {
		rows += step.rows
	}
	return (rows + dotsPerMillimetre - 1) / dotsPerMillimetre, nil
}
