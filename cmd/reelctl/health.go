package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"reelkiosk/store/condition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// silentFor is how long nothing must have been heard of a kiosk for what it last said to be old news.
const silentFor = 45 * time.Second

type kioskListCommand struct {
	JSON bool `help:"Print JSON instead of a table."`
}

// Run lists kiosks, each in one line.
func (c *kioskListCommand) Run(around *surroundings) error {
	kiosks, err := around.kiosks()
	if err != nil {
		return err
	}
	if c.JSON {
		return around.print(kiosks)
	}
	for _, one := range kiosks.Central {
		fmt.Fprintf(around.stdout, "central: %s\n", sentence(one))
		fmt.Fprintf(around.stdout, "         %s\n", one.Do)
	}
	table := around.table("KIOSK", "ROLE", "STATE", "LAST CONTACT", "WAITS", "GRANTED", "PRINTER", "VERSION", "CONDITIONS")
	for _, kiosk := range kiosks.Kiosks {
		waits, printer := "", ""
		if kiosk.Health != nil {
			waits, printer = waiting(kiosk.Health.Outbox), kiosk.Health.Printer
		}
		row(table, kiosk.Name, kiosk.Role, kiosk.State, ago(kiosk.Contact, kiosks.ServerTime), waits, kiosk.Granted, printer,
			kiosk.Version, inShort(kiosk, kiosks.ServerTime))
	}
	return table.Flush()
}

// kiosks asks central for all of them.
func (s *surroundings) kiosks() (wire.Kiosks, error) {
	from, err := s.client()
	if err != nil {
		return wire.Kiosks{}, err
	}
	defer from.Close()
	return from.Kiosks(s.ctx)
}

// waiting says in a word what is in an outbox.
func waiting(outbox wire.HealthOutbox) string {
	if outbox.Dead > 0 {
		return fmt.Sprintf("%d, %d dead", outbox.Waiting, outbox.Dead)
	}
	return fmt.Sprint(outbox.Waiting)
}

// speaks reports whether a kiosk may speak to central.
func speaks(kiosk wire.Kiosk) bool {
	return kiosk.State == wire.KioskEnrolled || kiosk.State == wire.KioskWaiting
}

// silent reports whether a kiosk that may speak has not, so that what it last said is old news.
func silent(kiosk wire.Kiosk, now time.Time) bool {
	return speaks(kiosk) && now.Sub(kiosk.Contact) > silentFor
}

// stopped reports whether the last that a kiosk said is that it was told to stop and has given everything back.
func stopped(kiosk wire.Kiosk) bool {
	return kiosk.Health != nil && kiosk.Granted == 0 && slices.ContainsFunc(kiosk.Health.Conditions, func(one wire.Condition) bool {
		return one.Name == condition.PlannedStop
	})
}

// inShort says in one line how a kiosk is: the worst, and how much more there is.
func inShort(kiosk wire.Kiosk, now time.Time) string {
	switch {
	case !speaks(kiosk):
		return kiosk.Why
	case stopped(kiosk) && silent(kiosk, now):
		return "stopped as planned"
	case silent(kiosk, now):
		return "silent"
	case kiosk.Health == nil:
		return "has said nothing of itself"
	case len(kiosk.Health.Conditions) == 0:
		return "well"
	}
	said := kiosk.Health.Conditions[0].Title
	if more := len(kiosk.Health.Conditions) - 1; more > 0 {
		said += fmt.Sprintf(" (and %d more)", more)
	}
	return said
}

type kioskShowCommand struct {
	Name string `arg:"" help:"Its name."`
	JSON bool   `help:"Print JSON instead of words."`
}

// Run says all that is known of one kiosk, and what to do next.
func (c *kioskShowCommand) Run(around *surroundings) error {
	kiosk, now, err := around.kiosk(c.Name)
	if err != nil {
		return err
	}
	if c.JSON {
		return around.print(kiosk)
	}
	showKiosk(around.stdout, kiosk, now)
	return nil
}

// kiosk asks central for one, and what time it is.
func (s *surroundings) kiosk(name string) (wire.Kiosk, time.Time, error) {
	kiosks, err := s.kiosks()
	if err != nil {
		return wire.Kiosk{}, time.Time{}, err
	}
	at := slices.IndexFunc(kiosks.Kiosks, func(one wire.Kiosk) bool { return one.Name == name })
	if at < 0 {
		fmt.Fprintf(s.stderr, "reelctl: central knows no kiosk or desk %q; those it knows are listed by: reelctl kiosks\n", name)
		return wire.Kiosk{}, time.Time{}, tournament.NotEnrolled.Refuse()
	}
	return kiosks.Kiosks[at], kiosks.ServerTime, nil
}

// showKiosk says all that is known of one kiosk.
func showKiosk(to io.Writer, kiosk wire.Kiosk, now time.Time) {
	line := func(name, format string, values ...any) {
		fmt.Fprintf(to, "%-14s%s\n", name, fmt.Sprintf(format, values...))
	}
	line("name", "%s, a %s, %s", kiosk.Name, kiosk.Role, kiosk.State)
	if kiosk.Why != "" {
		line("because", "%s", kiosk.Why)
	}
	line("last contact", "%s", ago(kiosk.Contact, now))
	line("enrolled", "%s", kiosk.Enrolled.Format(moment))
	if kiosk.Version != "" {
		line("version", "%s", kiosk.Version)
	}
	if kiosk.Role == wire.RoleKiosk {
		line("granted", "%s it may give while it is cut off, or has given and not reported", count(kiosk.Granted, "machine"))
	}
	if kiosk.Health != nil {
		showHealth(line, kiosk.Role, kiosk.Health, kiosk.Told, now)
	}
	showNext(to, kiosk, now)
}

