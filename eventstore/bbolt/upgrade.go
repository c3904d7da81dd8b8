package boltstore

import (
	"bytes"
	"errors"

	bolt "go.etcd.io/bbolt"
)

// bucketMeta is where format 1 kept the metadata of streams, by id, and bucketKeys is where formats 1 and 2 kept the
// index of keys, as text.
var (
	bucketMeta = []byte("meta")
	bucketKeys = []byte("keys")
)

// How much one transaction of an upgrade moves.
const (
	upgradeStreams = 1000
	upgradeKeys    = 20_000
)

// upgrade brings a file of an older format up to date. It may be broken off at any time: the first transaction
// keeps older programs out, and the next to open the file goes on. Entries and metadata stay as they are: each
// says how it is laid out.
func upgrade(db *bolt.DB, path string, o Options) error {
	if old, err := outdated(db); err != nil || !old {
		return err
	}
	if err := mustBeWhole(db, path); err != nil {
		return err
	}
	if err := takeOver(db, path, o); err != nil {
		return err
	}
	for _, move := range []func(*bolt.Tx) (more bool, err error){
		func(tx *bolt.Tx) (bool, error) { return moveMeta(tx, upgradeStreams) },
		func(tx *bolt.Tx) (bool, error) { return moveKeys(tx, upgradeKeys) },
	} {
		for more := true; more; {
			err := db.Update(func(tx *bolt.Tx) (err error) {
				more, err = move(tx)
				return err
			})
			if err != nil {
				return classify(err)
			}
		}
	}
	return classify(o.hooks.at(afterUpgrade))
}

// takeOver makes a file one of this format, of which some may be where older ones have it, and puts what waits in its
// journal among the recent appends, all in one transaction. The journal is removed when the store is opened: see
// settleJournal.
func takeOver(db *bolt.DB, path string, o Options) error {
	var waiting [][]*request
	err := db.View(func(tx *bolt.Tx) (err error) { waiting, err = waitingJournal(tx, path); return err })
	if err != nil {
		return err
	}
	if err := o.hooks.at(beforeTake); err != nil {
		return classify(err)
	}
	if err := db.Update(func(tx *bolt.Tx) error { return mark(tx, waiting) }); err != nil {
		return classify(err)
	}
	return classify(o.hooks.at(afterTake))
}

// mark makes a file one of this format.
func mark(tx *bolt.Tx, waiting [][]*request) error {
	st, err := readState(tx)
	if err != nil || st.version == formatVersion {
		return err
	}
	for _, name := range [][]byte{bucketIndex, bucketRecent} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	for i, list := range waiting {
		number := uint64(i) + 1
		if err := putRecent(tx, number, appendRecent(nil, number, list)); err != nil {
			return err
		}
	}
	if st.version < recentFormat {
		st.lastID = tx.Bucket(bucketNames).Sequence()
	}
	st.version = formatVersion
	return errors.Join(tx.Bucket(bucketFormat).Delete(formatJournal), st.write(tx))
}

// outdated reports whether something is left to be upgraded.
func outdated(db *bolt.DB) (found bool, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		st, err := readState(tx)
		found = st.version < formatVersion || tx.Bucket(bucketMeta) != nil || tx.Bucket(bucketKeys) != nil
		return err
	})
	return found, err
}

// moveMeta puts the metadata of so many streams where format 2 has them, as they are: the checksum is of the stream and
// not of the place.
func moveMeta(tx *bolt.Tx, streams int) (more bool, err error) {
	old, log := tx.Bucket(bucketMeta), tx.Bucket(bucketLog)
	if old == nil {
		return false, nil
	}
	var moved [][]byte
	c := old.Cursor()
	for k, v := c.First(); k != nil && len(moved) < streams; k, v = c.Next() {
		moved = append(moved, bytes.Clone(k))
		id, _, err := parseTextKey(k)
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

// moveKeys puts so many places of the index where format 3 has them, with their values as they are: a checksum is of
// the key as it was given.
func moveKeys(tx *bolt.Tx, n int) (more bool, err error) {
	old, index := tx.Bucket(bucketKeys), tx.Bucket(bucketIndex)
	if old == nil {
		return false, nil
	}
	var moved [][]byte
	c := old.Cursor()
	for k, v := c.First(); k != nil && len(moved) < n; k, v = c.Next() {
		moved = append(moved, bytes.Clone(k))
		id, key, err := parseTextKey(k)
		if err != nil {
			continue // no stream's
		}
		if err := index.Put(indexKey(id, key), bytes.Clone(v)); err != nil {
			return false, err
		}
	}
	for _, k := range moved {
		err = errors.Join(err, old.Delete(k))
	}
	if k, _ := old.Cursor().First(); k != nil || err != nil {
		return true, err
	}
	return false, tx.DeleteBucket(bucketKeys)
}

// metaOf is the metadata of a stream as they are stored, nil for none: for those who may only read, also of a file that
// was not upgraded.
func (b buckets) metaOf(id uint64) []byte {
	if raw := b.log.Get(logKey(id, metaVersion)); raw != nil {
		return raw
	}
	if old := treeOf(b.log.Tx(), b.log.m, bucketMeta); old.exists() {
		return old.Get(textKey(id, ""))
	}
	return nil
}
