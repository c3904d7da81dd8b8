package boltstore

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

const (
	freelistFlag = 0x10
	noFreelist   = math.MaxUint64 // where bbolt was told to keep no list of free pages in the file
	manyFree     = 0xFFFF         // elements: the first of them says how many there are
)

// usage is what a walk knows of a page.
type usage byte

const (
	unseen usage = iota
	inUse
	unread // the first page of a leaf that was not looked at
	unused
)

// examinePages looks at the pages that bbolt follows or writes over without a look when a file is opened: the bucket of
// buckets, those that Open reads, and for a file that will be written the branches of all buckets and the list of free
// pages. Leaves are most of a file. They are looked at when they are read or written: see tree.go.
func examinePages(tx *bolt.Tx, f *os.File, write bool) error {
	var first error
	w, err := newPageWalk(tx, f, func(format string, args ...any) {
		if first == nil {
			first = pagesError(format, args...)
		}
	})
	if err != nil {
		return err
	}
	w.whole = func(bucket string) bool {
		return slices.Contains([]string{string(bucketFormat), string(bucketRecent), string(bucketStranded)}, bucket)
	}
	w.branches = write
	w.tree("", uint64(tx.Cursor().Bucket().Root()), nil, 0)
	if write && first == nil {
		root, ok := freelistAt(f, w.pageSize, uint64(tx.ID()))
		if !ok {
			return &eventstore.CorruptError{What: "the file changes while nobody else may write it"}
		}
		w.freelist(root)
	}
	return first
}

// freelist holds the list of free pages against the pages that are in use: bbolt would write over them.
func (w *pageWalk) freelist(root uint64) {
	if root == noFreelist {
		w.fault("the list of free pages is missing")
		return
	}
	endless := w.endless
	page, ok := w.read("free pages", root, 0)
	if w.endless = endless; !ok { // no cursor goes there
		return
	}
	if flags := binary.NativeEndian.Uint16(page[8:]); flags != freelistFlag {
		w.fault("page %d is no list of free pages", root)
		return
	}
	n, ids := uint64(binary.NativeEndian.Uint16(page[10:])), page[pageHeader:]
	if n == manyFree {
		n, ids = binary.NativeEndian.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids))/8 {
		w.fault("the list of free pages is said to have %d, and has room for %d", n, len(ids)/8)
		return
	}
	for i := range n {
		w.isFree(binary.NativeEndian.Uint64(ids[8*i:]))
	}
	w.overflows()
}

// isFree takes in that a page is said to be free.
func (w *pageWalk) isFree(id uint64) {
	switch {
	case id < 2 || id >= w.pages:
		w.fault("page %d is said to be free, and is not in the file", id)
	case id >= uint64(len(w.seen)): // the file was cut off, which is told
	case w.seen[id] == unused:
		w.fault("page %d is listed twice as free", id)
	case w.seen[id] != unseen:
		w.fault("page %d is said to be free, and is in use", id)
	default:
		w.seen[id] = unused
	}
}

// overflows looks at the leaves before free pages: those may belong to them.
func (w *pageWalk) overflows() {
	last := uint64(0)
	for id, m := range w.seen {
		switch {
		case m == unread:
			last = uint64(id)
		case m == inUse:
			last = 0
		case m == unused && last != 0:
			head := make([]byte, pageHeader)
			_, err := w.f.ReadAt(head, int64(last)*w.pageSize)
			switch overflow := uint64(binary.NativeEndian.Uint32(head[12:])); {
			case err != nil:
				w.fault("page %d: %v", last, err)
			case overflow >= uint64(id)-last:
				w.fault("page %d is said to be free, and is in use by page %d", id, last)
			}
			last = 0
		}
	}
}

// freelistAt is the first page of the list of free pages, as the page says that tells of a transaction. A store that
// goes on writing may have written over it.
func freelistAt(f io.ReaderAt, pageSize int64, txid uint64) (id uint64, ok bool) {
	for at := range int64(2) {
		if m, ok := readMeta(f, at*pageSize); ok && m.txid == txid {
			return m.freelist, true
		}
	}
	return 0, false
}
