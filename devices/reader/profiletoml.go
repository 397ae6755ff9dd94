package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/devices/port"
	"reelkiosk/store/strict"
)

// ErrProfile is wrapped by everything that is wrong with a profile.
var ErrProfile = errors.New("reader profile")

// ParseProfile reads a profile's TOML. All mistakes are reported at once, each with the file, the line, the key, the value
// and what is allowed; unknown keys are mistakes. Every error wraps ErrProfile, and for mistakes a strict.Mistakes.
//
//	kind = "magstripe"         # or em4100, uid, scanner, mrz
//	repeat = "2s"              # how long a card must be away to count again; 0s: every frame counts
//	[line]                     # baud, parity, data_bits, stop_bits
//	[frame]                    # prefix, suffix, ends = "suffix" or "gap", gap = "80ms"
//	[members]                  # from, to: the club's card numbers
//	[magstripe]                # lrc = true, track_3 = "+" or ";"
//	[em4100]                   # checksum = "xor", "sum" or "none"
//	[uid]                      # format = "hex" or "decimal", reverse = true
func ParseProfile(file string, text []byte) (Profile, error) {
	doc, err := strict.Read(file, text)
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	top := doc.Top(nil)
	kind := strict.Take(top, "kind", choice(types...))
	if kind == "" { // what else is allowed depends on it
		return Profile{}, fmt.Errorf("%w: %w", ErrProfile, doc.Mistakes())
	}
	profile := defaults(kind)
	profile.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	profile.Repeat = strict.TakeOr(top, "repeat", duration(0, time.Minute), profile.Repeat)
	profile.readLine(top.Table("line"))
	profile.readFrame(top.Table("frame"))
	switch kind {
	case TypeStripe:
		profile.readMembers(top.Table("members"))
		stripe := top.Table("magstripe")
		profile.Stripe.LRC = strict.TakeOr(stripe, "lrc", strict.Truth, profile.Stripe.LRC)
		profile.Stripe.Track3 = strict.TakeOr(stripe, "track_3", choice("+", ";"), profile.Stripe.Track3)
	case TypeTag:
		profile.Checksum = strict.TakeOr(top.Table("em4100"), "checksum", choice(XORChecksum, SumChecksum, NoChecksum), profile.Checksum)
	case TypeUID:
		uid := top.Table("uid")
		profile.UID.Decimal = strict.TakeOr(uid, "format", choice("hex", "decimal"), "hex") == "decimal"
		profile.UID.Reverse = strict.TakeOr(uid, "reverse", strict.Truth, profile.UID.Reverse)
	case TypeScanner:
		if profile.LicenceKeys, err = publishedKeys(); err != nil {
			return profile, fmt.Errorf("%w: %w", ErrProfile, err)
		}
	}
	if err := doc.Finish(); err != nil {
		return profile, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	return profile, nil
}

var publishedKeys = sync.OnceValues(func() (identity.LicenceKeys, error) {
	return identity.ParseLicenceKeys(assets.LicenceKeys)
})

func (p *Profile) readLine(line *strict.Table) {
	p.Line.Baud = strict.TakeOr(line, "baud", strict.Among(port.Bauds...), p.Line.Baud)
	p.Line.DataBits = strict.TakeOr(line, "data_bits", strict.Among(5, 6, 7, 8), p.Line.DataBits)
	p.Line.StopBits = strict.TakeOr(line, "stop_bits", strict.Among(1, 2), p.Line.StopBits)
	p.Line.Parity = strict.TakeOr(line, "parity", parity, p.Line.Parity)
}

func (p *Profile) readFrame(frame *strict.Table) {
	p.Frame.Prefix = strict.TakeOr(frame, "prefix", anyText, p.Frame.Prefix)
	p.Frame.Suffix = strict.TakeOr(frame, "suffix", anyText, p.Frame.Suffix)
	p.Frame.Ends = strict.TakeOr(frame, "ends", choice(EndSuffix, EndGap), p.Frame.Ends)
	p.Frame.Gap = strict.TakeOr(frame, "gap", duration(5*time.Millisecond, 10*time.Second), p.Frame.Gap)
	switch {
	case p.Type == TypeTag && (len(p.Frame.Prefix) != 1 || p.Frame.Suffix == ""):
		frame.MistakeOf("prefix", p.Frame.Prefix, "must be one character, and frame.suffix at least one")
	case p.Type == TypeTag && p.Frame.Ends == EndGap:
		frame.Mistake("ends", "must be suffix: a tag's frame has a known length")
	case p.Frame.Ends == EndSuffix && p.Frame.Suffix == "":
		frame.MistakeOf("ends", string(p.Frame.Ends), "must be gap, since there is no suffix")
	case p.Type == TypeScanner && p.Frame.Ends == EndSuffix && strings.Trim(p.Frame.Suffix, "\r\n") == "":
		frame.MistakeOf("ends", string(p.Frame.Ends), "must be gap: what a symbol holds may have line ends in it")
	}
}

func (p *Profile) readMembers(members *strict.Table) {
	p.Members.From = strict.TakeOr(members, "from", anyText, p.Members.From)
	p.Members.To = strict.TakeOr(members, "to", anyText, p.Members.To)
	from, to := p.Members.From, p.Members.To
	if !allDigits([]byte(from+to)) || from == "" || len(from) != len(to) || from > to {
		members.MistakeOf("to", to, "must be digits, as many as in members.from "+from+", and no smaller number")
	}
}

// Named returns a built-in profile. The error wraps ErrProfile and lists the names that there are.
func Named(name string) (Profile, error) {
	profiles, err := builtIn()
	if err != nil {
		return Profile{}, err
	}
	at := slices.IndexFunc(profiles, func(profile Profile) bool { return profile.Name == name })
	if at < 0 {
		return Profile{}, fmt.Errorf("%w: no profile %q; there are %s", ErrProfile, name, strings.Join(Names(), ", "))
	}
	return profiles[at], nil
}

// Names are those of the built-in profiles, sorted.
func Names() []string {
	profiles, _ := builtIn() // a test reads them all
	var names []string
	for _, profile := range profiles {
		names = append(names, profile.Name)
	}
	return names
}

var builtIn = sync.OnceValues(func() ([]Profile, error) { return ParseProfiles(assets.Readers) })

// ParseProfiles reads every *.toml in the folders of a file system, sorted by name. All mistakes in all files are
// reported at once.
func ParseProfiles(folder fs.FS) ([]Profile, error) {
	var profiles []Profile
	var found []error
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".toml" {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		profile, err := ParseProfile(name, text)
		profiles, found = append(profiles, profile), append(found, err)
		return nil
	})
	slices.SortFunc(profiles, func(a, b Profile) int { return strings.Compare(a.Name, b.Name) })
	return profiles, errors.Join(append(found, err)...)
}
