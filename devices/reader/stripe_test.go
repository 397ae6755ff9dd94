package reader_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"reelkiosk/devices/reader"
)

// TestSwipes are cases that the vectors leave out. Each names the result of every swipe and the states of its tracks.
func TestSwipes(t *testing.T) {
	const ours, other = "6001234567890123", "6001234567890131"
	for name, test := range map[string]struct{ sent, want string }{
		"prefix and suffix of the reader":         {"<<;" + ours + "?>>\r", "member-card absent ok absent"},
		"STX and ETX around":                      {"\x02;" + ours + "?\x03\r", "member-card absent ok absent"},
		"CR LF":                                   {";" + ours + "?\r\n;" + other + "?\r\n", "member-card absent ok absent, member-card absent ok absent"},
		"tracks in the wrong order":               {";" + ours + "?%" + ours + "?\r", "member-card absent ok absent, member-card ok absent absent"},
		"track 1 cut by track 2":                  {"%B" + ours + "^SPEC;" + ours + "?\r", "member-card error ok absent"},
		"track 2 cut by track 3":                  {";" + ours + "+123?\r", "swipe-again absent error ok"},
		"track 2 cut by a track 3 of AAMVA":       {";" + ours + "#A?\r", "swipe-again absent error ok"},
		"hash inside track 1":                     {"%FLAT #3?;" + ours + "?\r", "member-card ok ok absent"},
		"members disagree, track 1 of format B":   {"%B" + other + "^A/B^?;" + ours + "?\r", "swipe-again ok ok absent"},
		"a bank's track 1 on a club card":         {"%B4111111111111111^A/B^?;" + ours + "?\r", "bank-card ok ok absent"},
		"a bank's number in track 1 alone":        {"%4111111111111111?\r", "bank-card ok absent absent"},
		"a bank's number with spaces":             {"%B3782 822463 10005^A/B^?\r", "bank-card ok absent absent"},
		"a bank's number in track 3":              {"+014111111111111111==1?\r", "bank-card absent absent ok"},
		"13 digits":                               {";4222222222222?\r", "bank-card absent ok absent"},
		"19 digits":                               {";6304000000000000000=?\r", "bank-card absent ok absent"},
		"12 digits are no bank's":                 {";400000000006?\r", "other-card absent ok absent"},
		"16 digits that fail Luhn":                {";4111111111111112?\r", "other-card absent ok absent"},
		"ours in the range, though Luhn is right": {";6001000000000004?\r", "member-card absent ok absent"},
		"ours, but with a field in front":         {"%X^" + ours + "?\r", "other-card ok absent absent"},
		"track 3 alone":                           {"+123?\r", "other-card absent absent ok"},
		"track 3 of 104 characters":               {"+" + strings.Repeat("1", 104) + "?\r", "other-card absent absent ok"},
		"track 3 of 105 characters":               {"+" + strings.Repeat("1", 105) + "?\r", "swipe-again absent absent error"},
		"track 1 of 76 characters":                {"%" + strings.Repeat("A", 76) + "?\r", "other-card ok absent absent"},
		"control character inside":                {";6001\x00234567890123?\r", "swipe-again absent error absent"},
		"small letters in track 1":                {"%abc?\r", "other-card ok absent absent"},
		"a character that track 1 has not":        {"%A{B?\r", "swipe-again error absent absent"},
		"E is a name, EE too":                     {"%EE?;" + ours + "?\r", "member-card ok ok absent"},
		"noise":                                   {"AT\r\x00\x7f\r   \r", "unreadable absent absent absent"},
		"wrong layout, the percent sign right":    {"%B6001234567890123&A-B&9912_\u00f66001234567890123\u00b49912_\r", "unreadable absent absent absent"},
		"empty lines":                             {"\r\r\n\r", ""},
	} {
		if got := swipes(t, named(t, "magstripe"), test.sent); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestSwipesWithLRC(t *testing.T) {
	for name, test := range map[string]struct{ sent, want string }{
		"of track 1 with small letters":         {"%reward123?=\r", "other-card ok absent absent"},
		"of an empty track":                     {";?4\r", "swipe-again absent empty absent"},
		"of an empty track, wrong":              {";?5\r", "swipe-again absent error absent"},
		"of track 3, whose start is written +":  {"+1?5\r", "other-card absent absent ok"},
		"a start sentinel, then the next track": {";3?7;6001234567890123?3\r", "other-card absent ok absent, member-card absent ok absent"},
		"is a start sentinel":                   {";6001000000000008?;\r", "member-card absent ok absent"},
		"is one, and a track follows":           {"%1?+;6001234567890123?3\r", "member-card ok ok absent"},
		"missing between tracks":                {"%6001234567890123?;6001234567890123?3\r", "member-card error ok absent"},
		"missing at the unread track":           {"%E?;6001234567890123?3\r", "member-card error ok absent"},
		"missing at the end":                    {";6001234567890123?", "swipe-again absent error absent"},
	} {
		if got := swipes(t, named(t, "magstripe-lrc"), test.sent); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestTrack3ThatBeginsLikeTrack2(t *testing.T) {
	profile := named(t, "magstripe")
	profile.Stripe.Track3 = ";"
	if got := swipes(t, profile, "%A?;6001234567890123?;123?\r;1?\r"); got != "member-card ok ok ok, other-card absent ok absent" {
		t.Error(got)
	}
}

func swipes(t *testing.T, profile reader.Profile, sent string) string {
	t.Helper()
	text, err := json.Marshal(reader.Capture(profile, []byte(sent), today))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Swipes []struct {
			Result string
			Tracks map[string]string
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, swipe := range report.Swipes {
		got = append(got, fmt.Sprintf("%s %s %s %s", swipe.Result, swipe.Tracks["1"], swipe.Tracks["2"], swipe.Tracks["3"]))
	}
	return strings.Join(got, ", ")
}

// TestABankCardLeavesNothing looks for the card's digits in everything that comes out of the parsers, printed in every way.
func TestABankCardLeavesNothing(t *testing.T) {
	secrets := map[string][]string{}
	for _, c := range vectorsIn(t, "magstripe.json") {
		list, _ := c.Expect["must_not_echo"].([]any)
		for _, secret := range list {
			input, err := c.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			secrets[string(input)] = append(secrets[string(input)], secret.(string))
		}
	}
	for _, sent := range []string{
		"%B4111111111111111^A/B^30121010000000000?;6001234567890123?\r", "+014111111111111111==1?\r", "%B4111 1111 1111 1111^A/B^?\r",
		"4111111111111111\r", "]A04111111111111111?\r", "%4111111111111111", "\u00f64111111111111111_\r", "\x1b;4111111111111111=1?0\r",
		"%B4111111111111111^A/B^?;E?+123?\r", ";4111111111111111?;4111111111111111=\r", "\x024111111111111111\x03",
	} {
		secrets[sent] = []string{"4111111111111111", "4111 1111 1111 1111"}
	}
	for sent, digits := range secrets {
		for _, name := range reader.Names() {
			holdsNone(t, name, sent, digits, reader.Capture(named(t, name), []byte(sent), today))
		}
		guessed, err := reader.Guess([]byte(sent), today)
		if err != nil {
			t.Fatal(err)
		}
		holdsNone(t, "guessed", sent, digits, guessed)
	}
}

func holdsNone(t *testing.T, profile, sent string, digits []string, report reader.Report) {
	t.Helper()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	printed := string(text) + fmt.Sprintf("%v %+v %#v", report, report, report)
	for _, reading := range report.Readings() {
		printed += fmt.Sprintf("%v %+v %#v %s", reading, reading, reading, said(reading))
		if reading.Refusal == reader.BankCard && (reading.Card != nil || reading.Symbol != nil || reading.Document != nil) {
			t.Errorf("%s: %q: refused, yet with content", profile, sent)
		}
	}
	for _, secret := range digits {
		if strings.Contains(printed, secret) || strings.Contains(printed, fmt.Sprintf("%x", secret)) {
			t.Errorf("%s: %q: the digits are in %s", profile, sent, printed)
		}
	}
}

func TestBuffersAreWiped(t *testing.T) {
	for _, name := range reader.Names() {
		sent := []byte(";4111111111111111=30121010000000000?\r")
		reader.Play(named(t, name), today, reader.Chunk{Bytes: sent})
		for _, buffer := range [][]byte{sent, reader.Remains(named(t, name), []byte(";4111111111111111=3012?\r\n0F0184F07A\r;41111"))} {
			for _, char := range buffer {
				if char != 0 {
					t.Fatalf("%s: %q is left in a buffer", name, buffer)
				}
			}
		}
	}
}
