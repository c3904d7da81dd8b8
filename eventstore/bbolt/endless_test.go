package boltstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// manyPages is a file whose buckets "names", "log" and "index" have branches: 300 streams with long names and keys.
func manyPages(t testing.TB) (path string) {
	t.Helper()
	path = newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1, maxUnindexed: 1, recent: 100_000})
	for i := range 300 {
		c := &storetest.Chain{Stream: longName(i)}
		for range 2 {
			mustPut(t, s, c.Next(fmt.Sprint(strings.Repeat("k", 100), c.Version), strings.Repeat("x", 700)), "")
		}
	}
	mustClose(t, s)
	return path
}

func longName(i int) string { return fmt.Sprintf("%0*d", 100, i) }

// branchTo is a page that is a branch with one element, which begins with a key and leads to a page.
func branchTo(id uint64, key []byte, to uint64) []byte {
	page := make([]byte, pageSize)
	binary.NativeEndian.PutUint64(page, id)
	binary.NativeEndian.PutUint16(page[8:], branchFlag)
	binary.NativeEndian.PutUint16(page[10:], 1)
	binary.NativeEndian.PutUint32(page[pageHeader:], elementSize)
	binary.NativeEndian.PutUint32(page[pageHeader+4:], uint32(len(key)))
	binary.NativeEndian.PutUint64(page[pageHeader+8:], to)
	copy(page[pageHeader+elementSize:], key)
	return page
}

// firstKey is that of a page of a tree.
func firstKey(t testing.TB, file []byte, page uint64) []byte {
	t.Helper()
	p := mapped{file, pageSize}.page(page)
	return p.key(0)
}

// TestPagesThatLeadBack has a page of each bucket, and of the bucket of buckets, be a branch that leads back to itself
// or to a page above it, at each level. Opening, reading, writing, checking and restoring end with errors. bbolt's
// cursors fill the stack, which ends the process: at Open, or at the first look at a stream.
func TestPagesThatLeadBack(t *testing.T) {
	t.Parallel()
	path := manyPages(t)
	whole := mustReadFile(t, path)
	s := mustOpen(t, path, Options{ReadOnly: true})
	var id uint64
	var rootOfAll uint64
	if err := s.withBuckets(longName(150), func(b buckets) (err error) {
		id, _, err = b.find(longName(150))
		rootOfAll = uint64(b.log.Tx().Cursor().Bucket().Root())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	damaged := map[string][]byte{}
	plant := func(name string, pages []uint64) {
		for level, page := range pages {
			for _, to := range pages[:level+1] {
				content := append([]byte{}, whole...)
				copy(content[page*pageSize:], branchTo(page, firstKey(t, whole, page), to))
				damaged[fmt.Sprintf("%s, level %d to page %d", name, level, to)] = content
			}
		}
	}
	plant("buckets", []uint64{rootOfAll})
	plant("names", pathTo(t, path, bucketNames, []byte(longName(150))))
	plant("log", pathTo(t, path, bucketLog, logKey(id, headVersion)))
	plant("index", pathTo(t, path, bucketIndex, indexKey(id, strings.Repeat("k", 100)+"0")))
	if len(damaged) < 10 {
		t.Errorf("%d files, want branches in each bucket", len(damaged))
	}
	for name, content := range damaged {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustEnd(t, content)
		})
	}
}

// mustEnd does all that can be done with a damaged file. It must end, and the damage must be told.
func mustEnd(t *testing.T, content []byte) {
	ctx := context.Background()
	for _, o := range []Options{{MapSize: 1, NoSync: true}, {MapSize: 1, ReadOnly: true}} {
		s, err := Open(file(t, content), o)
		var corrupt *eventstore.CorruptError
		if err != nil {
			if !errors.As(err, &corrupt) {
				t.Errorf("open: %v, want a CorruptError", err)
			}
			continue
		}
		for i := range 300 {
			_, _ = s.Head(ctx, longName(i))
			_, _ = s.Read(ctx, longName(i), 0, 0, 0)
			_, _, _ = s.Lookup(ctx, longName(i), strings.Repeat("k", 100)+"1")
		}
		_, _ = s.List(ctx, "", "", 0)
		if report, err := s.Check(ctx, storetest.Verify, nil); err != nil || report.Faults == 0 {
			t.Errorf("check: %+v, %v, want faults", report, err)
		}
		if !o.ReadOnly {
			for i := range 300 {
				c := &storetest.Chain{Stream: longName(i), Version: 2}
				_ = s.Append(ctx, c.Next(strings.Repeat("k", 100)+"0", "x"))
				mustNotForget(t, s.Append(ctx, (&storetest.Chain{Stream: longName(i)}).Next("", "x")))
			}
			_ = s.lockedMerge()
		}
		_ = s.Close()
	}
	to := filepath.Join(filepath.Dir(newPath(t)), "restored.db")
	err := Install(file(t, content), to, false, func(s *Store) error {
		report, err := s.Check(ctx, nil, nil)
		if report.Faults > 0 {
			err = errors.Join(err, errors.New("faulty"))
		}
		return err
	})
	if _, stat := os.Stat(to); err == nil || stat == nil {
		t.Errorf("restore: %v, the file is there: %v", err, stat == nil)
	}
	if _, _, err := Compact(file(t, content)); err == nil {
		t.Error("compact: no error")
	}
}

// mustNotForget wants that a stream which exists is not made again.
func mustNotForget(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("a stream is made a second time")
	}
}

// TestBranchSaysSomethingElse flips a bit of each key of the branches of a file. A key on the wrong side of it would
// not be found: its stream would be made once more, and its idempotency key taken again.
func TestBranchSaysSomethingElse(t *testing.T) {
	t.Parallel()
	path := manyPages(t)
	whole := mustReadFile(t, path)
	for _, bucket := range [][]byte{bucketNames, bucketLog, bucketIndex} {
		root := uint64(0)
		tamper(t, path, func(tx *bolt.Tx) error { root = uint64(tx.Bucket(bucket).Root()); return nil })
		p := mapped{whole, pageSize}.page(root)
		if p.flags != branchFlag {
			t.Fatalf("bucket %q has no branches", bucket)
		}
		for i := range p.count {
			content := append([]byte{}, whole...)
			damaged := mapped{content, pageSize}.page(root)
			key := damaged.key(i)
			key[len(key)-1] ^= 1
			for _, o := range []Options{{MapSize: 1, NoSync: true}, {MapSize: 1, ReadOnly: true}} {
				s, err := Open(file(t, content), o)
				if err != nil {
					continue
				}
				for i := range 300 {
					info, err := s.Head(context.Background(), longName(i))
					v, _, bad := s.Lookup(context.Background(), longName(i), strings.Repeat("k", 100)+"0")
					var corrupt *eventstore.CorruptError
					if err == nil && info.Version != 2 || err != nil && !errors.As(err, &corrupt) ||
						bad == nil && v != 1 || bad != nil && !errors.As(bad, &corrupt) {
						t.Fatalf("%q, element %d: stream %d: %+v, %v; lookup %d, %v", bucket, i, i, info, err, v, bad)
					}
				}
				if report, err := s.Check(context.Background(), nil, nil); err != nil || report.Faults == 0 {
					t.Errorf("%q, element %d: check: %+v, %v", bucket, i, report, err)
				}
				mustClose(t, s)
			}
		}
	}
}
