package client

import (
	"context"
	"net/http"

	"reelkiosk/store/wire"
)

// OpenImport opens an import; its rows are sent with SendRows and take effect with CommitImport. An import that broke off
// is opened again: central drops the first.
func (c *Client) OpenImport(ctx context.Context, opened wire.Import) (wire.Staged, error) {
	return call[wire.Staged](ctx, c, c.options.Timeout, http.MethodPost, wire.PathImports, opened)
}

// SendRows sends some rows of an import, in order. Faulty rows come back as a *wire.Problem of kind ProblemRows.
func (c *Client) SendRows(ctx context.Context, id string, rows wire.Rows) (wire.Staged, error) {
	return call[wire.Staged](ctx, c, c.options.Timeout, http.MethodPost, wire.PathImports+"/"+id+"/rows", rows)
}

// CommitImport makes an import take effect, whole or not at all. It may take minutes for millions of rows.
func (c *Client) CommitImport(ctx context.Context, id string) (wire.ImportDone, error) {
	return call[wire.ImportDone](ctx, c, c.options.LongTimeout, http.MethodPost, wire.PathImports+"/"+id+"/commit", nil)
}

// DropImport gives an import up.
func (c *Client) DropImport(ctx context.Context, id string) error {
	_, err := call[wire.Staged](ctx, c, c.options.Timeout, http.MethodDelete, wire.PathImports+"/"+id, nil)
	return err
}
