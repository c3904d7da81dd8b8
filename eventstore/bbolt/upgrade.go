package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"

	bolt "go.etcd.io/bbolt"
)

// bucketMeta is where format 1 kept the metadata of streams, by id.
var bucketMeta = []byte("meta")

// upgradeStreams is how many streams one transaction of an upgrade moves.
const upgradeStreams = 1000

// upgrade brings a file of format 1 up to date. It may be broken off at any time: the first transaction keeps older programs out, and the next
// to open the file goes on.
func upgrade(db *bolt.DB) error {
	for more := true; more; {
		err := db.Update(func(tx *bolt.Tx) (err error) {
			more, err = moveMeta(tx, upgradeStreams)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// outdated reports whether something is left to be upgraded.
func outdated(db *bolt.DB) (found bool, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		found = tx.Bucket(bucketMeta) != nil
		return nil
	})
	return found, err
}

// moveMeta puts the metadata of so many streams where format 2 has them, as they are: the checksum is of the stream and not of the place.
func moveMeta(tx *bolt.Tx, streams int) (more bool, err error) {
	old, log := tx.Bucket(bucketMeta), tx.Bucket(bucketLog)
	if old == nil {
		return false, nil
	}
	if err := tx.Bucket(bucketFormat).Put(formatNumber, binary.BigEndian.AppendUint32(nil, formatVersion)); err != nil {
		return false, err
	}
	var moved [][]byte
	c := old.Cursor()
	for k, v := c.First(); k != nil && len(moved) < streams; k, v = c.Next() {
		moved = append(moved, bytes.Clone(k))
		id, _, err := parseIndexKey(k)
		if err != nil {
			continue // no stream's
		}
		if err := log.Put(logKey(id, metaVersion), bytes.Clone(v)); err != nil {
			return false, err
		}
	}
	for _, k := range moved {
		err = errors.Join(err, old.Delete(k))
	}
	if k, _ := old.Cursor().First(); k != nil || err != nil {
		return true, err
	}
	return false, tx.DeleteBucket(bucketMeta)
}

// metaOf is the metadata of a stream as they are stored, nil for none: for those who may only read, also of a file that was not upgraded.
func (b buckets) metaOf(id uint64) []byte {
	if raw := b.log.Get(logKey(id, metaVersion)); raw != nil {
		return raw
	}
	if old := b.log.Tx().Bucket(bucketMeta); old != nil {
		return old.Get(indexKey(id, ""))
	}
	return nil
}
