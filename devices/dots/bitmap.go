package dots

import (
	"image"
	"image/color"
)

// Bitmap is a rectangle of dots. It is an image (black on white) and may be drawn on; the zero value has no dots.
// Its rows are packed as ESC/POS wants them: eight dots a byte, the leftmost in the highest bit, black as 1.
type Bitmap struct {
	width, height int
	stride        int // bytes a row
	bits          []byte
}

var _ image.PalettedImage = (*Bitmap)(nil)

// Paper and ink, in the order of a bitmap's colour index.
var palette = color.Palette{color.Gray{Y: 255}, color.Gray{Y: 0}}

// New returns a white bitmap. A negative width or height counts as none.
func New(width, height int) *Bitmap {
	width, height = max(width, 0), max(height, 0)
	stride := (width + 7) / 8
	return &Bitmap{width: width, height: height, stride: stride, bits: make([]byte, stride*height)}
}

// FromRows returns the bitmap whose rows are packed in bits, each row (width+7)/8 bytes long. Rows that are missing at
// the end are white, and what is left over of bits is not used.
func FromRows(width, height int, bits []byte) *Bitmap {
	made := New(width, height)
	copy(made.bits, bits)
	made.trim()
	return made
}

// FromImage returns the picture with every dot black that is darker than a mid grey.
func FromImage(picture image.Image) *Bitmap {
	bounds := picture.Bounds()
	made := New(bounds.Dx(), bounds.Dy())
	for y := range made.height {
		for x := range made.width {
			grey := color.GrayModel.Convert(picture.At(bounds.Min.X+x, bounds.Min.Y+y)).(color.Gray)
			made.Set(x, y, grey.Y < 128)
		}
	}
	return made
}

// Width returns the dots of a row.
func (b *Bitmap) Width() int { return b.width }

// Height returns the number of rows.
func (b *Bitmap) Height() int { return b.height }

// Row returns the packed dots of a row. The slice is the bitmap's own. Bits beyond the width are 0.
func (b *Bitmap) Row(y int) []byte { return b.bits[y*b.stride : (y+1)*b.stride] }

// Black reports whether there is a black dot at (x, y). Outside of the bitmap there is none.
func (b *Bitmap) Black(x, y int) bool {
	return x >= 0 && y >= 0 && x < b.width && y < b.height && b.bits[y*b.stride+x/8]&(0x80>>(x%8)) != 0
}

// Set makes the dot at (x, y) black or white. Outside of the bitmap it does nothing.
func (b *Bitmap) Set(x, y int, black bool) {
	if x < 0 || y < 0 || x >= b.width || y >= b.height {
		return
	}
	if mask := byte(0x80 >> (x % 8)); black {
		b.bits[y*b.stride+x/8] |= mask
	} else {
		b.bits[y*b.stride+x/8] &^= mask
	}
}

// Draw adds the black dots of other, its upper left corner at (x, y). White dots of other leave what is there, as on
// paper. What falls outside is cut off.
func (b *Bitmap) Draw(other *Bitmap, x, y int) {
	for row := range other.height {
		for column := range other.width {
			if other.Black(column, row) {
				b.Set(x+column, y+row, true)
			}
		}
	}
}

// Grow adds white rows at the bottom.
func (b *Bitmap) Grow(rows int) {
	b.bits = append(b.bits, make([]byte, rows*b.stride)...)
	b.height += rows
}

// Rows returns a copy of the rows from one up to, but not including, another.
func (b *Bitmap) Rows(from, to int) *Bitmap {
	from, to = max(from, 0), min(to, b.height)
	if from >= to {
		return New(b.width, 0)
	}
	return FromRows(b.width, to-from, b.bits[from*b.stride:to*b.stride])
}

// Scaled returns the bitmap with every dot wide dots wide and high dots high.
func (b *Bitmap) Scaled(wide, high int) *Bitmap {
	made := New(b.width*wide, b.height*high)
	for y := range made.height {
		for x := range made.width {
			made.Set(x, y, b.Black(x/wide, y/high))
		}
	}
	return made
}

// Inverted returns the bitmap with black and white exchanged.
func (b *Bitmap) Inverted() *Bitmap {
	made := New(b.width, b.height)
	for at, bits := range b.bits {
		made.bits[at] = ^bits
	}
	made.trim()
	return made
}

// Equal reports whether both have the same size and the same dots.
func (b *Bitmap) Equal(other *Bitmap) bool {
	return b.width == other.width && b.height == other.height && string(b.bits) == string(other.bits)
}

// Blank reports whether no dot is black.
func (b *Bitmap) Blank() bool {
	for _, bits := range b.bits {
		if bits != 0 {
			return false
		}
	}
	return true
}

// ColorModel is part of image.Image: black and white.
func (b *Bitmap) ColorModel() color.Model { return palette }

// Bounds is part of image.Image.
func (b *Bitmap) Bounds() image.Rectangle { return image.Rect(0, 0, b.width, b.height) }

// At is part of image.Image.
func (b *Bitmap) At(x, y int) color.Color { return palette[b.ColorIndexAt(x, y)] }

// ColorIndexAt is part of image.PalettedImage; because of it, image/png writes a bitmap with one bit for a dot.
func (b *Bitmap) ColorIndexAt(x, y int) uint8 {
	if b.Black(x, y) {
		return 1
	}
	return 0
}

// trim clears the bits beyond the width, which keeps Equal and Row honest.
func (b *Bitmap) trim() {
	if b.width%8 == 0 {
		return
	}
	mask := byte(0xFF) << (8 - b.width%8)
	for y := range b.height {
		b.bits[(y+1)*b.stride-1] &= mask
	}
}
