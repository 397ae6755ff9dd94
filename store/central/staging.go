package central

import (
	"bufio"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"reelkiosk/store/wire"
)

// stagingFolder holds the rows of imports under way, within the data folder. It is emptied at every start.
const stagingFolder = "imports"

// mostStaged bounds the bytes of one staged import: some thirty million rows.
const mostStaged = 8 << 30

// staging is a file of rows that wait to be committed. Rows hold people's numbers, so they are sealed (AES-256-GCM) under
// a key that is never stored: a file that a crash leaves behind can be read by nobody.
type staging struct {
	file   *os.File
	seal   cipher.AEAD
	chunks uint64
	bytes  int64
}

func newStaging(folder string) (*staging, error) {
	file, err := os.CreateTemp(folder, "import-*")
	if err != nil {
		return nil, fmt.Errorf("staging an import: %w", err)
	}
	var key [32]byte
	rand.Read(key[:]) // never fails (crypto/rand)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic("central: " + err.Error()) // the key has 32 bytes
	}
	seal, err := cipher.NewGCM(block)
	if err != nil {
		panic("central: " + err.Error()) // the block has 16 bytes
	}
	return &staging{file: file, seal: seal}, nil
}

// add appends some rows.
func (s *staging) add(rows wire.Rows) error {
	plain, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("staging rows: %w", err)
	}
	if s.bytes += int64(len(plain)); s.bytes > mostStaged {
		return fmt.Errorf("staging rows: more than %d bytes", int64(mostStaged))
	}
	sealed := make([]byte, 4, 4+len(plain)+s.seal.Overhead())
	sealed = s.seal.Seal(sealed, s.nonce(s.chunks), plain, nil)
	binary.BigEndian.PutUint32(sealed, uint32(len(sealed)-4))
	s.chunks++
	if _, err := s.file.Write(sealed); err != nil {
		return fmt.Errorf("staging rows: %w", err)
	}
	return nil
}

// each calls take with all rows in the order in which they were added, in chunks, until ctx ends.
func (s *staging) each(ctx context.Context, take func(wire.Rows) error) error {
	reader := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, 1<<62), 1<<20)
	for chunk := range s.chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		var length [4]byte
		if _, err := io.ReadFull(reader, length[:]); err != nil {
			return fmt.Errorf("reading staged rows: %w", err)
		}
		sealed := make([]byte, binary.BigEndian.Uint32(length[:]))
		if _, err := io.ReadFull(reader, sealed); err != nil {
			return fmt.Errorf("reading staged rows: %w", err)
		}
		plain, err := s.seal.Open(sealed[:0], s.nonce(chunk), sealed, nil)
		if err != nil {
			return fmt.Errorf("reading staged rows: %w", err)
		}
		var rows wire.Rows
		if err := json.Unmarshal(plain, &rows); err != nil {
			return fmt.Errorf("reading staged rows: %w", err)
		}
		if err := take(rows); err != nil {
			return err
		}
	}
	return nil
}

// nonce counts: each chunk is sealed once under a key of this file alone.
func (s *staging) nonce(chunk uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, s.seal.NonceSize()), chunk)
}

// drop removes the file.
func (s *staging) drop() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// clearStaging makes the folder and removes what a crash left in it.
func clearStaging(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the folder of imports: %w", err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "import-*"))
	if err != nil {
		return fmt.Errorf("the folder of imports: %w", err)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("removing an import that was cut off: %w", err)
		}
	}
	return nil
}