// showHealth says what a kiosk last said of itself.
func showHealth(line func(name, format string, values ...any), role wire.Role, health *wire.KioskHealth, told, now time.Time) {
	line("", "")
	line("it said", "%s, %s after its program was started:", ago(told, now), span(health.Runs))
	switch out := health.Outbox; {
	case out.Waiting == 0:
		line("outbox", "empty")
	case out.Why != "":
		line("outbox", "%s for central, the oldest for %s: %s", count(out.Waiting, "request waits", "requests wait"), span(out.Oldest), out.Why)
	default:
		line("outbox", "%s for central, the oldest for %s", count(out.Waiting, "request waits", "requests wait"), span(out.Oldest))
	}
	if health.Outbox.Dead > 0 {
		line("dead letters", "%d that central cannot take", health.Outbox.Dead)
	}
	if role == wire.RoleKiosk {
		alone := "it would give them if it were cut off now"
		if !health.Alone.Ready {
			alone = "it would give none now"
			if health.Alone.Why != "" {
				alone += ": " + health.Alone.Why
			}
		}
		line("cut off", "%s for %s; %s", count(health.Alone.Machines, "machine"), span(health.Alone.Lives), alone)
	}
	switch at := health.Copy; {
	case !at.Known:
		line("copy", "up to event %d, and not known to be complete since the program's start", at.Sequence)
	default:
		line("copy", "up to event %d, complete %s ago", at.Sequence, span(at.Age))
	}
	line("printer", "%s", words(health.Printer))
	line("card reader", "%s", words(health.Card))
	line("scanner", "%s", words(health.Document))
	line("clock", "%s", clockWords(health.Clock))
	if health.DiskFree != nil {
		line("disk", "%.0f %% free", 100**health.DiskFree)
	}
}

// words says of a device what its kiosk said.
func words(said string) string {
	switch said {
	case "none":
		return "none is configured"
	case "gone":
		return "not connected"
	}
	return said
}

func clockWords(clock wire.HealthClock) string {
	if !clock.Known {
		return "central has not told the time since the machine's start"
	}
	offset := time.Duration(clock.Offset) * time.Millisecond
	way := "ahead of"
	if offset < 0 {
		offset, way = -offset, "behind"
	}
	return fmt.Sprintf("%v %s central's; an answer takes %v", offset, way, time.Duration(clock.RoundTrip)*time.Millisecond)
}

// showNext says what is wrong, the worst first, and what to do about each.
func showNext(to io.Writer, kiosk wire.Kiosk, now time.Time) {
	var wrong []wire.Condition
	old := ""
	switch {
	case !speaks(kiosk):
		fmt.Fprintf(to, "\nIt is out of use. To use it again: reelctl enrol --kiosk %s --role %s\n", kiosk.Name, kiosk.Role)
		return
	case kiosk.State == wire.KioskWaiting:
		fmt.Fprintf(to, "\nIt waits for its keys after a start. Look whether it stands where it should; if it does: reelctl kiosks approve %s\n", kiosk.Name)
		return
	case stopped(kiosk) && silent(kiosk, now):
		fmt.Fprint(to, "\nIt was stopped as planned, and holds nothing.\n")
		old = ", when it was last heard"
	case silent(kiosk, now):
		fmt.Fprintf(to, "\nIt is silent. Look whether it runs, and at its network cable.\n"+
			"What it gives is reported when it is back. If it cannot come back: reelctl kiosks end-grants %s --why TEXT\n", kiosk.Name)
		old = ", when it was last heard"
	}
	if kiosk.Health != nil {
		wrong = kiosk.Health.Conditions
	}
	switch {
	case kiosk.Health == nil && old == "":
		fmt.Fprint(to, "\nIt has said nothing of itself yet.\n")
		return
	case len(wrong) == 0 && old == "":
		fmt.Fprint(to, "\nNothing is wrong with it.\n")
		return
	case len(wrong) == 0:
		return
	}
	fmt.Fprintf(to, "\n%s%s:\n", count(len(wrong), "condition"), old)
	for _, one := range wrong {
		fmt.Fprintf(to, "  %s\n    %s\n", sentence(one), one.Do)
	}
}

// sentence says what holds, how bad it is, and for how long.
func sentence(one wire.Condition) string {
	said := fmt.Sprintf("%s (%s, for %s)", one.Title, one.Severity, span(one.Holds))
	if one.Detail != "" {
		said += ": " + strings.TrimSpace(one.Detail)
	}
	return said
}

// span says a number of seconds as people do: the two largest units.
func span(seconds int) string {
	switch days, hours, minutes := seconds/86400, seconds/3600%24, seconds/60%60; {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min", minutes)
	case days == 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	default:
		return fmt.Sprintf("%d d %d h", days, hours)
	}
}

// count says how many there are of something, by its name for one and for several; with an s where only one is given.
func count(number int, named ...string) string {
	if number == 1 {
		return "1 " + named[0]
	}
	if len(named) == 1 {
		return fmt.Sprintf("%d %ss", number, named[0])
	}
	return fmt.Sprintf("%d %s", number, named[1])
}
