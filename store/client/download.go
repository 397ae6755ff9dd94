package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Snapshot asks for the newest snapshot of the books. It may have to be made first: Retry waits for it.
func (c *Client) Snapshot(ctx context.Context) (wire.Snapshot, error) {
	return get[wire.Snapshot](ctx, c, wire.PathSnapshot, nil)
}

// Definition asks for the tournament's definition, and returns its text and its hash too.
func (c *Client) Definition(ctx context.Context) (defined *tournament.Tournament, text []byte, hash string, err error) {
	text, err = c.try(ctx, c.options.Timeout, http.MethodGet, wire.PathDefinition, nil, nil)
	if err != nil {
		return nil, nil, "", err
	}
	if defined, err = wire.DecodeDefinition(text); err != nil {
		return nil, nil, "", away(wire.PathDefinition, err)
	}
	return defined, text, wire.HashDefinition(text), nil
}

// DownloadSnapshot brings a snapshot's file; see download.
func (c *Client) DownloadSnapshot(ctx context.Context, name string, to *os.File, stall time.Duration) error {
	return c.download(ctx, wire.PathSnapshots+url.PathEscape(name), name, to, stall)
}

// DownloadList brings an exclusion list's file; see download.
func (c *Client) DownloadList(ctx context.Context, version uint64, to *os.File, stall time.Duration) error {
	return c.download(ctx, wire.PathLists+strconv.FormatUint(version, 10), fmt.Sprintf("list-%d", version), to, stall)
}

// download brings the rest of a file that never changes under its name: what the file has already stands. It is one try,
// and what it brought stays, so that Retry with the same file comes to an end however often the line breaks. The error is
// ErrAway, or a *wire.Problem of the kind ProblemNotFound where central has no such file any more. What came is to be
// checked by its own checksum before it is trusted.
func (c *Client) download(ctx context.Context, path, name string, to *os.File, stall time.Duration) error {
	has, err := to.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	header := http.Header{}
	if has > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", has))
		header.Set("If-Range", strconv.Quote(name))
	}
	body, err := c.open(ctx, path, "application/octet-stream", header, stall)
	if err != nil {
		return err
	}
	defer body.Close()
	switch {
	case body.status == http.StatusOK:
		// The whole file.
		if err := to.Truncate(0); err != nil {
			return err
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
	case body.status == http.StatusRequestedRangeNotSatisfiable:
		if body.contentRange == fmt.Sprintf("bytes */%d", has) {
			return nil // it was whole already
		}
		return errors.Join(to.Truncate(0), away(path, fmt.Errorf("there are %d bytes, and central has %q", has, body.contentRange)))
	case !strings.HasPrefix(body.contentRange, fmt.Sprintf("bytes %d-", has)):
		return away(path, fmt.Errorf("asked from byte %d, and %q came", has, body.contentRange))
	}
	if _, err := io.Copy(to, diskOf{body}); err != nil {
		if failed, is := errors.AsType[*lineError](err); is {
			return away(path, fmt.Errorf("the file was cut off: %w", body.because(failed.error)))
		}
		return err
	}
	return nil
}

// lineError is an error of the line, and not of the disk.
type lineError struct{ error }

// diskOf marks the errors of a line, so that io.Copy's can be told apart.
type diskOf struct{ line io.Reader }

// Read implements io.Reader.
func (d diskOf) Read(to []byte) (int, error) {
	n, err := d.line.Read(to)
	if err != nil && err != io.EOF {
		err = &lineError{err}
	}
	return n, err
}
