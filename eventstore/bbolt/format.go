package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// formatVersion rises with each change that an older program would misread. It never falls.
const formatVersion = 6

// indexFormat is the first format with the bucket "index", and recentFormat the first with the bucket "recent" and a
// state with a checksum. Metadata have versions since format 6: an older program would not know them, and set metadata
// without one.
const (
	indexFormat  = 3
	recentFormat = 5
)

var (
	bucketFormat = []byte("format")
	bucketNames  = []byte("names")
	bucketLog    = []byte("log")
	bucketIndex  = []byte("index")

	formatMagic   = []byte("magic")
	formatNumber  = []byte("version")
	formatState   = []byte("state")
	magic         = []byte("warledger event store")
	errNoFormat   = errors.New("it does not say that it is one")
	errBadVersion = errors.New("its format version is not readable")
	errBadState   = errors.New("its format and state do not fit each other")
)

// bucketsIn returns the buckets that a file of a format must have.
func bucketsIn(format uint32) [][]byte {
	switch {
	case format >= recentFormat:
		return [][]byte{bucketFormat, bucketNames, bucketLog, bucketIndex, bucketRecent}
	case format >= indexFormat:
		return [][]byte{bucketFormat, bucketNames, bucketLog, bucketIndex}
	default:
		return [][]byte{bucketFormat, bucketNames, bucketLog, bucketKeys}
	}
}

// state is what a file records about itself, under a checksum.
type state struct {
	version uint32 // of the format
	merged  uint64 // number of the last commit that was merged: those in the bucket "recent" come after it
	lastID  uint64 // the last stream id given
}

func (s state) write(tx *bolt.Tx) error {
	v := binary.BigEndian.AppendUint32(make([]byte, crcSize, crcSize+20), s.version)
	v = binary.BigEndian.AppendUint64(v, s.merged)
	v = binary.BigEndian.AppendUint64(v, s.lastID)
	b := tx.Bucket(bucketFormat)
	return errors.Join(
		b.Put(formatNumber, binary.BigEndian.AppendUint32(nil, s.version)),
		b.Put(formatState, seal(v, kindState, "", 0, "")))
}

// readState returns what the file records about itself. A file of a format before 5 has only its version.
func readState(tx *bolt.Tx) (s state, err error) {
	b := tx.Bucket(bucketFormat)
	raw := b.Get(formatNumber)
	if len(raw) != 4 || binary.BigEndian.Uint32(raw) == 0 {
		return s, errBadVersion
	}
	s.version = binary.BigEndian.Uint32(raw)
	value := b.Get(formatState)
	if value == nil && s.version < recentFormat {
		return s, nil
	}
	body, err := unseal(value, kindState, "", 0, "")
	switch {
	case err != nil && s.version > formatVersion: // a newer program may keep it in another way
		return s, nil
	case err != nil:
		return s, fmt.Errorf("%w: %w", errBadState, err)
	case len(body) != 20 || binary.BigEndian.Uint32(body) != s.version:
		return s, errBadState
	}
	s.merged, s.lastID = binary.BigEndian.Uint64(body[4:]), binary.BigEndian.Uint64(body[12:])
	return s, nil
}

// Format returns the format version of the file, and the newest that this program writes. A file that was opened to be
// read only may have an older one: opening it for writing brings it up to date.
func (s *Store) Format() (found, newest uint32, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		at, err := readState(tx)
		found = at.version
		return err
	})
	return found, formatVersion, err
}

// writeFormat makes a new bbolt file an event store.
func writeFormat(tx *bolt.Tx) error {
	for _, name := range bucketsIn(formatVersion) {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return errors.Join(tx.Bucket(bucketFormat).Put(formatMagic, magic), state{version: formatVersion}.write(tx))
}

// checkFormat refuses files of other programs and of newer versions of this one. It changes nothing.
func checkFormat(tx *bolt.Tx, path string) error {
	refuse := func(cause error) error {
		return &eventstore.FormatError{Path: path, Known: formatVersion, Cause: cause}
	}
	b := tx.Bucket(bucketFormat)
	if b == nil || !bytes.Equal(b.Get(formatMagic), magic) {
		return refuse(errNoFormat)
	}
	s, err := readState(tx)
	if err != nil {
		return refuse(err)
	}
	if s.version > formatVersion {
		return &eventstore.FormatError{Path: path, Found: s.version, Known: formatVersion}
	}
	for _, name := range bucketsIn(s.version) {
		if tx.Bucket(name) == nil {
			return refuse(fmt.Errorf("it has no bucket %q", name))
		}
	}
	return nil
}
