package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/warledger/warledger/eventstore/storetest"
)

// TestPowerFailure cuts the power during a commit, on paper: from the file before and after it makes files in which
// only some of the pages were written, whole or torn, and the page that says so not yet. Each must open with all
// that was acknowledged before. With all pages and that one written, the new append must be there too.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := mustOpen(t, path, Options{MapSize: 1}) // a file no larger than it must be
	var chains []*storetest.Chain
	for i := range 4 {
		chains = append(chains, &storetest.Chain{Stream: fmt.Sprint("s", i)})
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	entries := uint64(0)
	for range 40 {
		before := mustReadFile(t, path)
		c := chains[rnd.IntN(len(chains))]
		data := string(bytes.Repeat([]byte{'x'}, rnd.IntN(6000)))
		if err := s.Append(context.Background(), c.Next(fmt.Sprint(c.Version), data)); err != nil {
			t.Fatal(err)
		}
		after := mustReadFile(t, path)
		if entries > 0 {
			for range 3 {
				mustHoldEntries(t, mix(rnd, before, after), entries)
			}
		}
		entries++
		mustHoldEntries(t, after, entries)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// mix takes each page from before, from after, or half and half; a page of those that tell which tree is current (the
// first two) is from before.
func mix(rnd *rand.Rand, before, after []byte) []byte {
	mixed := bytes.Clone(before)
	if rnd.IntN(2) == 0 { // the file had grown already
		mixed = append(mixed, make([]byte, len(after)-len(before))...)
	}
	for at := 2 * pageSize; at+pageSize <= len(mixed); at += pageSize {
		switch rnd.IntN(3) {
		case 0:
			copy(mixed[at:at+pageSize], after[at:])
		case 1:
			copy(mixed[at:at+pageSize/2], after[at:])
		}
	}
	return mixed
}

func mustHoldEntries(t testing.TB, content []byte, want uint64) {
	t.Helper()
	path := file(t, content)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	if got := storetest.MustBeSound(t, s); got.Entries != want {
		t.Errorf("%d entries after the power failure, %d were acknowledged", got.Entries, want)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	_ = os.Remove(path)
}

func mustReadFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
