package ledger

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// compacts makes an empty record of each compact kind.
var compacts = []func() compact{
	func() compact { return &person{} },
	func() compact { return &entry{} },
	func() compact { return &heat{} },
	func() compact { return &seat{} },
}

// fill gives every field of a record a value that no other field has.
func fill(t *testing.T, field reflect.Value, next *int) {
	*next++
	switch field.Kind() {
	case reflect.Struct:
		if field.Type() == reflect.TypeFor[time.Time]() {
			field.Set(reflect.ValueOf(time.Unix(int64(*next), 123_000_456).In(time.FixedZone("", 7200))))
			return
		}
		for i := range field.NumField() {
			fill(t, field.Field(i), next)
		}
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 3, 3))
		for i := range 3 {
			fill(t, field.Index(i), next)
		}
	case reflect.String:
		field.SetString(fmt.Sprint("text ", *next))
	case reflect.Int, reflect.Uint8:
		field.Set(reflect.ValueOf(*next).Convert(field.Type()))
	case reflect.Bool:
		field.SetBool(true)
	default:
		t.Fatalf("a field of type %v: teach this test and the coder", field.Type())
	}
}

// alike reports whether two records say the same, moments in the same offset included.
func alike(one, other compact) bool {
	return fmt.Sprintf("%+v", one) == fmt.Sprintf("%+v", other)
}

// A field that fields forgets would be lost without a word.
func TestCompactRecordComesBackWithEveryField(t *testing.T) {
	for _, empty := range compacts {
		full, next := empty(), 0
		fill(t, reflect.ValueOf(full).Elem(), &next)
		for _, record := range []compact{full, empty()} {
			back := empty()
			if err := decode(encode(record), back); err != nil || !alike(record, back) {
				t.Errorf("%T: got %+v, %v; want %+v", record, back, err, record)
			}
		}
	}
}

func TestCompactRecordCutAnywhereIsRefused(t *testing.T) {
	for _, empty := range compacts {
		full, next := empty(), 0
		fill(t, reflect.ValueOf(full).Elem(), &next)
		text := encode(full)
		for length := range text {
			if decode(text[:length], empty()) == nil {
				t.Errorf("%T: %d of %d bytes were taken", full, length, len(text))
			}
		}
		if decode(append(text, 0), empty()) == nil {
			t.Errorf("%T: a byte too many was taken", full)
		}
	}
}

// FuzzCompactRecord: whatever lies there is read as a record that is written and read again the same, or refused.
func FuzzCompactRecord(f *testing.F) {
	for _, empty := range compacts {
		f.Add(encode(empty()))
	}
	f.Add([]byte{compactFormat, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, empty := range compacts {
			record, again := empty(), empty()
			if decode(text, record) != nil {
				continue
			}
			if err := decode(encode(record), again); err != nil || !alike(record, again) {
				t.Errorf("%T: got %+v, %v; want %+v", record, again, err, record)
			}
		}
	})
}
