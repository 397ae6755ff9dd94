package face

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"reelkiosk/assets"
)

// drawingColours are the colours that the drawings' files are made in, those of the dark palette, and their roles.
var drawingColours = map[string]Role{
	"#0B1020": Ground, "#161E38": Surface, "#222D52": Raised, "#5A6796": Line, "#F5F7FF": Paper, "#C3CBE6": Quiet,
	"#FFC247": Gold, "#1B1400": Ink, "#5EE2A0": Good, "#FFB454": Warn, "#FF9A8A": Bad,
}

// pictures are the drawings as they were shown, kept for good: there are some dozens, in two palettes and a size or two.
var pictures sync.Map

type shownDrawing struct {
	name          string
	palette       Palette
	width, height int
}

// picture returns a drawing in the colours of a palette, width by height pixels; an empty one where its file cannot be
// drawn. It is named as Piece.Drawing is; a name that no drawing has is a programmer's mistake.
//
// Fyne would draw the file too, but at twice the size before it is in the window, by a way that is ten times as slow, and
// again where another size of it was drawn meanwhile: the first larger text took a second.
func picture(name string, palette Palette, width, height int) *image.RGBA {
	key := shownDrawing{name, palette, width, height}
	if found, ok := pictures.Load(key); ok {
		return found.(*image.RGBA)
	}
	made := image.NewRGBA(image.Rect(0, 0, width, height))
	if err := draw(made, coloured(name, palette)); err != nil {
		fyne.LogError("the drawing "+name[:min(len(name), 40)], err)
	}
	pictures.Store(key, made)
	return made
}

// draw draws an SVG file over the whole of a picture. A file of a house may be anything, and the library panics on some.
func draw(into *image.RGBA, file []byte) (err error) {
	defer func() {
		if spoilt := recover(); spoilt != nil {
			err = fmt.Errorf("cannot be drawn: %v", spoilt)
		}
	}()
	icon, err := oksvg.ReadIconStream(bytes.NewReader(file))
	if err != nil {
		return err
	}
	size := into.Bounds().Size()
	icon.SetTarget(0, 0, float64(size.X), float64(size.Y))
	icon.Draw(rasterx.NewDasher(size.X, size.Y, rasterx.NewScannerGV(size.X, size.Y, into, into.Bounds())), 1)
	return nil
}

// coloured returns the file of a drawing with the colours of a palette in it.
func coloured(name string, palette Palette) []byte {
	content, err := drawingFile(name)
	if err != nil {
		panic(err)
	}
	for from, role := range drawingColours {
		colour := palette.Colour(role)
		content = bytes.ReplaceAll(content, []byte(from), fmt.Appendf(nil, "#%02X%02X%02X", colour.R, colour.G, colour.B))
	}
	return content
}

func drawingFile(name string) ([]byte, error) {
	if isFile(name) {
		return []byte(name), nil
	}
	return assets.Drawings.ReadFile("drawings/" + name + ".svg")
}

// isFile tells the text of an SVG file from the name of a drawing.
func isFile(drawing string) bool { return strings.HasPrefix(drawing, "<") }
