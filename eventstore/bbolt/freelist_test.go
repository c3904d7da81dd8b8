package boltstore

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// layout is where things are in a file.
type layout struct {
	freelist, pages, root uint64
	free                  []uint64
	log                   []uint64 // to the leaf with an entry that has more pages than one
}

// layoutOf looks at a file with bbolt's own layout of its first pages.
func layoutOf(t testing.TB, path string, key []byte) (l layout) {
	t.Helper()
	content, newest := mustReadFile(t, path), uint64(0)
	for at := range 2 {
		meta := content[at*pageSize+16:]
		if tx := binary.NativeEndian.Uint64(meta[48:]); tx >= newest {
			newest = tx
			l.root, l.freelist = binary.NativeEndian.Uint64(meta[16:]), binary.NativeEndian.Uint64(meta[32:])
			l.pages = binary.NativeEndian.Uint64(meta[40:])
		}
	}
	page := content[l.freelist*pageSize:]
	for i := range int(binary.NativeEndian.Uint16(page[10:])) {
		l.free = append(l.free, binary.NativeEndian.Uint64(page[16+8*i:]))
	}
	l.log = pathTo(t, path, bucketLog, key)
	return l
}

// withFree is a copy of a file with another list of free pages.
func withFree(t testing.TB, content []byte, l layout, free []uint64) []byte {
	t.Helper()
	content = slices.Clone(content)
	page := content[l.freelist*pageSize:][:pageSize]
	binary.NativeEndian.PutUint16(page[10:], uint16(len(free)))
	for i, id := range free {
		binary.NativeEndian.PutUint64(page[16+8*i:], id)
	}
	return content
}

// TestFreePagesThatAreInUse has the list of free pages name others: those in use, as branch, leaf, further page of an
// entry, or list, some twice, some that are not there. bbolt would write over what is in use. A check tells of it, and
// the file is not opened to be written.
func TestFreePagesThatAreInUse(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	c := &storetest.Chain{Stream: "s"}
	mustPut(t, s, c.Next("", strings.Repeat("L", 3*pageSize)), "")
	for range 40 {
		mustPut(t, s, c.Next("", strings.Repeat("x", 700)), "")
	}
	mustMerge(t, s)
	mustPut(t, s, c.Next("", "waits"), "")
	path = left(t, s)
	mustClose(t, s)
	l, content := layoutOf(t, path, logKey(1, 1)), mustReadFile(t, path)
	if len(l.log) < 2 || len(l.free) == 0 {
		t.Fatalf("the log has no branches, or nothing is free: %+v", l)
	}
	leaf := l.log[len(l.log)-1]
	several := mapped{content, pageSize}.page(leaf)
	if len(several.bytes) < 3*pageSize {
		t.Fatalf("the first leaf has %d bytes", len(several.bytes))
	}
	for name, tt := range map[string]struct {
		free  []uint64
		sound bool
	}{
		"as it was":              {l.free, true},
		"fewer":                  {l.free[1:], true},
		"none":                   {nil, true},
		"branch of the log":      {append(slices.Clone(l.free), l.log[0]), false},
		"leaf of the log":        {append(slices.Clone(l.free), leaf), false},
		"second page of a leaf":  {append(slices.Clone(l.free), leaf+1), false},
		"last page of a leaf":    {append(slices.Clone(l.free), leaf+uint64(len(several.bytes))/pageSize-1), false},
		"bucket of buckets":      {append(slices.Clone(l.free), l.root), false},
		"the list itself":        {append(slices.Clone(l.free), l.freelist), false},
		"one twice":              {append(slices.Clone(l.free), l.free[0]), false},
		"page 0":                 {append(slices.Clone(l.free), 0), false},
		"page 1":                 {append(slices.Clone(l.free), 1), false},
		"beyond the last page":   {append(slices.Clone(l.free), l.pages), false},
		"far beyond":             {append(slices.Clone(l.free), math.MaxUint64/2), false},
		"only pages that are in": {[]uint64{leaf, l.root}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustHoldFree(t, withFree(t, content, l, tt.free), tt.sound)
		})
	}
	for name, change := range map[string]func(page []byte){
		"no list":           func(page []byte) { page[8] = leafFlag },
		"another page's":    func(page []byte) { page[0]++ },
		"more than fit":     func(page []byte) { binary.NativeEndian.PutUint16(page[10:], 600) },
		"far more than fit": func(page []byte) { binary.NativeEndian.PutUint16(page[10:], 0xffff); page[16+6] = 1 },
		"longer":            func(page []byte) { page[12] = 200 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := slices.Clone(content)
			change(content[l.freelist*pageSize:])
			mustHoldFree(t, content, false)
		})
	}
}

// mustHoldFree opens a file to be written and to be read: a sound one stays sound, another is refused and told.
func mustHoldFree(t *testing.T, content []byte, sound bool) {
	ctx := context.Background()
	path := file(t, content)
	r := mustOpen(t, path, Options{ReadOnly: true, MapSize: 1})
	report, err := r.Check(ctx, storetest.Verify, nil)
	if err != nil || (report.Faults == 0) != sound {
		t.Errorf("check: %+v, %v", report, err)
	}
	if got := held(t, r); !slices.Equal(got, []string{"s 42 "}) {
		t.Errorf("it holds %q", got)
	}
	mustClose(t, r)
	s, err := Open(path, Options{MapSize: 1, NoSync: true})
	if !sound {
		var corrupt *eventstore.CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("open: %v, want a CorruptError", err)
		}
		if s != nil {
			mustClose(t, s)
		} else if after, err := os.ReadFile(path); err != nil || !slices.Equal(after, content) {
			t.Errorf("the file was changed, %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		mustPut(t, s, storetest.Continue(t, s, "s").Next("", strings.Repeat("y", 900)), "")
		mustMerge(t, s)
	}
	storetest.MustBeSound(t, s)
	mustClose(t, s)
}

// TestCheckOfABusyStore checks a store again and again while it is written as fast as it can be: what says where the
// free pages are is written over meanwhile.
func TestCheckOfABusyStore(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, recent: 2000})
	done := make(chan struct{})
	go func() {
		defer close(done)
		c := &storetest.Chain{Stream: "s"}
		for range 1500 {
			mustPut(t, s, c.Next("", "x"), "")
		}
	}()
	for busy := true; busy; {
		select {
		case <-done:
			busy = false
		default:
		}
		storetest.MustBeSound(t, s)
	}
	mustClose(t, s)
}

// TestFreePagesAreNotKept opens a file that says that it has no list of free pages: bbolt would look for them, for ever
// on pages that lead back to themselves.
func TestFreePagesAreNotKept(t *testing.T) {
	t.Parallel()
	path := sound(t)
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoFreelistSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketNames).Put([]byte("x"), nil) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	var corrupt *eventstore.CorruptError
	if s, err := Open(path, Options{}); !errors.As(err, &corrupt) {
		t.Errorf("open: %v, %v, want a CorruptError", s, err)
	}
}
