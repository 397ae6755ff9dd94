package assets

import "embed"

// Tournaments holds example definitions of tournaments (store/definition reads them) with the texts of their rules, under
// "tournaments": ridge.toml is the real one of The Ridge Casino, demo.toml the one that the demonstration plays, whose
// period is to be replaced by days around today (definition.WithPeriod).
//
//go:embed tournaments
var Tournaments embed.FS
