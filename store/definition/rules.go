package definition

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/store/tournament"
)

// defaultText is both what Defaults prints and what is read where a key is not given.
//
//go:embed defaults.toml
var defaultText string

// Defaults returns the [rules] of a definition that gives none, as TOML with a comment on each key.
func Defaults() string { return defaultText }

// defaultRules returns the values of [rules] in the defaults. They are part of the program, and a test reads them.
func defaultRules() map[string]any {
	var defaults struct {
		Rules map[string]any `toml:"rules"`
	}
	if err := toml.Unmarshal([]byte(defaultText), &defaults); err != nil {
		panic(err)
	}
	return defaults.Rules
}

// How many seats, places and packages anybody may have; more is a slip of the pen.
const most = 9999

func readRules(top *table) tournament.Rules {
	code := takeOr(top, "currency", currency, "ZAR")
	rules := top.table("rules")
	rules.defaults = defaultRules()
	result := tournament.Rules{
		MinAge:           take(rules, "min_age", whole(18, 99)),
		CardSuffices:     take(rules, "card_suffices", choice(tournament.CardVerified, tournament.CardNever)),
		SeatPrice:        take(rules, "seat_price", money(code)),
		PackagesCashOnly: take(rules, "packages_cash_only", truth),
		Window: take(rules, "window", choice(tournament.Window48h, tournament.WindowSameDay,
			tournament.WindowNextDay)),
		GamingDayStarts:  take(rules, "gaming_day_starts", clock),
		OpensBefore:      take(rules, "opens_before", duration(time.Minute, 366*24*time.Hour)),
		ClosesBefore:     take(rules, "closes_before", duration(0, 24*time.Hour)),
		HeatLength:       take(rules, "heat_length", duration(time.Minute, 12*time.Hour)),
		SemiFinalPlaces:  take(rules, "semi_final_places", whole(1, most)),
		PlacesPerPlayer:  take(rules, "places_per_player", limit),
		SuitsCount:       take(rules, "suits_count", truth),
		FICAThreshold:    take(rules, "fica_threshold", money(code)),
		GrantShare:       take(rules, "grant_share", whole(0, 10)),
		ExclusionsMaxAge: take(rules, "exclusions_max_age", duration(time.Minute, 24*time.Hour)),
		Packages:         readPackages(rules, code),
	}
	// Whether it must be given depends on the stages, which say so.
	if rules.asked["final_places"] = true; rules.has("final_places") {
		result.FinalPlaces = take(rules, "final_places", whole(1, most))
	}
	if result.ClosesBefore >= result.OpensBefore {
		rules.mistake("closes_before", "must be shorter than opens_before, "+short(result.OpensBefore))
	}
	return result
}

// limit is a number of places, 0 for any number.
var limit = kind[int]{
	fmt.Sprintf(`must be a whole number from 1 to %d, or "unlimited"`, most),
	func(value any) (int, bool) {
		if value == "unlimited" {
			return 0, true
		}
		return whole(1, most).read(value)
	},
}

func readPackages(rules *table, code string) []tournament.Package {
	if !rules.has("packages") {
		// A document of the defaults alone; it has no mistakes to lose.
		rules.asked["packages"] = true
		return readPackages((&document{tree: rules.defaults}).top(), code)
	}
	var packages []tournament.Package
	names := map[string]bool{}
	for _, each := range rules.tables("packages") {
		offer := tournament.Package{
			Name:   take(each, "name", line),
			Price:  take(each, "price", money(code)),
			Seats:  take(each, "seats", whole(1, most)),
			Credit: takeOr(each, "credit", money(code), tournament.Money{Currency: code}),
		}
		each.asked["seat_value"] = true
		switch seats := int64(max(offer.Seats, 1)); {
		case each.has("seat_value"):
			offer.SeatValue = take(each, "seat_value", money(code))
		case offer.Price.Cents%seats == 0:
			offer.SeatValue = tournament.Money{Cents: offer.Price.Cents / seats, Currency: code}
		default:
			each.missing("seat_value", "and the price cannot be shared among the seats to the cent; "+money(code).allowed)
		}
		if names[offer.Name] && offer.Name != "" {
			each.mistake("name", "is the name of another package")
		}
		names[offer.Name] = true
		packages = append(packages, offer)
	}
	return packages
}

// readText returns the published rules, from a file beside the definition or from the definition itself.
func readText(top *table, beside fs.FS) tournament.RulesText {
	text := top.table("text")
	result := tournament.RulesText{Version: take(text, "version", whole(1, most))}
	text.asked["file"], text.asked["body"] = true, true
	key := "body"
	switch {
	case text.has("file") && text.has("body"):
		text.mistake("body", "must not be given together with file")
		return result
	case text.has("file"):
		key = "file"
		name := take(text, "file", neighbour)
		if name == "" {
			return result
		}
		body, err := fs.ReadFile(beside, name)
		if err != nil {
			text.mistake("file", "must be a file that can be read: "+cause(err))
			return result
		}
		result.Body = string(body)
	case text.has("body"):
		result.Body, _ = text.values["body"].(string)
	default:
		text.missing("file", neighbour.allowed+`, or give body = """…"""`)
		return result
	}
	if allowed := publishable(result.Body); allowed != "" {
		text.mistake(key, allowed)
	}
	sum := sha256.Sum256([]byte(result.Body))
	result.Hash = hex.EncodeToString(sum[:])
	return result
}

// publishable says what is wrong with the text of the rules, or nothing.
func publishable(body string) string {
	switch {
	case len(body) > largest:
		return fmt.Sprintf("must have at most %d bytes", largest)
	case strings.TrimSpace(body) == "":
		return "must be a text that is not empty"
	case !utf8.ValidString(body):
		return "must be UTF-8"
	case strings.ContainsFunc(body, func(letter rune) bool {
		return unicode.IsControl(letter) && letter != '\n' && letter != '\r' && letter != '\t'
	}):
		return "must have no control characters but tabs and ends of lines"
	}
	return ""
}

// neighbour is the name of a file beside the definition, or in a folder below.
var neighbour = kind[string]{
	`must be the name of a text file beside this one, such as "ridge-rules.txt"`,
	func(value any) (string, bool) {
		name, _ := value.(string)
		if !fs.ValidPath(name) || name == "." {
			return "", false
		}
		return name, true
	},
}

// cause returns an error of the file system without the path, which the mistake shows already.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}
