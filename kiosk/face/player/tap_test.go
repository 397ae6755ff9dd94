package player

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"reelkiosk/assets"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// TestEveryTargetAnswersWhereItIs taps every target of every screen in its middle and in a corner.
func TestEveryTargetAnswersWhereItIs(t *testing.T) {
	for _, panel := range panels {
		f, w, sent := opened(t, panel.w, panel.h)
		tried := map[string]bool{}
		for _, scene := range scenes() {
			sheet := compose(scene.state, f.phrases, f.house, pages{}, slide{}, panel.w > panel.h)
			touches := fmt.Sprint(sheet.Touches)
			if tried[touches] {
				continue // another screen had just these
			}
			tried[touches] = true
			f.Show(scene.state)
			targets := f.Targets()
			for _, target := range targets {
				want := visit.Tapped{Button: target.Button, Language: target.Language, Heat: target.Heat}
				for _, at := range []fyne.Position{{X: target.X + target.W/2, Y: target.Y + target.H/2},
					{X: target.X + 1, Y: target.Y + target.H - 2}} {
					*sent = nil
					test.TapCanvas(w.Canvas(), at)
					if len(*sent) != 1 || (*sent)[0] != visit.Event(want) {
						t.Errorf("%s-%s: a tap at %v sent %v, want %v", scene.name, panel.name, at, *sent, want)
					}
					if target.Button == ButtonNextPage || target.Button == ButtonPreviousPage {
						f.pages = pages{}.after(scene.state)
						f.Show(scene.state)
					}
				}
			}
		}
	}
}

func TestAnyTouchBesideTheButtonsMeansStillThere(t *testing.T) {
	f, w, sent := opened(t, 1080, 1920)
	f.Show(with(visiting(visit.ScreenOffer), func(s *visit.State) { s.Over, s.Left = visit.OverStillThere, 8 }))
	for _, at := range []fyne.Position{{X: 1, Y: 1}, {X: 540, Y: 1000}, {X: 1078, Y: 1918}} {
		*sent = nil
		test.TapCanvas(w.Canvas(), at)
		if !slices.Equal(*sent, []visit.Event{visit.Tapped{Button: visit.ButtonStillHere}}) {
			t.Errorf("a tap at %v sent %v", at, *sent)
		}
	}
	if slices.ContainsFunc(f.Targets(), func(target Target) bool { return target.H > 1000 }) {
		t.Error("the whole panel is listed as a target")
	}
}

// offered are the buttons of each screen besides its foot, in the order of drawing.
var offered = map[string][]visit.Button{
	"attract":                   {visit.ButtonWhere, visit.ButtonPrivacy},
	"attract-no-readers":        {visit.ButtonCallHost, visit.ButtonPrivacy},
	"attract-out-of-order":      {visit.ButtonCallHost},
	"one-moment":                nil,
	"ask-id-document":           {visit.ButtonWhere, visit.ButtonPrivacy},
	"ask-id-card":               {visit.ButtonWhere},
	"greeting":                  {visit.ButtonContinue, visit.ButtonNotMe},
	"rules":                     {visit.ButtonReadRules, visit.ButtonDecline, visit.ButtonAccept},
	"declaration":               {visit.ButtonNo, visit.ButtonNotSure, visit.ButtonYes},
	"offer":                     {visit.ButtonTake, visit.ButtonOthers, visit.ButtonTogether},
	"offer-last":                {visit.ButtonTake},
	"heats":                     {visit.ButtonTake, visit.ButtonTake, visit.ButtonTake, visit.ButtonBack},
	"printing":                  {},
	"printing-paper-out":        {visit.ButtonCallHost},
	"done":                      {visit.ButtonDone},
	"done-entries-left":         {visit.ButtonOthers, visit.ButtonDone},
	"see-host":                  {visit.ButtonCallHost, visit.ButtonDone},
	"unconfirmed":               {visit.ButtonAgain, visit.ButtonDone},
	"unconfirmed-again":         {visit.ButtonCallHost, visit.ButtonDone},
	"still-there":               {visit.ButtonStillHere, visit.ButtonCancel},
	"rules-text":                {ButtonNextPage, visit.ButtonClose, visit.ButtonPrintRules},
	"rules-text-none":           {visit.ButtonClose},
	"privacy":                   {visit.ButtonClose},
	"help":                      {visit.ButtonClose},
	"where":                     {visit.ButtonClose},
	"trouble-no-entries":        {visit.ButtonDone, visit.ButtonCallHost},
	"trouble-window-over":       {visit.ButtonDone, visit.ButtonCallHost},
	"trouble-heats-full":        {visit.ButtonDone, visit.ButtonCallHost},
	"trouble-heat-full":         {visit.ButtonAgain, visit.ButtonDone},
	"trouble-closed":            {visit.ButtonAgain, visit.ButtonDone},
	"trouble-not-accepted":      {visit.ButtonAgain, visit.ButtonDone},
	"trouble-central-away":      {visit.ButtonAgain, visit.ButtonCallHost},
	"trouble-unknown-card":      {visit.ButtonWhere, visit.ButtonCallHost},
	"trouble-document-expired":  {visit.ButtonCallHost, visit.ButtonDone},
	"trouble-printer-not-ready": {visit.ButtonCallHost, visit.ButtonDone},
	"trouble-printer-waiting":   {visit.ButtonAgain, visit.ButtonCallHost},
	"trouble-out-of-service":    {visit.ButtonCallHost, visit.ButtonDone},
	"trouble-new-kind":          {visit.ButtonCallHost, visit.ButtonDone},
	"hint-visit-second-card":    {visit.ButtonTake, visit.ButtonOthers, visit.ButtonTogether},
}

