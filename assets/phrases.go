package assets

import "embed"

// Phrases holds what people read, by language: phrases/LANGUAGE.json is the player's face (kiosk/face reads it),
// phrases/ticket.LANGUAGE.json the printed ticket. LANGUAGE is a BCP 47 tag. A language is added by adding its files;
// what a file lacks is read from English.
//
//go:embed phrases/*.json
var Phrases embed.FS
