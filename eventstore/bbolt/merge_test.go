package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// failing is a hook that fails while told to.
type failing struct{ err atomic.Pointer[error] }

func (f *failing) with(err error) { f.err.Store(&err) }

func (f *failing) hook() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	return nil
}

// merged is what an observer is told of a merge.
type merged struct {
	entries int
	err     error
}

// TestMergeFails has merges fail before anything of them is written: appends go on until enough waits, are then refused
// with the cause, and go on once it is gone. All the while everything can be read, and a kill loses nothing.
func TestMergeFails(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var device failing
	device.with(syscall.ENOSPC)
	var told []merged
	s := mustOpen(t, newPath(t),
		Options{NoSync: true, recent: 300, hooks: hooks{beforeMerge: device.hook},
			ObserveMerge: func(took time.Duration, entries int, err error) {
				told = append(told, merged{entries, err})
				if took < 0 {
					t.Errorf("took %v", took)
				}
			}})
	c := &storetest.Chain{Stream: "s"}
	var err error
	n := uint64(0)
	for n < 100 {
		next := *c
		if err = s.Append(ctx, next.Next(fmt.Sprint("k", n), "x")); err != nil {
			break
		}
		*c = next
		n++
	}
	if n < 2 || n > 10 || !errors.Is(err, eventstore.ErrFull) || !errors.Is(err, syscall.ENOSPC) ||
		errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("%d appends, then %v, want a few and a certain ErrFull", n, err)
	}
	if err := s.SetMeta(ctx, "s", []byte("m"), eventstore.AnyMeta); !errors.Is(err, eventstore.ErrFull) {
		t.Errorf("set meta: %v, want ErrFull", err)
	}
	before := fmt.Sprint("s ", n, " ")
	var copied bytes.Buffer
	if _, err := s.Backup(ctx, &copied); err != nil {
		t.Errorf("backup: %v", err)
	}
	mustHold(t, s, before)
	for _, path := range []string{left(t, s), file(t, copied.Bytes())} {
		killed := mustOpen(t, path, Options{MapSize: 1})
		mustHold(t, killed, before)
		mustClose(t, killed)
	}
	device.with(nil)
	mustPut(t, s, c.Next("last", "x"), "m")
	after := fmt.Sprint("s ", n+1, " m")
	mustHold(t, s, after)
	if s.pending.Load().bytes > 200 {
		t.Error("nothing was merged")
	}
	device.with(syscall.EIO)
	path := s.path
	mustClose(t, s) // what cannot be merged is no loss
	s = mustOpen(t, path, Options{MapSize: 1})
	mustHold(t, s, after)
	mustClose(t, s)
	alone(t, path)
	failed, entries := 0, 0
	for _, m := range told {
		if m.err != nil {
			failed++
		} else {
			entries += m.entries
		}
	}
	if failed < 3 || entries != int(n) {
		t.Errorf("the observer was told of %d failures and %d entries: %v", failed, entries, told)
	}
}

// TestMetadataOrder sets metadata within a commit, across commits and across merges: the last is what is shown, before
// and after each.
func TestMetadataOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	defer func() { mustClose(t, s) }()
	if err := s.SetMeta(ctx, "s", []byte("early"), eventstore.AnyMeta); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("metadata of no stream: %v", err)
	}
	c := &storetest.Chain{Stream: "s"}
	want := ""
	wantMeta := func(what string) {
		t.Helper()
		mustHold(t, s, fmt.Sprint("s ", c.Version, " ", want))
		killed := mustOpen(t, left(t, s), Options{MapSize: 1})
		if got := held(t, killed); len(got) != 1 || got[0] != fmt.Sprint("s ", c.Version, " ", want) {
			t.Errorf("%s, after a kill: %v, want version %d with %q", what, got, c.Version, want)
		}
		mustClose(t, killed)
	}
	mustPut(t, s, c.Next("", "x"), "")
	for i := range 6 {
		want = fmt.Sprint("set ", i)
		if err := s.SetMeta(ctx, "s", []byte(want), eventstore.AnyMeta); err != nil {
			t.Fatal(err)
		}
		wantMeta("set")
		if i%2 == 0 {
			mustMerge(t, s)
			wantMeta("set and merged")
		}
		want = fmt.Sprint("with ", i)
		mustPut(t, s, c.Next("", "x"), want)
		wantMeta("with an append")
		mustPut(t, s, c.Next("", "y"), "")
		wantMeta("with one before")
		if i%3 == 0 {
			mustMerge(t, s)
			wantMeta("with an append and merged")
		}
	}
	want = ""
	if err := s.SetMeta(ctx, "s", nil, eventstore.AnyMeta); err != nil {
		t.Fatal(err)
	}
	wantMeta("emptied")
	mustMerge(t, s)
	wantMeta("emptied and merged")
}