func TestButtonsOfEachScreen(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	seen := 0
	for _, scene := range scenes() {
		buttons, ok := offered[scene.name]
		if !ok {
			continue
		}
		seen++
		var got []visit.Button
		for _, touch := range compose(scene.state, f.phrases, f.house, pages{}, slide{}, false).Touches {
			if touch.Y < portraitFoot && !touch.Behind {
				got = append(got, touch.Event.(visit.Tapped).Button)
			}
		}
		if !slices.Equal(got, buttons) {
			t.Errorf("%s offers %v, want %v", scene.name, got, buttons)
		}
	}
	if seen != len(offered) {
		t.Errorf("%d of %d screens are among the scenes", seen, len(offered))
	}
}

// TestPleaseSeeAHostTellsNothing composes that screen with everything in the state that could give a reason away.
func TestPleaseSeeAHostTellsNothing(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	bare := blank()
	bare.Visit, bare.Screen, bare.Left = 7, visit.ScreenSeeHost, 20
	f.Show(bare)
	want := *f.sheet
	full := visiting(visit.ScreenSeeHost)
	full.Left, full.Expired, full.Trouble, full.TroubleUntil = 20, 3, visit.TroubleDocumentExpired, at(0, 20, 0)
	full.Tickets = []visit.Ticket{ticket(14, 23, visit.TicketPrinted)}
	f.Show(full)
	if !reflect.DeepEqual(want, *f.sheet) {
		t.Error("the screen differs with what is known of the player")
	}
}

func TestPagesBeginAnewWithEachVisitAndScreen(t *testing.T) {
	f, w, _ := opened(t, 1080, 1920)
	tap := func(button visit.Button) {
		t.Helper()
		for _, target := range f.Targets() {
			if target.Button == button {
				test.TapCanvas(w.Canvas(), fyne.NewPos(target.X+target.W/2, target.Y+target.H/2))
				return
			}
		}
		t.Fatalf("no button %s", button)
	}
	says := func(text string) bool {
		return slices.ContainsFunc(f.sheet.Pieces, func(p face.Piece) bool { return p.Text == text })
	}
	reading := with(visiting(visit.ScreenRules), func(s *visit.State) { s.Over = visit.OverRulesText })
	f.Show(reading)
	tap(ButtonNextPage)
	tap(ButtonNextPage)
	tap(ButtonPreviousPage)
	if !says("Page 2 of 4") {
		t.Error("next, next and before do not lead to page 2")
	}
	ticked := with(reading, func(s *visit.State) { s.Now = s.Now.Add(60e9) })
	f.Show(ticked)
	if !says("Page 2 of 4") {
		t.Error("a tick turned the page back")
	}
	f.Show(with(reading, func(s *visit.State) { s.Over = visit.OverNothing }))
	f.Show(reading)
	if !says("Page 1 of 4") {
		t.Error("the text does not begin at its first page again")
	}
	for range 3 {
		tap(ButtonNextPage)
	}
	if !says("Page 4 of 4") || slices.ContainsFunc(f.Targets(), func(target Target) bool { return target.Button == ButtonNextPage }) {
		t.Error("the last page has a next one")
	}
	f.Show(with(reading, func(s *visit.State) { s.Visit++ }))
	if !says("Page 1 of 4") {
		t.Error("the next visitor is on the last one's page")
	}
}

