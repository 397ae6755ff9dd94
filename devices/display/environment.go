package display

import (
	"errors"
	"fmt"
	"os"
)

// Locale is the language of the system under which the kiosk runs. The players' languages are the kiosk's own affair.
const Locale = "en_ZA.UTF-8"

// Environment pins what Fyne reads from the environment, for this process and its children. It must be called before
// anything of Fyne is.
//
// The language: Fyne 2.7.1 panics at the first text that it measures where the language of the system is zu_ZA (its list
// of font languages ends before that one), and complains where it is C. The scale: one unit is one pixel, since Fyne
// would compute it from the size in millimetres that a monitor claims to have, and many claim wrongly.
func Environment() error {
	var failed []error
	for name, value := range map[string]string{
		"LANG":                       Locale,
		"FYNE_SCALE":                 "1",
		"FYNE_DISABLE_DPI_DETECTION": "true",
	} {
		failed = append(failed, os.Setenv(name, value))
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANGUAGE"} { // each would outrank LANG
		failed = append(failed, os.Unsetenv(name))
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("pin the environment: %w", err)
	}
	return nil
}
