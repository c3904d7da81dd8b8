package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// TestEveryByteOfARecordCounts flips a bit in each byte of every record, of the format's too, and in each byte of what
// lies in the bucket of recent appends: a check finds it or the file is refused, and no read shows anything but what
// was stored. A file where appends that wait are damaged is not written.
func TestEveryByteOfARecordCounts(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	sound := mustOpen(t, path, Options{ReadOnly: true})
	want := shown(sound)
	mustClose(t, sound)
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	type record struct {
		bucket string
		key    []byte
		size   int
	}
	var records []record
	err = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				records = append(records, record{string(name), append([]byte{}, k...), len(v)})
				return nil
			})
		})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	whole, flips := mustReadFile(t, path), 0
	for _, r := range records {
		t.Run(fmt.Sprintf("%s %x", r.bucket, r.key), func(t *testing.T) {
			damaged := newPath(t)
			for at := range r.size {
				mustWriteFile(t, damaged, whole)
				tamper(t, damaged, func(tx *bolt.Tx) error { return flip(tx.Bucket([]byte(r.bucket)), r.key, at) })
				mustNotice(t, damaged, want, at, r.bucket == "recent")
			}
		})
		flips += r.size
	}
	if flips < 500 {
		t.Errorf("%d bytes were flipped", flips)
	}
}

// shown is what a store shows of its streams, entry by entry, nothing of one that is damaged.
func shown(s *Store) map[string][]string {
	ctx := context.Background()
	all := make(map[string][]string)
	for _, name := range []string{"a", "b", "c"} {
		info, err := s.Head(ctx, name)
		page, more := s.Read(ctx, name, 0, 0, 0)
		if err := errors.Join(err, more); err != nil {
			continue
		}
		if info.Version != uint64(len(page)) {
			all[name] = []string{fmt.Sprint(info)}
		}
		for _, e := range page {
			all[name] = append(all[name], fmt.Sprint(e))
		}
	}
	return all
}

// mustNotice wants that a damaged file is found out. What is merged is whole or told as damaged. Of a commit that waits
// it cannot always be told which streams it was for: they may show what they had before, and nothing else.
func mustNotice(t *testing.T, path string, want map[string][]string, at int, waits bool) {
	t.Helper()
	s, err := Open(path, Options{NoSync: true, MapSize: 1})
	if err != nil {
		var format *eventstore.FormatError
		if !errors.As(err, &format) {
			t.Errorf("byte %d: open: %v", at, err)
		}
		return
	}
	defer s.Close()
	for name, got := range shown(s) {
		whole := len(got) == len(want[name]) || waits && len(got) < len(want[name])
		if !whole || !slices.Equal(got, want[name][:len(got)]) {
			t.Errorf("byte %d: %s shows %d entries, want %d", at, name, len(got), len(want[name]))
		}
	}
	report, err := s.Check(context.Background(), storetest.Verify, nil)
	if err != nil || report.Faults == 0 {
		t.Errorf("byte %d: check: %+v, %v", at, report, err)
	}
	if got := s.Stopped(); errors.Is(got, eventstore.ErrStopped) != waits {
		t.Errorf("byte %d: stopped: %v", at, got)
	}
}

// TestRecentAppendsAreMissing takes a commit that waits out of the file, the first, one in the middle or the last, or
// puts one of another number in its place: it is told, and the store is not written.
func TestRecentAppendsAreMissing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(b *bolt.Bucket, first, last uint64) error{
		"first":  func(b *bolt.Bucket, first, _ uint64) error { return b.Delete(recentKey(first)) },
		"middle": func(b *bolt.Bucket, first, _ uint64) error { return b.Delete(recentKey(first + 1)) },
		"last":   func(b *bolt.Bucket, _, last uint64) error { return b.Delete(recentKey(last)) },
		"moved":  func(b *bolt.Bucket, first, last uint64) error { return move(b, recentKey(first), recentKey(last)) },
		"key":    func(b *bolt.Bucket, _, _ uint64) error { return b.Put([]byte("x"), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := waiting(t)
			tamper(t, path, func(tx *bolt.Tx) error {
				st, err := readState(tx)
				b := tx.Bucket(bucketRecent)
				return errors.Join(err, spoil(b, st.merged+1, b.Sequence()))
			})
			s := mustOpen(t, path, Options{MapSize: 1})
			defer s.Close()
			if err := s.Append(context.Background(), (&storetest.Chain{Stream: "new"}).Next("", "x")); !errors.Is(err,
				eventstore.ErrStopped) {
				t.Errorf("append: %v, want ErrStopped", err)
			}
			report, err := s.Check(context.Background(), nil, nil)
			if err != nil || report.Faults == 0 {
				t.Errorf("check: %+v, %v", report, err)
			}
		})
	}
}

