package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/store/durable"
	"reelkiosk/store/strict"
)

// A kiosk's own screens and `kiosk config set` change the configuration too, and never the file that somebody wrote by hand:
// they write an overlay beside it, whole or not at all. What stands there counts before the file. It is TOML with the same
// keys, but for readers, which are named by their role: reader.card.port.

// The names of the files beside a configuration NAME.toml.
const (
	overlayEnding = ".overlay.toml" // what the program has changed
	workedEnding  = ".worked.toml"  // the overlay with which a kiosk last came up
)

const overlayHead = "# Written by the program, over the configuration beside it: see `kiosk config get`. Change it with `kiosk config set`.\n"

// OverlayFile returns the path of a configuration's overlay.
func OverlayFile(path string) string { return strings.TrimSuffix(path, ".toml") + overlayEnding }

func workedFile(path string) string { return strings.TrimSuffix(path, ".toml") + workedEnding }

// Origin says where a value comes from.
type Origin string

// The origins.
const (
	FromDefaults Origin = "default"
	FromFile     Origin = "file"
	FromOverlay  Origin = "overlay"
)

// Value is one value that counts, and where it comes from.
type Value struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin Origin `json:"origin"`
}

// String returns the value as TOML has it.
func (v Value) String() string {
	text, err := toml.Marshal(map[string]any{"v": v.Value})
	if err != nil {
		return fmt.Sprint(v.Value)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(text)), "v = ")
}

// Values returns every value that counts, by its key. The error is the system's or Mistakes where a file is no TOML.
func Values(path string) ([]Value, error) {
	layers := []struct {
		origin Origin
		flat   map[string]any
	}{{FromDefaults, flat(strict.Defaults(defaults))}, {origin: FromFile}, {origin: FromOverlay}}
	for at, file := range []string{path, OverlayFile(path)} {
		tree, err := readTree(file, at == 1)
		if err != nil {
			return nil, err
		}
		layers[at+1].flat = flat(tree)
	}
	found := map[string]Value{}
	for _, layer := range layers {
		for key, value := range layer.flat {
			found[key] = Value{key, value, layer.origin}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Value) int { return strings.Compare(a.Key, b.Key) }), nil
}

// readTree reads a file as TOML; one that may be missing is then empty.
func readTree(path string, may bool) (map[string]any, error) {
	text, err := strict.ReadFile(path)
	if may && errors.Is(err, fs.ErrNotExist) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if _, err := strict.Read(path, text); err != nil {
		return nil, err
	}
	tree := map[string]any{}
	return tree, toml.Unmarshal(text, &tree)
}

// flat names each value by its dotted key. Readers of a file are named by their role, as in an overlay.
func flat(tree map[string]any) map[string]any {
	found := map[string]any{}
	for key, value := range tree {
		switch value := value.(type) {
		case map[string]any:
			for inner, each := range flat(value) {
				found[key+"."+inner] = each
			}
		case []any:
			tables := false
			for _, each := range value {
				table, is := each.(map[string]any)
				if !is {
					continue
				}
				tables = true
				for inner, each := range flat(table) {
					if inner != "role" {
						found[fmt.Sprintf("%s.%v.%s", key, table["role"], inner)] = each
					}
				}
			}
			if !tables {
				found[key] = value
			}
		default:
			found[key] = value
		}
	}
	return found
}

// overlaid is the text of a file with its overlay laid over. There is none where the overlay is empty, or the file no TOML.
func overlaid(text []byte, overlay map[string]any) ([]byte, bool) {
	tree := map[string]any{}
	if len(overlay) == 0 || toml.Unmarshal(text, &tree) != nil {
		return nil, false
	}
	lay(tree, overlay)
	merged, err := toml.Marshal(tree)
	return merged, err == nil
}

func lay(tree, over map[string]any) {
	for key, value := range over {
		table, is := value.(map[string]any)
		list, listed := tree[key].([]any)
		_, missing := tree[key]
		switch inner, nested := tree[key].(map[string]any); {
		case is && nested:
			lay(inner, table)
		case is && (listed || key == "reader" && !missing):
			tree[key] = layByRole(list, table)
		default:
			tree[key] = value
		}
	}
}

// layByRole lays tables, named by their roles, over those of a list.
func layByRole(list []any, over map[string]any) []any {
	for _, role := range slices.Sorted(maps.Keys(over)) {
		values, is := over[role].(map[string]any)
		if !is {
			continue
		}
		at := slices.IndexFunc(list, func(each any) bool {
			table, is := each.(map[string]any)
			return is && table["role"] == role
		})
		if at < 0 {
			list = append(list, map[string]any{"role": role})
			at = len(list) - 1
		}
		lay(list[at].(map[string]any), values)
	}
	return list
}

// loadOverlaid parses a file with its overlay. Mistakes in what the overlay says name the overlay.
func loadOverlaid(path string, text []byte) (Config, error) {
	own, ownErr := Parse(path, text)
	overlay, err := readTree(OverlayFile(path), true)
	if err != nil {
		return own, errors.Join(ownErr, err)
	}
	return parseOver(path, text, overlay, own, ownErr)
}

