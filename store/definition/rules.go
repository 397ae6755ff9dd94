package definition

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

// defaultText is both what Defaults prints and what is read where a key is not given.
//
//go:embed defaults.toml
var defaultText string

// Defaults returns the [rules] of a definition that gives none, as TOML with a comment on each key.
func Defaults() string { return defaultText }

// How many seats, places and packages anybody may have; more is a slip of the pen.
const most = 9999

func readRules(top *strict.Table) tournament.Rules {
	code := strict.TakeOr(top, "currency", currency, "ZAR")
	rules := top.Table("rules")
	result := tournament.Rules{
		MinAge:           strict.Take(rules, "min_age", strict.Whole(18, 99)),
		CardSuffices:     strict.Take(rules, "card_suffices", strict.Choice(tournament.CardVerified, tournament.CardNever)),
		SeatPrice:        strict.Take(rules, "seat_price", money(code)),
		PackagesCashOnly: strict.Take(rules, "packages_cash_only", strict.Truth),
		Window: strict.Take(rules, "window", strict.Choice(tournament.Window48h, tournament.WindowSameDay,
			tournament.WindowNextDay)),
		GamingDayStarts:  strict.Take(rules, "gaming_day_starts", clock),
		OpensBefore:      strict.Take(rules, "opens_before", duration(time.Minute, 366*24*time.Hour)),
		ClosesBefore:     strict.Take(rules, "closes_before", duration(0, 24*time.Hour)),
		HeatLength:       strict.Take(rules, "heat_length", duration(time.Minute, 12*time.Hour)),
		SemiFinalPlaces:  strict.Take(rules, "semi_final_places", strict.Whole(1, most)),
		PlacesPerPlayer:  strict.Take(rules, "places_per_player", limit),
		SuitsCount:       strict.Take(rules, "suits_count", strict.Truth),
		ScoresTwice:      strict.Take(rules, "scores_twice", strict.Truth),
		Prizes:           strict.Take(rules, "prizes", amounts(code)),
		FICAThreshold:    strict.Take(rules, "fica_threshold", money(code)),
		GrantShare:       strict.Take(rules, "grant_share", strict.Whole(0, 10)),
		GrantLives:       strict.Take(rules, "grant_lives", duration(time.Minute, 24*time.Hour)),
		GrantMargin:      strict.Take(rules, "grant_margin", duration(0, 12*time.Hour)),
		ExclusionsMaxAge: strict.Take(rules, "exclusions_max_age", duration(time.Minute, 24*time.Hour)),
		Packages:         readPackages(rules, code),
	}
	// Whether it must be given depends on the stages, which say so.
	if rules.Has("final_places") {
		result.FinalPlaces = strict.Take(rules, "final_places", strict.Whole(1, most))
	}
	if result.ClosesBefore >= result.OpensBefore {
		rules.Mistake("closes_before", "must be shorter than opens_before, "+strict.Short(result.OpensBefore))
	}
	if open := result.OpensBefore - result.ClosesBefore; open > 0 && result.GrantShare > 0 && result.GrantMargin >= open {
		allowed := "must be shorter than the time that registration is open, " + strict.Short(open)
		if !rules.Has("grant_margin") {
			allowed = "is " + strict.Short(result.GrantMargin) + " where it is not given, and " + allowed
		}
		rules.Mistake("grant_margin", allowed)
	}
	return result
}

// limit is a number of places, 0 for any number.
var limit = strict.Kind[int]{
	Allowed: fmt.Sprintf(`must be a whole number from 1 to %d, or "unlimited"`, most),
	Read: func(value any) (int, bool) {
		if value == "unlimited" {
			return 0, true
		}
		return strict.Whole(1, most).Read(value)
	},
}

func readPackages(rules *strict.Table, code string) []tournament.Package {
	var packages []tournament.Package
	names := map[string]bool{}
	for _, each := range rules.Tables("packages") {
		offer := tournament.Package{
			Name:   strict.Take(each, "name", line),
			Price:  strict.Take(each, "price", money(code)),
			Seats:  strict.Take(each, "seats", strict.Whole(1, most)),
			Credit: strict.TakeOr(each, "credit", money(code), tournament.Money{Currency: code}),
		}
		switch seats := int64(max(offer.Seats, 1)); {
		case each.Has("seat_value"):
			offer.SeatValue = strict.Take(each, "seat_value", money(code))
		case offer.Price.Cents%seats == 0:
			offer.SeatValue = tournament.Money{Cents: offer.Price.Cents / seats, Currency: code}
		default:
			each.Missing("seat_value", "and the price cannot be shared among the seats to the cent; "+money(code).Allowed)
		}
		if names[offer.Name] && offer.Name != "" {
			each.Mistake("name", "is the name of another package")
		}
		names[offer.Name] = true
		packages = append(packages, offer)
	}
	return packages
}

// readText returns the published rules, from a file beside the definition or from the definition itself.
func readText(top *strict.Table, beside fs.FS) tournament.RulesText {
	text := top.Table("text")
	result := tournament.RulesText{Version: strict.Take(text, "version", strict.Whole(1, most))}
	inFile, inBody := text.Has("file"), text.Has("body")
	key := "body"
	switch {
	case inFile && inBody:
		text.Mistake("body", "must not be given together with file")
		return result
	case inFile:
		key = "file"
		name := strict.Take(text, "file", neighbour)
		if name == "" {
			return result
		}
		body, err := readWhole(beside, name)
		if err != nil {
			text.Mistake("file", "must be a file that can be read: "+cause(err))
			return result
		}
		result.Body = string(body)
	case inBody:
		result.Body, _ = text.Value("body").(string)
	default:
		text.Missing("file", neighbour.Allowed+`, or give body = """…"""`)
		return result
	}
	if allowed := publishable(result.Body); allowed != "" {
		text.Mistake(key, allowed)
	}
	sum := sha256.Sum256([]byte(result.Body))
	result.Hash = hex.EncodeToString(sum[:])
	return result
}

// readWhole reads a file, of one that is too long the beginning and some more.
func readWhole(files fs.FS, name string) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, strict.Largest+1))
}

// publishable says what is wrong with the text of the rules, or nothing.
func publishable(body string) string {
	switch {
	case len(body) > strict.Largest:
		return fmt.Sprintf("must have at most %d bytes", strict.Largest)
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
var neighbour = strict.Text(
	`must be the name of a .txt file beside this one, such as "ridge-rules.txt", and none of central's own`,
	func(name string) bool {
		first, _, _ := strings.Cut(name, "/")
		return fs.ValidPath(name) && path.Ext(name) == ".txt" && !slices.Contains(reserved, strings.ToLower(first))
	},
)

// reserved are the names of folders beside the copy of a definition that are central's own, and emptied by it.
var reserved = []string{"exclusions", "imports", "snapshots"}

// cause returns an error of the file system without the path, which the mistake shows already.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}
