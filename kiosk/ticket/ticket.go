package ticket

import (
	"strings"
	"time"

	"reelkiosk/devices/printer"
)

// Say returns a phrase in the reader's language, its {{.Name}} places filled.
type Say func(id string, fields map[string]any) string

// Seat is what stands on the ticket of one seat. Times are in the tournament's zone.
type Seat struct {
	Property, Tournament string

	Heat    int
	Start   time.Time // the heat's scheduled start
	Place   string    // where the machine stands, as players are told
	Machine int       // the number on the machine
	Before  int       // minutes before the start at which to be there; 0 counts as 5

	Number string // the copy's ticket number, 17 symbols (design decision 5)
	Copy   int    // 1 for the first printing

	Player string // masked, such as T***** M***
	Card   string // masked, such as **** **** 4821; empty if a document alone was shown

	// FinalStage uses no entry. Elsewhere the entry is named by when its window ends, as on the screens; that is zero for
	// one that does not expire.
	FinalStage   bool
	EntryEnds    time.Time
	RulesVersion string // number and hash, such as 3, 8F2C 41D0 (clause 25)

	Kiosk  string
	Issued time.Time
}

// usualBefore is how many minutes before the start players are asked to be there.
const usualBefore = 5

// Document returns the ticket. Its first copy has no bars; every later one says so at both ends.
func (s Seat) Document(say Say) printer.Document {
	before := s.Before
	if before == 0 {
		before = usualBefore
	}
	var d printer.Document
	d = append(d, copyHead(say, s.Copy)...)
	d = append(d, house(s.Property, s.Tournament)...)
	d = append(d, section()...)
	d = append(d,
		printer.Pair{
			Left:  say("ticket.heat", map[string]any{"Heat": s.Heat}),
			Right: s.Start.Format(clock),
			Bold:  true, Size: 2,
		},
		printer.Space{Dots: 6},
		printer.Text{Text: date(say, s.Start)},
		printer.Space{Dots: 24},
		printer.Text{
			Text:  say("ticket.machine", map[string]any{"Machine": s.Machine}),
			Align: printer.Centre, Bold: true, Size: 4, Shrink: true,
		},
		printer.Space{Dots: 6},
		printer.Text{Text: s.Place, Align: printer.Centre},
		printer.Space{Dots: 12},
		printer.Text{
			Text:  say("ticket.before", map[string]any{"Minutes": before}),
			Align: printer.Centre, Bold: true,
		},
	)
	d = append(d, code(s.Number)...)
	d = append(d, section()...)
	d = append(d, s.particulars(say)...)
	d = append(d, section()...)
	d = append(d, small(say, "ticket.terms.adults", "ticket.terms.absent", "ticket.terms.unpaid", "ticket.terms.points",
		"ticket.terms.identify")...)
	d = append(d, printer.Space{Dots: 24})
	d = append(d, gambling(say)...)
	return append(d, copyFoot(say, s.Copy)...)
}

// particulars are the lines about player, entry, rules and kiosk.
func (s Seat) particulars(say Say) printer.Document {
	d := whose(say, s.Player, s.Card)
	switch {
	case s.FinalStage:
	case s.EntryEnds.IsZero():
		d = append(d, printer.Pair{Left: say("ticket.entry", nil), Right: say("ticket.entry.free", nil)})
	default:
		d = append(d, printer.Pair{Left: say("ticket.entry.ends", nil), Right: moment(say, s.EntryEnds)})
	}
	d = append(d, printer.Pair{Left: say("ticket.rules", nil), Right: version(say, s.RulesVersion)})
	return append(d, printed(say, s.Kiosk, s.Copy, s.Issued)...)
}

func version(say Say, of string) string { return say("ticket.version", map[string]any{"Version": of}) }

// clock is how a time of day is printed.
const clock = "15:04"

// date returns a day in full, such as Monday 9 March 2026.
func date(say Say, at time.Time) string {
	return say("ticket.date", map[string]any{
		"Day": say("day.long."+weekday(at), nil), "Date": at.Day(), "Month": month(say, at), "Year": at.Year(),
	})
}

// moment returns a day and a time of it, such as Mon 9 March 19:18.
func moment(say Say, at time.Time) string {
	return say("ticket.moment", map[string]any{
		"Day": say("day.short."+weekday(at), nil), "Date": at.Day(), "Month": month(say, at), "Time": at.Format(clock),
	})
}

func weekday(at time.Time) string { return strings.ToLower(at.Weekday().String()) }

func month(say Say, at time.Time) string { return say("month."+at.Format("1"), nil) }
