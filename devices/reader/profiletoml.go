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

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/devices/port"
)

// ErrProfile is wrapped by everything that is wrong with a profile.
var ErrProfile = errors.New("reader profile")

// ParseProfile reads a profile's TOML. All mistakes are reported at once, each with the file, the key, the value and what
// is allowed; unknown keys are mistakes. Every error wraps ErrProfile.
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
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var place *toml.DecodeError
		if errors.As(err, &place) {
			row, column := place.Position()
			return Profile{}, fmt.Errorf("%w: %s:%d:%d: %w", ErrProfile, file, row, column, err)
		}
		return Profile{}, fmt.Errorf("%w: %s: %w", ErrProfile, file, err)
	}
	keys := &settings{file: file, values: map[string]any{}}
	keys.flatten("", tree)

	var kind Type
	if choose(keys, "kind", &kind, types...); kind == "" {
		if len(keys.found) == 0 {
			keys.wrong("kind", "", fmt.Sprintf("must be given, one of %q", types))
		}
		return Profile{}, errors.Join(keys.found...)
	}
	profile := defaults(kind)
	profile.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	keys.duration("repeat", &profile.Repeat, 0, time.Minute)
	profile.readLine(keys)
	profile.readFrame(keys)
	switch kind {
	case TypeStripe:
		profile.readMembers(keys)
		keys.flag("magstripe.lrc", &profile.Stripe.LRC)
		choose(keys, "magstripe.track_3", &profile.Stripe.Track3, "+", ";")
	case TypeTag:
		choose(keys, "em4100.checksum", &profile.Checksum, XORChecksum, SumChecksum, NoChecksum)
	case TypeUID:
		format := "hex"
		choose(keys, "uid.format", &format, "hex", "decimal")
		profile.UID.Decimal = format == "decimal"
		keys.flag("uid.reverse", &profile.UID.Reverse)
	case TypeScanner:
		var err error
		if profile.LicenceKeys, err = publishedKeys(); err != nil {
			keys.found = append(keys.found, err)
		}
	}
	return profile, keys.mistakes()
}

var publishedKeys = sync.OnceValues(func() (identity.LicenceKeys, error) {
	return identity.ParseLicenceKeys(assets.LicenceKeys)
})

func (p *Profile) readLine(keys *settings) {
	keys.number("line.baud", &p.Line.Baud, port.Bauds...)
	keys.number("line.data_bits", &p.Line.DataBits, 5, 6, 7, 8)
	keys.number("line.stop_bits", &p.Line.StopBits, 1, 2)
	parity := p.Line.Parity.String()
	keys.text("line.parity", &parity)
	if p.Line.Parity.UnmarshalText([]byte(parity)) != nil {
		keys.wrong("line.parity", parity, "must be none, odd or even")
	}
}

func (p *Profile) readFrame(keys *settings) {
	keys.text("frame.prefix", &p.Frame.Prefix)
	keys.text("frame.suffix", &p.Frame.Suffix)
	choose(keys, "frame.ends", &p.Frame.Ends, EndSuffix, EndGap)
	keys.duration("frame.gap", &p.Frame.Gap, 5*time.Millisecond, 10*time.Second)
	switch {
	case p.Type == TypeTag && (len(p.Frame.Prefix) != 1 || p.Frame.Suffix == ""):
		keys.wrong("frame.prefix", p.Frame.Prefix, "must be one character, and frame.suffix at least one")
	case p.Type == TypeTag && p.Frame.Ends == EndGap:
		keys.wrong("frame.ends", p.Frame.Ends, "must be suffix: a tag's frame has a known length")
	case p.Frame.Ends == EndSuffix && p.Frame.Suffix == "":
		keys.wrong("frame.ends", p.Frame.Ends, "must be gap, since there is no suffix")
	case p.Type == TypeScanner && p.Frame.Ends == EndSuffix && strings.Trim(p.Frame.Suffix, "\r\n") == "":
		keys.wrong("frame.ends", p.Frame.Ends, "must be gap: what a symbol holds may have line ends in it")
	}
}

func (p *Profile) readMembers(keys *settings) {
	keys.text("members.from", &p.Members.From)
	keys.text("members.to", &p.Members.To)
	from, to := p.Members.From, p.Members.To
	if !allDigits([]byte(from+to)) || from == "" || len(from) != len(to) || from > to {
		keys.wrong("members.to", to, "must be digits, as many as in members.from "+from+", and no smaller number")
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
