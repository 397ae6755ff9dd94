package assets

import "embed"

// Fonts holds the faces of the screens: fonts/Inter-WEIGHT.otf for text, fonts/InterFigures-WEIGHT.otf for figures of
// one width. How they were made says fonts/subset-inter.py; their licence is fonts/Inter-LICENSE.txt.
//
//go:embed fonts/Inter*.otf
var Fonts embed.FS

// Drawings holds the line drawings of the screens, in the colours of the dark palette; kiosk/face replaces each colour
// by that of its role in the palette shown.
//
//go:embed drawings/*.svg
var Drawings embed.FS

// Houses holds the theme files of properties, houses/NAME.toml, and the logos they name.
//
//go:embed houses
var Houses embed.FS
