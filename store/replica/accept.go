package replica

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"reelkiosk/store/durable"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// ErrNothingKept is the error of Accept where no damaged file waits for somebody to look at it.
var ErrNothingKept = errors.New("no damaged file waits to be accepted")

// Salvaged is what could be read in a damaged file. Damage may have taken more, which nobody can tell.
type Salvaged struct {
	// Kept is where the damaged file lies, and Listed the file in which all of this stands, for hosts.
	Kept   string `json:"kept"`
	Listed string `json:"-"`
	// Told are the requests that tell central what happened: they go on under new keys, in the order in which they were made.
	Told []Request `json:"told"`
	// Asked are those that asked for something. Nobody knows whether they were answered, so that none is sent again.
	Asked []Request `json:"asked"`
	// Owed are the tickets of which it is not known whether they were printed: they are reported as unconfirmed.
	Owed []Intent `json:"owed"`
	// Dead are the dead letters, which stay such.
	Dead []Dead `json:"dead"`
}

// Accept begins an empty file in place of a damaged one that Open has put aside, with what can be salvaged of its outbox; a
// technician has said yes to it. The damaged file stays where it is, and what was read in it is listed beside it.
//
// The new file has another enrolment: keys of the old one may have been used that nobody knows of, and what it held of
// central's grants is not known. So the kiosk has to be enrolled anew, and is granted nothing before an operator has ended
// what the old file was granted (tournament.FormerDisk). The error wraps ErrNothingKept, or is the system's; then it can be
// called again.
func Accept(path, kiosk string, random io.Reader) (*Salvaged, error) {
	found, err := Look(path)
	if err != nil {
		return nil, err
	}
	found.Listed = strings.Replace(found.Kept, keptInfix, ".salvaged-", 1) + ".json"
	if err := found.list(); err != nil {
		return nil, err
	}
	// Under another name until it is whole: a crash leaves the damaged file waiting, as before.
	draft := path + ".accepting"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := found.begin(draft, kiosk, random); err != nil {
		return nil, fmt.Errorf("beginning an empty file: %w", err)
	}
	if err := os.Link(draft, path); err != nil {
		return nil, err
	}
	return found, os.Remove(draft)
}

// salvage reads what can be read. Records of earlier revisions are among it: what they tell was told already, and telling it
// again changes nothing.
func salvage(kept string) (*Salvaged, error) {
	requests, dead, intents := map[uint64]Request{}, map[uint64]Dead{}, map[string]Intent{}
	err := bolt.Salvage(kept, func(key, value []byte) error {
		kind, rest := prefixOf(string(key))
		switch kind {
		case prefixRequest:
			var request Request
			if len(rest) == 8 && json.Unmarshal(value, &request) == nil {
				request.Sequence = binary.BigEndian.Uint64([]byte(rest))
				requests[request.Sequence] = request
			}
		case prefixDead:
			var letter Dead
			if json.Unmarshal(value, &letter) == nil {
				dead[letter.Number] = letter
			}
		case prefixIntent:
			var intent Intent
			if json.Unmarshal(value, &intent) == nil {
				intents[rest] = intent
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := &Salvaged{Kept: kept, Told: []Request{}, Asked: []Request{}, Owed: []Intent{}, Dead: []Dead{}}
	for _, sequence := range slices.Sorted(maps.Keys(requests)) {
		request := requests[sequence]
		_, buried := dead[sequence]
		switch {
		case buried:
		case asking[request.Path]:
			found.Asked = append(found.Asked, request)
		default:
			found.Told = append(found.Told, request)
			delete(intents, printed(request))
		}
	}
	for _, number := range slices.Sorted(maps.Keys(dead)) {
		found.Dead = append(found.Dead, dead[number])
	}
	for _, ticket := range slices.Sorted(maps.Keys(intents)) {
		found.Owed = append(found.Owed, intents[ticket])
	}
	return found, nil
}

// asking are the paths of requests that ask central for something; all others tell it what happened.
var asking = map[string]bool{
	wire.PathRegistrations: true, wire.PathReprints: true, wire.PathClaims: true, wire.PathGrants: true,
}

// prefixOf splits a key of the file.
func prefixOf(key string) (prefix, rest string) {
	for _, prefix := range []string{prefixRequest, prefixIntent, prefixDead} {
		if len(key) > len(prefix) && key[:len(prefix)] == prefix {
			return prefix, key[len(prefix):]
		}
	}
	return "", key
}

// printed returns the ticket of which a request tells what became of its print.
func printed(request Request) string {
	var outcome wire.PrintOutcome
	if request.Path != wire.PathPrints || json.Unmarshal(request.Body, &outcome) != nil {
		return ""
	}
	return outcome.Ticket
}

// Look returns what Accept would find, and changes nothing.
func Look(path string) (*Salvaged, error) {
	var damaged *DamagedError
	if !errors.As(keptAside(path), &damaged) {
		return nil, ErrNothingKept
	}
	return salvage(damaged.Kept)
}

// list writes down what was found, for hosts to go by.
func (s *Salvaged) list() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return durable.Replace(s.Listed, 0o600, func(file *os.File) error {
		_, err := file.Write(append(text, '\n'))
		return err
	})
}

// begin makes a new file with what was found, in one commit.
func (s *Salvaged) begin(path, kiosk string, random io.Reader) error {
	r, err := open(path, random)
	if err != nil {
		return err
	}
	var batch kv.Batch
	add := func(path string, body any) error {
		request, err := r.draft(&batch, path, body)
		r.last = request.Sequence
		return err
	}
	var errs []error
	for _, letter := range s.Dead {
		r.last = max(r.last, letter.Number) // which a dead letter keeps
		errs = append(errs, put(&batch, deadKey(letter.Number), letter))
	}
	for _, request := range s.Told {
		errs = append(errs, add(request.Path, request.Body))
	}
	for _, intent := range s.Owed {
		errs = append(errs, add(wire.PathPrints, wire.PrintOutcome{
			Ticket: intent.Ticket, State: tournament.CopyUnconfirmed, Reason: "the kiosk's own file was damaged", Kiosk: kiosk,
		}))
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, r.Close())
	}
	return errors.Join(r.leader.Apply(context.Background(), &batch), r.Close())
}
