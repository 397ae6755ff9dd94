package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"reelkiosk/store/central"
	"reelkiosk/store/definition"
	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
)

type initCommand struct {
	Data       string `required:"" type:"path" placeholder:"DIR" help:"Folder to keep the books in; it is made."`
	Keys       string `required:"" type:"path" placeholder:"FILE" help:"File for the keys, outside of the data folder; it is made unless it exists."`
	Tournament string `required:"" type:"path" placeholder:"FILE" help:"The tournament's definition; it is copied."`
}

// Run begins the books of a tournament.
func (c *initCommand) Run(around *surroundings) error {
	identity, name := around.line.Identity, around.line.Operator
	if _, err := os.Lstat(identity); err == nil {
		return fmt.Errorf("%w: %s: %w", errMistakes, identity, errIdentityExists)
	}
	if err := trust.ParseName(name); err != nil {
		return fmt.Errorf("%w: --operator: %w", errMistakes, err)
	}
	defined, err := central.Prepare(c.Data, c.Keys, c.Tournament)
	if err != nil {
		return mistakes(around, err)
	}
	if err := makeOperator(c.Data, c.Keys, name, identity, false); err != nil {
		return err
	}
	fmt.Fprintf(around.stdout, "%s\nbooks begun in %s, keys in %s: keep a copy of the keys in a safe, never beside the books\n"+
		"identity of the operator %s in %s: with it reelctl speaks to central\n"+
		"start central with: central --data %s --keys %s\n", summary(defined), c.Data, c.Keys, name, identity, c.Data, c.Keys)
	return nil
}

type checkCommand struct {
	File     string `arg:"" optional:"" type:"path" help:"The definition."`
	Defaults bool   `help:"Print the rules that hold where a definition says nothing, instead."`
}

// Run finds the mistakes in a definition.
func (c *checkCommand) Run(around *surroundings) error {
	if c.Defaults {
		fmt.Fprint(around.stdout, definition.Defaults())
		return nil
	}
	if c.File == "" {
		return fmt.Errorf("%w: which file?", errMistakes)
	}
	text, err := strict.ReadFile(c.File)
	if err != nil {
		return err
	}
	defined, err := definition.Parse(shortest(c.File), text)
	if err != nil {
		return mistakes(around, err)
	}
	fmt.Fprintln(around.stdout, summary(defined))
	return nil
}

// mistakes prints those of a definition, one a line, and hands other errors on.
func mistakes(around *surroundings, err error) error {
	var found definition.Mistakes
	if !errors.As(err, &found) {
		return err
	}
	for _, mistake := range found {
		fmt.Fprintln(around.stderr, mistake)
	}
	return errMistakes
}

// shortest names a file as an operator would, from where she stands.
func shortest(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if relative, err := filepath.Rel(here, path); err == nil && len(relative) < len(path) {
		return relative
	}
	return path
}

// summary says what a definition comes to, so that a wrong one is noticed though it has no mistake.
func summary(defined *tournament.Tournament) string {
	text := fmt.Sprintf("%s (%s), %s to %s, %d machines", defined.Name, defined.ID, defined.First, defined.Last, len(defined.Machines))
	for _, stage := range defined.Stages {
		text += fmt.Sprintf(", %d %s heats", len(stage.Heats), stage.Kind)
	}
	return text
}
