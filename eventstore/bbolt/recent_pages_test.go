package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// TestOpenEndsOnPagesThatLeadBack opens a file whose recent appends lie below a page that leads back to itself, as a
// device may leave it that syncs nothing. Opening says so; it went on for ever.
func TestOpenEndsOnPagesThatLeadBack(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	c := &storetest.Chain{Stream: "s"}
	for i := range 20 {
		mustPut(t, s, c.Next(fmt.Sprint("k", i), strings.Repeat("x", 1000)), "")
	}
	path := left(t, s)
	mustClose(t, s)
	root := uint64(0)
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.View(func(tx *bolt.Tx) error { root = uint64(tx.Bucket(bucketRecent).Root()); return nil })
	data := mustReadFile(t, path)
	page := data[root*pageSize:]
	if err := db.Close(); err != nil || page[8] != branchFlag {
		t.Fatalf("close: %v; page %d has flags %d, want a branch", err, root, page[8])
	}
	binary.NativeEndian.PutUint64(page[pageHeader+8:], root)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var corrupt *eventstore.CorruptError
	if s, err := Open(path, Options{MapSize: 1}); !errors.As(err, &corrupt) {
		t.Errorf("open: %v, want a CorruptError", err)
		if err == nil {
			mustClose(t, s)
		}
	}
}
