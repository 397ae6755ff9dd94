package escpos_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"reelkiosk/devices/printer/escpos"
)

func readVectors[Case any](t *testing.T, name string) []Case {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []Case }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return file.Cases
}

func TestEveryCommandIsTheBytesOfTheVectors(t *testing.T) {
	type vector struct {
		Name   string
		Input  json.RawMessage
		Expect struct{ Hex string }
	}
	for _, vector := range readVectors[vector](t, "escpos-encode.json") {
		t.Run(vector.Name, func(t *testing.T) {
			commands, err := escpos.Parse(vector.Input)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := escpos.Encode(commands...)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(encoded); got != vector.Expect.Hex {
				t.Errorf("got  %s\nwant %s", got, vector.Expect.Hex)
			}
		})
	}
}

func TestEveryStatusMeansWhatTheVectorsSay(t *testing.T) {
	type message struct {
		Kind  escpos.Kind
		Flags []escpos.Flag
		ID    string
	}
	type vector struct {
		Name     string
		InputHex string `json:"input_hex"`
		Asked    escpos.Question
		Awaiting string
		Expect   struct {
			Messages []message
			Printed  bool
		}
	}
	for _, vector := range readVectors[vector](t, "escpos-status.json") {
		t.Run(vector.Name, func(t *testing.T) {
			received, err := hex.DecodeString(vector.InputHex)
			if err != nil {
				t.Fatal(err)
			}
			// A status means the same however the line splits it.
			for split := range max(len(received), 1) {
				var decoder escpos.Decoder
				decoder.Expect(vector.Asked)
				decoded := append(decoder.Decode(received[:split]), decoder.Decode(received[split:])...)
				got, printed := []message{}, false
				for _, one := range decoded {
					read := message{Kind: one.Kind, Flags: one.Flags, ID: one.ID}
					if one.IsStatus() && one.Flags == nil {
						read.Flags = []escpos.Flag{}
					}
					got = append(got, read)
					printed = printed || one.Kind == escpos.KindProcessID && one.ID == vector.Awaiting
				}
				if !reflect.DeepEqual(got, vector.Expect.Messages) || printed != vector.Expect.Printed {
					t.Errorf("split at %d\ngot  %v, printed %v\nwant %v, printed %v",
						split, got, printed, vector.Expect.Messages, vector.Expect.Printed)
				}
			}
		})
	}
}
