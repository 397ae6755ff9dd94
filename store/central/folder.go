package central

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/store/definition"
	"reelkiosk/store/durable"
	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// DefinitionFile is the name of the tournament's definition within the data folder.
const DefinitionFile = "tournament.toml"

var (
	// ErrNoBooks is wrapped by Load where the folder has no books.
	ErrNoBooks = errors.New("there are no books; make them with: reelctl init")
	// ErrBooksExist is wrapped by Prepare where the folder has books already.
	ErrBooksExist = errors.New("there are books already, and books are never begun anew")
	// ErrKeysInside is wrapped where the keys would lie beside the books: who takes the one must not have the other
	// (design decision 6).
	ErrKeysInside = errors.New("the keys file must lie outside of the data folder")
)

// AuthorityFile is the name of the certificate authority within the data folder.
const AuthorityFile = "authority.pem"

// Prepare makes a data folder for a tournament: it checks the definition, copies it with the text of its rules, makes the
// keys unless the file has some already, and the certificate authority, and begins the books, last. Where anything goes wrong there are no books yet, and
// it can be called again. Mistakes in the definition are a definition.Mistakes.
func Prepare(folder, keysFile, definitionFile string) (*tournament.Tournament, error) {
	text, err := strict.ReadFile(definitionFile)
	if err != nil {
		return nil, fmt.Errorf("the tournament's definition: %w", err)
	}
	defined, err := definition.Parse(definitionFile, text)
	if err != nil {
		return nil, err
	}
	books := filepath.Join(folder, BooksFile)
	if _, err := os.Stat(books); err == nil {
		return nil, fmt.Errorf("%s: %w", books, ErrBooksExist)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	if err := outside(folder, keysFile); err != nil {
		return nil, err
	}
	if err := copyDefinition(folder, definitionFile, text); err != nil {
		return nil, err
	}
	if _, err := os.Stat(keysFile); errors.Is(err, fs.ErrNotExist) {
		_, err = vault.Create(keysFile)
		if err != nil {
			return nil, err
		}
	} else if _, err := vault.Load(keysFile); err != nil {
		return nil, err
	}
	if _, err := openAuthority(folder, keysFile, defined.Property); err != nil {
		return nil, err
	}
	keys, err := vault.Load(keysFile)
	if err != nil {
		return nil, err
	}
	store, err := Options{Definition: defined, Vault: vault.New(keys), Folder: folder}.OpenBooks()
	if err != nil {
		return nil, err
	}
	return defined, store.Close()
}

// Load reads what New needs of a folder that Prepare made. The definition is the folder's own unless another file is given.
func Load(folder, keysFile, definitionFile string) (Options, error) {
	switch _, err := os.Stat(filepath.Join(folder, BooksFile)); {
	case errors.Is(err, fs.ErrNotExist):
		return Options{}, fmt.Errorf("%s: %w", folder, ErrNoBooks)
	case err != nil:
		return Options{}, fmt.Errorf("the data folder cannot be looked into: %w; central runs as a user who may", err)
	}
	if err := outside(folder, keysFile); err != nil {
		return Options{}, err
	}
	if definitionFile == "" {
		definitionFile = filepath.Join(folder, DefinitionFile)
	}
	text, err := strict.ReadFile(definitionFile)
	if err != nil {
		return Options{}, fmt.Errorf("the tournament's definition: %w", err)
	}
	defined, err := definition.Parse(definitionFile, text)
	if err != nil {
		return Options{}, err
	}
	keys, err := vault.Load(keysFile)
	if err != nil {
		return Options{}, err
	}
	options := Options{Definition: defined, Vault: vault.New(keys), Folder: folder}
	options.Authority, err = trust.LoadAuthority(filepath.Join(folder, AuthorityFile), options.Vault.Derive(trust.KeyUse))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // books that were begun before there were authorities; ListenTLS says what to do
	}
	return options, err
}

// NewOperator makes the identity of an operator of a central whose folder and keys are at hand, and its certificate
// authority where there is none yet. Central may run meanwhile.
func NewOperator(folder, keysFile, name string) (*trust.Identity, error) {
	options, err := Load(folder, keysFile, "")
	if err != nil {
		return nil, err
	}
	authority, err := openAuthority(folder, keysFile, options.Definition.Property)
	if err != nil {
		return nil, err
	}
	return authority.NewIdentity(name, wire.RoleOperator, time.Now())
}

// openAuthority returns the certificate authority of a folder, and makes it where there is none.
func openAuthority(folder, keysFile, property string) (*trust.Authority, error) {
	keys, err := vault.Load(keysFile)
	if err != nil {
		return nil, err
	}
	path, sealing := filepath.Join(folder, AuthorityFile), vault.New(keys).Derive(trust.KeyUse)
	authority, err := trust.LoadAuthority(path, sealing)
	if errors.Is(err, fs.ErrNotExist) {
		return trust.CreateAuthority(path, sealing, property, time.Now())
	}
	return authority, err
}

// copyDefinition copies a definition that was found right, and the text of its rules where that is a file beside it.
func copyDefinition(folder, definitionFile string, text []byte) error {
	doc, err := strict.Read(definitionFile, text)
	if err != nil {
		return err
	}
	named := strict.TakeOr(doc.Top(nil).Table("text"), "file", strict.Text("must be the name of a text file", nil), "")
	if named != "" {
		rules, err := strict.ReadFile(filepath.Join(filepath.Dir(definitionFile), named))
		if err != nil {
			return fmt.Errorf("the text of the rules: %w", err)
		}
		path := filepath.Join(folder, filepath.FromSlash(named))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("the text of the rules: %w", err)
		}
		if err := replaceFile(path, rules); err != nil {
			return err
		}
	}
	return replaceFile(filepath.Join(folder, DefinitionFile), text)
}

func replaceFile(path string, text []byte) error {
	return durable.Replace(path, 0o600, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}

// outside returns an error that wraps ErrKeysInside unless the keys file lies outside of the folder, which exists.
func outside(folder, keysFile string) error {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if real, err = filepath.Abs(real); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	// The file itself may not exist yet, and may be a link into the folder.
	if target, err := filepath.EvalSymlinks(keysFile); err == nil {
		keysFile = target
	}
	beside, err := filepath.EvalSymlinks(filepath.Dir(keysFile))
	if err != nil {
		return fmt.Errorf("the keys file: %w", err)
	}
	if beside, err = filepath.Abs(beside); err != nil {
		return fmt.Errorf("the keys file: %w", err)
	}
	if beside == real || strings.HasPrefix(beside, real+string(filepath.Separator)) {
		return fmt.Errorf("%s: %w %s", keysFile, ErrKeysInside, folder)
	}
	return nil
}
