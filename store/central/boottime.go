package central

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot counts on from the machine's start, also while it sleeps (CLOCK_BOOTTIME, clock_gettime(2)).
func sinceBoot() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		panic("central: CLOCK_BOOTTIME: " + err.Error()) // Linux has it since 2.6.39
	}
	return time.Duration(now.Nano())
}
