// Package durable makes files that a power cut leaves whole or not at all: a store before its first commit, the keys, a
// list of exclusions.
//
// A file is written under another name in the same folder, synced, given its own name, and the folder is synced. After a
// crash in between, a draft called NAME.new-N may be left over; nothing reads it and it may be removed.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Create calls write with an empty file, and gives it its name when write returns nil. The error wraps fs.ErrExist where
// the name is taken, also by somebody who was faster; the file that has it is left alone. The file's mode is exactly as
// given.
func Create(path string, mode fs.FileMode, write func(*os.File) error) error {
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return draft(path, mode, write, func(name string) error {
		// A link, unlike a rename, never replaces a file that has come into being meanwhile.
		if err := os.Link(name, path); err != nil {
			return err
		}
		return os.Remove(name)
	})
}

// Replace is like Create, but takes the place of a file that has the name. Whoever has that one open keeps reading it.
func Replace(path string, mode fs.FileMode, write func(*os.File) error) error {
	return draft(path, mode, write, func(name string) error { return os.Rename(name, path) })
}

// draft has a file written under another name and, where all went well, named; otherwise it is removed.
func draft(path string, mode fs.FileMode, write func(*os.File) error, name func(string) error) (err error) {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	open := true
	defer func() {
		if err != nil {
			if open {
				file.Close()
			}
			os.Remove(file.Name())
		}
	}()
	if err := file.Chmod(mode); err != nil {
		return err
	}
	if err := write(file); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("syncing %s: %w", file.Name(), err)
	}
	open = false
	if err := file.Close(); err != nil {
		return err
	}
	if err := name(file.Name()); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a new name in a folder last.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
