// Package locale gives this process the language of the system that the kiosk runs under, by being imported.
//
// Fyne reads it while packages are initialised, before main begins, and complains in a log of its own where it is C.UTF-8,
// as on many a Debian without a desktop. Go initialises packages in the order of their paths, each as soon as all that it imports is
// ready (the language's specification, 'Package initialization'). This one needs os alone, and comes before Fyne's lang,
// which needs text/template as well. A script of the kiosk's tests looks whether that holds.
package locale

import "os"

func init() {
	// What cannot be set here, display.Environment tries again, and says so.
	_ = os.Setenv("LANG", name)
	for _, outranks := range []string{"LC_ALL", "LC_MESSAGES", "LANGUAGE"} {
		_ = os.Unsetenv(outranks)
	}
}

// name is display.Locale, which is out of reach: that package imports Fyne.
const name = "en_ZA.UTF-8"
