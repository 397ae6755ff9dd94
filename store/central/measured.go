package central

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
)

// BuildList builds the first exclusion list of a central that is stopped, and puts it in use. It is for measuring: the list
// comes from no papers, so that no import can make the next one of it.
func (o Options) BuildList(ctx context.Context, entries iter.Seq2[exclusion.Entry, error]) (err error) {
	o.fill()
	first := listed{Version: 1}
	l := &lists{folder: filepath.Join(o.Folder, listsFolder)}
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return fmt.Errorf("the folder of exclusion lists: %w", err)
	}
	if err := exclusion.Build(l.listPath(first.Version), first.Version, o.Vault.CheckLookup(), entries); err != nil {
		return err
	}
	pointer, err := json.Marshal(first)
	if err != nil {
		return err
	}
	store, err := o.OpenBooks()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	leader, err := store.Lead(ctx)
	if err != nil {
		return err
	}
	books := ledger.New(o.Definition, o.Vault, exclusion.NewSet(nil))
	var batch *kv.Batch
	err = store.View(ctx, func(view kv.Reader) error {
		overlay := kv.NewOverlay(view)
		overlay.Put([]byte(listKey), pointer)
		use := ledger.UseList{Version: first.Version, Detail: "a list for measuring"}
		_, err := books.Apply(overlay, ledger.Request{At: o.Wall(), Where: "import", Random: rand.Reader, Act: use})
		batch = overlay.Batch()
		return err
	})
	if err != nil {
		return err
	}
	return leader.Apply(ctx, batch)
}
