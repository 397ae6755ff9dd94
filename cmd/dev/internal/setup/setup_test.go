package setup

import (
	"slices"
	"testing"
)

func TestAPackageThatNobodyHasIsMissing(t *testing.T) {
	missing, err := Missing([]string{"dpkg", "no-such-package-as-this"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"no-such-package-as-this"}; !slices.Equal(missing, want) {
		t.Errorf("missing %v, want %v", missing, want)
	}
}
