package kv

import "context"

// Copier is a Store that can be read at length without holding its writer up.
type Copier interface {
	Store
	// Copied copies the newest revision to a file of that name, which must not exist, and calls read with it. Only the
	// copying is a View; read may take as long as it likes. The file is removed again.
	Copied(ctx context.Context, path string, read func(Reader) error) error
}
