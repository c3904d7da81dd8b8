package boltstore

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// settle makes durable what was found, before anything is built on it: the contents, and that the file has its name.
// Whoever was here before may have died, or met an error, when one of both was written and not synced.
//
// After a sync that failed the system may show a page as it was written and never write it, whatever is synced later.
// Of what bbolt has in force that can have come to one page only, the one that says where all others are: those
// were synced before it. So this page is written again as it is.
func settle(db *bolt.DB, f *os.File, path string) error {
	size := int64(db.Info().PageSize)
	return errors.Join(db.View(func(tx *bolt.Tx) error {
		page, at := make([]byte, size), int64(tx.ID()%2)*size
		if _, err := f.ReadAt(page, at); err != nil {
			return err
		}
		n, err := f.WriteAt(page, at)
		if err == nil && n < len(page) {
			err = io.ErrShortWrite
		}
		return cmp.Or(err, db.Sync())
	}), syncDir(filepath.Dir(path)))
}
