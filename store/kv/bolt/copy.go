package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"reelkiosk/store/durable"
	"reelkiosk/store/kv"
)

var _ kv.Copier = (*Store)(nil)

// Copied copies the file page by page, as one long write, and reads the copy. The copy is not checked by a child: it is
// that of a file which is in use, and a fault in it is an error like one in that file.
func (s *Store) Copied(ctx context.Context, path string, read func(kv.Reader) error) error {
	if err := s.copyTo(ctx, path); err != nil {
		return errors.Join(fmt.Errorf("copying store %s: %w", s.path, err), removed(path))
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: DefaultTimeout, OpenFile: openExisting})
	if err != nil {
		return errors.Join(fmt.Errorf("opening the copy of store %s: %w", s.path, err), removed(path))
	}
	defer removed(path)
	defer db.Close()
	tx, err := db.Begin(false)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return read(reader{ctx: ctx, tx: tx})
}

// copyTo writes the newest revision to a new file. It is a view: no longer than the disk takes.
func (s *Store) copyTo(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = s.View(ctx, func(view kv.Reader) error {
		return guard(func() error {
			_, err := view.(reader).tx.WriteTo(file)
			return err
		})
	})
	return errors.Join(err, file.Close())
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// built is how many bytes of keys and values share a transaction of Build: they lie in memory until it ends.
const built = 16 << 20

// Build makes a store of records, and gives it the place of the file of that name, whole or not at all. Where they come in
// the order of their keys, as they should, it is an order of magnitude faster than applying batches, and leaves full pages.
// Whoever has the old file open keeps reading it. An error of records leaves it in its place.
func Build(path string, records func(put func(key, value []byte) error) error) error {
	err := durable.Replace(path, 0o600, func(file *os.File) error {
		db, err := bbolt.Open(file.Name(), 0o600, &bbolt.Options{
			Timeout: DefaultTimeout, NoSync: true, FreelistType: bbolt.FreelistMapType,
			// The file is replaced whole: bbolt may write where it likes.
			NoGrowSync: true,
		})
		if err != nil {
			return err
		}
		// durable syncs the file after this.
		return errors.Join(fill(db, records), db.Close())
	})
	if err != nil {
		return fmt.Errorf("building store %s: %w", path, err)
	}
	return nil
}

func fill(db *bbolt.DB, records func(put func(key, value []byte) error) error) error {
	tx, books, err := begin(db)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }() // after the last commit it does nothing
	bytes := 0
	err = records(func(key, value []byte) error {
		if bytes += len(key) + len(value); bytes > built {
			if err := tx.Commit(); err != nil {
				return err
			}
			if tx, books, err = begin(db); err != nil {
				return err
			}
			bytes = 0
		}
		return books.Put(key, summed(key, value))
	})
	if err != nil {
		return err
	}
	return tx.Commit()
}

func begin(db *bbolt.DB) (*bbolt.Tx, *bbolt.Bucket, error) {
	tx, err := db.Begin(true)
	if err != nil {
		return nil, nil, err
	}
	books, err := tx.CreateBucketIfNotExists(bucket)
	if err != nil {
		return nil, nil, errors.Join(err, tx.Rollback())
	}
	books.FillPercent = 0.95 // nothing is put between what is there, and little is changed
	return tx, books, nil
}
