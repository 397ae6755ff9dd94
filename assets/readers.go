package assets

import "embed"

// Readers are the profiles of card readers and scanners, readers/NAME.toml; package devices/reader reads them.
//
//go:embed readers/*.toml
var Readers embed.FS

// LicenceKeys are the published public keys of South African driving licences, as identity.ParseLicenceKeys reads them.
//
//go:embed readers/za-driving-licence.pem
var LicenceKeys []byte
