package emulator

import (
	"image"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/code39"
	"github.com/boombuler/barcode/qr"

	"reelkiosk/devices/dots"
)

// symbolSettings are what the commands before a symbol have set.
type symbolSettings struct {
	height, width int  // of a barcode and of its modules, in dots
	readable      bool // a barcode has its text under it
	module        int  // of a QR code
	level         byte
	stored        string // what the next QR code says
}

// qr is GS ( k for a QR code: functions 65 model, 67 module, 69 level, 80 store, 81 print.
func (m *mechanism) qr(function byte, p []byte) {
	if m.printer.profile.Symbols != "native" {
		m.misunderstood("GS ( k", function)
		return
	}
	switch function {
	case 65:
	case 67:
		m.symbol.module = int(p[0])
	case 69:
		m.symbol.level = p[0]
	case 80:
		m.symbol.stored = string(p[1:])
	case 81:
		m.printQR()
	default:
		m.misunderstood("GS ( k", function)
	}
}

func (m *mechanism) printQR() {
	levels := map[byte]qr.ErrorCorrectionLevel{48: qr.L, 49: qr.M, 50: qr.Q, 51: qr.H}
	code, err := qr.Encode(m.symbol.stored, levels[m.symbol.level], qr.Auto)
	if err != nil || m.symbol.stored == "" {
		m.misunderstood("QR code that cannot be made")
		return
	}
	m.printPicture(dots.FromImage(code).Scaled(m.symbol.module, m.symbol.module), "[QR "+m.symbol.stored+"]")
}

// raster is GS v 0: mode, bytes a row, rows, and the dots. The rows are printed once they have all come.
func (m *mechanism) raster(p []byte) {
	across, rows := int(p[2])|int(p[3])<<8, int(p[4])|int(p[5])<<8
	bits, there := m.parameters(across * rows)
	if !there {
		return
	}
	picture := dots.FromRows(across*8, rows, bits)
	if mode := p[1] % '0'; p[0] == '0' && mode <= 3 {
		picture = picture.Scaled(1+int(mode&1), 1+int(mode>>1))
	}
	m.printPicture(picture, "")
}

// barcode is GS k: up to 6 the data end with a zero, from 65 on they are counted.
func (m *mechanism) barcode(p []byte) {
	var data []byte
	if p[0] >= 'A' {
		count, there := m.parameters(1)
		if !there {
			return
		}
		if data, there = m.parameters(int(count[0])); !there {
			return
		}
	} else {
		for {
			octet, there := m.next()
			if !there {
				return
			}
			if octet == 0 {
				break
			}
			data = append(data, octet)
		}
	}
	var code barcode.Barcode
	var err error
	kind, text := "Code 128", string(data)
	switch p[0] {
	case 73:
		text = codeSets.Replace(text)
		code, err = code128.Encode(text)
	case 4, 69:
		kind, text = "Code 39", strings.Trim(text, "*")
		code, err = code39.Encode(text, false, false)
	default:
		m.misunderstood("GS k", p[0])
		return
	}
	if err != nil {
		m.misunderstood("barcode that cannot be made")
		return
	}
	m.printPicture(bars(code, m.symbol.width, m.symbol.height), "["+kind+" "+text+"]")
	if m.symbol.readable {
		for _, letter := range text {
			m.letter(letter)
		}
		m.printLine()
	}
}

// codeSets takes the announcements of code sets out of the data of a Code 128; a doubled brace is one.
var codeSets = strings.NewReplacer("{{", "{", "{A", "", "{B", "", "{C", "")

// bars draws a barcode.
func bars(code image.Image, width, height int) *dots.Bitmap {
	return dots.FromImage(code).Rows(0, 1).Scaled(width, height)
}
