package credentials

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// patience is how long another program may take to write the file.
	patience = 5 * time.Second
	// stale is the age at which a lock was left behind by a program that died.
	stale = 30 * time.Second
)

// lock keeps other programs from writing the file until unlock is called. It is a file of its own, so that it
// works on every system.
func (f *File) lock() (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return nil, err
	}
	path := f.Path + ".lock"
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		held, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { os.Remove(path) }, held.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(path)
			continue
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("another program is writing %s; if none is, remove %s", f.Path, path)
		}
	}
}
