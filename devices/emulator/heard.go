package emulator

import "reelkiosk/devices/port"

// Heard returns what a port set to by makes of bytes that a device set to as sends, as every Line garbles them: for tests of
// what follows from that, without a terminal.
func Heard(sent []byte, as, by port.Settings) []byte { return heard(sent, as, by) }
