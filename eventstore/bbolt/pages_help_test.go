package boltstore

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// pathTo are the pages of a file that lead to a key of a bucket, from the bucket's root to the leaf.
func pathTo(t testing.TB, path string, bucket, key []byte) (pages []uint64) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	root := uint64(0)
	_ = db.View(func(tx *bolt.Tx) error { root = uint64(tx.Bucket(bucket).Root()); return nil })
	if root == 0 {
		t.Fatalf("bucket %q lies in the page of others", bucket)
	}
	return descend(t, mustReadFile(t, path), root, key)
}

// pathIn is pathTo for a store that is open.
func pathIn(t testing.TB, s *Store, bucket, key []byte) (pages []uint64) {
	t.Helper()
	root := uint64(0)
	_ = s.db.View(func(tx *bolt.Tx) error { root = uint64(tx.Bucket(bucket).Root()); return nil })
	if root == 0 {
		t.Fatalf("bucket %q lies in the page of others", bucket)
	}
	return descend(t, mustReadFile(t, s.path), root, key)
}

func descend(t testing.TB, file []byte, id uint64, key []byte) (pages []uint64) {
	t.Helper()
	for len(pages) < 20 {
		pages = append(pages, id)
		page := file[id*pageSize:]
		if binary.NativeEndian.Uint16(page[8:]) != branchFlag {
			return pages
		}
		at := pageHeader
		for i := 1; i < int(binary.NativeEndian.Uint16(page[10:])); i++ {
			k, _, _ := element(page, pageHeader+i*elementSize, branchFlag)
			if bytes.Compare(k, key) > 0 {
				break
			}
			at = pageHeader + i*elementSize
		}
		id = binary.NativeEndian.Uint64(page[at+8:])
	}
	t.Fatal("the tree has no leaves")
	return nil
}

// spoil writes rubbish over the header of a page behind a store's back, which its memory map shows at once, and gives a
// function that puts back what was there.
func spoil(t testing.TB, path string, page uint64) (restore func()) {
	t.Helper()
	return overwrite(t, path, int64(page)*pageSize, bytes.Repeat([]byte{0xff}, pageHeader))
}

// overwrite writes bytes into a file, and gives a function that puts back what was there.
func overwrite(t testing.TB, path string, at int64, b []byte) (restore func()) {
	t.Helper()
	was := make([]byte, len(b))
	write := func(b []byte) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(b, at); err != nil {
			t.Fatal(err)
		}
	}
	copy(was, mustReadFile(t, path)[at:])
	write(b)
	return func() { t.Helper(); write(was) }
}
