package display

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrBlanking says that the X server could not be told to leave the monitor on.
var ErrBlanking = errors.New("screen may go dark by itself")

// Awake tells the X server not to blank the screen and not to switch the monitor off. It runs xset of Debian's
// x11-xserver-utils; where that is missing or fails, the error wraps ErrBlanking and says what to do. It may run on any
// goroutine. (What Fyne offers speaks to a desktop's session bus, which a kiosk does not have.)
func Awake(ctx context.Context) error {
	tool, err := exec.LookPath("xset")
	if err != nil {
		return fmt.Errorf("%w: xset is not installed (Debian package x11-xserver-utils)", ErrBlanking)
	}
	var failed []error
	for _, setting := range [][]string{{"s", "off"}, {"s", "noblank"}, {"-dpms"}} {
		// A server without energy saving says so of -dpms, and does not count that as a failure.
		if output, err := exec.CommandContext(ctx, tool, setting...).CombinedOutput(); err != nil {
			said := strings.TrimSpace(string(output))
			failed = append(failed, fmt.Errorf("%w: xset %s: %s: %w", ErrBlanking, strings.Join(setting, " "), said, err))
		}
	}
	return errors.Join(failed...)
}