// TestManyKnownStreams has more streams than the writer remembers wait for a merge at once.
func TestManyKnownStreams(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	defer func() { mustClose(t, s) }()
	first := &storetest.Chain{Stream: "first"}
	mustPut(t, s, first.Next("k1", "1"), "")
	s.turn.Lock()
	s.memory["first"].id = 0
	for i := range rememberedStreams {
		s.memory[fmt.Sprint("filler ", i)] = &streamMemory{}
	}
	s.turn.Unlock()
	var used *eventstore.KeyUsedError
	if err := s.Append(context.Background(),
		(&storetest.Chain{Stream: "first", Version: 1, Hash: first.Hash}).Next("k1", "2")); !errors.As(err, &used) ||
		used.Version != 1 {
		t.Errorf("a key that waits: %v", err)
	}
	mustPut(t, s, first.Next("k2", "2"), "")
	if len(s.memory) != 1 {
		t.Errorf("%d streams are remembered", len(s.memory))
	}
	mustMerge(t, s)
	mustPut(t, s, first.Next("k3", "3"), "")
	mustHold(t, s, "first 3 ")
}

// TestDamagedStreamIsKeptApart has the head of a stream be damaged while appends to it wait: others are merged, what
// cannot be is kept, and a check tells of it.
func TestDamagedStreamIsKeptApart(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, metaFirst := range []bool{false, true} {
		path, want := waiting(t), "2"
		if metaFirst { // metadata do not say which version they go on from
			s := mustOpen(t, path, Options{MapSize: 1})
			mustMerge(t, s)
			if err := s.SetMeta(ctx, "a", []byte("late"), eventstore.AnyMeta); err != nil {
				t.Fatal(err)
			}
			mustPut(t, s, storetest.Continue(t, s, "a").Next("k5", "5"), "")
			path, want = left(t, s), "1"
			mustClose(t, s)
		}
		tamper(t, path, func(tx *bolt.Tx) error { return flip(bucketsOf(tx).log, logKey(1, headVersion), 9) })
		s := mustOpen(t, path, Options{MapSize: 1})
		for _, when := range []string{"waiting", "merged"} {
			var corrupt *eventstore.CorruptError
			if _, err := s.Head(ctx, "a"); !errors.As(err, &corrupt) || corrupt.Stream != "a" {
				t.Errorf("%s: head of the damaged stream: %v", when, err)
			}
			if err := s.Append(ctx, (&storetest.Chain{Stream: "a"}).Next("", "x")); !errors.As(err, &corrupt) {
				t.Errorf("%s: append to the damaged stream: %v", when, err)
			}
			mustPut(t, s, storetest.Continue(t, s, "b").Next("", "x"), "")
			mustMerge(t, s)
		}
		told := 0
		report, err := s.Check(ctx, storetest.Verify, func(f eventstore.Fault) {
			if f.Kind == eventstore.FaultOrphan && f.Stream == "a" &&
				strings.HasPrefix(f.What, want+" entries were kept apart") {
				told++
			}
		})
		if err != nil || told != 1 || report.Faults < 2 {
			t.Errorf("check: %+v, %v, told %d times", report, err, told)
		}
		// Mended by hand, they are all there.
		if err := s.db.View(func(tx *bolt.Tx) error {
			list, err := parseRequests(bytes.Clone(tx.Bucket(bucketStranded).Get([]byte("a"))))
			if err != nil || len(list) == 0 {
				t.Errorf("kept apart: %d requests, %v", len(list), err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		mustClose(t, s)
	}
}

// TestLargeAppend keeps an append that is larger than what is usually kept until a merge; small ones before and after
// are as they were.
func TestLargeAppend(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	c, large := &storetest.Chain{Stream: "s"}, &storetest.Chain{Stream: "large"}
	mustPut(t, s, c.Next("", "x"), "")
	s.turn.Lock() // the writer shall not merge before the kill
	a := large.Next("", strings.Repeat("L", eventstore.MaxData))
	r := newAppend(&a)
	s.serve(r)
	s.turn.Unlock()
	if r.err != nil {
		t.Fatal(r.err)
	}
	killed := mustOpen(t, left(t, s), Options{NoSync: true, MapSize: 1})
	mustHold(t, killed, "large 1 ", "s 1 ")
	mustClose(t, killed)
	mustPut(t, s, c.Next("", "x"), "")
	mustMerge(t, s)
	for range 3 {
		mustPut(t, s, c.Next("", "x"), "")
	}
	killed = mustOpen(t, left(t, s), Options{NoSync: true, MapSize: 1})
	mustHold(t, killed, "large 1 ", "s 5 ")
	mustClose(t, killed)
	mustClose(t, s)
}

// TestReadersDuringMerges reads in every way while small merges follow one another: versions never go back, metadata
// belong to their version, and what was acknowledged is seen by whoever asks after.
func TestReadersDuringMerges(t *testing.T) {
	t.Parallel()
	for _, recent := range []int{1, 3000} {
		t.Run(fmt.Sprint("recent of ", recent), func(t *testing.T) {
			t.Parallel()
			s := mustOpen(t, newPath(t), Options{NoSync: true, recent: recent, maxUnindexed: 2, MapSize: 16 << 20})
			d := &during{t: t, s: s, each: 150}
			d.run()
			mustClose(t, s)
		})
	}
}

// during is what TestReadersDuringMerges does.
type during struct {
	t    *testing.T
	s    *Store
	each int
	done atomic.Bool
	// acked is the last version of each stream that was acknowledged.
	acked [3]atomic.Uint64
}

func (d *during) name(i int) string { return fmt.Sprint("s", i) }

func (d *during) run() {
	var writers, readers sync.WaitGroup
	for i := range d.acked {
		writers.Go(func() { d.write(i) })
		readers.Go(func() { d.head(i) })
		readers.Go(func() { d.read(i) })
		readers.Go(func() { d.wait(i) })
	}
	readers.Go(d.list)
	readers.Go(d.check)
	writers.Wait()
	d.done.Store(true)
	readers.Wait()
	for i := range d.acked {
		if n := len(storetest.ReadAll(d.t, d.s, d.name(i), 0)); n != d.each {
			d.t.Errorf("%s has %d entries, want %d", d.name(i), n, d.each)
		}
	}
	storetest.MustBeSound(d.t, d.s)
}

// write appends entries whose key and metadata tell their version.
func (d *during) write(i int) {
	c := &storetest.Chain{Stream: d.name(i)}
	for range d.each {
		a := c.Next(fmt.Sprint("k", c.Version+1), "x")
		a.Meta, a.MetaExpected = fmt.Append(nil, c.Version), c.Version-1
		if err := d.s.Append(context.Background(), a); err != nil {
			d.t.Error(err)
			return
		}
		d.acked[i].Store(c.Version)
	}
}

// info looks at one state of a stream.
func (d *during) info(what string, i int, least, last uint64, info eventstore.StreamInfo) uint64 {
	if info.Version < max(least, last) || string(info.Meta) != fmt.Sprint(info.Version) {
		d.t.Errorf("%s of %s: version %d with metadata %q, after %d was seen and %d acknowledged",
			what, d.name(i), info.Version, info.Meta, last, least)
		d.done.Store(true)
	}
	return info.Version
}

func (d *during) head(i int) {
	for last := uint64(0); !d.done.Load(); {
		least := d.acked[i].Load()
		info, err := d.s.Head(context.Background(), d.name(i))
		if err == nil {
			last = d.info("head", i, least, last, info)
		} else if least > 0 {
			d.t.Errorf("head: %v", err)
			return
		}
		if least == 0 {
			continue
		}
		if v, found, err := d.s.Lookup(context.Background(), d.name(i), fmt.Sprint("k", least)); v != least || !found ||
			err != nil {
			d.t.Errorf("lookup of k%d: %d, %v, %v", least, v, found, err)
			return
		}
	}
}

func (d *during) read(i int) {
	for !d.done.Load() {
		least := d.acked[i].Load()
		if least == 0 {
			continue
		}
		from := max(1, least-min(least, 8))
		page, err := d.s.Read(context.Background(), d.name(i), from, 0, 0)
		if err != nil || from+uint64(len(page))-1 < least {
			d.t.Errorf("read from %d: %d entries, %v, %d were acknowledged", from, len(page), err, least)
			return
		}
		for n, e := range page {
			if e.Version != from+uint64(n) || e.Key != fmt.Sprint("k", e.Version) || storetest.Verify("", e) != nil {
				d.t.Errorf("read from %d: entry %d is version %d with the key %q", from, n, e.Version, e.Key)
				return
			}
		}
	}
}

func (d *during) wait(i int) {
	for last := (eventstore.Mark{}); last.Version < uint64(d.each); {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		m, err := d.s.Wait(ctx, d.name(i), last)
		cancel()
		if err != nil || m.Version <= last.Version || m.Meta != m.Version {
			d.t.Errorf("wait after %v: %v, %v", last, m, err)
			return
		}
		last = m
	}
}

func (d *during) list() {
	var last [3]uint64
	for !d.done.Load() {
		var least [3]uint64
		for i := range least {
			least[i] = d.acked[i].Load()
		}
		page, err := d.s.List(context.Background(), "s", "", 0)
		if err != nil {
			d.t.Error(err)
			return
		}
		seen := map[string]bool{}
		for _, info := range page {
			i := int(info.Name[1] - '0')
			last[i] = d.info("list", i, least[i], last[i], info)
			seen[info.Name] = true
		}
		for i := range least {
			if least[i] > 0 && !seen[d.name(i)] || len(seen) != len(page) {
				d.t.Errorf("list: %v, %s has %d", page, d.name(i), least[i])
				return
			}
		}
	}
}

func (d *during) check() {
	for !d.done.Load() {
		_, err := d.s.Check(context.Background(), storetest.Verify,
			func(f eventstore.Fault) { d.t.Errorf("check: %+v", f) })
		if err != nil {
			d.t.Error(err)
			return
		}
	}
}
