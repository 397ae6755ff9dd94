// Package port keeps a serial port open for as long as its owner wants it, whatever happens to the cable.
//
// Card readers, document scanners and ticket printers hang on serial ports that are unplugged, replugged under another
// number, taken by other programs and left half dead by their adapters. A driver must not care. It takes a [Conn], and
// learns from [Conn.Events], in order, when the port opened, which bytes came, and when and why the port was lost:
//
//	reader := port.Keep(port.Settings{Name: "/dev/serial/by-id/usb-Acme_Reader-if00-port0", Baud: 9600})
//	defer reader.Close()
//	for event := range reader.Events() {
//		switch event.Kind {
//		case port.Opened: // ask the device how it is
//		case port.Data:   // feed event.Data to the framer
//		case port.Gone:   // drop a half frame; event.Err says why
//		}
//	}
//
// # What it promises
//
// Name the port by what stays: a link under /dev/serial/by-id, or by-path where two adapters have no serial number.
// The name is resolved again at each opening, so the device is followed when ttyUSB0 comes back as ttyUSB1. While it is
// gone it is looked for after 100 ms, then after twice as long each time, up to 5 s; never in a tight loop.
//
// Silence is not loss: a port on which nothing comes stays open. Loss is not silence: a port that hung up is closed
// within a tenth of a second, and [Gone] comes after the last of its bytes.
//
// The port is this program's alone (flock(2) on a second descriptor, opened first); a port that another program holds is
// reported with that program's name and tried again. What was on the line before the opening is thrown away.
//
// A write ends: it fails after a time that follows from the number of bytes and the speed, says how many bytes it had
// given to the system, and throws away what the system still held, so that nothing is sent by itself later. Close
// ends too, within [CloseLimit].
//
// The serial line itself is github.com/tarm/serial. Its read time-out is always 100 ms, because without one its Close
// waits for the next byte and swallows it.
//
// Bytes are never logged, and the buffer that they are read into is wiped after each read.
package port
