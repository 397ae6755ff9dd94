// Package escpos speaks ESC/POS, the language of ticket printers: commands out, status in. It is pure: it neither opens
// nor waits.
//
// [Encode] turns commands into bytes. Text is written in the code page that a [CodePage] command chose before; a letter
// that the page lacks is an error, never a question mark.
//
//	bytes, err := escpos.Encode(
//		escpos.Initialise{},
//		escpos.CodePage{Page: escpos.CP1252},
//		escpos.Text{Text: "Zoë"},
//		escpos.LineFeed{},
//		escpos.Cut{Partial: true, Feed: true},
//	)
//
// [Parse] reads commands from JSON, in the words of the project's test vectors.
//
// A [Decoder] takes bytes from the printer, split anywhere, and gives [Message] values. It tells messages apart by the
// bits that each kind has fixed, never by position, and believes an answer only to a question that is out: what fits
// nothing, was not asked for or is incomplete is no message. No answer is no good news either; callers must take silence
// for 'unknown'.
//
// Sources: Epson's ESC/POS command reference; the status tables are the same in Citizen's and Samsung's manuals. Bits
// are numbered from 0, the lowest.
package escpos
