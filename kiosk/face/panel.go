package face

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Panel is the widget that shows sheets: one for the whole window. It keeps its canvas objects from sheet to sheet and
// changes only those that differ, so that a clock's tick is one text and a screen's change is one repaint.
type Panel struct {
	// Felt is called when a finger comes down on a touch, before the touch's event is sent; nil where nobody wants to know.
	Felt  func()
	root  *container.Clip
	stage *fyne.Container
	slots []*slot
	pads  map[padKey]*pad
	shown Palette
	send  func(event any)
	size  fyne.Size
	sized func(width, height float32)
}

// NewPanel returns an empty panel. send is called with the event of a touch, sized with the panel's size whenever
// that changes; both on Fyne's goroutine.
func NewPanel(send func(event any), sized func(width, height float32)) *Panel {
	s := &Panel{send: send, sized: sized}
	s.stage = container.New(pinned{s})
	s.root = container.NewClip(s.stage)
	return s
}

// Root is the object to put into a window. Its least size is one pixel, so that nothing on it can widen the window.
func (s *Panel) Root() fyne.CanvasObject { return s.root }

// Size is the panel's size in pixels, zero before it was laid out.
func (s *Panel) Size() (width, height float32) { return s.size.Width, s.size.Height }

// Show puts a sheet on the panel.
func (s *Panel) Show(sheet *Sheet) {
	recoloured := sheet.Palette != s.shown
	s.shown = sheet.Palette
	objects := make([]fyne.CanvasObject, 0, 1+len(sheet.Pieces)+len(sheet.Touches))
	changed := make([]fyne.CanvasObject, 0, 8)
	pieces := sheet.Pieces
	if !isGround(sheet.Palette) {
		pieces = append([]Piece{{Kind: Box, W: sheet.W, H: sheet.H, Role: Ground}}, pieces...)
	}
	for i, piece := range pieces {
		if i == len(s.slots) {
			s.slots = append(s.slots, &slot{})
		}
		if s.slots[i].show(piece, sheet.Palette, recoloured) {
			changed = append(changed, s.slots[i].object)
		}
		objects = append(objects, s.slots[i].object)
	}
	for _, pad := range s.placePads(sheet) {
		objects = append(objects, pad)
	}
	if !same(objects, s.stage.Objects) {
		s.stage.Objects = objects
		s.stage.Refresh()
	} else if len(changed) == 0 {
		return
	}
	for _, object := range changed {
		object.Refresh()
	}
	for _, pad := range s.pads {
		pad.painted()
	}
}

// padKey names a pad by what it sends; nth tells pads apart that send the same.
type padKey struct {
	event any
	nth   int
}

// placePads moves pads to the sheet's touches and returns them in the order of drawing. A touch keeps its pad from sheet
// to sheet by what it sends: where the screen changes while a finger is down on the foot, Fyne would drop the tap if it
// were lifted from another object than it was put on.
func (s *Panel) placePads(sheet *Sheet) []*pad {
	kept := make(map[padKey]*pad, len(sheet.Touches))
	placed := make([]*pad, 0, len(sheet.Touches))
	for _, touch := range inOrder(sheet.Touches) {
		key := padKey{event: touch.Event}
		for kept[key] != nil {
			key.nth++
		}
		shown := s.pads[key]
		if shown == nil {
			shown = newPad()
		}
		shown.show(touch, sheet.Palette, s.send, s.Felt)
		kept[key], placed = shown, append(placed, shown)
	}
	for key, gone := range s.pads {
		if kept[key] == nil {
			gone.press(false)
			gone.painted()
		}
	}
	s.pads = kept
	return placed
}

// isGround reports whether the window is cleared to the palette's ground anyway, as it is under the face's Theme in the
// same palette. Painting it once more would double the cost of every frame where no graphics card helps.
func isGround(palette Palette) bool {
	cleared := color.NRGBAModel.Convert(theme.Color(theme.ColorNameBackground))
	return cleared == palette.Colour(Ground)
}

// inOrder puts the touches that lie behind first.
func inOrder(touches []Touch) []Touch {
	ordered := make([]Touch, 0, len(touches))
	for _, behind := range []bool{true, false} {
		for _, touch := range touches {
			if touch.Behind == behind {
				ordered = append(ordered, touch)
			}
		}
	}
	return ordered
}

func same(one, other []fyne.CanvasObject) bool {
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i] != other[i] {
			return false
		}
	}
	return true
}

// slot is one place in the order of drawing, with an object of each kind that was ever needed in it.
type slot struct {
	piece  Piece
	object fyne.CanvasObject
	box    *box
	words  *canvas.Text
	image  *canvas.Image
}

// show makes the slot look like the piece, and reports whether anything had to change.
func (s *slot) show(piece Piece, palette Palette, recoloured bool) bool {
	if s.object != nil && s.piece == piece && !recoloured {
		return false
	}
	s.piece = piece
	switch piece.Kind {
	case Box:
		if s.box == nil {
			s.box = newBox()
		}
		s.object = s.box.show(piece, palette.Colour(piece.Role))
	case Words:
		if s.words == nil {
			s.words = &canvas.Text{}
		}
		s.words.Text, s.words.TextSize, s.words.Color = piece.Text, piece.Size, palette.Colour(piece.Role)
		s.words.FontSource = piece.Letters.Resource()
		s.object = s.words
		s.object.Move(fyne.NewPos(float32(math.Round(float64(piece.X))), piece.baseline()-piece.Letters.ascent(piece.Size)))
		s.object.Resize(s.words.MinSize())
	case Drawing:
		if s.image == nil {
			s.image = &canvas.Image{FillMode: canvas.ImageFillStretch}
		}
		s.image.Image = picture(piece.Drawing, palette, int(piece.W), int(piece.H))
		s.object = s.image
		s.object.Move(fyne.NewPos(piece.X, piece.Y))
		s.object.Resize(fyne.NewSize(piece.W, piece.H))
		s.image.Refresh()
	}
	return true
}

// baseline is where the words' letters stand: the capitals are centred in the line.
func (p Piece) baseline() float32 {
	return float32(math.Round(float64(p.Y + p.H/2 + baselineShare*p.Size)))
}

// pinned is the layout of a panel: everything stands where its sheet says.
type pinned struct{ panel *Panel }

// Layout tells the panel's owner a new size.
func (p pinned) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if p.panel.size != size {
		p.panel.size = size
		p.panel.sized(size.Width, size.Height)
	}
}

// MinSize is one pixel.
func (p pinned) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, 1) }
