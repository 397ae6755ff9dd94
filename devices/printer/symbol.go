package printer

import (
	"fmt"

	"github.com/boombuler/barcode/qr"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/printer/escpos"
)

// quietModules is the white margin that a QR code needs at each side (ISO/IEC 18004), in modules.
const quietModules = 4

func (b QR) place(l *layout) error {
	for at := range len(b.Data) {
		if b.Data[at] >= 0x80 {
			return fmt.Errorf("%w: QR code of %q: only ASCII", ErrDocument, b.Data)
		}
	}
	matrix, err := drawQR(b.Data, b.Level)
	if err != nil {
		return err
	}
	side := matrix.Width() * b.Module
	if b.Module < 1 || side+2*quietModules*b.Module > l.profile.Dots {
		return fmt.Errorf("%w: QR code of %d modules of %d dots on %d dots", ErrDocument, matrix.Width(), b.Module, l.profile.Dots)
	}
	l.aligned(Centre)
	if l.profile.Symbols == NativeSymbols {
		l.steps = append(l.steps, step{escpos.QR{Data: b.Data, Module: b.Module, Level: b.Level}, side})
		return nil
	}
	l.picture(matrix.Scaled(b.Module, b.Module))
	return nil
}

// drawQR returns the code with one dot a module and no margin.
func drawQR(data string, level Level) (*dots.Bitmap, error) {
	levels := map[Level]qr.ErrorCorrectionLevel{LevelL: qr.L, LevelM: qr.M, LevelQ: qr.Q, LevelH: qr.H}
	correction, known := levels[level]
	if !known || data == "" {
		return nil, fmt.Errorf("%w: QR code of %q, %v", ErrDocument, data, level)
	}
	code, err := qr.Encode(data, correction, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	return dots.FromImage(code), nil
}

func (b Code128) place(l *layout) error {
	const margin = 10 // modules at each side (ISO/IEC 15417)
	for width := 3; width >= 2; width-- {
		symbol := escpos.Code128{Data: b.Data, Height: b.Height, Width: width}
		if symbol.Dots()+2*margin*width > l.profile.Dots {
			continue
		}
		if _, err := escpos.Encode(symbol); err != nil {
			return fmt.Errorf("%w: %w", ErrDocument, err)
		}
		l.aligned(Centre)
		l.steps = append(l.steps, step{symbol, b.Height})
		return nil
	}
	return fmt.Errorf("%w: Code 128 of %d characters on %d dots", ErrDocument, len(b.Data), l.profile.Dots)
}
