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

// sector is what a disk writes whole, in bytes.
const sector = 512

// TestPowerFailure cuts the power during commits and merges, on paper. bbolt writes data, syncs, writes the page that
// says so, and syncs again; so a disk that drops, tears and reorders what is not synced may hold some sectors of the
// data and the old page, or all of the data and the page old, new, or torn. Each must open with all that was
// acknowledged before, and with the new append whole or not at all. Now and then the store goes on with such a file,
// and the append is sent again, as whoever had no answer does: it is then there once.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := &powerless{t: t, rnd: rand.New(rand.NewPCG(1, seed))}
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
			if p.merged == 0 || p.gone == 0 {
				t.Errorf("%d merges, the power went %d times", p.merged, p.gone)
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

	merged, gone int
}

func (p *powerless) open(path string) {
	p.path = path
	p.s = mustOpen(p.t, path, Options{MapSize: 1}) // a file no larger than it must be
}

func (p *powerless) disk() []byte { return mustReadFile(p.t, p.path) }

// round appends or merges, and looks at files that a power failure during that could have left.
func (p *powerless) round() {
	if p.entries > 0 && p.rnd.IntN(3) == 0 {
		p.merge()
		return
	}
	before := p.disk()
	c := p.chains[p.rnd.IntN(len(p.chains))]
	a := c.Next(fmt.Sprint("key ", c.Version), string(bytes.Repeat([]byte{'x'}, p.rnd.IntN(6000))))
	if err := p.s.Append(context.Background(), a); err != nil {
		p.t.Fatal(err)
	}
	after := p.disk()
	lost, torn := p.unsynced(before, after, 2*pageSize), p.metaUnsynced(before, after)
	mustHoldEntries(p.t, lost, p.entries, p.entries)
	mustHoldEntries(p.t, torn, p.entries, p.entries+1)
	p.entries++
	mustHoldEntries(p.t, after, p.entries, p.entries)
	if p.rnd.IntN(4) > 0 {
		return
	}
	p.goOn([][]byte{lost, torn}[p.rnd.IntN(2)])
	var used *eventstore.KeyUsedError
	if err := p.s.Append(context.Background(), a); err != nil && !errors.As(err, &used) {
		p.t.Errorf("sent again after the power failure: %v", err)
	}
	p.mustBeSound()
}

func (p *powerless) merge() {
	before := p.disk()
	mustMerge(p.t, p.s)
	after := p.disk()
	if bytes.Equal(before, after) {
		return // there was nothing to merge
	}
	p.merged++
	lost, torn := p.unsynced(before, after, 2*pageSize), p.metaUnsynced(before, after)
	for _, d := range [][]byte{lost, torn, after} {
		mustHoldEntries(p.t, d, p.entries, p.entries)
	}
	if p.rnd.IntN(3) == 0 {
		p.goOn([][]byte{lost, torn}[p.rnd.IntN(2)])
		p.mustBeSound()
	}
}

// goOn has the store go on with what a disk holds.
func (p *powerless) goOn(d []byte) {
	p.gone++
	if err := p.s.Close(); err != nil {
		p.t.Fatal(err)
	}
	p.open(file(p.t, d))
}

func (p *powerless) mustBeSound() {
	p.t.Helper()
	if got := storetest.MustBeSound(p.t, p.s); got.Entries != p.entries {
		p.t.Errorf("%d entries after the power failure, want %d", got.Entries, p.entries)
	}
}

// unsynced takes each sector from before or from after, and what lies in front of a place from before.
func (p *powerless) unsynced(before, after []byte, from int) []byte {
	mixed := bytes.Clone(before)
	if p.rnd.IntN(2) == 0 { // the file had grown already
		mixed = append(mixed, make([]byte, max(0, len(after)-len(before)))...)
	}
	for at := from; at+sector <= len(mixed); at += 4 * sector {
		odds := []int{0, 1, 2, 4}[p.rnd.IntN(4)] // of four sectors, so many are written
		for s := at; s < min(at+4*sector, len(mixed), len(after)); s += sector {
			if p.rnd.IntN(4) < odds {
				copy(mixed[s:min(s+sector, len(mixed))], after[s:])
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

func mustHoldEntries(t testing.TB, d []byte, least, most uint64) {
	t.Helper()
	path := file(t, d)
	s := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	if got := storetest.MustBeSound(t, s); got.Entries < least || got.Entries > most {
		t.Errorf("%d entries after the power failure, want %d to %d", got.Entries, least, most)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	_ = os.Remove(path)
}
