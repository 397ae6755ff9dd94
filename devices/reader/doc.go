// Package reader turns the bytes of card readers and scanners into what a person did: held a club card to the reader,
// showed a document, scanned a ticket, or did something that must be answered with a clear message.
//
// A reader is described by a [Profile], which is data: a TOML file names its kind (magnetic stripe, 125 kHz tag,
// 13.56 MHz card, scanner, reader of machine-readable zones), its line, how its frames begin and end, and which cards
// are the club's. [Named] gives the built-in ones, [ParseProfile] reads others.
//
//	profile, err := reader.Named("magstripe")
//	cards := reader.New(profile, port.Keep(profile.Settings("/dev/serial/by-id/usb-…")), today)
//	defer cards.Close()
//	for reading := range cards.Readings() {
//		switch reading.Kind {
//		case reader.KindCard: // look up reading.Card.Number
//		case reader.KindRefused: // say what reading.Refusal is about
//		}
//	}
//
// # What happens to the bytes
//
// They are hostile. A framer, which is pure, cuts them into frames by prefix and suffix, by known length, or where the line
// fell silent; a parser, pure too, makes of each frame what it is, or refuses it with a reason. Whatever came before, the
// next good frame is read. A number is taken only whole and with its check right: the same member or nobody.
//
// A tag that lies on its reader is sent over and over; it gives one reading for each time that it was put there.
//
// A bank card is refused, wherever on a track or in a symbol its number stands. Its digits are in nothing that leaves the
// parser, and the buffers that they were in are wiped. A number with one byte wrong is no bank card's any more: what stands
// on a card that is not the club's leaves the parser for test vectors alone ([Report.Verbatim]).
// No reading shows in a log what was read, however it is printed.
//
// # A reader of an unknown make
//
// [Search] finds out how a reader is set up, speed, parity, frame and kind, from the swipes of a club card; [Search.Run] does
// so on a port. [Burst] is what came in one go, with its times: byte by byte ([Burst.Rows]), step by step as a parser takes
// it ([Burst.Steps]), and in a form in which nobody's number is ([Burst.Veiled]), to be kept as [Captured].
//
// [Capture] and [Guess] say what would become of captured bytes, for support staff; they go through the same code.
package reader
