package face

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"fyne.io/fyne/v2"

	"reelkiosk/assets"
)

// drawingColours are the colours that the drawings' files are made in, those of the dark palette, and their roles.
var drawingColours = map[string]Role{
	"#0B1020": Ground, "#161E38": Surface, "#222D52": Raised, "#5A6796": Line, "#F5F7FF": Paper, "#C3CBE6": Quiet,
	"#FFC247": Gold, "#1B1400": Ink,
}

// drawings are the drawings already coloured, by name and palette; a handful of each, kept for good.
var drawings sync.Map

type colouredDrawing struct {
	name    string
	palette Palette
}

// drawn returns a drawing in the colours of a palette. A name with a dot is a file of the house (assets.Houses), any other
// one of assets.Drawings. A name that is neither is a programmer's mistake, or a house file that ReadHouse has refused.
func drawn(name string, palette Palette) fyne.Resource {
	key := colouredDrawing{name, palette}
	if found, ok := drawings.Load(key); ok {
		return found.(fyne.Resource)
	}
	content, err := drawingFile(name)
	if err != nil {
		panic(err)
	}
	for from, role := range drawingColours {
		colour := palette.Colour(role)
		content = bytes.ReplaceAll(content, []byte(from), fmt.Appendf(nil, "#%02X%02X%02X", colour.R, colour.G, colour.B))
	}
	// Fyne caches what it has rendered by this name.
	gold, ground := palette.Colour(Gold), palette.Colour(Ground)
	resource := fyne.NewStaticResource(fmt.Sprintf("%s-%02x%02x%02x-%02x.svg", name, gold.R, gold.G, gold.B, ground.B), content)
	drawings.Store(key, resource)
	return resource
}

func drawingFile(name string) ([]byte, error) {
	if strings.Contains(name, ".") {
		return assets.Houses.ReadFile("houses/" + name)
	}
	return assets.Drawings.ReadFile("drawings/" + name + ".svg")
}
