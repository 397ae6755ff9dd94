package face

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"reelkiosk/assets"
)

// phrase is one phrase as it stands in a file: its forms by plural category, 'other' for a phrase without.
type phrase map[string]string

// files reads the player's phrase files, by language.
func phraseFiles(t *testing.T) map[string]map[string]phrase {
	t.Helper()
	names, err := fs.Glob(assets.Phrases, "phrases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]phrase{}
	for _, name := range names {
		tag := strings.TrimSuffix(path.Base(name), ".json")
		if strings.Contains(tag, ".") {
			continue
		}
		content, err := assets.Phrases.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]any
		if err := json.Unmarshal(content, &raw); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[tag] = map[string]phrase{}
		for id, value := range raw {
			all[tag][id] = phrase{}
			switch value := value.(type) {
			case string:
				all[tag][id]["other"] = value
			case map[string]any:
				for form, text := range value {
					all[tag][id][form] = text.(string)
				}
			}
		}
	}
	return all
}

var field = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

func fields(text string) []string {
	var found []string
	for _, match := range field.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// TestLanguagesSayTheSameThings compares every file with the English one: the same phrases, with the same fields.
func TestLanguagesSayTheSameThings(t *testing.T) {
	all := phraseFiles(t)
	english := all[DefaultLanguage]
	for tag, phrases := range all {
		for id := range phrases {
			if english[id] == nil {
				t.Errorf("%s has %s, which English lacks", tag, id)
			}
		}
		for id, forms := range english {
			other, ok := phrases[id]
			if !ok {
				t.Errorf("%s lacks %s", tag, id)
				continue
			}
			for form, text := range other {
				want := forms["other"]
				if form == "one" && forms["one"] != "" {
					want = forms["one"]
				}
				if !slices.Equal(fields(text), fields(want)) {
					t.Errorf("%s, %s, %s: fields %v, in English %v", tag, id, form, fields(text), fields(want))
				}
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s: %s is empty", tag, id)
				}
			}
			if len(forms) != len(other) {
				t.Errorf("%s: %s has the forms %v, in English %v", tag, id, other, forms)
			}
		}
	}
}

// TestSentencesAreShort counts words: twelve at most, so that who reads poorly gets to the end.
func TestSentencesAreShort(t *testing.T) {
	end := regexp.MustCompile(`[.?!:](\s|$)`)
	for tag, phrases := range phraseFiles(t) {
		for id, forms := range phrases {
			if strings.HasPrefix(id, "attract.why") {
				continue // the wording is rules.md's own
			}
			for _, text := range forms {
				for _, sentence := range end.Split(strings.ReplaceAll(text, "\n", " "), -1) {
					if words := len(strings.Fields(sentence)); words > 12 {
						t.Errorf("%s, %s: %d words in %q", tag, id, words, sentence)
					}
				}
			}
		}
	}
}

// TestEveryRuneIsEmbedded looks for letters that would be borrowed from whatever font the machine has.
func TestEveryRuneIsEmbedded(t *testing.T) {
	for tag, phrases := range phraseFiles(t) {
		for id, forms := range phrases {
			for _, text := range forms {
				text = strings.ReplaceAll(text, "\n", " ")
				if !Regular.Has(text) || !SemiBold.Has(text) {
					t.Errorf("%s, %s: %q has a rune that the faces lack", tag, id, text)
				}
			}
		}
	}
}

func spoken(t *testing.T) *Phrases {
	t.Helper()
	phrases, err := NewPhrases(assets.Phrases)
	if err != nil {
		t.Fatal(err)
	}
	return phrases
}

func TestPhrasesByLanguage(t *testing.T) {
	phrases := spoken(t)
	var tags []string
	for _, language := range phrases.Languages() {
		tags = append(tags, language.Tag+" "+language.Short+" "+language.Name)
	}
	if want := []string{"en EN English", "af AF Afrikaans", "zu ZU isiZulu"}; !slices.Equal(tags, want) {
		t.Errorf("languages %q, want %q", tags, want)
	}
	for _, c := range []struct{ tag, got, want string }{
		{"en", phrases.For("en").Count("entries", 1), "entry"},
		{"en", phrases.For("en").Count("entries", 0), "entries"},
		{"af", phrases.For("af").Count("entries", 2), "inskrywings"},
		{"zu", phrases.For("zu").Count("entries", 1), "ithuba"},
		{"zu", phrases.For("zu").Count("entries", 3), "amathuba"},
		{"an unknown language", phrases.For("tlh").Say("done"), "Done"},
		{"an unknown phrase", phrases.For("af").Say("no.such.phrase"), "no.such.phrase"},
		{"fields", phrases.For("af").Say("heat", Fields{"Heat": 14}), "Rondte 14"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, c.got, c.want)
		}
	}
	if !phrases.For("zu").Has("offer.minutes") || phrases.For("zu").Has("no.such.phrase") {
		t.Error("Has is wrong")
	}
}

