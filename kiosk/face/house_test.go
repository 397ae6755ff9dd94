package face

import (
	"strings"
	"testing"
	"testing/fstest"

	"reelkiosk/assets"
)

func TestTheRidgeIsInOrder(t *testing.T) {
	house, err := ReadHouse(assets.Houses, "houses/ridge.toml")
	if err != nil {
		t.Fatal(err)
	}
	if name, way := house.Desk.Say("af"); name == "" || way == "" || name == house.Desk.Named["en"] {
		t.Errorf("the desk in Afrikaans: %q, %q", name, way)
	}
	if name, _ := house.Desk.Say("xh"); name != house.Desk.Named["en"] {
		t.Errorf("a language without its own words says %q", name)
	}
	if house.Palette(false) != Dark || house.Palette(true) != HighContrast {
		t.Error("the palettes are not the usual ones")
	}
}

const goodHouse = `name = "Inn"
logo = "inn.svg"
card = "left"
document = "bottom"
slot = "right"
desk = { arrow = "ahead", name = { en = "Desk" }, way = { en = "There" } }
cash_desk = { arrow = "left", name = { en = "Cash" }, way = { en = "Here" } }
`

func houseOf(text string) (House, error) {
	return ReadHouse(fstest.MapFS{
		"houses/inn.toml":  {Data: []byte(text)},
		"houses/inn.svg":   {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72"><path d="M0 0H72V72Z" fill="#F5F7FF"/></svg>`)},
		"houses/photo.svg": {Data: []byte("\xff\xd8\xff\xe0")},
	}, "houses/inn.toml")
}

// A theme file outside the program had its logo looked for among the embedded ones, and the first screen died of it.
func TestALogoBesideAThemeFileIsDrawn(t *testing.T) {
	house, err := houseOf(goodHouse)
	if err != nil {
		t.Fatal(err)
	}
	if drawn := picture(house.Logo, Dark, 72, 72).RGBAAt(60, 12); drawn.A != 0xff {
		t.Errorf("the logo's corner is %v", drawn)
	}
}

func TestAccentReplacesTheGold(t *testing.T) {
	house, err := houseOf("accent = \"#7FE0D0\"\n" + goodHouse)
	if err != nil {
		t.Fatal(err)
	}
	if got := house.Palette(false).Colour(Gold); got != rgb(0x7FE0D0) {
		t.Errorf("gold is %v", got)
	}
	if house.Palette(true) != HighContrast {
		t.Error("the accent changed the high contrast")
	}
}

func TestFaultyHousesSayWhatIsAllowed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no name":         {strings.Replace(goodHouse, `"Inn"`, `""`, 1), `name = "": must be the property's name`},
		"a key missing":   {strings.Replace(goodHouse, `slot = "right"`, "", 1), `slot: is missing; must be "left"`},
		"no such logo":    {strings.Replace(goodHouse, "inn.svg", "other.svg", 1), `logo = "other.svg"`},
		"no drawing":      {strings.Replace(goodHouse, "inn.svg", "photo.svg", 1), `logo = "photo.svg": must be an SVG file`},
		"a side unknown":  {strings.Replace(goodHouse, `card = "left"`, `card = "top"`, 1), `inn.toml:3: card = "top": must be "left", "right" or "bottom"`},
		"an arrow":        {strings.Replace(goodHouse, `"ahead"`, `"up"`, 1), `desk.arrow = "up"`},
		"no English way":  {strings.Replace(goodHouse, `way = { en = "Here" }`, `way = { af = "Hier" }`, 1), "cash_desk.way = {…}: must be words by language, in en at least"},
		"words as one":    {strings.Replace(goodHouse, `{ en = "Cash" }`, `"Cash"`, 1), `cash_desk.name = "Cash": must be words`},
		"an accent":       {"accent = \"gold\"\n" + goodHouse, "#RRGGBB"},
		"a dark accent":   {"accent = \"#803000\"\n" + goodHouse, "7:1"},
		"an unknown key":  {"colour = 1\n" + goodHouse, "colour"},
		"no TOML":         {"name = ", "houses/inn.toml:1"},
		"two at one time": {"accent = \"gold\"\n" + strings.Replace(goodHouse, `slot = "right"`, `slot = "under"`, 1), "slot = \"under\""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := houseOf(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "houses/inn.toml") {
				t.Errorf("error %v, want the file and %q", err, c.want)
			}
		})
	}
	if _, err := ReadHouse(assets.Houses, "houses/nowhere.toml"); err == nil || !strings.Contains(err.Error(), "houses/nowhere.toml") {
		t.Errorf("a house without a file: %v", err)
	}
}
