package face

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// box is a filled box on the panel. A large rounded one is three rectangles, of which only the two narrow ones have round
// corners: Fyne's shader for those costs twice as much a pixel where no graphics card helps, and the panel is repainted
// whole with every tick. A small one is better off as one, since each rectangle has its own cost.
type box struct {
	plain               *canvas.Rectangle
	top, middle, bottom *canvas.Rectangle
	group               *fyne.Container
}

// stripFrom is the width from which a rounded box is drawn in three.
const stripFrom float32 = 200

// seam is how far the middle reaches over the others, whose straight edges are soft as well.
const seam float32 = 2

func newBox() *box { return &box{plain: &canvas.Rectangle{}} }

// show makes the box look like the piece and returns what to draw.
func (b *box) show(piece Piece, colour color.Color) fyne.CanvasObject {
	if piece.Radius == 0 || piece.W < stripFrom || piece.H < 3*piece.Radius {
		b.plain.FillColor, b.plain.CornerRadius = colour, piece.Radius
		place(b.plain, piece.X, piece.Y, piece.W, piece.H)
		return b.plain
	}
	if b.group == nil {
		b.top, b.middle, b.bottom = &canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Rectangle{}
		b.group = &fyne.Container{Objects: []fyne.CanvasObject{b.top, b.bottom, b.middle}}
	}
	r := piece.Radius
	b.top.FillColor, b.middle.FillColor, b.bottom.FillColor = colour, colour, colour
	b.top.TopLeftCornerRadius, b.top.TopRightCornerRadius = r, r
	b.bottom.BottomLeftCornerRadius, b.bottom.BottomRightCornerRadius = r, r
	place(b.group, piece.X, piece.Y, piece.W, piece.H)
	place(b.top, 0, 0, piece.W, r)
	place(b.middle, 0, r-seam, piece.W, piece.H-2*r+2*seam)
	place(b.bottom, 0, piece.H-r, piece.W, r)
	return b.group
}

func place(object fyne.CanvasObject, x, y, w, h float32) {
	object.Move(fyne.NewPos(x, y))
	object.Resize(fyne.NewSize(w, h))
}