// Under load a finger that came down on Cancel in one visit was lifted in the next, and ended it.
func TestACancelMadeForTheLastVisitDoesNotEndTheNext(t *testing.T) {
	f, w, sent := opened(t, 1080, 1920)
	last := visiting(visit.ScreenOffer)
	f.Show(last)
	finger := finger(t, f, w, visit.ButtonCancel)
	finger.MouseDown(&desktop.MouseEvent{})
	f.Show(with(visiting(visit.ScreenGreeting), func(s *visit.State) { s.Visit++ }))
	finger.MouseUp(&desktop.MouseEvent{})
	finger.Tapped(&fyne.PointEvent{})
	want := visit.Tapped{Button: visit.ButtonCancel, Seen: visit.Seen{Visit: last.Visit, Screen: visit.ScreenOffer}}
	if !slices.Equal(*sent, []visit.Event{want}) {
		t.Errorf("sent %v, want %v", *sent, want)
	}
	finger.MouseDown(&desktop.MouseEvent{})
	finger.Tapped(&fyne.PointEvent{})
	if got := (*sent)[1].(visit.Tapped).Seen; got.Visit != last.Visit+1 {
		t.Errorf("the next touch is one of visit %d", got.Visit)
	}
}

// fingered is what answers a finger.
type fingered interface {
	desktop.Mouseable
	fyne.Tappable
}

// finger returns what lies under a finger on a button.
func finger(t *testing.T, f *Face, w fyne.Window, button visit.Button) fingered {
	t.Helper()
	for _, target := range f.Targets() {
		if target.Button != button {
			continue
		}
		for _, object := range test.LaidOutObjects(w.Content()) {
			pad, answers := object.(fingered)
			if at := object.Position(); answers && at.X < target.X && at.X > target.X-2*face.Reach && at.Y < target.Y && at.Y > target.Y-2*face.Reach {
				return pad
			}
		}
	}
	t.Fatalf("no button %s", button)
	return nil
}

// Each repaint is one of the whole panel, without a graphics card a fortieth of a second of a processor.
func TestTheAttractScreenIsRepaintedOnceAMinuteUntilTheLastTwo(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	repaints := func(from time.Time, lasting time.Duration) (count int) {
		f.Show(with(blank(), func(s *visit.State) { s.Now = from }))
		for now := from; now.Before(from.Add(lasting)); now = now.Add(time.Second) {
			before := *f.sheet
			f.Show(with(blank(), func(s *visit.State) { s.Now = now }))
			if !reflect.DeepEqual(before, *f.sheet) {
				count++
			}
		}
		return count
	}
	if got := repaints(now.Add(time.Millisecond), 3*time.Minute); got != 3 { // no tick falls on a second
		t.Errorf("%d repaints in three minutes", got)
	}
	if got := repaints(at(0, 19, 33).Add(30*time.Second), time.Minute); got != 59 {
		t.Errorf("%d repaints in a minute of the last two", got)
	}
}

func TestMoreThanThreeLanguagesTakeTurns(t *testing.T) {
	test.NewTempApp(t)
	house, err := face.ReadHouse(assets.Houses, "houses/ridge.toml")
	if err != nil {
		t.Fatal(err)
	}
	files := assetsWith(t, "st", "xh")
	phrases, err := face.NewPhrases(files)
	if err != nil {
		t.Fatal(err)
	}
	shown := func(language string, turned int) (tags []string) {
		state := blank()
		state.Look.Language = language
		sheet := compose(state, phrases, house, pages{languages: turned}, slide{}, false)
		for _, touch := range sheet.Touches {
			if tap := touch.Event.(visit.Tapped); tap.Button == visit.ButtonLanguage {
				tags = append(tags, tap.Language)
			}
		}
		return tags
	}
	// In order of their tags, the default first: en af | st xh | zu and en again.
	for _, c := range []struct {
		language string
		turned   int
		want     []string
	}{{"en", 0, []string{"en", "af"}}, {"en", 1, []string{"st", "xh"}}, {"en", 2, []string{"zu", "en"}}, {"en", 3, []string{"en", "af"}}, {"zu", 0, []string{"zu", "en"}}} {
		if got := shown(c.language, c.turned); !slices.Equal(got, c.want) {
			t.Errorf("%s, turned %d times: %v, want %v", c.language, c.turned, got, c.want)
		}
	}
}

func TestTheTicketSlidesOutOnce(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	state := visiting(visit.ScreenPrinting)
	state.Tickets = []visit.Ticket{ticket(14, 23, visit.TicketPrinting)}
	f.Show(state)
	moving := f.slide.moving
	if f.slide.step != slideSteps {
		t.Errorf("the paper stops at step %d of %d", f.slide.step, slideSteps)
	}
	state.Now = state.Now.Add(1e9)
	f.Show(state)
	if f.slide.moving != moving {
		t.Error("a tick made the ticket slide again")
	}
	next := state
	next.Tickets = []visit.Ticket{ticket(14, 23, visit.TicketPrinted), ticket(15, 10, visit.TicketPrinting)}
	f.Show(next)
	if f.slide.moving == moving {
		t.Error("the second ticket does not slide")
	}
	f.Show(with(next, func(s *visit.State) { s.Screen = visit.ScreenDone }))
	if f.slide.ticket != "" {
		t.Error("a slide outlives its screen")
	}
}

