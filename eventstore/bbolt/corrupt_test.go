package boltstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// sound makes a file with the streams "a" (id 1) and "b" (id 2) of five entries each, with metadata and the keys k1 to
// k5, of which k5 is not in the index yet.
func sound(t testing.TB) string {
	return soundWith(t, func(i int) string { return fmt.Sprint("k", i) })
}

// soundWith is sound with other keys.
func soundWith(t testing.TB, key func(i int) string) string {
	t.Helper()
	path := newPath(t)
	// merged append by append, as keys go into the index
	s := mustOpen(t, path, Options{NoSync: true, maxUnindexed: 1, recent: 1})
	for _, name := range []string{"a", "b"} {
		c := &storetest.Chain{Stream: name}
		for i := 1; i <= 5; i++ {
			a := c.Next(key(i), fmt.Sprint("data ", i))
			a.Meta, a.MetaExpected = []byte("meta of "+name), uint64(i)-1
			if err := s.Append(context.Background(), a); err != nil {
				t.Fatal(err)
			}
		}
	}
	storetest.MustBeSound(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// tamper changes the file behind the store's back.
func tamper(t testing.TB, path string, f func(tx *bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(f), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func flip(b getPutter, key []byte, at int) error {
	v := append([]byte(nil), b.Get(key)...)
	if at < 0 {
		at += len(v)
	}
	v[at] ^= 0x40
	return b.Put(key, v)
}

// getPutter is a bucket, or the tree of one.
type getPutter interface {
	Get(key []byte) []byte
	Put(key, value []byte) error
}

// move puts a sound value where it does not belong.
func move(b getPutter, from, to []byte) error {
	return b.Put(to, append([]byte(nil), b.Get(from)...))
}

// given has ids up to one have been given.
func given(tx *bolt.Tx, id uint64) error {
	st, err := readState(tx)
	st.lastID = id
	return errors.Join(err, st.write(tx), bucketsOf(tx).names.SetSequence(id))
}

// wholeEntry is one entry, still in the file.
func wholeEntry(b buckets, stream string, id, version uint64) (eventstore.Entry, error) {
	before, err := b.parts(stream, id, version-1)
	p, more := b.parts(stream, id, version)
	if err := errors.Join(err, more); err != nil {
		return eventstore.Entry{}, err
	}
	return p.entry(version, eventstore.Hash(before.hash)), nil
}

// TestCheckFindsWhatIsWrong plants one fault each. The faults are given as kind, stream and version.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		plant func(b buckets, tx *bolt.Tx) error
		want  []string
	}{
		{"nothing", func(buckets, *bolt.Tx) error { return nil }, nil},
		{"flipped bit in data", func(b buckets, _ *bolt.Tx) error { return flip(b.log, logKey(1, 3), -1) },
			[]string{"checksum a 3", "key a 3"}},
		{"flipped bit in a hash", func(b buckets, _ *bolt.Tx) error { return flip(b.log, logKey(2, 5), 40) },
			[]string{"checksum b 5"}},
		{"flipped bit in a checksum", func(b buckets, _ *bolt.Tx) error { return flip(b.log, logKey(2, 1), 0) },
			[]string{"checksum b 1", "key b 1"}},
		{"entry of another version",
			func(b buckets, _ *bolt.Tx) error { return move(b.log, logKey(1, 2), logKey(1, 3)) },
			[]string{"checksum a 3", "key a 3"}},
		{"entry of another stream",
			func(b buckets, _ *bolt.Tx) error { return move(b.log, logKey(1, 2), logKey(2, 2)) },
			[]string{"checksum b 2", "key b 2"}},
		{"empty value", func(b buckets, _ *bolt.Tx) error { return b.log.Put(logKey(1, 1), nil) },
			[]string{"checksum a 1", "key a 1"}},
		{"first entry deleted", func(b buckets, _ *bolt.Tx) error { return b.log.Delete(logKey(1, 1)) },
			[]string{"gap a 1", "key a 1"}},
		{"entry deleted", func(b buckets, _ *bolt.Tx) error { return b.log.Delete(logKey(1, 3)) },
			[]string{"gap a 3", "key a 3"}},
		{"last entry deleted", func(b buckets, _ *bolt.Tx) error { return b.log.Delete(logKey(1, 5)) },
			[]string{"gap a 5"}},
		{"entry replaced by one with a right checksum", func(b buckets, _ *bolt.Tx) error {
			e := eventstore.Entry{Key: "k3", Prev: eventstore.Hash{1}, Data: []byte("forged")}
			e.Hash = storetest.Link(e.Prev, e.Key, e.Data)
			return b.log.Put(logKey(1, 3), encodeEntry("a", 3, &e))
		}, []string{"link a 3", "link a 4"}},
		{"entry of an older format replaced by one with a right checksum", func(b buckets, _ *bolt.Tx) error {
			e := eventstore.Entry{Key: "k3", Prev: eventstore.Hash{1}, Data: []byte("forged")}
			e.Hash = storetest.Link(e.Prev, e.Key, e.Data)
			return b.log.Put(logKey(1, 3), encodeLongEntry("a", 3, &e))
		}, []string{"link a 3", "link a 4"}},
		{"data replaced under the old hash", func(b buckets, _ *bolt.Tx) error {
			e, err := wholeEntry(b, "a", 1, 3)
			e.Data = []byte("forged")
			return errors.Join(err, b.log.Put(logKey(1, 3), encodeEntry("a", 3, &e)))
		}, []string{"content a 3"}},
		{"entry past the head", func(b buckets, _ *bolt.Tx) error {
			return b.log.Put(logKey(1, 6), encodeEntry("a", 6, &eventstore.Entry{}))
		}, []string{"link a 6", "head a 6"}},
		{"head flipped", func(b buckets, _ *bolt.Tx) error { return flip(b.log, logKey(2, headVersion), 9) },
			[]string{"checksum b 5"}},
		{"head missing", func(b buckets, _ *bolt.Tx) error { return b.log.Delete(logKey(2, headVersion)) },
			[]string{"head b 5"}},
		{"head of another hash", func(b buckets, _ *bolt.Tx) error {
			return b.log.Put(logKey(2, headVersion),
				encodeHead("b", head{version: 5, hash: eventstore.Hash{9}, indexed: 4}))
		}, []string{"head b 5"}},
		{"head far ahead", func(b buckets, _ *bolt.Tx) error {
			return b.log.Put(logKey(2, headVersion), encodeHead("b", head{version: 1 << 60, indexed: 4}))
		}, []string{"gap b 6"}},
		{"key not in the index", func(b buckets, _ *bolt.Tx) error { return b.keys.Delete(indexKey(1, "k2")) },
			[]string{"key a 2"}},
		{"key of another version", func(b buckets, _ *bolt.Tx) error {
			return b.keys.Put(indexKey(1, "k2"), encodeNumber(kindKey, "a", "k2", 4))
		}, []string{"key a 2", "key a 4"}},
		{"key flipped", func(b buckets, _ *bolt.Tx) error { return flip(b.keys, indexKey(1, "k2"), -1) },
			[]string{"checksum a 0"}},
		{"key that no entry has", func(b buckets, _ *bolt.Tx) error {
			return b.keys.Put(indexKey(1, "k9"), encodeNumber(kindKey, "a", "k9", 9))
		}, []string{"key a 9"}},
		{"key of the tail used before", func(b buckets, _ *bolt.Tx) error {
			e, err := wholeEntry(b, "a", 1, 5)
			e.Key = "k4"
			return errors.Join(err, b.log.Put(logKey(1, 5), encodeEntry("a", 5, &e)))
		}, []string{"key a 5", "content a 5"}},
		{"head says that more is indexed", func(b buckets, _ *bolt.Tx) error {
			e, err := wholeEntry(b, "a", 1, 5)
			return errors.Join(err,
				b.log.Put(logKey(1, headVersion), encodeHead("a", head{version: 5, hash: e.Hash, indexed: 5})))
		}, []string{"key a 5"}},
		{"key of no stream", func(b buckets, tx *bolt.Tx) error {
			return errors.Join(given(tx, 7), b.keys.Put(indexKey(7, "k"), encodeNumber(kindKey, "a", "k", 1)))
		}, []string{"orphan  0"}},
		{"key of no length", func(b buckets, tx *bolt.Tx) error { return b.keys.Put([]byte("x"), nil) },
			[]string{"key  0"}},
		{"entry of no stream", func(b buckets, tx *bolt.Tx) error {
			return errors.Join(given(tx, 7), move(b.log, logKey(1, 1), logKey(7, 1)))
		}, []string{"orphan  0"}},
		{"place of odd length", func(b buckets, tx *bolt.Tx) error { return b.log.Put(append(logKey(1, 2), 0), nil) },
			[]string{"orphan a 0"}},
		{"metadata flipped", func(b buckets, _ *bolt.Tx) error { return flip(b.log, logKey(1, metaVersion), 6) },
			[]string{"checksum a 0"}},
		{"id flipped", func(b buckets, _ *bolt.Tx) error { return flip(b.names, []byte("b"), -1) },
			[]string{"checksum b 0", "orphan  0", "orphan  0", "orphan  0", "orphan  0", "orphan  0"}},
		{"two streams of one id", func(b buckets, _ *bolt.Tx) error {
			return errors.Join(b.names.Put([]byte("c"), encodeNumber(kindName, "c", "", 2)),
				b.log.Delete(logKey(2, headVersion)))
		}, []string{"orphan c 0", "head b 5", "checksum c 1", "checksum c 2", "checksum c 3", "checksum c 4",
			"checksum c 5", "head c 5", "checksum c 0"}},
		{"stream of an id never given", func(b buckets, _ *bolt.Tx) error {
			return b.names.Put([]byte("c"), encodeNumber(kindName, "c", "", 3))
		}, []string{"orphan c 0", "head c 0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := sound(t)
			tamper(t, path, func(tx *bolt.Tx) error { return tt.plant(bucketsOf(tx), tx) })
			s := mustOpen(t, path, Options{NoSync: true})
			defer s.Close()
			var got []string
			report, err := s.Check(context.Background(), storetest.Verify, func(f eventstore.Fault) {
				got = append(got, fmt.Sprint(f.Kind, " ", f.Stream, " ", f.Version))
			})
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil || report.Faults != uint64(len(got)) {
				t.Errorf("check: %v, %d faults (-want +reported):\n%s", err, report.Faults, diff)
			}
		})
	}
}

// TestCorruptStreamHurtsNoOther reads and appends around a damaged stream.
func TestCorruptStreamHurtsNoOther(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		b := bucketsOf(tx)
		return errors.Join(flip(b.log, logKey(1, headVersion), 9), flip(b.log, logKey(2, 3), -1),
			b.log.Delete(logKey(2, 5)))
	})
	s := mustOpen(t, path, Options{NoSync: true})
	defer s.Close()
	mustBeCorrupt := func(what string, err error, stream string, version uint64) {
		t.Helper()
		var corrupt *eventstore.CorruptError
		if !errors.As(err, &corrupt) || corrupt.Stream != stream || corrupt.Version != version {
			t.Errorf("%s: %v, want a CorruptError at %s %d", what, err, stream, version)
		}
	}
	_, err := s.Head(ctx, "a")
	mustBeCorrupt("head", err, "a", 0)
	mustBeCorrupt("append", s.Append(ctx, (&storetest.Chain{Stream: "a"}).Next("", "x")), "a", 0)
	_, err = s.List(ctx, "", "", 0)
	mustBeCorrupt("list", err, "a", 0)
	if page, err := s.List(ctx, "", "a", 0); err != nil || len(page) != 1 {
		t.Errorf("list after the corrupt stream: %v, %v", page, err)
	}
	if page, err := s.Read(ctx, "b", 1, 2, 0); err != nil || len(page) != 2 {
		t.Errorf("read before the flipped entry: %d, %v", len(page), err)
	}
	_, err = s.Read(ctx, "b", 1, 0, 0)
	mustBeCorrupt("read", err, "b", 3)
	_, err = s.Read(ctx, "b", 4, 0, 0)
	mustBeCorrupt("read after the flipped entry, whose hash it needs", err, "b", 3)
	_, err = s.Read(ctx, "b", 5, 0, 0)
	mustBeCorrupt("read of the deleted entry", err, "b", 5)
	if err := s.Append(ctx, (&storetest.Chain{Stream: "c"}).Next("", "x")); err != nil {
		t.Errorf("append to another stream: %v", err)
	}
}

