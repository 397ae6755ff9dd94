package strict_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/strict"
)

// club is what the file of these tests defines.
type club struct {
	name    string
	seats   int
	open    bool
	door    string
	wait    time.Duration
	address string
	rooms   []string
	shelves []int
}

const defaults = "seats = 10\n[times]\nwait = \"30s\"\n[[rooms]]\nname = \"hall\"\n"

var name = strict.Text("must be a name", func(text string) bool { return text != "" })

// read reads a club the way that the package comment shows.
func read(text string) (club, error) {
	doc, err := strict.Read("club.toml", []byte(text))
	if err != nil {
		return club{}, err
	}
	top := doc.Top(strict.Defaults(defaults))
	c := club{
		name:    strict.Take(top, "name", name),
		seats:   strict.Take(top, "seats", strict.Whole(2, 50)),
		open:    strict.TakeOr(top, "open", strict.Truth, true),
		door:    strict.TakeOr(top, "door", strict.Choice("left", "right", "none"), "left"),
		wait:    strict.Take(top.Table("times"), "wait", strict.Duration("must be from 1s to 1h", time.Second, time.Hour, time.Second)),
		address: strict.TakeOr(top.Table("at"), "address", strict.Text("must be a text", nil), ""),
	}
	if c.seats%2 != 0 {
		top.Mistake("seats", "must be even")
	}
	for _, room := range top.Tables("rooms") {
		c.rooms = append(c.rooms, strict.Take(room, "name", name))
		for _, shelf := range room.Tables("shelves") {
			c.shelves = append(c.shelves, strict.Take(shelf, "height", strict.Among(40, 60, 80)))
		}
	}
	if len(c.rooms) == 0 {
		top.Missing("rooms", "at least one [[rooms]]")
	}
	return c, doc.Finish()
}

