package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// upgradeKey gives keys of both kinds: those that are packed and those that are not.
func upgradeKey(i int) string {
	if i%2 == 0 {
		return fmt.Sprint("k", i)
	}
	return fmt.Sprintf("0b8f5c1e-7d6a-4f0e-9a52-%012x", i)
}

// older is a sound file as the program of an older format would have made it.
func older(t testing.TB, format uint32) string {
	path := soundWith(t, upgradeKey)
	tamper(t, path, func(tx *bolt.Tx) error {
		err := errors.Join(lengthen(tx), spellOut(tx), forgetVersions(tx))
		if format == 1 {
			err = errors.Join(err, moveMetaBack(tx))
		}
		return errors.Join(err, toFormat(tx, format))
	})
	return path
}

// toFormat has a file say that it is of an older format.
func toFormat(tx *bolt.Tx, format uint32) error {
	b := tx.Bucket(bucketFormat)
	return errors.Join(b.Delete(formatState), tx.DeleteBucket(bucketRecent),
		b.Put(formatNumber, binary.BigEndian.AppendUint32(nil, format)))
}

// lengthen lays all entries out as formats 1 and 2 did.
func lengthen(tx *bolt.Tx) error {
	b := bucketsOf(tx)
	for id, stream := range map[uint64]string{1: "a", 2: "b"} {
		var prev eventstore.Hash
		for version := uint64(1); version <= 5; version++ {
			p, err := b.parts(stream, id, version)
			if err != nil {
				return err
			}
			e := p.entry(version, prev)
			e.Data = bytes.Clone(e.Data)
			if err := b.log.Put(logKey(id, version), encodeLongEntry(stream, version, &e)); err != nil {
				return err
			}
			prev = e.Hash
		}
	}
	return nil
}

// spellOut makes the index one of formats 1 and 2.
func spellOut(tx *bolt.Tx) error {
	old, err := tx.CreateBucket(bucketKeys)
	if err != nil {
		return err
	}
	return errors.Join(tx.Bucket(bucketIndex).ForEach(func(k, v []byte) error {
		id, key, err := parseIndexKey(k)
		stream := map[uint64]string{1: "a", 2: "b"}[id]
		version, bad := decodeNumber(kindKey, stream, key, v)
		return errors.Join(err, bad,
			old.Put(textKey(id, key), encodeNumberAs(kindKey, stream, key, version, crcSize+numberSize)))
	}), tx.DeleteBucket(bucketIndex))
}

// forgetVersions makes the metadata those of a format before 6.
func forgetVersions(tx *bolt.Tx) error {
	log := tx.Bucket(bucketLog)
	put := func(id uint64, stream string) error {
		_, meta, err := splitMeta(stream, log.Get(logKey(id, metaVersion)))
		return errors.Join(err, log.Put(logKey(id, metaVersion), encodeOldMeta(stream, meta)))
	}
	return errors.Join(put(1, "a"), put(2, "b"))
}

// moveMetaBack puts the metadata where format 1 had them.
func moveMetaBack(tx *bolt.Tx) error {
	old, err := tx.CreateBucket(bucketMeta)
	log := tx.Bucket(bucketLog)
	for id := uint64(1); id <= 2 && err == nil; id++ {
		err = errors.Join(
			old.Put(textKey(id, ""), bytes.Clone(log.Get(logKey(id, metaVersion)))),
			log.Delete(logKey(id, metaVersion)))
	}
	return err
}

// TestUpgrade opens files of older formats, whole and half upgraded, to be read and to be written: nothing in them is
// lost, keys among it, and what comes after goes on from it.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	halves := map[string]func(tx *bolt.Tx) (more bool, err error){
		"whole":         nil,
		"marked":        func(tx *bolt.Tx) (bool, error) { return true, mark(tx, nil) },
		"half its meta": func(tx *bolt.Tx) (bool, error) { return half(tx, moveMeta, 1) },
		"half its keys": func(tx *bolt.Tx) (bool, error) { return half(tx, moveKeys, 3) },
		"all but a key": func(tx *bolt.Tx) (bool, error) { return half(tx, moveKeys, 7) },
		"all its keys":  func(tx *bolt.Tx) (bool, error) { _, err := half(tx, moveKeys, 100); return true, err },
	}
	for format := uint32(1); format <= 2; format++ {
		for name, half := range halves {
			if format == 2 && name == "half its meta" {
				continue
			}
			t.Run(fmt.Sprint("format ", format, ", ", name), func(t *testing.T) {
				t.Parallel()
				path := older(t, format)
				if half != nil {
					tamper(t, path, func(tx *bolt.Tx) error {
						more, err := half(tx)
						if !more {
							t.Error("nothing is left to be moved")
						}
						return err
					})
				}
				for i, readOnly := range []bool{true, false, false, true} {
					examine(t, path, readOnly, i > 1)
				}
			})
		}
	}
}

