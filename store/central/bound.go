package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/vault"
)

// ErrOtherKeys is wrapped where the keys are well formed and others than those that the books were begun with. To a wrong
// lookup key nobody is known and nobody excluded, so that nothing may be done with it.
var ErrOtherKeys = errors.New("these are not the keys of these books; nothing was done. Give the keys file that was made with them, or its copy from the safe")

// keysKey is the key, beside those of store/ledger, of the check values of the keys that the books were begun with: a
// keysBound in JSON.
const keysKey = "central/keys"

type keysBound struct {
	Lookup string `json:"lookup"`
	Data   string `json:"data"`
}

func boundBy(keys *vault.Vault) keysBound {
	return keysBound{keys.CheckLookup().String(), keys.CheckData().String()}
}

// openBound opens the store and holds the keys against those of the books. Books without check values take those of these
// keys, where what is sealed in them opens. The error wraps ErrOtherKeys.
func (o *Options) openBound() (kv.Store, error) {
	store, err := o.Open()
	if err != nil {
		return nil, err
	}
	if err := o.bind(store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

func (o *Options) bind(store kv.Store) error {
	given, found := boundBy(o.Vault), false
	err := store.View(context.Background(), func(view kv.Reader) error {
		text, err := view.Get([]byte(keysKey))
		if errors.Is(err, kv.ErrNotFound) {
			return ledger.OpensWith(view, o.Vault)
		}
		if err != nil {
			return err
		}
		var bound keysBound
		if err := json.Unmarshal(text, &bound); err != nil {
			return fmt.Errorf("%w: what the books say of their keys: %w", kv.ErrDamaged, err)
		}
		if found = true; bound != given {
			return ErrOtherKeys
		}
		return nil
	})
	if errors.Is(err, vault.ErrSealed) {
		return ErrOtherKeys
	}
	if err != nil || found {
		return err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), leadTimeout)
	defer cancel()
	leader, err := store.Lead(ctx)
	if err != nil {
		return fmt.Errorf("binding the books to their keys: %w", err)
	}
	var batch kv.Batch
	batch.Put([]byte(keysKey), text)
	return errors.Join(leader.Apply(ctx, &batch), leader.Resign())
}
