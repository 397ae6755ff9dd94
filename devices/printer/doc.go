// Package printer prints on ticket printers that speak ESC/POS, and knows whether they did.
//
// A [Document] says what stands on a piece of paper; a [Profile] says what a model of printer can do, as data. [Encode]
// makes the bytes. A [Printer] owns one printer over a port.Conn:
//
//	profile, _ := printer.ProfileNamed("epson-48")
//	desk := printer.New(profile, port.Keep(settings))
//	defer desk.Close()
//	outcome := desk.Print(ctx, "seat 4711 copy 1", document)
//	switch outcome.Result {
//	case printer.Printed:
//	case printer.Unconfirmed: // outcome.Reason says why; nobody knows whether there is a ticket
//	case printer.NotStarted:  // outcome.Status says why; there is none
//	}
//
// # What it promises
//
// Before a job the printer is asked, and what it said before is not believed, but for its answer to [Printer.Status] within
// the last quarter of a second, if nothing else was heard since. While it is not ready, nothing but
// questions is written to it. No answer is never taken for 'ready'. (Models that never tell are an exception that the
// profile makes, and everything on them is Unconfirmed.)
//
// A job is Printed only when the printer says so: by returning the job's id once everything before it is printed
// (GS ( H), or, where the model has no such thing, by answering behind the cut (GS r) and being well afterwards. If the
// port is lost, the printer stops, or no answer comes, the job is Unconfirmed, whatever really came out. It is never
// sent again. If the answer comes later, [Printer.Confirmations] says so.
//
// A job that broke off leaves the printer in the middle of something. Before anything else is printed, and not before
// the printer is ready, it is brought back: zeros that complete a command cut short, a reset, a cut. Where the model can
// throw away what it holds, it is told to when it stops, so that the rest does not come out by itself after the roll was
// changed.
//
// A printer is never given more than it can hold: after each half of its buffer it must answer before it gets the next
// but one.
//
// Changes of its state are told on [Printer.Changes], seen by asking every few seconds and, where the model can, told by
// the printer itself.
//
// No document is logged.
package printer