// half does a part of an upgrade.
func half(tx *bolt.Tx, move func(*bolt.Tx, int) (bool, error), n int) (more bool, err error) {
	if err := mark(tx, nil); err != nil {
		return false, err
	}
	return move(tx, n)
}

// examine opens a file that was older, looks at all that is in it, and appends where it may.
func examine(t *testing.T, path string, readOnly, longer bool) {
	t.Helper()
	ctx := context.Background()
	s := mustOpen(t, path, Options{ReadOnly: readOnly, maxUnindexed: 1})
	defer func() {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	storetest.MustBeSound(t, s)
	for _, name := range []string{"a", "b"} {
		info, err := s.Head(ctx, name)
		if want := map[bool]uint64{false: 5, true: 8}[longer]; err != nil || string(info.Meta) != "meta of "+name ||
			info.MetaVersion != 1 || info.Version < 5 || longer && info.Version < want {
			t.Fatalf("%s: %+v, %v", name, info, err)
		}
		for version := uint64(1); version <= info.Version; version++ {
			if at, found, err := s.Lookup(ctx, name, upgradeKey(int(version))); at != version || !found || err != nil {
				t.Errorf("key of %s %d: %d, %t, %v", name, version, at, found, err)
			}
		}
		if !readOnly {
			c := &storetest.Chain{Stream: name, Version: info.Version, Hash: info.Hash}
			for range 3 {
				if err := s.Append(ctx, c.Next(upgradeKey(int(c.Version)+1), "more")); err != nil {
					t.Fatal(err)
				}
			}
			var used *eventstore.KeyUsedError
			if err := s.Append(ctx, c.Next(upgradeKey(1), "again")); !errors.As(err, &used) || used.Version != 1 {
				t.Errorf("append with the key of version 1: %v", err)
			}
		}
	}
	if readOnly {
		return
	}
	_ = s.db.View(func(tx *bolt.Tx) error {
		if tx.Bucket(bucketMeta) != nil || tx.Bucket(bucketKeys) != nil ||
			string(tx.Bucket(bucketFormat).Get(formatNumber)) != "\x00\x00\x00\x06" {
			t.Error("the file was not upgraded")
		}
		return nil
	})
}

// TestUpgradeDiesTwice has the upgrade of each older format die at each of its steps, and the next one at each again.
func TestUpgradeDiesTwice(t *testing.T) {
	t.Parallel()
	steps := []point{beforeOpenSync, afterOpenSync, beforeTake, afterTake, afterUpgrade}
	died := errors.New("died")
	die := func(t *testing.T, path string, at point) {
		t.Helper()
		reached := false
		s, err := Open(path, Options{hooks: hooks{at: func() error { reached = true; return died }}})
		if err == nil { // nothing was left to be upgraded
			mustClose(t, s)
		}
		if reached != errors.Is(err, died) || !reached && err != nil {
			t.Fatalf("%s: %v", at, err)
		}
	}
	for _, first := range steps {
		for _, second := range steps {
			t.Run(fmt.Sprint(first, ", ", second), func(t *testing.T) {
				t.Parallel()
				for format := uint32(1); format <= 2; format++ {
					path := older(t, format)
					die(t, path, first)
					examine(t, path, true, false)
					die(t, path, second)
					for i, readOnly := range []bool{true, false, true} {
						examine(t, path, readOnly, i > 1)
					}
				}
				for _, path := range []string{killed4(t), file(t, made(t, "format3.db")),
					file(t, made(t, "format5-killed.db"))} {
					r := mustOpen(t, path, Options{ReadOnly: true})
					want := held(t, r)
					mustClose(t, r)
					die(t, path, first)
					die(t, path, second)
					s := mustOpen(t, path, Options{NoSync: true})
					mustHoldMade(t, s, want...)
					mustClose(t, s)
					alone(t, path)
				}
			})
		}
	}
}
