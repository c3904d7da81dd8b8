package boltstore

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// formatOne is a sound file as the first program would have made it.
func formatOne(t testing.TB) string {
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		old, err := tx.CreateBucket(bucketMeta)
		log := tx.Bucket(bucketLog)
		for id := uint64(1); id <= 2 && err == nil; id++ {
			err = errors.Join(
				old.Put(indexKey(id, ""), append([]byte(nil), log.Get(logKey(id, metaVersion))...)),
				log.Delete(logKey(id, metaVersion)))
		}
		return errors.Join(err, tx.Bucket(bucketFormat).Put(formatNumber, binary.BigEndian.AppendUint32(nil, 1)))
	})
	return path
}

// TestUpgrade opens files of the first format, one of them half upgraded, to be read and to be written: nothing in them is lost.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for _, half := range []bool{false, true} {
		path := formatOne(t)
		if half {
			tamper(t, path, func(tx *bolt.Tx) error {
				more, err := moveMeta(tx, 1)
				if !more {
					t.Error("nothing is left to be moved")
				}
				return err
			})
		}
		for _, readOnly := range []bool{true, false, false} {
			s := mustOpen(t, path, Options{ReadOnly: readOnly})
			storetest.MustBeSound(t, s)
			for _, name := range []string{"a", "b"} {
				if meta, err := s.Meta(context.Background(), name); err != nil || string(meta) != "meta of "+name {
					t.Errorf("metadata of %s: %q, %v", name, meta, err)
				}
			}
			if !readOnly {
				_ = s.db.View(func(tx *bolt.Tx) error {
					if tx.Bucket(bucketMeta) != nil || string(tx.Bucket(bucketFormat).Get(formatNumber)) != "\x00\x00\x00\x02" {
						t.Error("the file was not upgraded")
					}
					return nil
				})
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
