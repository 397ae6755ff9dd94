package reader

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A reader that no profile was written for mostly differs from one in what stands around its digits. variantsOf makes
// profiles after the burst itself: the built-in ones, and for each of them one with the prefix and the suffix that the burst has.
func variantsOf(data []byte, built []Profile) []Profile {
	variants := slices.Clone(built)
	for _, profile := range built {
		for _, around := range surroundings(data, profile) {
			variant := profile
			variant.Frame = around
			if variant.Frame != profile.Frame {
				variants = append(variants, variant)
			}
		}
	}
	return variants
}

const (
	mostPrefix = 8 // bytes that a reader adds in front; more are a payload
	mostSuffix = 4 // and behind
)

// surroundings are the frames that a burst may have for a reader of a profile.
func surroundings(data []byte, profile Profile) []Frame {
	var frames []Frame
	add := func(from, to int) {
		prefix, suffix := data[:from], ending(data[to:], profile)
		if at := bytes.LastIndexAny(prefix, "\r\n"); at >= 0 && profile.Type != TypeTag {
			prefix = prefix[at+1:] // of a burst before
		}
		frame := profile.Frame
		frame.Prefix, frame.Suffix = string(prefix), string(suffix)
		if profile.Type == TypeTag {
			frame.Prefix = string(prefix[max(0, len(prefix)-1):]) // sentinels look for one byte, and skip what is before
		}
		if suffix == nil {
			frame.Ends = EndGap
		}
		usable := len(frame.Prefix) <= mostPrefix && !strings.ContainsFunc(frame.Prefix, isNoiseInPrefix) && (suffix != nil || to == len(data)) && (profile.Type != TypeTag || len(frame.Prefix) == 1 && suffix != nil && mayBegin(frame.Prefix[0], profile.Checksum))
		if usable && !slices.Contains(frames, frame) {
			frames = append(frames, frame)
		}
	}
	switch profile.Type {
	case TypeStripe:
		if from, to := bytes.IndexAny(data, "%;+"), bytes.LastIndexByte(data, endSentinel); from >= 0 && to > from {
			if profile.Stripe.LRC && to+1 < len(data) {
				to++
			}
			add(from, to+1)
		}
	case TypeTag:
		for from, to := range rows(data, isHex) {
			if to-from == profile.tagDigits() {
				add(from, to)
			}
		}
	case TypeUID:
		for from, to := range rows(data, isHex) {
			if length := to - from; length >= 8 && length <= 20 {
				add(from, to)
			}
		}
	case TypeScanner:
		for at := range data[:min(len(data), mostPrefix+1)] {
			if hasIdentifier(data[at:]) && symbologies[data[at+1]] != "" {
				frame := profile.Frame
				end := bytes.TrimRight(data, "\r\n\t\x03")
				frame.Prefix, frame.Suffix, frame.Ends = string(data[:at]), string(data[len(end):]), EndGap
				if !strings.ContainsFunc(frame.Prefix, isNoiseInPrefix) {
					frames = append(frames, frame)
				}
				break
			}
		}
	case TypeMRZ:
		for from, to := range rows(data, isZone) {
			if to-from >= 60 {
				add(from, to)
			}
		}
	}
	return frames
}

// mayBegin reports whether a byte may stand in front of a tag's digits. Where no checksum follows, it must be no letter: the
// digits might be the end of something else.
func mayBegin(char byte, checksum Checksum) bool {
	return !isHex(char) && (checksum != NoChecksum || !isLetter(char))
}

// isNoiseInPrefix reports whether a character is one that no reader adds, and lines pick up.
func isNoiseInPrefix(char rune) bool { return char == 0 || char > '~' }

// ending is what stands behind a payload up to where the next frame could begin: control characters, and where a sentinel or
// a checksum has shown that the payload is over, a few others that are no digits. Without any it is nil.
func ending(rest []byte, profile Profile) []byte {
	over := profile.Type == TypeStripe || profile.Type == TypeTag && profile.Checksum != NoChecksum
	may := func(at int) bool {
		printable := rest[at] >= ' '
		return (at == 0 || rest[at] != rest[0]) && (!printable || over && !isHex(rest[at]) && !strings.ContainsRune("%;+", rune(rest[at])))
	}
	end := 0
	for end < len(rest) && end < mostSuffix && may(end) {
		end++
	}
	if end == 0 {
		return nil
	}
	if bytes.HasPrefix(rest, []byte("\r\n")) || bytes.HasPrefix(rest, []byte("\r")) && end == 1 {
		return rest[:1] // CR stands for CR LF too
	}
	return rest[:end]
}

