package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/tournament"
)

// definition is a tournament's definition in JSON: as it is, with the zone by its name.
type definition struct {
	*tournament.Tournament
	Zone string
}

// EncodeDefinition writes a definition for GET /v1/definition, and returns the hash by which two are told apart.
func EncodeDefinition(defined *tournament.Tournament) (text []byte, hash string, err error) {
	text, err = json.Marshal(definition{defined, defined.Zone.String()})
	if err != nil {
		return nil, "", fmt.Errorf("writing the definition: %w", err)
	}
	return text, HashDefinition(text), nil
}

// HashDefinition returns the hash of an encoded definition: SHA-256 in hexadecimal.
func HashDefinition(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// DecodeDefinition reads what EncodeDefinition wrote.
func DecodeDefinition(text []byte) (*tournament.Tournament, error) {
	read := definition{Tournament: &tournament.Tournament{}}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("reading the definition: %w", err)
	}
	if read.Zone == "" {
		return nil, errors.New("reading the definition: it has no zone")
	}
	zone, err := time.LoadLocation(read.Zone)
	if err != nil {
		return nil, fmt.Errorf("reading the definition: %w", err)
	}
	read.Tournament.Zone = zone
	for _, stage := range read.Tournament.Stages {
		for i := range stage.Heats {
			stage.Heats[i].Start = stage.Heats[i].Start.In(zone)
		}
	}
	return read.Tournament, nil
}