// TestCheckEnds damages the pages of a file so that cursors would go on for ever or count what is not there, and cuts
// the file: the check ends and tells of it in words.
func TestCheckEnds(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	c := &storetest.Chain{Stream: "s"}
	for i := range 400 {
		mustPut(t, s, c.Next(fmt.Sprint("key ", i), strings.Repeat("x", 300)), "")
	}
	mustClose(t, s)
	whole := mustReadFile(t, path)
	check := func(t *testing.T, content []byte) (report eventstore.CheckReport, told string) {
		t.Helper()
		s, err := Open(file(t, content), Options{ReadOnly: true, MapSize: 1})
		if err != nil {
			return eventstore.CheckReport{Faults: 1}, err.Error()
		}
		defer s.Close()
		report, err = s.Check(context.Background(), storetest.Verify,
			func(f eventstore.Fault) { told += f.String() + "\n" })
		if err != nil {
			t.Errorf("check: %v", err)
		}
		return report, told
	}
	branches, noticed := 0, 0
	for page := 2; page < len(whole)/pageSize; page++ {
		head := whole[page*pageSize:]
		if head[8] != branchFlag || head[0] != byte(page) {
			continue
		}
		branches++
		for target := range 3 {
			damaged := append([]byte{}, whole...)
			to := []byte{byte(page), head[pageHeader+8], 0xff}[target] // itself, the first child, and one far away
			damaged[page*pageSize+pageHeader+elementSize+8] = to
			report, told := check(t, damaged)
			if report.Keys > 1000 || report.Entries > 1000 {
				t.Errorf("page %d leads to %d: %+v\n%s", page, to, report, told)
			}
			if report.Faults > 0 { // on a free page it is no fault
				noticed++
			}
		}
	}
	if noticed < 4 {
		t.Errorf("%d of %d branches were noticed", noticed/3, branches)
	}
	for page := 2; page < len(whole)/pageSize; page++ { // an impossible number of elements
		damaged := append([]byte{}, whole...)
		damaged[page*pageSize+10], damaged[page*pageSize+11] = 0xfe, 0xff
		if report, told := check(t, damaged); report.Keys > 1000 || report.Entries > 1000 {
			t.Errorf("page %d: %+v\n%s", page, report, told)
		}
	}
	for _, n := range []int{len(whole) - pageSize, len(whole) / 2, 5 * pageSize, 3*pageSize + 100} {
		_, told := check(t, whole[:n])
		if n < usedSize(t, path) && (!strings.Contains(told, "cut off") || strings.Contains(told, "nil pointer")) {
			t.Errorf("cut to %d bytes: %s", n, told)
		}
		s, err := Open(file(t, whole[:n]), Options{})
		var corrupt *eventstore.CorruptError
		if n < usedSize(t, path) && (!errors.As(err, &corrupt) || strings.Contains(err.Error(), "nil pointer")) {
			t.Errorf("cut to %d bytes, opened to be written: %v, %v", n, s, err)
		}
		if s != nil {
			mustClose(t, s)
		}
	}
	if report, told := check(t,
		whole); cmp.Diff(eventstore.CheckReport{Streams: 1, Entries: 400, Bytes: 120_000, Keys: 400}, report) != "" {
		t.Errorf("the whole file: %+v\n%s", report, told)
	}
}

// usedSize is the size of a file without room to grow.
func usedSize(t *testing.T, path string) (size int) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.View(func(tx *bolt.Tx) error { size = int(tx.Size()); return nil })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return size
}

// TestEveryByteOfAPage flips bits all over a small file: nothing panics, nothing goes on for ever, and what is read is
// what was stored.
func TestEveryByteOfAPage(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(waiting(t))
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 61 {
		damaged := append([]byte{}, whole...)
		damaged[at] ^= 1 << (at % 8)
		s, err := Open(file(t, damaged), Options{ReadOnly: true, MapSize: 1})
		if err != nil {
			continue
		}
		if _, err := s.Check(context.Background(), storetest.Verify, nil); err != nil {
			t.Errorf("byte %d: %v", at, err)
		}
		mustClose(t, s)
	}
}
