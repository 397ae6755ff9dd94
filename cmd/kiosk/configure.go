package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"reelkiosk/kiosk/config"
)

type (
	getCommand struct {
		File string   `arg:"" help:"The configuration file."`
		Key  []string `arg:"" optional:"" help:"The keys, such as name, times.idle, reader.card.port or printer; all where none is given."`
		JSON bool     `name:"json" help:"Print JSON."`
	}
	setCommand struct {
		File   string   `arg:"" help:"The configuration file."`
		Change []string `arg:"" help:"KEY=VALUE, such as reader.card.baud=4800. Several are changed together."`
	}
	unsetCommand struct {
		File string   `arg:"" help:"The configuration file."`
		Key  []string `arg:"" help:"The keys."`
	}
	backCommand struct {
		File string `arg:"" help:"The configuration file."`
	}
)

// takesEffect is said after each change.
const takesEffect = "it counts when the kiosk is started again"

// Run prints values with their origins.
func (c getCommand) Run(to io.Writer) error {
	values, err := config.Values(c.File)
	if err != nil {
		return err
	}
	var asked []config.Value
	for _, value := range values {
		if c.asks(value.Key) {
			asked = append(asked, value)
		}
	}
	if len(asked) == 0 {
		return fmt.Errorf("%w: %s; kiosk config defaults explains all", config.ErrKey, strings.Join(c.Key, ", "))
	}
	if c.JSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		return encoder.Encode(asked)
	}
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, value := range asked {
		fmt.Fprintf(table, "%s\t%s\t%s\n", value.Key, value, value.Origin)
	}
	return table.Flush()
}

// asks reports whether a key was asked for, by its name or that of a table around it.
func (c getCommand) asks(key string) bool {
	for _, asked := range c.Key {
		if key == asked || strings.HasPrefix(key, asked+".") {
			return true
		}
	}
	return len(c.Key) == 0
}

// Run changes values.
func (c setCommand) Run(to io.Writer) error {
	changes := map[string]string{}
	for _, change := range c.Change {
		key, value, both := strings.Cut(change, "=")
		if !both || key == "" {
			return fmt.Errorf("%s: want KEY=VALUE, such as times.idle=45s", change)
		}
		changes[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	if err := config.Set(c.File, changes); err != nil {
		return fmt.Errorf("nothing was changed:\n%w", err)
	}
	_, err := fmt.Fprintf(to, "%s: written; %s\n", config.OverlayFile(c.File), takesEffect)
	return err
}

// Run takes values back.
func (c unsetCommand) Run(to io.Writer) error {
	for _, key := range c.Key {
		if err := config.Unset(c.File, key); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(to, "%s: written; %s\n", config.OverlayFile(c.File), takesEffect)
	return err
}

// Run goes back to what last worked.
func (c backCommand) Run(to io.Writer) error {
	if err := config.Back(c.File); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s: as when the kiosk last came up; %s\n", config.OverlayFile(c.File), takesEffect)
	return err
}
