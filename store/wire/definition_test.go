package wire

import (
	"reflect"
	"testing"
	"time"

	"reelkiosk/store/tournament"
)

func TestADefinitionComesOutAsItWentIn(t *testing.T) {
	zone, err := time.LoadLocation("Africa/Johannesburg")
	if err != nil {
		t.Fatal(err)
	}
	first := tournament.Date{Year: 2026, Month: 11, Day: 30}
	defined := &tournament.Tournament{
		ID: "ridge", Name: "Slots", Property: "The Ridge", Zone: zone, First: first, Last: first.AddDays(2),
		Rules: tournament.Rules{
			MinAge: 18, Window: tournament.Window48h, OpensBefore: 24 * time.Hour, GamingDayStarts: 360,
			SeatPrice: tournament.Money{Cents: 5000, Currency: "ZAR"}, Packages: []tournament.Package{{Name: "four", Seats: 4}},
			ExclusionsMaxAge: 30 * time.Minute,
		},
		Machines: []tournament.Machine{{Number: 7, Asset: "A7", Place: "Main floor"}},
		Stages: []tournament.Stage{{Kind: tournament.Qualifying, Size: 1, Heats: []tournament.Heat{
			{ID: "q-1", Stage: tournament.Qualifying, Day: first, Number: 1, Start: first.At(10, 0, zone), Size: 1},
		}}},
		Text: tournament.RulesText{Version: 2, Hash: "ab", Body: "1. Adults only."},
	}
	text, hash, err := EncodeDefinition(defined)
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeDefinition(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, defined) {
		t.Errorf("%+v\nbecame\n%+v", defined, again)
	}
	if _, second, _ := EncodeDefinition(again); second != hash || hash != HashDefinition(text) {
		t.Error("the same definition has two hashes")
	}
	for _, bad := range []string{"", "{}", `{"Zone":"Nowhere/Land"}`, `{"Zone":""}`} {
		if _, err := DecodeDefinition([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
