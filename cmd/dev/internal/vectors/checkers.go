package vectors

import (
	"fmt"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/identity/vectortest"
	"reelkiosk/devices/reader"
	"reelkiosk/store/tournament"
)

// checker runs one case through the code that it is for and returns what that found, to be compared as JSON with what
// the case expects. The error is about a case that is not in the format.
type checker func(vectortest.Case) (got any, err error)

// checkers are the kinds of vectors, by the names of their files.
var checkers = map[string]checker{
	"sa-id": document(func(input []byte, c vectortest.Case, on tournament.Date) identity.Result {
		if c.Has("source") {
			return identity.ReadBook(string(input), on)
		}
		number, err := identity.ParseNumber(string(input), on)
		return identity.ResultOf(identity.KindBook, number, err)
	}),
	"smart-id": document(func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
		card, err := identity.ParseSmartCard(input, on)
		return identity.ResultOf(identity.KindSmartCard, card, err)
	}),
	"mrz": document(func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
		return identity.ReadMRZ(input, on)
	}),
	"aamva": document(func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
		card, err := identity.ParseAAMVA(input, on)
		return identity.ResultOf(card.Kind, card, err)
	}),
	"magstripe": captured(func(c vectortest.Case) (reader.Profile, error) {
		profile, err := reader.Named("magstripe")
		if err == nil {
			err = c.Setting("lrc", &profile.Stripe.LRC)
		}
		return profile, err
	}),
	"rfid": captured(func(c vectortest.Case) (reader.Profile, error) {
		name := "rdm6300"
		if err := c.Setting("reader", &name); err != nil {
			return reader.Profile{}, err
		}
		profile, err := reader.Named(name)
		if err != nil || profile.Type != reader.TypeTag {
			return profile, fmt.Errorf("%w: case %q: \"reader\": %q is no reader of tags", vectortest.ErrMalformed, c.Name, name)
		}
		return profile, choice(c, "checksum", &profile.Checksum, reader.XORChecksum, reader.SumChecksum, reader.NoChecksum)
	}),
	"uid": captured(func(c vectortest.Case) (reader.Profile, error) {
		profile, err := reader.Named("uid-hex")
		if err != nil {
			return profile, err
		}
		if err := c.Setting("reverse", &profile.UID.Reverse); err != nil {
			return profile, err
		}
		format := "hex"
		err = choice(c, "format", &format, "hex", "decimal")
		profile.UID.Decimal = format == "decimal"
		return profile, err
	}),
	"scanner": captured(func(c vectortest.Case) (reader.Profile, error) {
		suffix := ""
		if err := choice(c, "suffix", &suffix, "none", "cr", "crlf"); err != nil {
			return reader.Profile{}, err
		}
		if suffix == "none" {
			return reader.Named("scanner-no-suffix")
		}
		return reader.Named("scanner")
	}),
}

// document is the checker of a kind of document. Every case must say on which day it is read.
func document(read func([]byte, vectortest.Case, tournament.Date) identity.Result) checker {
	return func(c vectortest.Case) (any, error) {
		input, err := c.Bytes()
		if err != nil {
			return nil, err
		}
		on, err := c.Clock()
		if err == nil && on.IsZero() {
			err = fmt.Errorf("%w: case %q: no \"clock\"", vectortest.ErrMalformed, c.Name)
		}
		if err != nil {
			return nil, err
		}
		return read(input, c, on), nil
	}
}

// captured is the checker of what a reader sends, by the profile that a case's settings describe.
func captured(profileOf func(vectortest.Case) (reader.Profile, error)) checker {
	return func(c vectortest.Case) (any, error) {
		profile, err := profileOf(c)
		if err != nil {
			return nil, err
		}
		input, err := c.Bytes()
		if err != nil {
			return nil, err
		}
		on, err := c.Clock()
		if on.IsZero() {
			on = tournament.DateOf(time.Now())
		}
		return reader.Capture(profile, input, on).Verbatim(), err
	}
}

// choice takes a setting that must be one of a few words.
func choice[Word ~string](c vectortest.Case, name string, into *Word, allowed ...Word) error {
	if err := c.Setting(name, into); err != nil {
		return err
	}
	for _, word := range allowed {
		if *into == word || !c.Has(name) {
			return nil
		}
	}
	return fmt.Errorf("%w: case %q: %q: %q must be one of %q", vectortest.ErrMalformed, c.Name, name, *into, allowed)
}
