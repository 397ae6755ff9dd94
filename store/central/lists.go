package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
)

// listsFolder holds the exclusion list in use and its register, within the data folder.
const listsFolder = "exclusions"

// listKey is the key, beside those of store/ledger, under which the store says which exclusion list is in use: a listed
// in JSON. It is changed in the same commit as everything else that importing the list does, so that the list is in use
// whole or not at all.
const listKey = "central/exclusions"

// listed names the exclusion list in use.
type listed struct {
	// Version counts the lists; the files are named by it.
	Version uint64 `json:"version"`
}

// lists are the long exclusion lists: the one in use, as everybody asks it, and its files.
type lists struct {
	folder string
	// key is the check value of the lookup key, which the hashes of every list must have been made with.
	key vault.KeyCheck
	set *exclusion.Set
	log *slog.Logger

	// importing is held while a list is imported: one at a time.
	importing sync.Mutex

	// mu guards everything that follows. It is never held while the writer is waited for.
	mu  sync.Mutex
	now listed
	// retired is the list before the present one, which look-ups in flight may still read.
	retired *exclusion.List
}

func (l *lists) listPath(version uint64) string {
	return filepath.Join(l.folder, fmt.Sprintf("list-%d", version))
}

func (l *lists) registerPath(version uint64) string {
	return filepath.Join(l.folder, fmt.Sprintf("register-%d", version))
}

// openLists opens the list that the store names, if it names one, and removes the files of all others.
func openLists(folder string, key vault.KeyCheck, store kv.Store, log *slog.Logger) (*lists, error) {
	l := &lists{folder: filepath.Join(folder, listsFolder), key: key, log: log, set: exclusion.NewSet(nil)}
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of exclusion lists: %w", err)
	}
	if err := l.load(store); err != nil {
		return nil, err
	}
	if err := l.checkRegister(); err != nil {
		log.Error("no list of exclusions can be imported", "error", err)
	}
	return l, l.clear()
}

// load puts the list in use that the store names, where it is another than the present one.
func (l *lists) load(store kv.Store) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var now listed
	err := store.View(context.Background(), func(view kv.Reader) error {
		text, err := view.Get([]byte(listKey))
		if errors.Is(err, kv.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &now)
	})
	if err != nil {
		return fmt.Errorf("reading which exclusion list is in use: %w", err)
	}
	if now.Version == l.now.Version {
		return nil
	}
	list, err := exclusion.OpenList(l.listPath(now.Version))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exclusion.ErrDamaged) {
		return fmt.Errorf("%w; restore this file from the backup: without it nobody on it would be kept out", err)
	}
	if err != nil {
		return err
	}
	if list.Key() != l.key {
		return errors.Join(fmt.Errorf("the exclusion list %s was made with other keys: %w", l.listPath(now.Version), ErrOtherKeys), list.Close())
	}
	l.replace(list, now)
	return nil
}

// errNoRegister is wrapped where the register of the list in use cannot be read.
var errNoRegister = errors.New("the register of the exclusion list in use is missing or damaged; the list is whole and holds, but none can follow it. " +
	"Restore the register's file from the backup")

// checkRegister reads the register of the list in use once. The error wraps errNoRegister.
func (l *lists) checkRegister() error {
	version := l.version()
	if version == 0 {
		return nil
	}
	path := l.registerPath(version)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoRegister, err)
	}
	defer file.Close()
	found, err := file.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoRegister, err)
	}
	for _, err := range readRegister(file, found.Size()) {
		if err != nil {
			return fmt.Errorf("%w: %s: %w", errNoRegister, path, err)
		}
	}
	return nil
}

// use puts a list in use.
func (l *lists) use(list *exclusion.List, now listed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replace(list, now)
}

// version returns the version of the list in use, 0 if there is none.
func (l *lists) version() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.Version
}

// replace is called with mu held.
func (l *lists) replace(list *exclusion.List, now listed) {
	before := l.set.Replace(list)
	if l.retired != nil {
		l.retired.Close() // nobody has read it since the list before last was replaced
	}
	l.retired, l.now = before, now
}

// clear removes the files of lists that are not in use. It is called while no import is under way.
func (l *lists) clear() error {
	version := l.version()
	files, err := os.ReadDir(l.folder)
	if err != nil {
		return fmt.Errorf("the folder of exclusion lists: %w", err)
	}
	for _, file := range files {
		path := filepath.Join(l.folder, file.Name())
		if path == l.listPath(version) || path == l.registerPath(version) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing an exclusion list that is not in use: %w", err)
		}
	}
	return nil
}

func (l *lists) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, list := range []*exclusion.List{l.set.List(), l.retired} {
		if list != nil {
			errs = append(errs, list.Close())
		}
	}
	l.retired = nil
	l.set.Replace(nil)
	return errors.Join(errs...)
}
