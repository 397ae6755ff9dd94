package emulator

import "golang.org/x/text/encoding/charmap"

const (
	tab      = 0x09
	lineFeed = 0x0A
	dle      = 0x10
	esc      = 0x1B
	fs       = 0x1C
	gs       = 0x1D
)

// command is what follows ESC, FS or GS and one more byte: so many parameters, and what it does with them.
type command struct {
	parameters int
	do         func(m *mechanism, p []byte)
}

// take acts on one byte at the place where a command or a letter may begin.
func (m *mechanism) take(octet byte) {
	switch {
	case octet == lineFeed:
		m.printLine()
	case octet == tab:
		m.tab()
	case octet == dle:
		m.skipRealtime()
	case octet == esc:
		m.command("ESC", escCommands)
	case octet == fs:
		m.command("FS", fsCommands)
	case octet == gs:
		m.command("GS", gsCommands)
	case octet < ' ' || octet == 0x7F:
		// Other control characters do nothing, zeros among them.
	default:
		m.character(octet)
	}
}

// command reads the rest of a command and does it.
func (m *mechanism) command(family string, commands map[byte]command) {
	name, there := m.next()
	if !there {
		return
	}
	found, known := commands[name]
	if !known {
		m.misunderstood(family, name)
		return
	}
	if parameters, there := m.parameters(found.parameters); there {
		found.do(m, parameters)
	}
}

// skipRealtime reads over a command that was taken as it came.
func (m *mechanism) skipRealtime() {
	name, there := m.next()
	if !there {
		return
	}
	switch name {
	case 0x04, 0x05: // DLE EOT n, DLE ENQ n
		m.parameters(1)
	case 0x14: // DLE DC4
		if len(m.peek(8)) == 8 && m.printer.profile.Clear {
			m.parameters(8)
		}
	default:
		m.misunderstood("DLE", name)
	}
}

// peek returns up to n bytes that wait, without taking them.
func (m *mechanism) peek(n int) []byte {
	p := m.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buffer[:min(n, len(p.buffer))]
}

// character prints a letter of the code page, or one of the Chinese characters that take two bytes.
func (m *mechanism) character(octet byte) {
	if m.doubleByte && octet >= 0x80 {
		m.parameters(1)
		m.letter('□')
		m.letter('□')
		return
	}
	m.letter(m.decode(octet))
}

var charmaps = map[string]*charmap.Charmap{
	"cp437":  charmap.CodePage437,
	"cp850":  charmap.CodePage850,
	"cp852":  charmap.CodePage852,
	"cp858":  charmap.CodePage858,
	"cp1252": charmap.Windows1252,
}

// decode returns the letter that a byte stands for in the code page in force.
func (m *mechanism) decode(octet byte) rune {
	if octet < 0x80 {
		return rune(octet)
	}
	for _, page := range m.printer.profile.Pages {
		if page.Number == m.page {
			return charmaps[page.Name].DecodeByte(octet)
		}
	}
	return '?'
}

var escCommands map[byte]command

var fsCommands = map[byte]command{
	'.': {0, func(m *mechanism, _ []byte) { m.doubleByte = false }},
	'&': {0, func(m *mechanism, _ []byte) { m.doubleByte = true }},
}

var gsCommands map[byte]command

