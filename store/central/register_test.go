package central

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"pgregory.net/rapid"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

var registerVault = vault.New(vault.Keys{Lookup: sha256.Sum256([]byte("lookup"))})

func papersOf(rows []wire.Exclusion) iter.Seq2[paper, error] {
	return func(yield func(paper, error) bool) {
		for i := range rows {
			if !yield(newPaper(registerVault, exclusion.SelfExcluded, &rows[i]), nil) {
				return
			}
		}
	}
}

// written is a register with these papers, in the order given.
func written(t interface{ Fatal(...any) }, papers iter.Seq2[paper, error]) []byte {
	var file bytes.Buffer
	writer, err := newRegisterWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range papers {
		if err := errors.Join(err, writer.add(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.finish(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestRegistersAddUpToAMap merges random files of papers one after another and compares what is in the register with a map.
func TestRegistersAddUpToAMap(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		model := map[string][2]string{} // reference: identity number and card
		register := written(t, papersOf(nil))
		for range rapid.IntRange(1, 4).Draw(t, "files") {
			sort := &paperSort{folder: folder}
			var want wire.ImportDone
			numbers := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 20, rapid.ID[int]).Draw(t, "numbers")
			for line, number := range numbers {
				row := wire.Exclusion{Line: line + 2, Reference: fmt.Sprint("R", number), IDNumber: document(number).IDNumber}
				if rapid.Bool().Draw(t, "card") {
					row.Card = fmt.Sprint("6001", number)
				}
				before, there := model[row.Reference]
				switch now := [2]string{row.IDNumber, row.Card}; {
				case !there:
					want.Added++
					model[row.Reference] = now
				case row.Card == "" || row.Card == before[1]:
					want.Unchanged++
				default:
					want.Changed++
					model[row.Reference] = now
				}
				if err := sort.add(newPaper(registerVault, exclusion.SelfExcluded, &row)); err != nil {
					t.Fatal(err)
				}
				if rapid.IntRange(0, 4).Draw(t, "spill") == 0 {
					if err := sort.spill(); err != nil {
						t.Fatal(err)
					}
				}
			}
			var got wire.ImportDone
			register = written(t, func(yield func(paper, error) bool) {
				present := readRegister(bytes.NewReader(register), int64(len(register)))
				done, faults, err := mergePapers(present, sort.sorted(), func(p paper) error { yield(p, nil); return nil })
				if got = done; err != nil || len(faults) > 0 {
					t.Fatal(faults, err)
				}
			})
			sort.close()
			if got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
		listed := map[vault.Hash]bool{}
		for p, err := range readRegister(bytes.NewReader(register), int64(len(register))) {
			if err != nil {
				t.Fatal(err)
			}
			for entry := range p.entries {
				listed[entry.Hash] = true
			}
		}
		want := 0
		for _, marks := range model {
			want++
			if !listed[registerVault.IDNumber(marks[0])] {
				t.Fatalf("%s is not listed", marks[0])
			}
			if marks[1] != "" {
				want++
				if !listed[registerVault.Card(marks[1])] {
					t.Fatalf("%s is not listed", marks[1])
				}
			}
		}
		if len(listed) != want {
			t.Fatalf("%d hashes, want %d", len(listed), want)
		}
	})
}

func TestADamagedRegisterIsNoticed(t *testing.T) {
	rows := []wire.Exclusion{{Reference: "R1", IDNumber: document(1).IDNumber, Card: "6001"}, {Reference: "R2", Card: "6002"}}
	good := written(t, papersOf(rows))
	read := func(file []byte) error {
		for _, err := range readRegister(bytes.NewReader(file), int64(len(file))) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if err := read(bad); !errors.Is(err, errRegister) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("byte %d of %d was changed: %v", i, len(good), err)
		}
		if err := read(good[:i]); err == nil {
			t.Errorf("cut off after %d bytes of %d", i, len(good))
		}
	}
}
