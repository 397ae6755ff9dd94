package bench

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

const (
	// recordSize is about what one registration writes, in bytes.
	recordSize = 512
	// writes is how many keys one registration writes (store.Limits and the ledger's acts).
	writes = 6
)

// appends returns how often in the time a record could be appended to a file and synced, one after another: the disk's
// own pace.
func appends(folder string, lasting time.Duration) (count int, took time.Duration, err error) {
	file, err := os.Create(filepath.Join(folder, "append"))
	if err != nil {
		return 0, 0, fmt.Errorf("measure the disk: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	record := make([]byte, recordSize)
	began := time.Now()
	for time.Since(began) < lasting {
		if _, err := file.Write(record); err != nil {
			return 0, 0, fmt.Errorf("measure the disk: %w", err)
		}
		if err := unix.Fdatasync(int(file.Fd())); err != nil {
			return 0, 0, fmt.Errorf("measure the disk: %w", err)
		}
		count++
	}
	return count, time.Since(began), nil
}

// commits returns how often in the time the writes of a registration were committed to a bbolt file, each in a
// transaction of its own, by that many clients: what one commit per registration would give.
func commits(folder string, clients int, lasting time.Duration) (count int, took time.Duration, err error) {
	path := filepath.Join(folder, "commits.db")
	store, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return 0, 0, fmt.Errorf("measure bbolt: %w", err)
	}
	defer os.Remove(path)
	defer store.Close()
	var done, sequence atomic.Int64
	began := time.Now()
	err = each(clients, func() (bool, error) {
		if time.Since(began) >= lasting {
			return false, nil
		}
		done.Add(1)
		return true, store.Update(func(tx *bolt.Tx) error { return put(tx, &sequence) })
	})
	took = time.Since(began)
	if err != nil {
		return 0, 0, fmt.Errorf("measure bbolt: %w", err)
	}
	return int(done.Load()), took, nil
}

func put(tx *bolt.Tx, sequence *atomic.Int64) error {
	bucket, err := tx.CreateBucketIfNotExists([]byte("r"))
	if err != nil {
		return err
	}
	for range writes {
		var key [8]byte
		binary.BigEndian.PutUint64(key[:], uint64(sequence.Add(1))*0x9E3779B97F4A7C15) // spread, as random ids are
		if err := bucket.Put(key[:], make([]byte, recordSize/writes)); err != nil {
			return err
		}
	}
	return nil
}
