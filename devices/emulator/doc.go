// Package emulator plays serial devices on pseudo-terminals: a card reader, a scanner of documents and barcodes, and a
// ticket printer, with faults on request. The demo, the tests and technicians in training use it.
//
// A [Line] is the cable. The device's side is the Line itself, an io.ReadWriter; the computer's side is a terminal under
// a symbolic link that stays when the cable is unplugged and plugged in again, as the links under /dev/serial/by-id do:
//
//	line, err := emulator.OpenLine("/tmp/demo/card-reader")
//	reader := emulator.NewCardReader(line, emulator.CardSetup{})
//	err = reader.Swipe(emulator.Tracks{Two: "6001234567890123"})
//	err = reader.Swipe(emulator.Tracks{Two: "6001234567890123"}, emulator.Fault{Kind: emulator.Noise})
//	err = line.Unplug(emulator.Hangup)
//	err = line.Replug()
//
// Faults can be typed as words ([ParseFault]), so that a demonstration can ask for them by name. What a device cannot
// know on a real cable, such as whether anybody listens, it does not know here.
package emulator
