package escpos

import (
	"fmt"

	"reelkiosk/devices/dots"
)

// mostRows is what one raster command may carry on every printer; some take the high byte of the count for nothing.
const mostRows = 255

// Raster prints a picture (GS v 0). It must stand at the start of a line.
type Raster struct {
	Picture *dots.Bitmap
	// SliceRows is the most rows that one command carries, 1 to 255; 0 counts as 255. A printer prints a command's
	// rows once it has them all, so that large ones fill its buffer.
	SliceRows int
}

func (c Raster) encode(_ *state, to []byte) ([]byte, error) {
	slice := c.SliceRows
	if slice == 0 {
		slice = mostRows
	}
	if slice < 1 || slice > mostRows {
		return nil, fmt.Errorf("raster in slices of %d rows: %w: 1 to %d", c.SliceRows, ErrRange, mostRows)
	}
	if c.Picture == nil || c.Picture.Width() == 0 || c.Picture.Height() == 0 {
		return nil, fmt.Errorf("raster without dots: %w", ErrRange)
	}
	width := (c.Picture.Width() + 7) / 8
	if width > 0xFFFF {
		return nil, fmt.Errorf("raster %d dots wide: %w", c.Picture.Width(), ErrRange)
	}
	for from := 0; from < c.Picture.Height(); from += slice {
		rows := min(slice, c.Picture.Height()-from)
		to = append(to, gs, 'v', '0', 0, byte(width), byte(width>>8), byte(rows), byte(rows>>8))
		for y := from; y < from+rows; y++ {
			to = append(to, c.Picture.Row(y)...)
		}
	}
	return to, nil
}
