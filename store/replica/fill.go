package replica

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"reelkiosk/store/client"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// ErrFloor is what Keep's Away is told where central wraps keys under another floor key than the one that is there: it
// goes on once Keys returns the other.
var ErrFloor = errors.New("central has another floor key now")

// fill begins a copy with central's newest snapshot. A download that was cut goes on where it was, also after a restart;
// the copy is built under another name and takes its own when it is whole, so that a crash at any moment leaves the old
// copy or the new one.
func (m *Mirror) fill(ctx context.Context, central *client.Client) error {
	var newest wire.Snapshot
	err := client.Retry(ctx, client.Backoff{}, func(ctx context.Context) (err error) {
		newest, err = central.Snapshot(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("asking for a snapshot: %w", err)
	}
	if newest.Floor != m.key() {
		return ErrFloor
	}
	name := filepath.Base(newest.Name)
	part := m.path(snapshotPrefix + name + partSuffix)
	m.drop(snapshotPrefix, part)
	m.log.Info("filling the copy of the books", "snapshot", name, "bytes", newest.Bytes)
	err = m.fetch(ctx, part, func(ctx context.Context, to *os.File) error {
		return central.DownloadSnapshot(ctx, name, to, 0)
	})
	if err != nil {
		return fmt.Errorf("bringing a snapshot: %w", err)
	}
	return m.Fill(part)
}

// Fill makes the copy anew from a snapshot's file, which it removes. A snapshot that is damaged is removed too, and leaves
// the copy as it is; the error wraps ledger.ErrSnapshot.
func (m *Mirror) Fill(snapshot string) error {
	err := build(m.path(MirrorFile), snapshot)
	if err == nil || errors.Is(err, ledger.ErrSnapshot) {
		err = errors.Join(err, os.Remove(snapshot))
	}
	if err != nil {
		return err
	}
	// The old file, if there is one, has no name any more, and the new one can be opened beside it.
	filled, err := openCopy(m.path(MirrorFile))
	if err != nil {
		return err
	}
	m.mu.Lock()
	before := m.take(filled)
	m.mu.Unlock()
	if before != nil {
		return before.Close()
	}
	return nil
}

// build makes a copy's file from a snapshot.
func build(path, snapshot string) error {
	file, err := os.Open(snapshot)
	if err != nil {
		return err
	}
	defer file.Close()
	from, err := ledger.ReadSnapshot(file)
	if err != nil {
		return err
	}
	return bolt.Build(path, func(put func(key, value []byte) error) error {
		if err := put(mirrorFloor, binary.BigEndian.AppendUint32(nil, from.Floor)); err != nil {
			return err
		}
		records, end := from.Records()
		for key, value := range records {
			if err := put(key, value); err != nil {
				return err
			}
		}
		return end()
	})
}

// key returns the number of the floor key that is there.
func (m *Mirror) key() uint32 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.opens
}

// fetch brings a file that never changes under its name, however often the line breaks, and syncs it.
func (m *Mirror) fetch(ctx context.Context, path string, bring func(context.Context, *os.File) error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	err = client.Retry(ctx, client.Backoff{}, func(ctx context.Context) error {
		err := bring(ctx, file)
		if err != nil && ctx.Err() == nil {
			m.log.Warn("a file of central's is not whole yet", "file", filepath.Base(path), "error", err)
		}
		return err
	})
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// drop removes what an earlier life left of files of a kind, but for one.
func (m *Mirror) drop(prefix string, but ...string) {
	left, _ := filepath.Glob(globQuote(m.path(prefix)) + "*") // the pattern is sound: it is quoted
	for _, path := range left {
		keep := false
		for _, one := range but {
			keep = keep || path == one
		}
		if keep {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.log.Warn("removing what is not needed any more", "error", err)
		}
	}
}

// want wakes whoever brings exclusion lists.
func (m *Mirror) want() {
	select {
	case m.wanted <- struct{}{}:
	default:
	}
}

// openList opens the newest exclusion list that lies there. One that is damaged is removed, and brought again.
func (m *Mirror) openList() {
	left, _ := filepath.Glob(globQuote(m.path(listPrefix)) + "*") // the pattern is sound: it is quoted
	var newest uint64
	for _, path := range left {
		version, err := strconv.ParseUint(strings.TrimPrefix(filepath.Base(path), listPrefix), 10, 64)
		if err == nil {
			newest = max(newest, version)
		}
	}
	if newest == 0 {
		return
	}
	path := m.listPath(newest)
	list, err := exclusion.OpenList(path)
	if err != nil {
		m.log.Error("the exclusion list cannot be used, and is brought again", "error", errors.Join(err, os.Remove(path)))
		return
	}
	m.set.Replace(list)
}

func (m *Mirror) listPath(version uint64) string {
	return m.path(listPrefix + strconv.FormatUint(version, 10))
}

// lacks returns the version of the exclusion list that has to be brought, 0 where none has.
func (m *Mirror) lacks() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if list := m.set.List(); m.needs == 0 || list != nil && list.Version() == m.needs {
		return 0
	}
	return m.needs
}

// bringLists brings each exclusion list that comes into use, until ctx ends. The feed goes on meanwhile: it may bring
// exclusions, and the version after.
func (m *Mirror) bringLists(ctx context.Context, central *client.Client, used func()) {
	for {
		if version := m.lacks(); version != 0 {
			err := m.bringList(ctx, central, version)
			if err == nil {
				used()
				continue
			}
			if ctx.Err() == nil {
				m.log.Warn("bringing an exclusion list", "version", version, "error", err)
			}
			if client.Wait(ctx, listPause) != nil {
				return
			}
			continue
		}
		select {
		case <-m.wanted:
		case <-ctx.Done():
			return
		}
	}
}

func (m *Mirror) bringList(ctx context.Context, central *client.Client, version uint64) error {
	path := m.listPath(version)
	part := path + partSuffix
	m.log.Info("bringing an exclusion list", "version", version)
	err := m.fetch(ctx, part, func(ctx context.Context, to *os.File) error { return central.DownloadList(ctx, version, to, 0) })
	if err != nil {
		return err
	}
	// It is read whole before it gets its name.
	list, err := exclusion.OpenList(part)
	if errors.Is(err, exclusion.ErrDamaged) {
		return errors.Join(err, os.Remove(part))
	}
	if err != nil {
		return err
	}
	if list.Version() != version {
		return errors.Join(fmt.Errorf("list %d came as list %d", list.Version(), version), list.Close(), os.Remove(part))
	}
	m.mu.RLock()
	others := m.vault != nil && list.Key() != m.vault.CheckLookup()
	m.mu.RUnlock()
	if others {
		return errors.Join(fmt.Errorf("list %d was made with other keys", version), list.Close(), os.Remove(part))
	}
	if err := os.Rename(part, path); err != nil {
		return errors.Join(err, list.Close())
	}
	m.mu.Lock()
	m.swap(list)
	m.mu.Unlock()
	m.drop(listPrefix, path)
	return nil
}

// swap puts a list in use, nil for none; it is called with mu held.
func (m *Mirror) swap(list *exclusion.List) {
	before := m.set.Replace(list)
	if m.retired != nil {
		m.retired.Close() // nobody has read it since the list before last was replaced
	}
	m.retired = before
}
