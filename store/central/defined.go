package central

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// definitionKey is the key, beside those of store/ledger, of the definition that the books go by (wire.EncodeDefinition),
// packed by gzip.
const definitionKey = "central/definition"

// ErrDefinition is wrapped by New where the definition is another than the one that the books go by, and cannot take its
// place.
var ErrDefinition = errors.New("this definition cannot take the place of the one that the books go by; nothing was done")

// DefinitionError is the error of New that says why a definition cannot take the place of another.
type DefinitionError struct {
	// Conflicts are what stands against it, a line each.
	Conflicts []string
}

// mostConflicts is how many conflicts are said.
const mostConflicts = 50

// Error lists the conflicts.
func (e *DefinitionError) Error() string {
	said := e.Conflicts[:min(len(e.Conflicts), mostConflicts)]
	text := ErrDefinition.Error() + ":\n  " + strings.Join(said, "\n  ")
	if more := len(e.Conflicts) - len(said); more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return text
}

// Unwrap returns ErrDefinition.
func (e *DefinitionError) Unwrap() error { return ErrDefinition }

// define binds the books to their definition. Another one is taken only where it touches nothing that has happened or was
// promised, and is recorded; the first is taken as it is.
func (c *Central) define(store kv.Store) error {
	text, hash, err := wire.EncodeDefinition(c.options.Definition)
	if err != nil {
		return err
	}
	var batch *kv.Batch
	err = store.View(context.Background(), func(view kv.Reader) (err error) {
		batch, err = c.redefined(view, text, hash)
		return err
	})
	if err != nil || batch == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), leadTimeout)
	defer cancel()
	leader, err := store.Lead(ctx)
	if err != nil {
		return fmt.Errorf("binding the books to their definition: %w", err)
	}
	return errors.Join(leader.Apply(ctx, batch), leader.Resign())
}

// redefined returns what has to be written for the books to go by a definition; nil where they do.
func (c *Central) redefined(view kv.Reader, text []byte, hash string) (*kv.Batch, error) {
	overlay := kv.NewOverlay(view)
	was, before, err := definedIn(view)
	if err != nil || before == hash {
		return nil, err
	}
	if was != nil {
		now, err := c.clock.check()
		if err != nil {
			return nil, fmt.Errorf("taking another definition: %w; start with the one of before, and confirm the clock", err)
		}
		conflicts, err := c.books.Conflicts(view, was, now)
		if err != nil {
			return nil, err
		}
		if len(conflicts) > 0 {
			return nil, &DefinitionError{conflicts}
		}
		request := ledger.Request{At: now, Who: "system", Where: "central", Random: c.options.Random, Act: ledger.Redefine{Was: before, Now: hash}}
		if _, err := c.books.Apply(overlay, request); err != nil {
			return nil, err
		}
		c.log.Warn("the books go by another definition from now on", "definition", hash, "before", before)
	}
	packed, err := pack(text)
	if err != nil {
		return nil, err
	}
	overlay.Put([]byte(definitionKey), packed)
	return overlay.Batch(), nil
}

// definedIn returns the definition that books go by and its hash, or nil where they do not say.
func definedIn(view kv.Reader) (defined *tournament.Tournament, hash string, err error) {
	packed, err := view.Get([]byte(definitionKey))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	text, err := unpack(packed)
	if err != nil {
		return nil, "", fmt.Errorf("%w: the definition that the books go by: %w", kv.ErrDamaged, err)
	}
	defined, err = wire.DecodeDefinition(text)
	return defined, wire.HashDefinition(text), err
}

func pack(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err := writer.Write(text)
	err = errors.Join(err, writer.Close())
	return packed.Bytes(), err
}

func unpack(packed []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
