package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var errEmpty = errors.New("it is empty")

// lockTries is how often a file is opened anew that was replaced while its lock was waited for.
const lockTries = 10

// lockBolt opens a bbolt file. Whoever waits for the lock may get that of a file which was replaced meanwhile, as by
// [Compact]: what is then written to it would be lost, so the file that was locked must be the one at the path.
//
// bbolt trusts a file that it opens to be written: it reads the list of free pages before anybody can look at it. So
// such a file is opened to be read first, which nobody can do who keeps the lock of a writer.
func lockBolt(path string, o Options) (db *bolt.DB, f *os.File, err error) {
	for range lockTries {
		if !o.ReadOnly {
			if err := probe(path, o); err != nil {
				return nil, nil, err
			}
		}
		if db, f, err = tryBolt(path, o); err != nil {
			return nil, nil, err
		}
		locked, err1 := f.Stat()
		now, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(locked, now) {
			return db, f, nil
		}
		if err := db.Close(); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, fmt.Errorf("%w: %s is replaced again and again", eventstore.ErrLocked, path)
}

// probe examines a file that will be opened to be written.
func probe(path string, o Options) error {
	o.ReadOnly, o.MapSize = true, 0
	db, f, err := tryBolt(path, o)
	if err != nil {
		return err
	}
	return errors.Join(inspect(db, f, true), db.Close())
}

// inspect examines a file that is locked. One that was cut off may be read, as far as it goes; to be written it is
// refused, since what is missing would be taken for free room.
func inspect(db *bolt.DB, f *os.File, write bool) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), "", err) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if bad := checkSize(f, info.Size()); bad != nil && (write || neededSize(f) > maxMissing) {
		return bad
	}
	return db.View(func(tx *bolt.Tx) error { return examinePages(tx, f, write) })
}

// tryBolt opens a bbolt file that is there. The file itself is the one that bbolt has open, and goes with it.
func tryBolt(path string, o Options) (db *bolt.DB, f *os.File, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file that was cut short faults where it ends
	defer func() {
		if p := recover(); p != nil { // bbolt lets go of nothing then
			err = errors.Join(recovered(p, "", nil), f.Close())
		}
	}()
	bo, size, cut := o.bolt(), int64(0), error(nil)
	bo.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		if f, err = o.OpenFile(name, flag&^os.O_CREATE, mode); err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		size = info.Size()
		if needed := neededSize(f); needed > size { // pages that are missing shall fault, not be other memory
			cut = checkSize(f, size)
			bo.InitialMmapSize = max(bo.InitialMmapSize, int(min(needed, maxMissing)))
		}
		return f, nil
	}
	db, err = bolt.Open(path, 0o600, bo)
	switch {
	case err == nil:
		return db, f, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, nil, fmt.Errorf("%w: %s", eventstore.ErrLocked, path)
	case f == nil:
		return nil, nil, err
	case size == 0:
		return nil, nil, &eventstore.FormatError{Path: path, Known: formatVersion, Cause: errEmpty}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum),
		errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, nil, &eventstore.FormatError{Path: path, Known: formatVersion, Cause: err}
	case cut != nil:
		return nil, nil, cut
	}
	return nil, nil, err
}

// meta is what one of the first two pages of a file says.
type meta struct {
	pageSize              int64
	freelist, pages, txid uint64
}

// readMeta reads the page at a place, if it is whole.
func readMeta(f io.ReaderAt, at int64) (m meta, ok bool) {
	const (
		metaSize  = pageHeader + 64
		bboltMark = 0xED0CDAED
	)
	raw := make([]byte, metaSize)
	if _, err := f.ReadAt(raw, at); err != nil {
		return meta{}, false
	}
	raw = raw[pageHeader:]
	sum := fnv.New64a()
	_, _ = sum.Write(raw[:56])
	whole := binary.NativeEndian.Uint32(raw) == bboltMark && binary.NativeEndian.Uint64(raw[56:]) == sum.Sum64()
	return meta{
		pageSize: int64(binary.NativeEndian.Uint32(raw[8:])), freelist: binary.NativeEndian.Uint64(raw[32:]),
		pages: binary.NativeEndian.Uint64(raw[40:]), txid: binary.NativeEndian.Uint64(raw[48:]),
	}, whole
}

// maxPage is the size of the largest pages that are looked for.
const maxPage = 64 << 10

// maxMissing is how large a file may have been that is read although it was cut off.
const maxMissing = 1 << (30 + 10*(strconv.IntSize/64))

// newestMeta is what the file says about itself; zero if it does not.
func newestMeta(f io.ReaderAt) (newest meta) {
	for at := int64(0); at <= maxPage; at = max(2*at, 1<<10) {
		if m, ok := readMeta(f, at); ok && m.txid >= newest.txid {
			newest = m
		}
	}
	return newest
}

// neededSize is how many bytes a file must have. bbolt has the number of its pages in two places, of which one is
// whole, and never writes there before the file is as long.
func neededSize(f io.ReaderAt) int64 {
	m := newestMeta(f)
	if m.pages > uint64(math.MaxInt64/max(m.pageSize, 1)) {
		return math.MaxInt64
	}
	return int64(m.pages) * m.pageSize
}

// checkSize reports that a file was cut off.
func checkSize(f io.ReaderAt, size int64) error {
	needed := neededSize(f)
	if needed <= size {
		return nil
	}
	return &eventstore.CorruptError{What: cut(size, needed)}
}

// cut says that a file is too short.
func cut(size, needed int64) string {
	return fmt.Sprintf("the file was cut off: it has %d bytes, and its pages need %d", size, needed)
}
