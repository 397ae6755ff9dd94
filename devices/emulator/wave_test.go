package emulator

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"reelkiosk/devices/port"
)

func TestWhatAReceiverHears(t *testing.T) {
	eight := port.Settings{Baud: 9600}
	sevenEven := port.Settings{Baud: 9600, DataBits: 7, Parity: port.EvenParity}
	sevenOdd := port.Settings{Baud: 9600, DataBits: 7, Parity: port.OddParity}
	for name, test := range map[string]struct {
		sent   string
		as, by port.Settings
		want   string
	}{
		"alike":                               {"card", eight, eight, "card"},
		"settings unknown":                    {"card", port.Settings{}, eight, "card"},
		"parity heard as an eighth bit":       {"AC", sevenEven, eight, "A\xc3"},
		"odd parity heard as an eighth bit":   {"AC", sevenOdd, eight, "\xc1C"},
		"odd parity heard as even: dropped":   {"AC", sevenOdd, sevenEven, ""},
		"an eighth bit cut off by seven":      {"A\xc3", port.Settings{Baud: 9600, DataBits: 7}, port.Settings{Baud: 9600, DataBits: 7}, "AC"},
		"half the speed: a break is a NUL":    {"\x00", port.Settings{Baud: 4800}, eight, "\x00"},
		"two stop bits heard as one":          {"card", port.Settings{Baud: 9600, StopBits: 2}, eight, "card"},
		"one stop bit heard as two: the same": {"card", eight, port.Settings{Baud: 9600, StopBits: 2}, "card"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := heard([]byte(test.sent), test.as, test.by); string(got) != test.want {
				t.Errorf("heard %q, wanted %q", got, test.want)
			}
		})
	}
}

func TestTheWrongSpeedLeavesNoCardNumber(t *testing.T) {
	const number = "6001234567890123"
	for _, by := range []int{1200, 2400, 4800, 19200, 38400, 115200} {
		got := heard([]byte(";"+number+"?\r"), port.Settings{Baud: 9600}, port.Settings{Baud: by})
		if bytes.Contains(got, []byte(number)) {
			t.Errorf("at %d baud the number is heard", by)
		}
	}
}

// Whatever the settings, a receiver set as the sender hears what was sent, and any other ends.
func TestHearingIsExactBetweenLikeSettings(t *testing.T) {
	settings := rapid.Custom(func(t *rapid.T) port.Settings {
		return port.Settings{
			Baud:     rapid.SampledFrom(port.Bauds).Draw(t, "baud"),
			DataBits: rapid.IntRange(5, 8).Draw(t, "data bits"),
			Parity:   rapid.SampledFrom([]port.Parity{port.NoParity, port.OddParity, port.EvenParity}).Draw(t, "parity"),
			StopBits: rapid.IntRange(1, 2).Draw(t, "stop bits"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		sent := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "sent")
		as, other := settings.Draw(t, "as"), settings.Draw(t, "other")
		mask := byte(1<<as.DataBits - 1)
		want := make([]byte, len(sent))
		for i := range sent {
			want[i] = sent[i] & mask
		}
		if got := heard(sent, as, as); !bytes.Equal(got, want) {
			t.Errorf("heard %x, wanted %x", got, want)
		}
		most := len(sent)*(max(other.Baud/as.Baud, 1)*2) + 2
		if got := heard(sent, as, other); len(got) > most {
			t.Errorf("heard %d characters of %d", len(got), len(sent))
		}
	})
}
