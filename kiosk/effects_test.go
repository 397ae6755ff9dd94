package kiosk

import "testing"

// A ticket said "version 1, 38353466 63613363": the hash's letters in hexadecimal.
func TestATicketNamesTheRulesByTheFirstDigitsOfTheirHash(t *testing.T) {
	const hash = "854fca3c322ab9280b0be861cd9c2e66598953b8880be4950305819c467f4c9e"
	if got, want := rulesVersion(3, hash), "3, 854F CA3C"; got != want {
		t.Errorf("rules version %q, want %q", got, want)
	}
}
