// Package layers keeps imports going one way: it reads the import lines of every package and names each that breaks a
// rule of the design, with the rule's reason.
package layers

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Module is the module's own name, the first element of its packages' paths.
const Module = "reelkiosk"

// rows are the packages from the top of the design's table to its bottom. A package imports only from rows below its own:
// whoever reads it from the bottom up never meets a name that was not explained before.
var rows = [][]string{
	{"cmd"},
	{"kiosk"},
	{"kiosk/face/player", "kiosk/face/desk", "kiosk/face/service"},
	{"kiosk/face"},
	{"kiosk/visit", "kiosk/ticket", "kiosk/config", "kiosk/firststart"},
	{"store/central", "store/replica"},
	{"store/client", "store/exchange", "store/report", "store/trust", "store/alone"},
	{"store/wire"},
	{"store/ledger"},
	{"store/audit"},
	{"store/exclusion"},
	{"store/vault"},
	{"store/kv/bolt", "store/kv/etcd", "store/kv/kvtest"},
	{"store/kv"},
	{"devices/emulator"},
	{"devices/reader", "devices/printer"},
	{"devices/printer/escpos"},
	{"devices/dots"},
	{"devices/port/porttest"},
	{"devices/port", "devices/display"},
	{"devices/identity"},
	{"store/definition"},
	{"store/condition"},
	{"store/durable", "store/strict", "store/writtentest", "store/powercut", "store/linecut"},
	{"store/tournament"},
	{"assets"},
}

// sideways are the arrows that the design draws within or against its rows, each with its reason.
var sideways = map[[2]string]string{
	{"store/ledger", "store/wire"}: "an act is asked and answered in the words of the wire",
}

// banned are imports that a package must not have, each with its reason.
var banned = []struct {
	within, imported, reason string
	sparesTests              bool
}{
	{"kiosk/face", "fyne.io/fyne/v2/app", "faces are tested without cgo and without a display", false},
	{"kiosk/face", "github.com/go-gl/glfw", "faces are tested without cgo and without a display", false},
	{"kiosk/visit", "fyne.io/fyne/v2", "a visit is a pure state machine", false},
	{"kiosk/visit", "os", "a visit does no input or output", true},
	{"kiosk/visit", "net", "a visit does no input or output", true},
	{"store", "fyne.io/fyne/v2", "central, reelctl and dev are static programs without a window", false},
	{"cmd/central", "reelkiosk/kiosk", "central knows no kiosk", false},
	{"cmd/dev", "fyne.io/fyne/v2/app", "dev must build before a C compiler is installed", false},
}

// Broken is one import that breaks a rule.
type Broken struct {
	// File is relative to the module's root; Imported is the import path; Reason says which rule.
	File, Imported, Reason string
}

func (b Broken) String() string {
	return fmt.Sprintf("%s imports %s: %s", b.File, b.Imported, b.Reason)
}

// Check reads every Go file below root, tests included, and returns the imports that break a rule. Tests may import the
// fakes and the real parts they need from any row, but not what is banned.
func Check(root fs.FS) ([]Broken, error) {
	var broken []Broken
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(path.Base(name), ".") || path.Base(name) == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if reason := rule(name, imported); reason != "" {
				broken = append(broken, Broken{name, imported, reason})
			}
		}
		return nil
	})
	return broken, err
}

func rule(file, imported string) string {
	within := path.Dir(file)
	test := strings.HasSuffix(file, "_test.go")
	for _, ban := range banned {
		if below(within, ban.within) && below(imported, ban.imported) && !(test && ban.sparesTests) {
			return ban.reason
		}
	}
	target, own := strings.CutPrefix(imported, Module+"/")
	if !own || test || below(within, "cmd") {
		return ""
	}
	if sideways[[2]string{within, target}] != "" {
		return ""
	}
	from, to := row(within), row(target)
	switch {
	case from < 0:
		return "the design's table has no row for " + within
	case to < 0:
		return "the design's table has no row for " + target
	case to <= from && within != target:
		return "imports go downwards only"
	}
	return ""
}

// row returns the row of a package, by its longest name in the table, or -1.
func row(within string) int {
	for name := within; name != "."; name = path.Dir(name) {
		if index := slices.IndexFunc(rows, func(row []string) bool { return slices.Contains(row, name) }); index >= 0 {
			return index
		}
	}
	return -1
}

func below(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }
