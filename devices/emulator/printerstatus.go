package emulator

// The bits of the status bytes, by Epson's tables. Those that are fixed are 12 for DLE EOT and 10 for the first byte of
// an automatic status.
const (
	realtimeFixed = 0x12
	pushFixed     = 0x10
)

// realtime answers DLE EOT n. mu is held.
func (p *Printer) realtime(question byte) byte {
	answer := byte(realtimeFixed)
	raise := func(bits byte, when bool) {
		if when {
			answer |= bits
		}
	}
	switch question {
	case 1:
		raise(0x08, p.stopped())
	case 2:
		raise(0x04, p.troubled[CoverOpen])
		raise(0x20, p.troubled[PaperOut])
		raise(0x40, p.troubled[KnifeStuck] || p.troubled[HeadFault])
	case 3:
		raise(0x08, p.troubled[KnifeStuck])
		raise(0x20, p.troubled[HeadFault])
	case 4:
		raise(0x0C, p.troubled[PaperLow] || p.troubled[PaperOut])
		raise(0x60, p.troubled[PaperOut])
	}
	return answer
}

// paperSensors answers GS r 1, and is the third byte of an automatic status. mu is held.
func (p *Printer) paperSensors() byte {
	var answer byte
	if p.troubled[PaperLow] || p.troubled[PaperOut] {
		answer |= 0x03
	}
	if p.troubled[PaperOut] {
		answer |= 0x0C
	}
	return answer
}

// automatic is the status that GS a asks for. mu is held.
func (p *Printer) automatic() []byte {
	status := []byte{pushFixed, 0, p.paperSensors(), 0}
	for _, entry := range []struct {
		when bool
		at   int
		bits byte
	}{
		{p.stopped(), 0, 0x08}, {p.troubled[CoverOpen], 0, 0x20}, {p.troubled[KnifeStuck], 1, 0x08},
		{p.troubled[HeadFault], 1, 0x20},
	} {
		if entry.when {
			status[entry.at] |= entry.bits
		}
	}
	return status
}
