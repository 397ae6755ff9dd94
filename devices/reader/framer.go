package reader

import (
	"bytes"
	"time"
)

// framer cuts bytes into frames. It is pure: it knows the time only from what it is told. It gives each frame to emit as
// soon as it is over.
type framer interface {
	// push takes bytes that came at a moment.
	push(at time.Time, data []byte, emit emitter)
	// silence says that the line has been quiet for the profile's gap: what is begun will not go on.
	silence(emit emitter)
	// reset forgets and wipes what is begun.
	reset()
	// begun reports whether there is anything that silence would end.
	begun() bool
	// noisy reports whether bytes were dropped that stood outside any frame, line ends not counted.
	noisy() bool
}

// emitter takes a frame, which is the framer's own memory and is wiped when emitter returns. Whole says that it ended as it
// should; else it stopped half way, and may be the beginning of another number.
type emitter func(frame []byte, whole bool)

// frameLimit is how many bytes a frame may have. The longest known, a driving licence spoilt by its scanner, has less than
// 1,500.
const frameLimit = 4096

// packets cuts where a suffix stands or where the line fell silent. Without a suffix that ends frames, bytes of any value
// may stand inside.
type packets struct {
	prefix   []byte // what frames begin with; bytes before it are noise. Empty: with any byte
	suffix   []byte // what ends a frame at once. Empty: only silence does
	restarts bool   // a prefix inside a frame begins a new one, since the payload cannot hold it
	gap      time.Duration

	frame []byte // what is begun; it never grows beyond its first memory, so that no copies are left behind
	last  time.Time
	noise bool
}

func (p *packets) push(at time.Time, data []byte, emit emitter) {
	if p.begun() && p.gap > 0 && at.Sub(p.last) >= p.gap {
		p.silence(emit)
	}
	p.last = at
	if p.frame == nil {
		p.frame = make([]byte, 0, frameLimit)
	}
	for _, char := range data {
		p.frame = append(p.frame, char)
		switch {
		case len(p.frame) <= len(p.prefix):
			p.awaitPrefix()
		case p.restarts && bytes.HasSuffix(p.frame, p.prefix) && len(p.prefix) > 0:
			p.reset()
			p.frame = append(p.frame, p.prefix...)
		case len(p.suffix) > 0 && bytes.HasSuffix(p.frame[len(p.prefix):], p.suffix):
			p.end(len(p.suffix), true, emit)
		case len(p.frame) == cap(p.frame):
			p.end(0, false, emit)
		}
	}
}

// awaitPrefix drops bytes from the front until what is left may be the beginning of a prefix.
func (p *packets) awaitPrefix() {
	for !bytes.HasPrefix(p.prefix, p.frame) {
		p.noise = p.noise || isNoise(p.frame[0])
		copy(p.frame, p.frame[1:])
		p.frame[len(p.frame)-1] = 0
		p.frame = p.frame[:len(p.frame)-1]
	}
}

func (p *packets) silence(emit emitter) { p.end(0, len(p.suffix) == 0, emit) }

// end emits the frame without prefix and suffix, if anything is left, and wipes it.
func (p *packets) end(suffix int, whole bool, emit emitter) {
	if from, to := len(p.prefix), len(p.frame)-suffix; from < to {
		emit(p.frame[from:to], whole)
	}
	p.reset()
}

func (p *packets) reset() {
	clear(p.frame)
	p.frame = p.frame[:0]
}

func (p *packets) begun() bool { return len(p.frame) > 0 }

func (p *packets) noisy() bool { return p.noise }

func isNoise(char byte) bool { return char != '\r' && char != '\n' }

// sentinels cuts frames of one length: a prefix of one byte, so many hexadecimal digits, a suffix. The first byte that
// does not fit drops the frame; if it is a prefix, it begins the next. A frame that was dropped is emitted empty.
type sentinels struct {
	prefix byte
	digits int
	suffix []byte
	gap    time.Duration

	frame []byte // from the prefix on
	last  time.Time
	noise bool
}

func (s *sentinels) push(at time.Time, data []byte, emit emitter) {
	if s.begun() && s.gap > 0 && at.Sub(s.last) >= s.gap {
		s.reset()
	}
	s.last = at
	if s.frame == nil {
		s.frame = make([]byte, 0, 1+s.digits+len(s.suffix))
	}
	for _, char := range data {
		if s.begun() && !s.fits(char) {
			s.reset()
			emit(nil, false)
		}
		if s.begun() || char == s.prefix {
			s.frame = append(s.frame, char)
		} else {
			s.noise = s.noise || isNoise(char)
		}
		if len(s.frame) == cap(s.frame) {
			emit(s.frame[1:1+s.digits], true)
			s.reset()
		}
	}
}

// fits reports whether a byte may come next.
func (s *sentinels) fits(char byte) bool {
	at := len(s.frame) - 1
	if at < s.digits {
		_, ok := hexDigit(char)
		return ok
	}
	return char == s.suffix[at-s.digits]
}

// silence drops what is begun: half a tag is no tag.
func (s *sentinels) silence(emitter) { s.reset() }

func (s *sentinels) reset() {
	clear(s.frame)
	s.frame = s.frame[:0]
}

func (s *sentinels) begun() bool { return len(s.frame) > 0 }

func (s *sentinels) noisy() bool { return s.noise }

// hexDigit is the value of a hexadecimal digit of either case.
func hexDigit(char byte) (byte, bool) {
	switch {
	case '0' <= char && char <= '9':
		return char - '0', true
	case 'A' <= char && char <= 'F':
		return char - 'A' + 10, true
	case 'a' <= char && char <= 'f':
		return char - 'a' + 10, true
	}
	return 0, false
}