func TestFileIsReadOverTheDefaults(t *testing.T) {
	for situation, c := range map[string]struct {
		text string
		want club
	}{
		"only what must be given": {"name = \"a\"", club{"a", 10, true, "left", 30 * time.Second, "", []string{"hall"}, nil}},
		"everything": {
			"name = \"b\"\nseats = 2\nopen = false\ndoor = \"none\"\nat.address = \"\"\n[times]\nwait = \"1m\"\n[[rooms]]\nname = \"x\"\n" +
				"[[rooms.shelves]]\nheight = 40\n[[rooms]]\nname = \"y\"\n[[rooms.shelves]]\nheight = 60\n[[rooms.shelves]]\nheight = 80\n",
			club{"b", 2, false, "none", time.Minute, "", []string{"x", "y"}, []int{40, 60, 80}}},
		"inline": {
			`name = "c"` + "\n" + `times = {wait = "2s"}` + "\n" + `rooms = [{name = "x", shelves = [{height = 40}]}]`,
			club{"c", 10, true, "left", 2 * time.Second, "", []string{"x"}, []int{40}}},
	} {
		t.Run(situation, func(t *testing.T) {
			if got, err := read(c.text); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("read as %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

func TestEveryMistakeWithItsPlace(t *testing.T) {
	for situation, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing given": {"", []string{"club.toml:1: name: is missing; must be a name"}},
		"no TOML":       {"name = \"a\"\nseats = = 3", []string{"club.toml:2: "}},
		"a key twice":   {"name = \"a\"\n\nname = \"b\"", []string{"club.toml:3: key name is already defined"}},
		"too large": {"# " + strings.Repeat("x", strict.Largest), []string{
			"club.toml:1: a file has at most 1048576 bytes, and this one more"}},
		"values of the wrong type": {"door = 3\nname = [1, \"b\", {c = 1}]\nopen = \"yes\"\nseats = 4.0\ntimes.wait = 10", []string{
			`club.toml:1: door = 3: must be "left", "right" or "none"`,
			`club.toml:2: name = [1, "b", {…}]: must be a name`,
			`club.toml:3: open = "yes": must be true or false`,
			`club.toml:4: seats = 4: must be a whole number from 2 to 50`,
			`club.toml:5: times.wait = 10: must be from 1s to 1h`}},
		"values out of range": {"name = \"\"\nseats = 51\ndoor = \"front\"\n[times]\nwait = \"1.5s\"", []string{
			`club.toml:1: name = "": must be a name`,
			`club.toml:2: seats = 51: must be a whole number from 2 to 50`,
			`club.toml:3: door = "front": must be "left", "right" or "none"`,
			`club.toml:5: times.wait = "1.5s": must be from 1s to 1h`}},
		"what no kind can say": {"\n\nname = \"a\"\nseats = 3", []string{"club.toml:4: seats = 3: must be even"}},
		"a long value": {"name = \"a\"\ndoor = \"" + strings.Repeat("ḓ", 100) + "\"", []string{
			"club.toml:2: door = \"" + strings.Repeat("ḓ", 59) + "…: must be"}},
		"mistyped keys": {"name = \"a\"\nseat = 4\ncolour = \"red\"\n[times]\nwiat = \"2s\"\n[ta]\nx = 1", []string{
			`club.toml:2: seat = 4: unknown key; did you mean "seats"?`,
			`club.toml:3: colour = "red": unknown key; known here: at, door, name, open, rooms, seats, times`,
			`club.toml:5: times.wiat = "2s": unknown key; did you mean "wait"?`,
			`club.toml:6: ta = {…}: unknown key; known here: at, `}},
		"a key that is no word": {"name = \"a\"\n\"x\\ny.z\" = 1", []string{`club.toml:2: "x\ny.z" = 1: unknown key; known here: `}},
		"tables that are none": {"name = \"a\"\ntimes = 3\nrooms = \"all\"\n", []string{
			`club.toml:2: times = 3: must be a table: [times]`,
			`club.toml:3: rooms = "all": must be tables: [[rooms]]`,
			`club.toml:3: rooms = "all": is missing; at least one [[rooms]]`}},
		"an array with other things in it": {"name = \"a\"\nrooms = [\n{name = \"x\"},\n7]\n", []string{
			`club.toml:4: rooms = 7: must be a table: [[rooms]]`}},
		"an array of nothing": {"name = \"a\"\nrooms = []\n", []string{`club.toml:2: rooms = []: is missing; at least one [[rooms]]`}},
		"in the second of the tables of the second": {
			"name = \"a\"\n[[rooms]]\nname = \"x\"\n[[rooms.shelves]]\nheight = 40\n[[rooms]]\n[[rooms.shelves]]\nheight = 40\n[[rooms.shelves]]\n# here\nheight = 41\n", []string{
				`club.toml:6: rooms.name: is missing; must be a name`,
				`club.toml:11: rooms.shelves.height = 41: must be one of 40 60 80`}},
		"in lines of Windows": {"name = \"a\"\r\nseats = \"\"\"\r\n\r\n\"\"\"\r\ndoor = 1\r\n", []string{
			`club.toml:2: seats = "\r\n": must be`, `club.toml:5: door = 1: must be`}},
	} {
		t.Run(situation, func(t *testing.T) {
			_, err := read(c.text)
			var mistakes strict.Mistakes
			if !errors.As(err, &mistakes) || len(mistakes) != len(c.want) {
				t.Fatalf("the mistakes are\n%v\nwant\n%s", err, strings.Join(c.want, "\n"))
			}
			for i, mistake := range mistakes {
				if !strings.HasPrefix(mistake.String(), c.want[i]) {
					t.Errorf("said %q, want %q", mistake, c.want[i])
				}
			}
			if lines := strings.Split(err.Error(), "\n"); len(lines) != len(c.want) {
				t.Errorf("%d lines for %d mistakes:\n%v", len(lines), len(c.want), err)
			}
		})
	}
}

func TestReadingGoesOnWithTheDefaultAfterAMistake(t *testing.T) {
	got, err := read("seats = \"many\"\ndoor = 3\n[times]\nwait = 1")
	want := club{"", 10, true, "left", 30 * time.Second, "", []string{"hall"}, nil}
	if err == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read as %+v, %v; want %+v", got, err, want)
	}
}

func TestSpanIsTheValueAsItStands(t *testing.T) {
	const text = "a = 1\n[in]\nd = '2028-06-05' # a Monday\ne = [1, 2]\nf = {g = true}"
	doc, err := strict.Read("club.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	top := doc.Top(nil)
	inner := top.Table("in")
	for want, in := range map[string]struct {
		table *strict.Table
		key   string
	}{"1": {top, "a"}, "'2028-06-05'": {inner, "d"}, "true": {inner.Table("f"), "g"}} {
		if from, to := in.table.Span(in.key); text[from:to] != want {
			t.Errorf("%s stands as %q, want %q", in.key, text[from:to], want)
		}
	}
	for _, key := range []string{"e", "f", "nowhere"} {
		if from, to := inner.Span(key); from != 0 || to != 0 {
			t.Errorf("%s stands at %d to %d, want 0, 0", key, from, to)
		}
	}
	if inner.Line() != 2 || inner.File() != "club.toml" {
		t.Errorf("the table is in %s:%d, want club.toml:2", inner.File(), inner.Line())
	}
}

func TestNotedTellsWhetherSomethingWasWrong(t *testing.T) {
	doc, err := strict.Read("club.toml", []byte("b = 1\na = 2"))
	if err != nil {
		t.Fatal(err)
	}
	top := doc.Top(nil)
	if top.Mistake("a", "must be 1"); top.Noted() != 1 {
		t.Errorf("%d noted, want 1", top.Noted())
	}
	top.MistakeOf("c", 7, "must be 8")
	top.Mistake("b", "must be 2")
	want := "club.toml:1: c = 7: must be 8\nclub.toml:1: b = 1: must be 2\nclub.toml:2: a = 2: must be 1"
	if got := doc.Mistakes().Error(); got != want {
		t.Errorf("the mistakes are\n%s\nwant\n%s", got, want)
	}
}

// A path of half a million keys, made longer key by key, took minutes.
func TestAKeyOfHalfAMillionDotsIsReadInTime(t *testing.T) {
	doc, err := strict.Read("club.toml", []byte(strings.Repeat("a.", strict.Largest/2-10)+"b = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	doc.Top(nil)
	if err := doc.Finish(); err == nil || !strings.Contains(err.Error(), "a = {…}: unknown key") {
		t.Errorf("got %v", err)
	}
}

func TestShort(t *testing.T) {
	for want, span := range map[string]time.Duration{
		"1h30m": 90 * time.Minute, "24h": 24 * time.Hour, "10m": 10 * time.Minute, "45s": 45 * time.Second, "0s": 0, "1m30s": 90 * time.Second,
		"1h0m10s": time.Hour + 10*time.Second,
	} {
		if got := strict.Short(span); got != want {
			t.Errorf("%v is written %q, want %q", span, got, want)
		}
	}
}

func TestFileWithoutAnEndFilledTheMemory(t *testing.T) {
	text, err := strict.ReadFile("/dev/zero")
	if err != nil || len(text) != strict.Largest+1 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if _, err := strict.Read("/dev/zero", text); err == nil {
		t.Error("it was taken")
	}
}

func TestByteOrderMarkOfAnEditorWasAMistake(t *testing.T) {
	doc, err := strict.Read("club.toml", []byte("\uFEFFname = \"club\"\nother = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	top := doc.Top(nil)
	if got := strict.Take(top, "name", strict.Text("", nil)); got != "club" {
		t.Errorf("got %q", got)
	}
	if from, to := top.Span("name"); to-from != len(`"club"`) || from != len("\uFEFFname = ") {
		t.Errorf("it stands from %d to %d", from, to)
	}
}
