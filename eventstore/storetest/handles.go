package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

// testHandles writes at one handle what the other reads at once, and the other way round.
func testHandles(t *testing.T, open Factory) {
	e := open(t)
	finish(t, e.Store)
	first, second := e.Store, e.Store
	if e.Second != nil {
		second = e.Second(t)
		finish(t, second)
	}
	for _, s := range []eventstore.Store{first, second} {
		if s.Shared() != (e.Second != nil) {
			t.Errorf("the store says that it is shared: %t", s.Shared())
		}
	}
	c := &Chain{Stream: "s"}
	for i := range 20 {
		writer, reader := first, second
		if i%2 == 1 {
			writer, reader = second, first
		}
		key := fmt.Sprint("k", i)
		a := mustAppend(t, writer, withMeta(c.Next(key, fmt.Sprint(i)), key, uint64(i)))
		want := eventstore.Page{
			Entries: a.Entries,
			Head: eventstore.StreamInfo{
				Name: "s", Version: c.Version, Hash: c.Hash, Meta: []byte(key), MetaVersion: uint64(i) + 1,
			},
		}
		got, err := reader.ReadAt(ctx, "s", c.Version, 0, 0)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("round %d: %v (-written +read):\n%s", i, err, diff)
		}
		if v, found, err := reader.Lookup(ctx, "s", key); v != c.Version || !found || err != nil {
			t.Errorf("lookup of %q = %d, %t, %v", key, v, found, err)
		}
		mustRefuseKey(t, reader, (&Chain{"s", c.Version, c.Hash}).Next(key, "again"), key, c.Version)
	}
}

// testRaceOfHandles has writers at two handles append at the same version: exactly one wins each time, and a retry at
// the other handle is told of its key.
func testRaceOfHandles(t *testing.T, open Factory) {
	first, second := handles(t, open)
	race(t, first, second)
}

// testWakeHandle wants those who wait at one handle woken by entries and by metadata that come through the other.
func testWakeHandle(t *testing.T, open Factory) {
	first, second := handles(t, open)
	c := &Chain{Stream: "s"}
	woken := make(chan wakening)
	at := eventstore.Mark{}
	for i := range 20 {
		waiter, writer := first, second
		if i%2 == 1 {
			waiter, writer = second, first
		}
		for range 3 {
			go waitAt(waiter, "s", at, woken)
		}
		waitFor(t, waiter, 3)
		if at.Version++; i%4 < 2 {
			mustAppend(t, writer, c.Next("", fmt.Sprint(i)))
		} else {
			at.Version, at.Meta = at.Version-1, at.Meta+1
			if err := writer.SetMeta(ctx, "s", []byte(fmt.Sprint(i)), at.Meta-1); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			if w := <-woken; w.mark != at || w.err != nil {
				t.Errorf("round %d: woken with %v, %v, want %v", i, w.mark, w.err, at)
			}
		}
	}
}

// testOneMoment reads pages at one handle while entries come with their metadata through the other: each page goes up
// to the head that comes with it, and the metadata are those of that head.
func testOneMoment(t *testing.T, open Factory) {
	writer, reader := handles(t, open)
	c := &Chain{Stream: "s"}
	mustAppend(t, writer, withMeta(c.Next("", "1"), "1", 0))
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for last := uint64(0); !done.Load(); {
				page, err := reader.ReadAt(ctx, "s", 1, 1000, 0)
				n := uint64(len(page.Entries))
				if err != nil || n == 0 || n < last {
					t.Errorf("%d entries after %d, %v", n, last, err)
					return
				}
				last = n
				tip, head := page.Entries[n-1], page.Head
				if head.Version != n || head.Hash != tip.Hash || head.MetaVersion != n ||
					string(head.Meta) != fmt.Sprint(n) {
					t.Errorf("page ends with version %d, its head says %+v", n, head)
					return
				}
			}
		})
	}
	for i := 2; i <= 150; i++ {
		mustAppend(t, writer, withMeta(c.Next("", fmt.Sprint(i)), fmt.Sprint(i), uint64(i)-1))
	}
	done.Store(true)
	wg.Wait()
}
