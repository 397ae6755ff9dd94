package identity

// ParseLicenceContent is what ParseLicence does behind the cipher, for the fuzz test.
var ParseLicenceContent = parseLicenceContent
