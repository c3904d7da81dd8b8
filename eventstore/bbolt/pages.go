package boltstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

// How bbolt lays out its pages: a header of id, flags, count of elements and number of further pages; then elements that
// say where key and value are, counted from the element itself.
const (
	pageHeader  = 16
	elementSize = 16
	branchFlag  = 0x01
	leafFlag    = 0x02
	bucketFlag  = 0x01 // of an element in a leaf
	bucketValue = 16   // root page and sequence, before the page of a bucket that lies in its element
)

// pageWalk looks at every page of the trees of a file, each once. bbolt trusts its pages: on a tree that leads back into
// itself, or whose keys are in no order, its cursors may go on for ever. So a check looks at the pages first.
type pageWalk struct {
	f        io.ReaderAt
	size     int64
	pageSize int64
	seen     []bool
	last     []byte // the key before, of the bucket that is walked; nil for none
	fault    func(format string, args ...any)
	// endless says that a cursor may not come to an end.
	endless bool
}

// walkPages reports what is wrong with the pages that a transaction shows, and whether cursors would end on them.
func walkPages(tx *bolt.Tx, path string, fault func(format string, args ...any)) (endless bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() < tx.Size() {
		fault("%s", cut(info.Size(), tx.Size()))
	}
	w := &pageWalk{f: f, size: info.Size(), pageSize: int64(tx.DB().Info().PageSize), fault: fault}
	w.seen = make([]bool, w.size/w.pageSize)
	w.tree("", uint64(tx.Cursor().Bucket().Root()))
	return w.endless, nil
}

// tree walks what is below a page of a bucket; "" is the bucket of buckets.
func (w *pageWalk) tree(bucket string, id uint64) {
	page, ok := w.read(bucket, id)
	if !ok {
		return
	}
	w.elements(bucket, fmt.Sprintf("page %d", id), page)
}

// read gives a page with those that belong to it, if it can be and was not read before.
func (w *pageWalk) read(bucket string, id uint64) (page []byte, ok bool) {
	if id < 2 || id >= uint64(len(w.seen)) {
		w.fault("bucket %q: page %d is not in the file", bucket, id)
		return nil, false
	}
	head := make([]byte, pageHeader)
	if _, err := w.f.ReadAt(head, int64(id)*w.pageSize); err != nil {
		w.fault("bucket %q: page %d: %v", bucket, id, err)
		return nil, false
	}
	overflow := uint64(binary.NativeEndian.Uint32(head[12:]))
	if got := binary.NativeEndian.Uint64(head); got != id {
		w.fault("bucket %q: page %d says that it is page %d", bucket, id, got)
		return nil, false
	}
	if id+overflow >= uint64(len(w.seen)) {
		w.endless = true
		w.fault("bucket %q: page %d is said to have %d more, which are not in the file", bucket, id, overflow)
		return nil, false
	}
	for i := id; i <= id+overflow; i++ {
		if w.seen[i] {
			w.endless = true
			w.fault("bucket %q: page %d is in use twice, or leads back to itself", bucket, i)
			return nil, false
		}
		w.seen[i] = true
	}
	page = make([]byte, int64(1+overflow)*w.pageSize)
	if _, err := w.f.ReadAt(page, int64(id)*w.pageSize); err != nil {
		w.fault("bucket %q: page %d: %v", bucket, id, err)
		return nil, false
	}
	return page, true
}

// elements walks those of a page, and what they lead to.
func (w *pageWalk) elements(bucket, name string, page []byte) {
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
	var before []byte
	for i := range count {
		at := pageHeader + i*elementSize
		key, value, ok := element(page, at, flags)
		if !ok || i > 0 && bytes.Compare(before, key) >= 0 {
			w.endless = true
			w.fault("bucket %q: element %d of %s is out of bounds or out of order", bucket, i, name)
			return
		}
		before = key
		switch {
		case flags == branchFlag:
			w.tree(bucket, binary.NativeEndian.Uint64(page[at+8:]))
		case w.outOfOrder(key):
			w.endless = true
			w.fault("bucket %q: element %d of %s is out of order", bucket, i, name)
			return
		case binary.NativeEndian.Uint32(page[at:])&bucketFlag != 0:
			w.bucket(bucket, name, i, key, value)
		}
	}
}

// element gives key and value of an element, if they are in the page. That of a branch has no value.
func element(page []byte, at int, flags uint16) (key, value []byte, ok bool) {
	field := func(i int) int { return int(binary.NativeEndian.Uint32(page[at+4*i:])) }
	pos, keySize, valueSize := field(0), field(1), 0
	if flags == leafFlag {
		pos, keySize, valueSize = field(1), field(2), field(3)
	}
	if pos < elementSize || at+pos+keySize+valueSize > len(page) {
		return nil, nil, false
	}
	rest := page[at+pos:]
	return rest[:keySize], rest[keySize : keySize+valueSize], true
}

// outOfOrder reports whether a key of a leaf does not come after the one before.
func (w *pageWalk) outOfOrder(key []byte) bool {
	bad := w.last != nil && bytes.Compare(w.last, key) >= 0
	w.last = append([]byte{}, key...)
	return bad
}

// bucket walks one that is an element of another. A store has none but those in the bucket of buckets.
func (w *pageWalk) bucket(in, name string, i int, key, value []byte) {
	if in != "" || len(value) < bucketValue {
		w.endless = true
		w.fault("bucket %q: element %d of %s is no bucket", in, i, name)
		return
	}
	outer := w.last
	defer func() { w.last = outer }()
	w.last = nil
	switch root := binary.NativeEndian.Uint64(value); {
	case root != 0:
		w.tree(string(key), root)
	case len(value) < bucketValue+pageHeader:
		w.endless = true
		w.fault("bucket %q is cut off", key)
	default:
		w.elements(string(key), "the page in its place", value[bucketValue:])
	}
}
