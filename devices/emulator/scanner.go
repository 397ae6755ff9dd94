package emulator

// Scanner plays a reader of symbols and documents on a line.
type Scanner struct {
	line  *Line
	setup ScannerSetup
}

// ScannerSetup is how a scanner is set up.
type ScannerSetup struct {
	AIM            bool   // the AIM identifier (ISO/IEC 15424) is sent before the data
	Before, Behind string // sent before and behind each scan
	UTF8           bool   // bytes are taken for Latin-1 and sent as UTF-8: the wrong set-up for a driving licence
}

var (
	// AIMScanner is set up as the kiosk wants it: AIM identifier, data, CR.
	AIMScanner = ScannerSetup{AIM: true, Behind: "\r"}
	// BareScanner is as it comes from its maker: data and CR.
	BareScanner = ScannerSetup{Behind: "\r"}
	// MRZReader reads nothing but machine-readable zones, and sends them between STX and ETX.
	MRZReader = ScannerSetup{Before: "\x02", Behind: "\x03"}
)

// Symbol is what is held under the scanner.
type Symbol struct {
	AIM  string // its identifier as the scanner would send it, with the bracket
	Data []byte
}

// NewScanner puts a scanner on a line.
func NewScanner(line *Line, setup ScannerSetup) *Scanner { return &Scanner{line, setup} }

// Line returns the scanner's cable.
func (s *Scanner) Line() *Line { return s.line }

// Scan sends a symbol.
func (s *Scanner) Scan(symbol Symbol, faults ...Fault) error {
	frame := []byte(s.setup.Before)
	if s.setup.AIM {
		frame = append(frame, symbol.AIM...)
	}
	for _, part := range symbol.Data {
		if s.setup.UTF8 {
			frame = append(frame, string(rune(part))...)
			continue
		}
		frame = append(frame, part)
	}
	return s.Send(append(frame, s.setup.Behind...), faults...)
}

// Send sends bytes as they are, such as a capture from a real scanner.
func (s *Scanner) Send(frame []byte, faults ...Fault) error { return s.line.send(frame, faults) }

// Code39 is a linear symbol such as the green identity book's.
func Code39(text string) Symbol { return Symbol{"]A0", []byte(text)} }

// Code128 is a linear symbol such as a receipt's.
func Code128(text string) Symbol { return Symbol{"]C0", []byte(text)} }

// QR is a square symbol such as a ticket's.
func QR(text string) Symbol { return Symbol{"]Q1", []byte(text)} }

// PDF417 is a stacked symbol such as a smart identity card's, a South African driving licence's (720 bytes) and a North
// American licence's (AAMVA).
func PDF417(data []byte) Symbol { return Symbol{"]L0", data} }

// OCRB is text that is read as such: a passport's machine-readable zone, its lines ended by CR.
func OCRB(lines ...string) Symbol {
	var data []byte
	for index, text := range lines {
		if index > 0 {
			data = append(data, '\r')
		}
		data = append(data, text...)
	}
	return Symbol{"]o2", data}
}