func TestALanguageIsAddedByItsFile(t *testing.T) {
	files := fstest.MapFS{
		"phrases/en.json":        {Data: []byte(`{"language.short": "EN", "done": "Done", "help": "Help"}`)},
		"phrases/xh.json":        {Data: []byte(`{"language.short": "XH", "done": "Gqiba"}`)},
		"phrases/ticket.en.json": {Data: []byte(`{"ticket.machine": "Machine"}`)},
		"phrases/ticket.st.json": {Data: []byte(`{"ticket.machine": "Mochini"}`)},
	}
	phrases, err := NewPhrases(files)
	if err != nil {
		t.Fatal(err)
	}
	if got := phrases.Languages(); len(got) != 2 || got[1].Short != "XH" {
		t.Errorf("languages %v: a ticket's file alone makes no language of the face", got)
	}
	xhosa := phrases.For("xh")
	if got := xhosa.Say("done") + xhosa.Say("help") + xhosa.Say("ticket.machine"); got != "GqibaHelpMachine" {
		t.Errorf("got %q: what a file lacks is English", got)
	}
}

func TestFaultyPhraseFilesAreAllNamed(t *testing.T) {
	files := fstest.MapFS{
		"phrases/af.json":        {Data: []byte(`{"done": `)},
		"phrases/not a tag.json": {Data: []byte(`{}`)},
	}
	_, err := NewPhrases(files)
	if err == nil {
		t.Fatal("read")
	}
	for _, want := range []string{"phrases/af.json", "phrases/not a tag.json", "phrases/en.json is missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not name %q: %v", want, err)
		}
	}
}

func TestMoments(t *testing.T) {
	now := time.Date(2026, time.November, 30, 19, 18, 0, 0, time.UTC)
	phrases := spoken(t)
	for _, c := range []struct {
		tag    string
		moment time.Time
		want   string
	}{
		{"en", now.Add(19 * time.Hour), "Tuesday 14:18"},
		{"af", now.Add(19 * time.Hour), "Dinsdag 14:18"},
		{"zu", now.Add(19 * time.Hour), "uLwesibili 14:18"},
		{"en", now.AddDate(0, 0, 9), "Wednesday 9 December 19:18"},
		{"af", now.AddDate(0, 0, -9), "Saterdag 21 November 19:18"},
	} {
		if got := phrases.For(c.tag).Moment(c.moment, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, got, c.want)
		}
	}
	for month := 1; month <= 12; month++ {
		if !phrases.For("zu").Has(fmt.Sprintf("month.%d", month)) {
			t.Errorf("month %d has no name", month)
		}
	}
}

// Nobody needs the seconds of twelve minutes, and each would have the whole panel painted.
func TestCountdownsShowSecondsOnlyInTheLastTwoMinutes(t *testing.T) {
	now := time.Date(2026, time.November, 30, 19, 18, 0, 0, time.UTC)
	phrases := spoken(t)
	for _, c := range []struct {
		tag  string
		left time.Duration
		want string
	}{
		{"en", -time.Hour, "0:00"},
		{"en", 0, "0:00"},
		{"en", 1500 * time.Millisecond, "0:01"},
		{"en", 59 * time.Second, "0:59"},
		{"en", 2*time.Minute - 1, "1:59"},
		{"en", 2 * time.Minute, "2 min"},
		{"en", 1000 * time.Second, "16 min"},
		{"zu", 1000 * time.Second, "16 min"},
		{"en", time.Hour - 1, "59 min"},
		{"af", time.Hour, "1 h 0 min"},
		{"en", 26*time.Hour + 3*time.Minute, "26 h 3 min"},
	} {
		got, figures := phrases.For(c.tag).Countdown(now.Add(c.left), now)
		if got != c.want || figures != (c.left < 2*time.Minute) {
			t.Errorf("%s, %v: %q (figures alone: %v), want %q", c.tag, c.left, got, figures, c.want)
		}
	}
}
