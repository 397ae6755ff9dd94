package assets

import _ "embed"

// DotFont and DotFontBold are the outlines that package dots turns into the letters of a ticket printer: subsets of
// DejaVu Sans Mono, whose licence is fonts/DejaVuSansMono-LICENSE.txt.
var (
	//go:embed fonts/DejaVuSansMono.ttf
	DotFont []byte
	//go:embed fonts/DejaVuSansMono-Bold.ttf
	DotFontBold []byte
)
