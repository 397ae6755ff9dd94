package assets

import "embed"

// Printers holds the profiles of ticket printers: printers/NAME.toml, one a model or a family of models that behave
// alike. Package printer reads them.
//
//go:embed printers/*.toml
var Printers embed.FS
