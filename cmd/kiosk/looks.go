package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reelkiosk/assets"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/ticket"
)

// looks are what the screens say and how they look.
type looks struct {
	phrases *face.Phrases
	house   face.House
	// languages are those of the configuration that there are phrases for.
	languages []string
}

// looksOf reads the phrases and the theme of a configuration. Where the error names mistakes in it, the looks are those of
// the defaults.
func looksOf(settings config.Config) (looks, error) {
	phrases, err := face.NewPhrases(assets.Phrases)
	if err != nil {
		return looks{}, err // a fault of this program
	}
	found := looks{phrases: phrases}
	var mistakes []error
	var known []string
	for _, language := range phrases.Languages() {
		known = append(known, language.Tag)
	}
	for _, language := range settings.Languages {
		if slices.Contains(known, language) {
			found.languages = append(found.languages, language)
			continue
		}
		mistakes = append(mistakes, fmt.Errorf("languages = %q: there are phrases for %s", language, strings.Join(known, ", ")))
	}
	if len(found.languages) == 0 {
		found.languages = []string{face.DefaultLanguage}
	}
	phrases.Offer(found.languages)
	if found.house, err = houseOf(settings.House); err != nil {
		mistakes = append(mistakes, fmt.Errorf("house = %q: %w", settings.House, err))
		if found.house, err = houseOf(config.Default().House); err != nil {
			return looks{}, err // a fault of this program
		}
	}
	return found, errors.Join(mistakes...)
}

// houseOf reads a built-in theme by its name, or a theme file by its path.
func houseOf(named string) (face.House, error) {
	if filepath.Ext(named) == ".toml" {
		return face.ReadHouse(os.DirFS(filepath.Dir(named)), filepath.Base(named))
	}
	return face.ReadHouse(assets.Houses, "houses/"+named+".toml")
}

// say returns the phrases of tickets in a language.
func (l looks) say(language string) ticket.Say {
	said := l.phrases.For(language)
	return func(id string, fields map[string]any) string { return said.Say(id, fields) }
}
