package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// How bbolt lays out its pages: a header of id, flags, count of elements and number of further pages; then elements
// that say where key and value are, counted from the element itself.
const (
	pageHeader  = 16
	elementSize = 16
	branchFlag  = 0x01
	leafFlag    = 0x02
	bucketFlag  = 0x01 // of an element in a leaf
	bucketValue = 16   // root page and sequence, before the page of a bucket that lies in its element
)

// pageWalk looks at the pages of the trees of a file, each once. bbolt trusts its pages: on a tree that leads back into
// itself, or whose keys are in no order, its cursors may go on for ever. So a check looks at the pages first.
type pageWalk struct {
	f        io.ReaderAt
	pageSize int64
	pages    uint64   // that the transaction says there are; those after them will be written over
	seen     []usage  // of those that are in the file
	last     []byte   // the key before, of the bucket that is walked; nil for none
	buffers  [][]byte // by the depth of what is read
	fault    func(format string, args ...any)

	// whole, if not nil, names the buckets of which all pages are looked at. Of others it is the branches, or nothing.
	whole    func(bucket string) bool
	branches bool
	leafAt   int // the depth of a bucket's leaves, of which only the first is looked at; 0 where all are

	// endless says that a cursor may not come to an end.
	endless bool
}

// newPageWalk is a walk of what a transaction shows.
func newPageWalk(tx *bolt.Tx, f *os.File, fault func(format string, args ...any)) (*pageWalk, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	w := &pageWalk{f: f, pageSize: int64(tx.DB().Info().PageSize), fault: fault}
	if w.pageSize < 1<<10 || w.pageSize > maxPage || w.pageSize&(w.pageSize-1) != 0 {
		return nil,
			&eventstore.CorruptError{What: fmt.Sprintf("the file's pages are said to have %d bytes", w.pageSize)}
	}
	w.pages = uint64(tx.Size() / w.pageSize)
	w.seen = make([]usage, min(w.pages, uint64(info.Size()/w.pageSize)))
	if uint64(len(w.seen)) < w.pages {
		fault("%s", cut(info.Size(), tx.Size()))
	}
	return w, nil
}

// walkPages reports what is wrong with the pages that a transaction shows, and whether cursors would end on them. Where
// it is overtaken it has seen nothing: by two commits since, which have written over what says where the free pages
// are.
func walkPages(tx *bolt.Tx, path string, fault func(format string, args ...any)) (endless, overtaken bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	w, err := newPageWalk(tx, f, fault)
	if err != nil {
		return false, false, err
	}
	free, ok := freelistAt(f, w.pageSize, uint64(tx.ID()))
	if !ok {
		return false, true, nil
	}
	w.tree("", uint64(tx.Cursor().Bucket().Root()), nil, 0)
	w.freelist(free)
	return w.endless, false, nil
}

// mustBeWhole returns an error unless all pages can be trusted: for those who go through all of them with bbolt's
// cursors.
func mustBeWhole(db *bolt.DB, path string) error {
	return db.View(func(tx *bolt.Tx) error {
		var first error
		_, _, err := walkPages(tx, path, func(format string, args ...any) {
			if first == nil {
				first = pagesError(format, args...)
			}
		})
		return errors.Join(first, err)
	})
}

func pagesError(format string, args ...any) error {
	return &eventstore.CorruptError{What: "the file's pages are damaged: " + fmt.Sprintf(format, args...)}
}

// tree walks what is below a page of a bucket; "" is the bucket of buckets. The page above it says how it begins.
func (w *pageWalk) tree(bucket string, id uint64, first []byte, depth int) {
	if depth >= maxDepth {
		w.endless = true
		w.fault("bucket %q: page %d leads back to itself", bucket, id)
		return
	}
	if first != nil && depth == w.leafAt {
		w.claim(bucket, id, 0, unread)
		return
	}
	page, ok := w.read(bucket, id, depth)
	if !ok {
		return
	}
	w.elements(bucket, fmt.Sprintf("page %d", id), page, first, depth)
}

// claim marks a page and those that belong to it, if nothing else has.
func (w *pageWalk) claim(bucket string, id, overflow uint64, as usage) bool {
	if id < 2 || id >= uint64(len(w.seen)) {
		w.fault("bucket %q: page %d is not in the file", bucket, id)
		return false
	}
	if overflow >= uint64(len(w.seen))-id {
		w.endless = true
		w.fault("bucket %q: page %d is said to have %d more, which are not in the file", bucket, id, overflow)
		return false
	}
	for i := id; i <= id+overflow; i++ {
		if w.seen[i] != unseen {
			w.endless = true
			w.fault("bucket %q: page %d is in use twice, or leads back to itself", bucket, i)
			return false
		}
		w.seen[i] = as
	}
	return true
}