func isHex(char byte) bool {
	_, is := hexDigit(char)
	return is
}

// isZone reports whether a byte may stand in a machine-readable zone, its line ends included.
func isZone(char byte) bool {
	return char == '<' || isDigit(char) || 'A' <= char && char <= 'Z' || char == '\r' || char == '\n'
}

// rows goes through the longest rows of bytes of a kind, from and to.
func rows(data []byte, kind func(byte) bool) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(data); {
			if !kind(data[from]) {
				from++
				continue
			}
			to := from
			for to < len(data) && kind(data[to]) {
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// TOML returns the profile as a file that ParseProfile reads, with what differs from the defaults of its kind.
func (p Profile) TOML() string {
	var text strings.Builder
	like := defaults(p.Type)
	fmt.Fprintf(&text, "kind = %q\n", p.Type)
	if p.Repeat != like.Repeat {
		fmt.Fprintf(&text, "repeat = %q\n", p.Repeat)
	}
	line := p.Line.Normal()
	fmt.Fprintf(&text, "\n[line]\nbaud = %d\n", line.Baud)
	if line.DataBits != 8 {
		fmt.Fprintf(&text, "data_bits = %d\n", line.DataBits)
	}
	if line.Parity != 0 {
		fmt.Fprintf(&text, "parity = %q\n", line.Parity)
	}
	if line.StopBits != 1 {
		fmt.Fprintf(&text, "stop_bits = %d\n", line.StopBits)
	}
	fmt.Fprintf(&text, "\n[frame]\nprefix = %s\nsuffix = %s\nends = %q\ngap = %q\n", quoted(p.Frame.Prefix), quoted(p.Frame.Suffix), p.Frame.Ends, p.Frame.Gap)
	switch p.Type {
	case TypeStripe:
		fmt.Fprintf(&text, "\n[members]\nfrom = %q\nto = %q\n", p.Members.From, p.Members.To)
		fmt.Fprintf(&text, "\n[magstripe]\nlrc = %t\ntrack_3 = %q\n", p.Stripe.LRC, p.Stripe.Track3)
	case TypeTag:
		fmt.Fprintf(&text, "\n[em4100]\nchecksum = %q\n", p.Checksum)
	case TypeUID:
		format := map[bool]string{true: "decimal", false: "hex"}[p.UID.Decimal]
		fmt.Fprintf(&text, "\n[uid]\nformat = %q\nreverse = %t\n", format, p.UID.Reverse)
	}
	return text.String()
}

// quoted writes a TOML basic string. Bytes above ASCII cannot stand in one; a prefix has none that a profile could name.
func quoted(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, char := range []byte(text) {
		switch {
		case char == '"' || char == '\\':
			out.WriteByte('\\')
			out.WriteByte(char)
		case char == '\r':
			out.WriteString(`\r`)
		case char == '\n':
			out.WriteString(`\n`)
		case char < ' ' || char >= 0x7F:
			fmt.Fprintf(&out, `\u%04X`, char)
		default:
			out.WriteByte(char)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// likeness names a profile's difference from the built-in one of its name; empty where there is none.
func likeness(p Profile, built []Profile) string {
	at := slices.IndexFunc(built, func(each Profile) bool { return each.Name == p.Name })
	if at < 0 {
		return ""
	}
	var differs []string
	line, usual := p.Line.Normal(), built[at].Line.Normal()
	if line.Baud != usual.Baud {
		differs = append(differs, fmt.Sprintf("%d baud", line.Baud))
	}
	if line.DataBits != usual.DataBits || line.Parity != usual.Parity {
		differs = append(differs, fmt.Sprintf("%d data bits, parity %s", line.DataBits, line.Parity))
	}
	if frame, plain := p.Frame, built[at].Frame; frame != plain {
		if frame.Prefix != plain.Prefix {
			differs = append(differs, fmt.Sprintf("prefix %q", frame.Prefix))
		}
		if frame.Suffix != plain.Suffix {
			differs = append(differs, fmt.Sprintf("suffix %q", frame.Suffix))
		}
		if frame.Ends != plain.Ends {
			differs = append(differs, "ends by "+cmp.Or(string(frame.Ends), "suffix"))
		}
	}
	return strings.Join(differs, ", ")
}
