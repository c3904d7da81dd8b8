package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

// Link returns the hash of an entry of the suite: it commits to the chain before, to the key and to the data.
func Link(prev eventstore.Hash, key string, data []byte) eventstore.Hash {
	h := sha256.New()
	h.Write(prev[:])
	fmt.Fprintf(h, "%d %s", len(key), key)
	h.Write(data)
	return eventstore.Hash(h.Sum(nil))
}

// Verify recomputes an entry's hash; it is made for Check.
func Verify(_ string, e eventstore.Entry) error {
	if want := Link(e.Prev, e.Key, e.Data); e.Hash != want {
		return fmt.Errorf("hash begins with %x, recomputed with %x", e.Hash[:4], want[:4])
	}
	return nil
}

// Chain builds the appends of one stream, each on the one before.
type Chain struct {
	Stream  string
	Version uint64
	Hash    eventstore.Hash
}

// Next returns an append of one entry for each data, and takes it as stored. The first entry has the key.
func (c *Chain) Next(key string, data ...string) eventstore.Append {
	a := eventstore.Append{Stream: c.Stream, Expected: c.Version}
	for i, d := range data {
		if i > 0 {
			key = ""
		}
		e := eventstore.Entry{Version: c.Version + 1, Key: key, Prev: c.Hash, Data: []byte(d)}
		if d == "" {
			e.Data = nil
		}
		e.Hash = Link(e.Prev, key, e.Data)
		a.Entries = append(a.Entries, e)
		c.Version, c.Hash = e.Version, e.Hash
	}
	return a
}

// Continue returns a chain that goes on where a stream of the store ends.
func Continue(t testing.TB, s eventstore.Store, stream string) *Chain {
	t.Helper()
	info, err := s.Head(context.Background(), stream)
	if err != nil {
		t.Fatalf("head: %v", err)
	}
	return &Chain{stream, info.Version, info.Hash}
}

func mustAppend(t testing.TB, s eventstore.Store, a eventstore.Append) eventstore.Append {
	t.Helper()
	if err := s.Append(context.Background(), a); err != nil {
		t.Fatalf("append to %q at %d: %v", a.Stream, a.Expected, err)
	}
	return a
}

// fill appends n entries with data 1, 2, 3, ... and keys k1, k2, k3, ... to a new stream.
func fill(t testing.TB, s eventstore.Store, stream string, n int) (*Chain, []eventstore.Entry) {
	t.Helper()
	c := &Chain{Stream: stream}
	var all []eventstore.Entry
	for i := 1; i <= n; i++ {
		all = append(all, mustAppend(t, s, c.Next(fmt.Sprint("k", i), fmt.Sprint(i))).Entries...)
	}
	return c, all
}

// ReadAll returns all entries of a stream, page by page; none when it does not exist.
func ReadAll(t testing.TB, s eventstore.Store, stream string, limit int) []eventstore.Entry {
	t.Helper()
	var all []eventstore.Entry
	for {
		page, err := s.Read(context.Background(), stream, uint64(len(all))+1, limit, 0)
		if err != nil {
			t.Fatalf("read %q from %d: %v", stream, len(all)+1, err)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

// diffEntries compares data as a whole: byte by byte, large data would take minutes.
func diffEntries(want, got []eventstore.Entry) string {
	return cmp.Diff(want, got, cmp.Comparer(bytes.Equal))
}
