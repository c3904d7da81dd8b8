//go:build unix

package boltstore

import (
	"errors"
	"os"
	"syscall"
)

// liken gives a file the owner and mode of another.
func liken(name string, as os.FileInfo) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if st, ok := as.Sys().(*syscall.Stat_t); ok {
		err = f.Chown(int(st.Uid), int(st.Gid))
	}
	return errors.Join(err, f.Chmod(as.Mode().Perm()), f.Sync(), f.Close())
}

// names is how many names a file has.
func names(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
