package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// sector is what a disk writes whole, in bytes; all else it may tear.
const sector = 512

// TestPowerFailure cuts the power during commits, on paper. bbolt writes data, syncs, writes the page that says so, and syncs again; so from the file before
// and after a commit come the files that a disk may hold which drops, tears and reorders what is not synced: some sectors of the data and the old page,
// or all of the data and the page old, new, or torn. Each must open with all that was acknowledged before, and with the new append whole or not at all.
// Now and then the store goes on with such a file, and the append is sent again, as whoever had no answer does: it is then there once.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := &powerless{t: t, rnd: rand.New(rand.NewPCG(1, seed)), path: newPath(t)}
			for i := range 4 {
				p.chains = append(p.chains, &storetest.Chain{Stream: fmt.Sprint("s", i)})
			}
			p.open(newPath(t))
			for range 40 {
				p.round()
			}
			if err := p.s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// powerless is a store whose power goes now and then.
type powerless struct {
	t       *testing.T
	rnd     *rand.Rand
	path    string
	s       *Store
	chains  []*storetest.Chain
	entries uint64
}

func (p *powerless) open(path string) {
	p.path = path
	p.s = mustOpen(p.t, path, Options{MapSize: 1}) // a file no larger than it must be
}

// round appends, and looks at files that a power failure during the append could have left.
func (p *powerless) round() {
	before := mustReadFile(p.t, p.path)
	c := p.chains[p.rnd.IntN(len(p.chains))]
	a := c.Next(fmt.Sprint("key ", c.Version), string(bytes.Repeat([]byte{'x'}, p.rnd.IntN(6000))))
	if err := p.s.Append(context.Background(), a); err != nil {
		p.t.Fatal(err)
	}
	after := mustReadFile(p.t, p.path)
	lost, torn := p.dataUnsynced(before, after), p.metaUnsynced(before, after)
	if p.entries > 0 {
		mustHoldEntries(p.t, lost, p.entries, p.entries)
	}
	mustHoldEntries(p.t, torn, p.entries, p.entries+1)
	p.entries++
	mustHoldEntries(p.t, after, p.entries, p.entries)
	if p.entries < 2 || p.rnd.IntN(4) > 0 {
		return
	}
	if err := p.s.Close(); err != nil {
		p.t.Fatal(err)
	}
	found := [][]byte{lost, torn}[p.rnd.IntN(2)]
	p.open(file(p.t, found))
	var used *eventstore.KeyUsedError
	if err := p.s.Append(context.Background(), a); err != nil && !errors.As(err, &used) {
		p.t.Errorf("sent again after the power failure: %v", err)
	}
	if got := storetest.MustBeSound(p.t, p.s); got.Entries != p.entries {
		p.t.Errorf("%d entries after the append was sent again, want %d", got.Entries, p.entries)
	}
}

// dataUnsynced takes each sector of the data from before or from after, and the first two pages, which tell what tree is current, from before.
func (p *powerless) dataUnsynced(before, after []byte) []byte {
	mixed := bytes.Clone(before)
	if p.rnd.IntN(2) == 0 { // the file had grown already
		mixed = append(mixed, make([]byte, len(after)-len(before))...)
	}
	for at := 2 * pageSize; at+pageSize <= len(mixed); at += pageSize {
		odds := []int{0, 1, 2, 4}[p.rnd.IntN(4)] // of four sectors, so many are written
		for s := at; s < at+pageSize; s += sector {
			if p.rnd.IntN(4) < odds {
				copy(mixed[s:s+sector], after[s:])
			}
		}
	}
	return mixed
}

// metaUnsynced takes the data from after, and of the first two pages some bytes, torn anywhere: more than a disk does.
func (p *powerless) metaUnsynced(before, after []byte) []byte {
	mixed := bytes.Clone(after)
	for at := 0; at < 2*pageSize; at += pageSize {
		cut := []int{0, p.rnd.IntN(100), sector, pageSize}[p.rnd.IntN(4)]
		copy(mixed[at+cut:at+pageSize], before[at+cut:])
	}
	return mixed
}

func mustHoldEntries(t testing.TB, content []byte, least, most uint64) {
	t.Helper()
	path := file(t, content)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	if got := storetest.MustBeSound(t, s); got.Entries < least || got.Entries > most {
		t.Errorf("%d entries after the power failure, want %d to %d", got.Entries, least, most)
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
