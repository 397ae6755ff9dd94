// Package ticket says what stands on the paper that a kiosk prints: the ticket of a seat, the slip of a casino credit,
// the receipt of a purchase, the rules, and a test page. It is pure: facts and phrases in, a printer.Document out, which
// the printer's driver lays out for 48 columns or 42.
//
//	document := ticket.Seat{Property: "The Ridge Casino", Heat: 14, Machine: 23, …}.Document(say)
//	outcome := desk.Print(ctx, job, document)
//
// The phrases come from a function ([Say]), in the player's language; they are assets/phrases/ticket.LANGUAGE.json, with
// the names of days and months from the face's own file.
//
// A seat's ticket is made for three readers. The player finds the machine, in letters four times as high as the rest;
// then the heat and its time. The host's scanner finds the QR code, which holds the ticket's number and nothing else. And
// whoever argues later finds in the small print what was said. Tournament credits are called points here, and no amount
// of money stands on a ticket (clause 18). Who the player is, is masked: tickets are left lying about.
package ticket