// The tables name functions that use the tables, so they are made when the program starts.
func init() {
	escCommands = map[byte]command{
		'@': {0, func(m *mechanism, _ []byte) { m.reset() }},
		't': {1, (*mechanism).choosePage},
		'E': {1, func(m *mechanism, p []byte) { m.bold = p[0]&1 == 1 }},
		'G': {1, func(m *mechanism, p []byte) { m.bold = p[0]&1 == 1 }},
		'-': {1, func(m *mechanism, p []byte) { m.underline = int(p[0]) % '0' % 3 }},
		'M': {1, func(m *mechanism, p []byte) { m.narrow = p[0]&1 == 1 }},
		'!': {1, (*mechanism).printMode},
		'a': {1, (*mechanism).alignTo},
		'2': {0, func(m *mechanism, _ []byte) { m.spacing = 30 }},
		'3': {1, func(m *mechanism, p []byte) { m.spacing = int(p[0]) / m.unitsPerDot }},
		'd': {1, (*mechanism).feedLines},
		'J': {1, (*mechanism).feedUnits},
		'p': {3, func(*mechanism, []byte) {}}, // no drawer
		'i': {0, func(m *mechanism, _ []byte) { m.cut(false, 0) }},
		'm': {0, func(m *mechanism, _ []byte) { m.cut(false, 0) }},
	}
	gsCommands = map[byte]command{
		'!': {1, func(m *mechanism, p []byte) { m.wide, m.high = int(p[0]>>4&7)+1, int(p[0]&7)+1 }},
		'B': {1, func(m *mechanism, p []byte) { m.reverse = p[0]&1 == 1 }},
		'b': {1, (*mechanism).smoothing},
		'V': {1, (*mechanism).cutCommand},
		'a': {1, (*mechanism).statusBack},
		'r': {1, (*mechanism).queuedStatus},
		'(': {3, (*mechanism).extended},
		'v': {6, (*mechanism).raster},
		'k': {1, (*mechanism).barcode},
		'h': {1, func(m *mechanism, p []byte) { m.symbol.height = int(p[0]) }},
		'w': {1, func(m *mechanism, p []byte) { m.symbol.width = int(p[0]) }},
		'H': {1, func(m *mechanism, p []byte) { m.symbol.readable = p[0] != 0 && p[0] != '0' }},
		'f': {1, func(*mechanism, []byte) {}}, // the font of the text under a barcode
	}
}

func (m *mechanism) choosePage(p []byte) {
	for _, page := range m.printer.profile.Pages {
		if page.Number == p[0] {
			m.page = p[0]
			return
		}
	}
	m.misunderstood("ESC t", p...)
}

// printMode is ESC !, the older way of saying font, bold and size at once.
func (m *mechanism) printMode(p []byte) {
	m.narrow, m.bold = p[0]&0x01 != 0, p[0]&0x08 != 0
	m.high, m.wide = 1+int(p[0]>>4&1), 1+int(p[0]>>5&1)
}

func (m *mechanism) alignTo(p []byte) {
	if len(m.line) == 0 {
		m.align = p[0] % '0'
	}
}

func (m *mechanism) feedLines(p []byte) {
	if len(m.line) > 0 {
		m.printLine()
	}
	m.move(nil, int(p[0])*m.spacing)
}

// feedUnits is ESC J. What is in the line is printed without the spacing to the next.
func (m *mechanism) feedUnits(p []byte) {
	if spacing := m.spacing; len(m.line) > 0 {
		m.spacing = 0
		m.printLine()
		m.spacing = spacing
	}
	m.move(nil, int(p[0])/m.unitsPerDot)
}

func (m *mechanism) smoothing(p []byte) {
	if !m.printer.profile.Smoothing {
		m.misunderstood("GS b", p...)
		return
	}
	m.smooth = p[0]&1 == 1
}

// cutCommand is GS V: 0, 1, '0' and '1' cut at once, 'A' and 'B' feed first.
func (m *mechanism) cutCommand(p []byte) {
	switch p[0] {
	case 0, 1, '0', '1':
		m.cut(false, 0)
	case 'A', 'B':
		if units, there := m.parameters(1); there {
			m.cut(true, int(units[0])/m.unitsPerDot)
		}
	default:
		m.misunderstood("GS V", p...)
	}
}

func (m *mechanism) statusBack(p []byte) {
	if !m.printer.profile.Push {
		m.misunderstood("GS a", p...)
		return
	}
	m.say(func(printer *Printer) []byte {
		printer.pushMask, printer.pushed = p[0], printer.automatic()
		if p[0] == 0 {
			return nil
		}
		return printer.pushed
	})
}

func (m *mechanism) queuedStatus(p []byte) {
	if p[0]%'0' != 1 || !m.printer.profile.Asked {
		m.misunderstood("GS r", p...)
		return
	}
	m.say(func(printer *Printer) []byte { return []byte{printer.paperSensors()} })
}

// extended is GS (, a letter, and a length of two bytes.
func (m *mechanism) extended(p []byte) {
	body, there := m.parameters(int(p[1]) | int(p[2])<<8)
	switch {
	case !there:
	case p[0] == 'k' && len(body) >= 3 && body[0] == '1':
		m.qr(body[1], body[2:])
	case p[0] == 'H' && len(body) == 6 && body[0] == 48 && m.printer.profile.Confirm == "process-id":
		m.say(func(*Printer) []byte { return append(append([]byte{0x37, 0x22}, body[2:]...), 0) })
	default:
		m.misunderstood("GS (", p[0])
	}
}
