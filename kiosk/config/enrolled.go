package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"reelkiosk/store/durable"
	"reelkiosk/store/strict"
)

// EnrolledFile is the name of a file in the data folder, beside the kiosk's identity. The program writes it where the
// address of central that a technician typed on the first start is another than the configuration's.
const EnrolledFile = "enrolled.toml"

// Enrolled says which central the kiosk was enrolled with on its screen.
type Enrolled struct {
	// Central is its address, and Instead what the configuration said then.
	Central, Instead string
}

// Over returns the address of central that counts, by what the configuration says now: whoever changes that later means it.
func (e Enrolled) Over(configured string) string {
	if e.Central != "" && configured == e.Instead {
		return e.Central
	}
	return configured
}

// Save writes the file of a data folder, whole or not at all.
func (e Enrolled) Save(folder string) error {
	err := durable.Replace(filepath.Join(folder, EnrolledFile), 0o600, func(file *os.File) error {
		_, err := fmt.Fprintf(file, "# Written on the first start, when central's address was typed. The kiosk's configuration counts again\n"+
			"# as soon as it says something else than this:\ncentral = %q\ninstead = %q\n", e.Central, e.Instead)
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping the address of central: %w", err)
	}
	return nil
}

// LoadEnrolled reads the file of a data folder; the zero Enrolled where there is none.
func LoadEnrolled(folder string) (e Enrolled, err error) {
	path := filepath.Join(folder, EnrolledFile)
	text, err := strict.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	doc, err := strict.Read(path, text)
	if err != nil {
		return e, err
	}
	top := doc.Top(nil)
	e.Central = strict.Take(top, "central", strict.Text(`must be an address like "https://central.example:7180"`, validCentral))
	e.Instead = strict.Take(top, "instead", strict.Text("must be text", nil))
	if err := doc.Finish(); err != nil {
		return Enrolled{}, err
	}
	return e, nil
}

// LoadOver is Load, with the address of central that a technician typed on the first start.
func LoadOver(path string) (Config, error) {
	settings, faulty := Load(path)
	enrolled, unread := LoadEnrolled(settings.Data)
	configured := settings.Central
	settings.Central = enrolled.Over(configured)
	if mistakes, are := errors.AsType[Mistakes](faulty); are && configured == "" && settings.Central != "" {
		var left Mistakes
		for _, mistake := range mistakes {
			if mistake.Key != "central" || mistake.Value != "" {
				left = append(left, mistake)
			}
		}
		if faulty = left; len(left) == 0 {
			faulty = nil
		}
	}
	return settings, errors.Join(faulty, unread)
}
