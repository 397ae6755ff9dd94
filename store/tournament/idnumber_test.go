package tournament

import "testing"

func TestIdentityNumbersAreChecked(t *testing.T) {
	cases := []struct {
		name, number string
		born         Date
		want         error
	}{
		{"a number", "8001015009087", Date{1980, 1, 1}, nil},
		{"a number in groups", "8001 015009-087", Date{1980, 1, 1}, nil},
		{"a number and no birth date", "8001015009087", Date{}, nil},
		{"a number of a leap day", "0002295000083", Date{2000, 2, 29}, nil},
		{"nothing", "", Date{}, ErrIDNumber},
		{"one digit", "0", Date{}, ErrIDNumber},
		{"letters", "abc", Date{}, ErrIDNumber},
		{"thirteen letters", "abcdefghijklm", Date{}, ErrIDNumber},
		{"a wrong check digit", "8001015009088", Date{1980, 1, 1}, ErrIDNumber},
		{"a day that no calendar has", "8002305009084", Date{}, ErrIDNumber},
		{"digits of another script", "८००१०१५००९०८७", Date{}, ErrIDNumber},
		{"another day", "8001015009087", Date{1980, 1, 2}, ErrIDBirth},
		{"another year", "8001015009087", Date{1979, 1, 1}, ErrIDBirth},
		{"another month", "8001015009087", Date{1980, 2, 1}, ErrIDBirth},
	}
	for _, c := range cases {
		if got := CheckIDNumber(c.number, c.born); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
