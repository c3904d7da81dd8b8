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
const formatVersion = 4

// indexFormat is the first format with the bucket "index".
const indexFormat = 3

var (
	bucketFormat = []byte("format")
	bucketNames  = []byte("names")
	bucketLog    = []byte("log")
	bucketIndex  = []byte("index")

	formatMagic   = []byte("magic")
	formatNumber  = []byte("version")
	magic         = []byte("warledger event store")
	allBuckets    = [][]byte{bucketFormat, bucketNames, bucketLog, bucketIndex}
	oldBuckets    = [][]byte{bucketFormat, bucketNames, bucketLog, bucketKeys} // of formats 1 and 2
	errNoFormat   = errors.New("it does not say that it is one")
	errBadVersion = errors.New("its format version is not readable")
)

// writeFormat makes a new bbolt file an event store.
func writeFormat(tx *bolt.Tx) error {
	for _, name := range allBuckets {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	b := tx.Bucket(bucketFormat)
	return errors.Join(
		b.Put(formatMagic, magic),
		b.Put(formatNumber, binary.BigEndian.AppendUint32(nil, formatVersion)))
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
	raw := b.Get(formatNumber)
	if len(raw) != 4 || binary.BigEndian.Uint32(raw) == 0 {
		return refuse(errBadVersion)
	}
	v := binary.BigEndian.Uint32(raw)
	if v > formatVersion {
		return &eventstore.FormatError{Path: path, Found: v, Known: formatVersion}
	}
	expected := allBuckets
	if v < indexFormat {
		expected = oldBuckets
	}
	for _, name := range expected {
		if tx.Bucket(name) == nil {
			return refuse(fmt.Errorf("it has no bucket %q", name))
		}
	}
	return nil
}