// TestDamageOfNoEntryNamesNoVersion damages the number of a stream and that of a key: no entry is at fault.
func TestDamageOfNoEntryNamesNoVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		b := bucketsOf(tx)
		return errors.Join(flip(b.keys, indexKey(1, "k2"), -1), flip(b.names, []byte("b"), -1))
	})
	s := mustOpen(t, path, Options{NoSync: true})
	defer s.Close()
	_, err := s.Head(ctx, "b")
	_, _, bad := s.Lookup(ctx, "a", "k2")
	for stream, err := range map[string]error{"b": err, "a": bad} {
		var corrupt *eventstore.CorruptError
		if !errors.As(err, &corrupt) || corrupt.Stream != stream || corrupt.Version != 0 {
			t.Errorf("%s: %v, want a CorruptError of the stream as a whole", stream, err)
		}
	}
}

// TestDamagedPagesAreNoPanic overwrites every page but the first two, one file each, and wants errors at worst.
func TestDamagedPagesAreNoPanic(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole, err := os.ReadFile(sound(t))
	if err != nil {
		t.Fatal(err)
	}
	for page := 2; page < 12 && (page+1)*pageSize <= len(whole); page++ {
		for _, rubbish := range []byte{0x00, 0xff, 0x05} {
			path := newPath(t)
			damaged := append([]byte(nil), whole...)
			for i := range pageSize {
				damaged[page*pageSize+i] = rubbish
			}
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path, Options{NoSync: true})
			if err != nil {
				continue
			}
			_, _ = s.List(ctx, "", "", 0)
			_, _ = s.Read(ctx, "a", 1, 0, 0)
			if _, err := s.Check(ctx, storetest.Verify, nil); err != nil {
				t.Errorf("page %d of %#x: check: %v", page, rubbish, err)
			}
			_ = s.Append(ctx, (&storetest.Chain{Stream: "c"}).Next("", "x"))
			_ = s.Close()
		}
	}
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		make  func(t *testing.T) string
		found uint32
	}{
		"text": {func(t *testing.T) string { return file(t, []byte("a letter to a friend\n")) }, 0},
		"long": {func(t *testing.T) string { return file(t, make([]byte, 100_000)) }, 0},
		"foreign bbolt file": {func(t *testing.T) string {
			path := newPath(t)
			tamper(t, path, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
			return path
		}, 0},
		"newer format": {func(t *testing.T) string {
			path := sound(t)
			tamper(t, path, func(tx *bolt.Tx) error {
				return state{version: 99}.write(tx)
			})
			return path
		}, 99},
		"version that the state does not have": {func(t *testing.T) string {
			path := sound(t)
			tamper(t, path, func(tx *bolt.Tx) error {
				return tx.Bucket(bucketFormat).Put(formatNumber, binary.BigEndian.AppendUint32(nil, 4))
			})
			return path
		}, 0},
		"format unreadable": {func(t *testing.T) string {
			path := sound(t)
			tamper(t, path, func(tx *bolt.Tx) error { return tx.Bucket(bucketFormat).Put(formatNumber, []byte("one")) })
			return path
		}, 0},
		"bucket missing": {func(t *testing.T) string {
			path := sound(t)
			tamper(t, path, func(tx *bolt.Tx) error { return tx.DeleteBucket(bucketIndex) })
			return path
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := tt.make(t)
			before, _ := os.ReadFile(path)
			s, err := Open(path, Options{})
			var format *eventstore.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("open: %v, %v, want a FormatError", s, err)
			}
			if format.Path != path || format.Found != tt.found || format.Known != formatVersion {
				t.Errorf("open: %+v", format)
			}
			if after, _ := os.ReadFile(path); string(before) != string(after) {
				t.Error("the file was changed")
			}
		})
	}
}

func file(t testing.TB, content []byte) string {
	path := newPath(t)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