// read returns a page with those that belong to it, if it can be and was not read before. Until the next page of the
// same depth is read it is the walk's.
func (w *pageWalk) read(bucket string, id uint64, depth int) (page []byte, ok bool) {
	if id < 2 || id >= uint64(len(w.seen)) {
		w.fault("bucket %q: page %d is not in the file", bucket, id)
		return nil, false
	}
	for len(w.buffers) <= depth {
		w.buffers = append(w.buffers, make([]byte, w.pageSize))
	}
	page = w.buffers[depth]
	if _, err := w.f.ReadAt(page, int64(id)*w.pageSize); err != nil {
		w.fault("bucket %q: page %d: %v", bucket, id, err)
		return nil, false
	}
	if got := binary.NativeEndian.Uint64(page); got != id {
		w.fault("bucket %q: page %d says that it is page %d", bucket, id, got)
		return nil, false
	}
	overflow := uint64(binary.NativeEndian.Uint32(page[12:]))
	if !w.claim(bucket, id, overflow, inUse) {
		return nil, false
	}
	if overflow == 0 {
		return page, true
	}
	page = make([]byte, int64(1+overflow)*w.pageSize)
	if _, err := w.f.ReadAt(page, int64(id)*w.pageSize); err != nil {
		w.fault("bucket %q: page %d: %v", bucket, id, err)
		return nil, false
	}
	return page, true
}

// elements walks those of a page, and what they lead to.
func (w *pageWalk) elements(bucket, name string, page, first []byte, depth int) {
	flags, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	switch {
	case flags != branchFlag && flags != leafFlag:
		w.fault("bucket %q: %s is neither a branch nor a leaf", bucket, name)
		return
	case flags == branchFlag && count == 0 || pageHeader+count*elementSize > len(page):
		w.endless = true
		w.fault("bucket %q: %s says that it has %d elements", bucket, name, count)
		return
	}
	if flags == leafFlag && w.leafAt < 0 {
		w.leafAt = depth
	}
	var before []byte
	next := pageHeader + count*elementSize
	for i := range count {
		at := pageHeader + i*elementSize
		from, middle, end, ok := span(page, at, flags)
		if !ok || from != next || i > 0 && bytes.Compare(before, page[from:middle]) >= 0 {
			w.endless = true
			w.fault("bucket %q: element %d of %s is out of bounds or out of order", bucket, i, name)
			return
		}
		key, value := page[from:middle], page[middle:end]
		before, next = key, end
		if i == 0 && first != nil && !bytes.Equal(key, first) {
			w.endless = true
			w.fault("bucket %q: %s does not begin as the page above it says", bucket, name)
			return
		}
		switch {
		case flags == branchFlag:
			w.tree(bucket, binary.NativeEndian.Uint64(page[at+8:]), key, depth+1)
		case w.outOfOrder(key):
			w.endless = true
			w.fault("bucket %q: element %d of %s is out of order", bucket, i, name)
			return
		case binary.NativeEndian.Uint32(page[at:])&bucketFlag != 0:
			w.bucket(bucket, name, i, key, value, depth+1)
		}
	}
	if !fills(len(page), next, uint64(w.pageSize)) {
		w.endless = true
		w.fault("bucket %q: %s is said to have more pages than it fills", bucket, name)
	}
}

// span is where an element, its value and what comes after it begin in a page, if they are in the page. That of a
// branch has no value. bbolt leaves no room between elements.
func span(page []byte, at int, flags uint16) (key, value, end int, ok bool) {
	head := page[at : at+elementSize]
	pos, keySize, valueSize := int(binary.NativeEndian.Uint32(head)), int(binary.NativeEndian.Uint32(head[4:])), 0
	if flags == leafFlag {
		pos, keySize = keySize, int(binary.NativeEndian.Uint32(head[8:]))
		valueSize = int(binary.NativeEndian.Uint32(head[12:]))
	}
	key = at + pos
	value = key + keySize
	end = value + valueSize
	return key, value, end, pos >= elementSize && key <= value && value <= end && end <= len(page)
}

// element returns key and value of an element, if they are in the page.
func element(page []byte, at int, flags uint16) (key, value []byte, ok bool) {
	from, middle, end, ok := span(page, at, flags)
	if !ok {
		return nil, nil, false
	}
	return page[from:middle:middle], page[middle:end:end], true
}

// outOfOrder reports whether a key of a leaf does not come after the one before.
func (w *pageWalk) outOfOrder(key []byte) bool {
	bad := w.last != nil && bytes.Compare(w.last, key) >= 0
	w.last = append(append(w.last[:0], key...), 0)[:len(key)] // never nil
	return bad
}

// bucket walks one that is an element of another. A store has none but those in the bucket of buckets.
func (w *pageWalk) bucket(in, name string, i int, key, value []byte, depth int) {
	if in != "" || len(value) < bucketValue {
		w.endless = true
		w.fault("bucket %q: element %d of %s is no bucket", in, i, name)
		return
	}
	outer := slices.Clone(w.last)
	defer func() { w.last, w.leafAt = outer, 0 }()
	w.last = nil
	root := binary.NativeEndian.Uint64(value)
	if root != 0 && w.whole != nil && !w.whole(string(key)) {
		if !w.branches {
			return
		}
		w.leafAt = -1 // found where the walk first comes to a leaf
	}
	switch {
	case root != 0:
		w.tree(string(key), root, nil, depth)
	case len(value) < bucketValue+pageHeader:
		w.endless = true
		w.fault("bucket %q is cut off", key)
	case binary.NativeEndian.Uint16(value[bucketValue+8:]) != leafFlag:
		w.endless = true
		w.fault("bucket %q: the page in its place is no leaf", key)
	default:
		w.elements(string(key), "the page in its place", value[bucketValue:], nil, depth)
	}
}
