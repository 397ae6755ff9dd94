package kiosk

import "reelkiosk/devices/identity"

// flagSeesHost says of every flag of a document whether it leads to the screen that tells nothing but 'Please see a host',
// before anybody is greeted and before central hears of it. A document that contradicts itself proves no age: of birth
// date and number, one is wrong.
var flagSeesHost = map[identity.Flag]bool{
	identity.FlagStatusDigit:    true,  // no such status is issued: misread, or made up
	identity.FlagOldADigit:      false, // of people whose number is old; never a reason to refuse
	identity.FlagBirthMismatch:  true,
	identity.FlagSexMismatch:    true,
	identity.FlagStatusMismatch: true,
	identity.FlagNumberDigit:    true,
	identity.FlagCopiesDiffer:   true,
}

// seesHost returns the first flag of a document that a host must judge, or none. A flag about which nothing was decided
// is one.
func seesHost(document identity.Document) identity.Flag {
	for _, flag := range document.Flags {
		if sees, decided := flagSeesHost[flag]; sees || !decided {
			return flag
		}
	}
	return ""
}
