// Package build says which build of the programs this one is.
package build

import (
	"runtime/debug"
	"time"
)

// Version is the module's version, which names the commit where the program was built from a checkout; "unversioned" where
// the build does not know.
func Version() string {
	built, known := debug.ReadBuildInfo()
	if !known {
		return "unversioned"
	}
	return built.Main.Version
}

// Committed is when the program's source was committed, zero where the build does not know it.
func Committed() time.Time {
	built, known := debug.ReadBuildInfo()
	if !known {
		return time.Time{}
	}
	for _, setting := range built.Settings {
		if setting.Key == "vcs.time" {
			at, _ := time.Parse(time.RFC3339, setting.Value) // what does not say when says nothing
			return at
		}
	}
	return time.Time{}
}
