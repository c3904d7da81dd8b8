package boltstore

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// makeDurable makes the file that was found durable, contents and name, before anything is built on it. An earlier
// process may have died, or met an error, after writing one of the two and before syncing it.
//
// After a failed sync the system may show a page as it was written and never write it, whatever is synced later. Among
// the pages that are in use this can have happened to only one: the meta page, which names all others, because those
// were synced before it. So makeDurable writes this page again as it is.
func makeDurable(db *bolt.DB, f *os.File, path string) error {
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
