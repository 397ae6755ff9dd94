package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/kiosk/config"
)

// lookEvery is how often a command that watches looks again.
const lookEvery = 500 * time.Millisecond

type portsCommand struct {
	Config string `placeholder:"FILE" help:"Say also which port the configuration gives which role."`
	JSON   bool   `name:"json" help:"Print JSON; with --watch one list a line."`
	Watch  bool   `help:"Go on, and print what is plugged in and out, until interrupted."`
	Root   string `hidden:"" placeholder:"DIR" help:"Where dev, sys and proc lie, for tests."`
}

// seenPort is a port with what the configuration makes of it.
type seenPort struct {
	port.Attached
	Role string `json:"role,omitempty"`
}

// Run lists the ports, and what the configuration names and is not there.
func (c portsCommand) Run(to io.Writer) error {
	roles, err := rolesOf(c.Config)
	if err != nil {
		return err
	}
	if !c.Watch {
		return c.print(to, roles.of(port.List(rootsAt(c.Root))), roles)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var before []seenPort
	for list := range port.Watch(ctx, rootsAt(c.Root), lookEvery) {
		now := roles.of(list)
		if c.JSON {
			err = json.NewEncoder(to).Encode(now)
		} else {
			err = printChanges(to, before, now)
		}
		if err != nil {
			return err
		}
		before = now
	}
	return nil
}

func rootsAt(folder string) port.Roots {
	if folder == "" {
		return port.Roots{}
	}
	return port.Roots{Dev: filepath.Join(folder, "dev"), Sys: filepath.Join(folder, "sys"), Proc: filepath.Join(folder, "proc")}
}

// roles are what the ports of a configuration are for, by their names there.
type roles []struct{ name, role string }

// rolesOf reads the roles from a configuration, which may have mistakes elsewhere; no path is no roles.
func rolesOf(path string) (roles, error) {
	if path == "" {
		return nil, nil
	}
	settings, err := config.Load(path)
	if err != nil && settings.Card == nil && settings.Document == nil && settings.Printer == nil {
		return nil, err
	}
	return devicesOf(settings), nil
}

func devicesOf(settings config.Config) (found roles) {
	add := func(name, role string) { found = append(found, struct{ name, role string }{name, role}) }
	if settings.Card != nil {
		add(settings.Card.Port.Name, "card reader")
	}
	if settings.Document != nil {
		add(settings.Document.Port.Name, "document scanner")
	}
	if settings.Printer != nil {
		add(settings.Printer.Port.Name, "printer")
	}
	return found
}

func (r roles) of(list []port.Attached) []seenPort {
	seen := make([]seenPort, len(list))
	for at, attached := range list {
		seen[at].Attached = attached
		for _, each := range r {
			if attached.Has(each.name) {
				seen[at].Role = each.role
			}
		}
	}
	return seen
}

func (c portsCommand) print(to io.Writer, seen []seenPort, roles roles) error {
	if c.JSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		return encoder.Encode(seen)
	}
	for _, each := range seen {
		printPort(to, each)
	}
	if len(seen) == 0 {
		fmt.Fprintln(to, "no serial port is plugged in; plug a device in, and look again")
	}
	for _, each := range roles {
		there := false
		for _, one := range seen {
			there = there || one.Has(each.name)
		}
		if !there {
			fmt.Fprintf(to, "%s\n    not there: the %s of the configuration. Plug it in, or name another port\n", each.name, each.role)
		}
	}
	return nil
}

func printPort(to io.Writer, each seenPort) {
	fmt.Fprintln(to, each.Name)
	fmt.Fprintf(to, "    %s\n", described(each.Attached))
	switch {
	case each.Role != "" && each.User != nil:
		fmt.Fprintf(to, "    the %s, used by %s\n", each.Role, each.User)
	case each.Role != "":
		fmt.Fprintf(to, "    the %s, used by nobody\n", each.Role)
	case each.User != nil:
		fmt.Fprintf(to, "    used by %s\n", each.User)
	default:
		fmt.Fprintln(to, "    free")
	}
	if advice := each.Caution.Advice(); advice != "" {
		fmt.Fprintf(to, "    %s\n", advice)
	}
}

// described is what a port says of itself, in one line.
func described(each port.Attached) string {
	parts := []string{strings.TrimSpace(each.Maker + " " + each.Product)}
	parts[0] = cmp.Or(parts[0], "no USB device, or one that says nothing of itself")
	if each.Serial != "" {
		parts = append(parts, "serial number "+each.Serial)
	}
	if each.ID != "" {
		parts = append(parts, each.ID)
	}
	if each.Driver != "" {
		parts = append(parts, each.Driver)
	}
	return strings.Join(append(parts, "now "+each.Node), ", ")
}

func printChanges(to io.Writer, before, now []seenPort) error {
	had, has := map[string]seenPort{}, map[string]seenPort{}
	for _, each := range before {
		had[each.Name] = each
	}
	for _, each := range now {
		has[each.Name] = each
	}
	stamp := time.Now().Format(time.TimeOnly)
	for _, each := range before {
		if _, still := has[each.Name]; !still {
			fmt.Fprintf(to, "%s out      %s\n", stamp, each.Name)
		}
	}
	for _, each := range now {
		old, was := had[each.Name]
		switch {
		case !was:
			fmt.Fprintf(to, "%s in       %s  %s\n", stamp, each.Name, described(each.Attached))
		case each.User != nil && !reflect.DeepEqual(each.User, old.User):
			fmt.Fprintf(to, "%s used     %s  by %s\n", stamp, each.Name, each.User)
		case each.User == nil && old.User != nil:
			fmt.Fprintf(to, "%s free     %s\n", stamp, each.Name)
		}
	}
	return nil
}
