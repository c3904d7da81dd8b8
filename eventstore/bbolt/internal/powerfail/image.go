package powerfail

import (
	"math/rand/v2"
)

// first is how many bytes at the beginning of a file hold what says which of its pages are in force: two pages of
// bbolt.
const first = 2 * 4096

// choice is one way in which a disk keeps some of what was not synced and loses the rest.
type choice struct {
	name string
	// op says whether the disk keeps what a write did to a sector.
	op func(op, sector int) bool
	// mixed, if set, picks any version of a sector in place of the newest one that was kept.
	mixed func(versions int) int
	// long says whether a length is kept; nil is as op.
	long func(op int) bool
	// change says whether the n-th change of a name is kept.
	change func(n int) bool
}

func always(int) bool       { return true }
func never(int) bool        { return false }
func all(int, int) bool     { return true }
func nothing(int, int) bool { return false }

// ruled are the choices by rule. last is the number of the last operation.
func ruled(last int) []choice {
	meta := func(s int) bool { return s*sector < first }
	return []choice{
		{name: "nothing", op: nothing, change: never},
		{name: "all", op: all, change: always},
		{name: "contents alone", op: all, change: never},
		{name: "names alone", op: nothing, change: always},
		{name: "lengths alone", op: nothing, long: always, change: always},
		{name: "contents without lengths", op: all, long: never, change: always},
		{name: "last write alone", op: func(op, _ int) bool { return op == last }, long: always, change: always},
		{name: "all but the last write", op: func(op, _ int) bool { return op != last }, change: always},
		{name: "first two pages alone", op: func(_, s int) bool { return meta(s) }, long: always, change: always},
		{name: "all but the first two pages", op: func(_, s int) bool { return !meta(s) }, change: always},
	}
}

// random is a choice by chance. The number of changes of names is given.
func random(rnd *rand.Rand, last, changes int) choice {
	c := choice{name: "some sectors", change: always}
	switch rnd.IntN(3) {
	case 0: // in their order, up to some
		n := rnd.IntN(changes + 1)
		c.change = func(i int) bool { return i < n }
	case 1: // some of them
		bits := rnd.Uint64()
		c.change = func(i int) bool { return bits>>(i%64)&1 == 1 }
	}
	coin := func(in, of int) bool { return rnd.IntN(of) < in }
	long := rnd.IntN(4)
	c.long = func(op int) bool { return coin(long, 3) }
	switch rnd.IntN(5) {
	case 0:
		c.name = "whole writes"
		seed := rnd.Uint64()
		c.op = func(op, _ int) bool { return rand.New(rand.NewPCG(seed, uint64(op))).IntN(2) == 0 }
	case 1:
		c.name = "all, and the last write torn"
		cut, tail := rnd.IntN(16), coin(1, 2)
		c.op = func(op, s int) bool { return op != last || (s%16 < cut) != tail }
	case 2:
		c.name = "any version of each sector"
		c.op = all
		c.mixed = func(versions int) int { return rnd.IntN(versions+1) - 1 }
	default:
		in := []int{1, 4, 7}[rnd.IntN(3)]
		c.op = func(int, int) bool { return coin(in, 8) }
	}
	return c
}

// contents returns what the disk holds by a choice: bytes by name.
func (d *disk) contents(c choice) map[string][]byte {
	images := map[string][]byte{}
	names := named(d.names, d.changes, c.change)
	for _, name := range sortedKeys(names) {
		images[name] = d.files[names[name]].image(func(vs []version) int {
			if c.mixed != nil {
				return c.mixed(len(vs))
			}
			for i := len(vs) - 1; i >= 0; i-- {
				if c.op(vs[i].op, vs[i].number) {
					return i
				}
			}
			return -1
		}, func(ls []length) int {
			for i := len(ls) - 1; i >= 0; i-- {
				if c.long != nil && c.long(ls[i].op) || c.long == nil && c.op(ls[i].op, -1) {
					return i
				}
			}
			return -1
		})
	}
	return images
}