func parseOver(path string, text []byte, overlay map[string]any, own Config, ownErr error) (Config, error) {
	merged, is := overlaid(text, overlay)
	if !is {
		return own, ownErr
	}
	config, err := Parse(path, merged)
	mistakes, are := errors.AsType[Mistakes](err)
	if !are {
		return config, err
	}
	ours, _ := errors.AsType[Mistakes](ownErr)
	for at := range mistakes {
		mistake := &mistakes[at]
		same := slices.IndexFunc(ours, func(each Mistake) bool { return each.Key == mistake.Key && each.Value == mistake.Value })
		if same >= 0 {
			*mistake = ours[same]
			continue
		}
		mistake.File, mistake.Line = OverlayFile(path), 1
	}
	return config, mistakes
}

// ErrKey is wrapped by Set and Unset where a key is none that a configuration has.
var ErrKey = errors.New("no such key in a configuration")

// Set lays values over a configuration, each by its key as text: TOML, or words without quotation marks. They are written
// together, and only if the configuration has no more mistakes with them than without. The error is those Mistakes, or the
// system's.
func Set(path string, changes map[string]string) error {
	var first error
	for _, asTOML := range []bool{true, false} {
		err := change(path, func(overlay map[string]any) {
			for key, text := range changes {
				put(overlay, strings.Split(key, "."), meant(text, asTOML))
			}
		})
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// meant is what a text stands for: a value of TOML where it is one and is to be taken so, or itself.
func meant(text string, asTOML bool) any {
	tree := map[string]any{}
	if asTOML && toml.Unmarshal([]byte("v = "+text), &tree) == nil && len(tree) == 1 {
		return tree["v"]
	}
	return text
}

// Unset takes a value out of the overlay: what the file says counts again. The error wraps ErrKey where it is not there.
func Unset(path, key string) error {
	parts := strings.Split(key, ".")
	taken := false
	err := change(path, func(overlay map[string]any) { taken = take(overlay, parts) })
	if err == nil && !taken {
		return fmt.Errorf("%w that the program has changed: %s", ErrKey, key)
	}
	return err
}

func put(tree map[string]any, key []string, value any) {
	for ; len(key) > 1; key = key[1:] {
		inner, is := tree[key[0]].(map[string]any)
		if !is {
			inner = map[string]any{}
			tree[key[0]] = inner
		}
		tree = inner
	}
	tree[key[0]] = value
}

// take takes a key out, and the tables that are empty then.
func take(tree map[string]any, key []string) bool {
	if len(key) == 1 {
		_, was := tree[key[0]]
		delete(tree, key[0])
		return was
	}
	inner, _ := tree[key[0]].(map[string]any)
	was := inner != nil && take(inner, key[1:])
	if was && len(inner) == 0 {
		delete(tree, key[0])
	}
	return was
}

// change writes an overlay anew, if the configuration has no new mistakes with it.
func change(path string, act func(overlay map[string]any)) error {
	text, err := strict.ReadFile(path)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	overlay, err := readTree(OverlayFile(path), true)
	if err != nil {
		return err
	}
	own, ownErr := Parse(path, text)
	_, before := parseOver(path, text, overlay, own, ownErr)
	act(overlay)
	_, after := parseOver(path, text, overlay, own, ownErr)
	if fresh := newMistakes(before, after); fresh != nil {
		return fresh
	}
	return writeOverlay(OverlayFile(path), overlay)
}

// newMistakes returns those that a change has brought.
func newMistakes(before, after error) error {
	old, _ := errors.AsType[Mistakes](before)
	now, are := errors.AsType[Mistakes](after)
	if !are {
		return after
	}
	fresh := slices.DeleteFunc(slices.Clone(now), func(each Mistake) bool { return slices.Contains(old, each) })
	if len(fresh) == 0 {
		return nil
	}
	return Mistakes(fresh)
}

func writeOverlay(path string, overlay map[string]any) error {
	text, err := toml.Marshal(overlay)
	if err != nil {
		return err
	}
	return durable.Replace(path, 0o644, func(file *os.File) error {
		_, err := file.WriteString(overlayHead + string(text))
		return err
	})
}

// Worked keeps the overlay as it is: a kiosk has come up with it. See Back.
func Worked(path string) error {
	overlay, err := readTree(OverlayFile(path), true)
	if err != nil {
		return err
	}
	kept, err := readTree(workedFile(path), true)
	if err == nil && sameTree(kept, overlay) {
		return nil // no start wears the disk
	}
	return writeOverlay(workedFile(path), overlay)
}

func sameTree(one, other map[string]any) bool {
	a, errA := toml.Marshal(one)
	b, errB := toml.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// Back lays over a configuration what a kiosk last came up with, or nothing where none ever did.
func Back(path string) error {
	kept, err := readTree(workedFile(path), true)
	if err != nil {
		return err
	}
	return writeOverlay(OverlayFile(path), kept)
}