// TestPaperComesOutStepByStep composes the steps between: what the paper's edge has not passed is not to be seen.
func TestPaperComesOutStepByStep(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	state := visiting(visit.ScreenPrinting)
	state.Tickets = []visit.Ticket{ticket(14, 23, visit.TicketPrinting)}
	words := 0
	for step := range slideSteps + 1 {
		var paper box
		seen := 0
		for _, piece := range compose(state, f.phrases, f.house, pages{}, slide{step: step}, false).Pieces {
			if piece.Kind == face.Box && piece.W == 528 {
				paper = ink(piece)
			}
			if piece.Kind == face.Words && piece.Role == face.Ground {
				seen++
				if !paper.holds(ink(piece)) {
					t.Errorf("step %d: %s is printed on no paper", step, described(piece))
				}
			}
		}
		if seen < words {
			t.Errorf("step %d shows less than the one before", step)
		}
		words = seen
	}
	if words != 3 {
		t.Errorf("the whole ticket has %d lines", words)
	}
}

func TestANameThatCannotBeShownIsNotShown(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	for first, want := range map[string]string{"Thandi": "Hello Thandi", "Δημήτρης": "Hello", "": "Hello", "Zoe\u0308": "Hello Zoë"} {
		f.Show(with(visiting(visit.ScreenGreeting), func(s *visit.State) { s.Player.FirstName = first }))
		if !slices.ContainsFunc(f.sheet.Pieces, func(p face.Piece) bool { return p.Text == want }) {
			t.Errorf("%q is not greeted with %q", first, want)
		}
	}
}

func TestPrices(t *testing.T) {
	for want, amount := range map[string]tournament.Money{"R50": {Cents: 5000, Currency: "ZAR"}, "R52.05": {Cents: 5205, Currency: "ZAR"}, "EUR 5": {Cents: 500, Currency: "EUR"}} {
		if got := price(amount); got != want {
			t.Errorf("%+v is shown as %q, want %q", amount, got, want)
		}
	}
}

// assetsWith is the embedded phrases with a file more for each of some languages.
func assetsWith(t *testing.T, tags ...string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(assets.Phrases, "phrases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := assets.Phrases.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: content}
	}
	for _, tag := range tags {
		files["phrases/"+tag+".json"] = &fstest.MapFile{Data: []byte(`{"language.short": "` + tag + `"}`)}
	}
	return files
}

// TestBandsPointToTheReaders tries every mounting.
func TestBandsPointToTheReaders(t *testing.T) {
	for _, c := range []struct {
		card, document face.Side
		want           string
	}{
		{face.SideRight, face.SideBottom, "point-down-right"}, {face.SideBottom, face.SideLeft, "point-down-left"},
		{face.SideRight, face.SideRight, "point-right"}, {face.SideLeft, face.SideLeft, "point-left"},
		{face.SideBottom, face.SideBottom, "point-down"}, {face.SideLeft, face.SideRight, "point-down"},
	} {
		if got := pointer(c.card, c.document); got != c.want {
			t.Errorf("card %s, ID %s: %s, want %s", c.card, c.document, got, c.want)
		}
	}
}

// TestEveryMountingHasItsDrawings composes the screens of houses whose readers and desks are elsewhere.
func TestEveryMountingHasItsDrawings(t *testing.T) {
	f, _, _ := opened(t, 1080, 1920)
	house := f.house
	for _, side := range []face.Side{face.SideLeft, face.SideRight, face.SideBottom} {
		for _, arrow := range []string{"behind", "left", "right", "ahead"} {
			house.Card, house.Document, house.Slot = side, side, side
			house.Desk.Arrow, house.CashDesk.Arrow = arrow, arrow
			for _, scene := range scenes() {
				sheet := compose(scene.state, f.phrases, house, pages{}, slide{}, false)
				if lacking := missingDrawings(sheet); len(lacking) > 0 {
					t.Errorf("%s with everything %s and the desk %s lacks the drawings %v", scene.name, side, arrow, lacking)
				}
			}
		}
	}
}

func missingDrawings(sheet *face.Sheet) (missing []string) {
	for _, piece := range sheet.Pieces {
		if piece.Kind != face.Drawing {
			continue
		}
		_, err := fs.Stat(assets.Drawings, "drawings/"+piece.Drawing+".svg")
		if err != nil && !strings.HasPrefix(piece.Drawing, "<svg") {
			missing = append(missing, piece.Drawing)
		}
	}
	return missing
}
