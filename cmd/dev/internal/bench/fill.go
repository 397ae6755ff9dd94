package bench

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/wire"
)

// fillRounds is how often the copy is filled from nothing.
const fillRounds = 3

// fills measures from a kiosk's connecting with an empty folder to its having the books and the exclusion list in use, in
// turn with a plain copy of the same files through TLS.
func (h *house) fills(ctx context.Context) ([]Row, error) {
	files, made, err := h.bring(ctx)
	if err != nil {
		return nil, err
	}
	var bytes int64
	for _, path := range files {
		about, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		bytes += about.Size()
	}
	var filled, copied []time.Duration
	for range fillRounds {
		plain, err := h.plainCopy(files)
		if err != nil {
			return nil, fmt.Errorf("copy through TLS: %w", err)
		}
		if err := os.RemoveAll(h.copyFolder()); err != nil {
			return nil, err
		}
		took, err := h.firstFill(ctx)
		if err != nil {
			return nil, err
		}
		filled, copied = append(filled, took), append(copied, plain)
	}
	return []Row{{
		What:   "first fill: " + h.size(),
		Got:    fmt.Sprintf("%s, %.1f MB", spread(filled, short), float64(bytes)/1e6),
		Beside: fmt.Sprintf("the same bytes through TLS to the disk %s; the snapshot's making, before, %s", spread(copied, short), short(made)),
		Ratio:  fmt.Sprintf("%s of %d rounds", spread(ratios(filled, copied), fold), fillRounds), Aim: "4×",
	}}, nil
}

// bring has central make a snapshot, and brings it and the list: what a fill moves.
func (h *house) bring(ctx context.Context) (files []string, made time.Duration, err error) {
	way, err := client.New(h.Base(), h.tls)
	if err != nil {
		return nil, 0, err
	}
	defer way.Close()
	var newest wire.Snapshot
	began := time.Now()
	err = client.Retry(ctx, client.Backoff{}, func(ctx context.Context) (err error) {
		newest, err = way.Snapshot(ctx)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	made = time.Since(began)
	for name, download := range map[string]func(*os.File) error{
		"snapshot": func(to *os.File) error { return way.DownloadSnapshot(ctx, filepath.Base(newest.Name), to, 0) },
		"list":     func(to *os.File) error { return way.DownloadList(ctx, 1, to, 0) },
	} {
		file, err := os.Create(filepath.Join(h.folder, name))
		if err != nil {
			return nil, 0, err
		}
		if err := errors.Join(download(file), file.Close()); err != nil {
			return nil, 0, err
		}
		files = append(files, file.Name())
	}
	return files, made, nil
}

// firstFill fills the copy in an empty folder, and closes it.
func (h *house) firstFill(ctx context.Context) (took time.Duration, err error) {
	if _, err := newFolder(h.copyFolder()); err != nil {
		return 0, err
	}
	began := time.Now()
	kept, err := keepCopy(h.copyFolder(), h.Base(), h.tls, h.options.Vault)
	if err != nil {
		return 0, err
	}
	if err = kept.filled(ctx); err == nil {
		took = time.Since(began)
	}
	return took, errors.Join(err, kept.Close())
}

// plainCopy sends files through one TLS connection, as central and kiosks have it, and writes and syncs what comes.
func (h *house) plainCopy(files []string) (took time.Duration, err error) {
	listener, err := h.options.ListenTLS("127.0.0.1:0", nil)
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	began := time.Now()
	sent := make(chan error, 1)
	go func() {
		line, err := listener.Accept()
		if err != nil {
			sent <- err
			return
		}
		for _, path := range files {
			err = errors.Join(err, sendFile(line, path))
		}
		sent <- errors.Join(err, line.Close())
	}()
	line, err := tls.Dial("tcp", listener.Addr().String(), h.tls.TLS)
	if err != nil {
		return 0, err
	}
	defer line.Close()
	file, err := os.Create(filepath.Join(h.folder, "plain"))
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	_, err = io.Copy(file, line)
	if err = errors.Join(err, <-sent); err != nil {
		return 0, err
	}
	err = file.Sync()
	return time.Since(began), err
}

func sendFile(to io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(to, file)
	return err
}
