package ticket

import (
	"fmt"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/store/tournament"
)

// Credit is what stands on the slip of the casino-credit part of an entry package (clauses 6 and 8): its own paper,
// since it is money to play with on the floor, and never an entry, cash or points.
type Credit struct {
	Property, Tournament string

	Amount tournament.Money
	Ends   time.Time // the end of the window in which it must be played
	Number string    // of the purchase's receipt, 17 symbols; empty: no code
	Copy   int

	Player, Card string // masked; the card is that of the Rewards membership it needs

	Kiosk  string
	Issued time.Time
}

// Document returns the slip.
func (c Credit) Document(say Say) printer.Document {
	var d printer.Document
	d = append(d, copyHead(say, c.Copy)...)
	d = append(d, house(c.Property, c.Tournament)...)
	d = append(d, section()...)
	d = append(d,
		printer.Text{Text: say("ticket.credit.title", nil), Align: printer.Centre, Bold: true, Size: 2, Shrink: true},
		printer.Space{Dots: 12},
		printer.Text{Text: amount(c.Amount), Align: printer.Centre, Bold: true, Size: 4, Shrink: true},
		printer.Space{Dots: 12},
		printer.Text{
			Text:  say("ticket.credit.ends", map[string]any{"Moment": moment(say, c.Ends)}),
			Align: printer.Centre, Bold: true,
		},
	)
	if c.Number != "" {
		d = append(d, code(c.Number)...)
	}
	d = append(d, section()...)
	d = append(d, whose(say, c.Player, c.Card)...)
	d = append(d, printed(say, c.Kiosk, c.Copy, c.Issued)...)
	d = append(d, section()...)
	d = append(d, small(say, "ticket.adults", "ticket.credit.terms.card", "ticket.credit.terms.cash",
		"ticket.credit.terms.host")...)
	d = append(d, printer.Space{Dots: 24})
	d = append(d, gambling(say)...)
	return append(d, copyFoot(say, c.Copy)...)
}

// Payment is how a purchase was paid.
type Payment string

// The payments.
const (
	Cash          Payment = "cash"
	PaidByCard    Payment = "card"
	Complimentary Payment = "complimentary" // by the casino (clause 5)
)

// Receipt is what stands on the receipt of a purchase. Where the Cash Desk took no name it is all that proves it, so its
// number stands there twice for scanners: those that read only barcodes are common at tills.
type Receipt struct {
	Property, Tournament string

	Number  string // 17 symbols
	Entries int
	Paid    Payment
	Amount  tournament.Money
	Bought  time.Time
	Ends    time.Time // the end of the window
	Till    string
	Copy    int

	Player, Card string // masked; both empty where no name was taken
}

// Document returns the receipt.
func (r Receipt) Document(say Say) printer.Document {
	entries, owner := "ticket.receipt.entries.more", "ticket.receipt.terms.named"
	if r.Entries == 1 {
		entries = "ticket.receipt.entries.one"
	}
	if r.Player == "" && r.Card == "" {
		owner = "ticket.receipt.terms.first"
	}
	var d printer.Document
	d = append(d, copyHead(say, r.Copy)...)
	d = append(d, house(r.Property, r.Tournament)...)
	d = append(d, section()...)
	d = append(d,
		printer.Text{Text: say("ticket.receipt.title", nil), Align: printer.Centre, Bold: true, Size: 2},
		printer.Space{Dots: 12},
		printer.Text{
			Text:  say(entries, map[string]any{"Entries": r.Entries}),
			Align: printer.Centre, Bold: true, Size: 4, Shrink: true,
		},
		printer.Space{Dots: 12},
		printer.Text{Text: say("ticket.receipt.claim", nil), Align: printer.Centre, Bold: true},
	)
	d = append(d, code(r.Number)...)
	d = append(d, printer.Space{Dots: 20}, printer.Code128{Data: r.Number, Height: 72})
	d = append(d, section()...)
	d = append(d, whose(say, r.Player, r.Card)...)
	d = append(d,
		printer.Pair{Left: say("ticket.receipt."+string(r.Paid), nil), Right: amount(r.Amount)},
		printer.Pair{Left: say("ticket.receipt.bought", nil), Right: moment(say, r.Bought)},
		printer.Pair{Left: say("ticket.receipt.ends", nil), Right: moment(say, r.Ends), Bold: true},
		printer.Pair{Left: say("ticket.receipt.till", map[string]any{"Till": r.Till})},
	)
	d = append(d, section()...)
	d = append(d, small(say, "ticket.adults", owner, "ticket.receipt.terms.end")...)
	d = append(d, printer.Space{Dots: 24})
	d = append(d, gambling(say)...)
	return append(d, copyFoot(say, r.Copy)...)
}

// amount writes money as it is written in South Africa: R200, R49.50; other currencies by their code.
func amount(money tournament.Money) string {
	sign := money.Currency + " "
	if money.Currency == "ZAR" || money.Currency == "" {
		sign = "R"
	}
	if money.Cents%100 == 0 {
		return fmt.Sprintf("%s%d", sign, money.Cents/100)
	}
	return fmt.Sprintf("%s%d.%02d", sign, money.Cents/100, money.Cents%100)
}
