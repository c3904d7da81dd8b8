package anniversary

import (
	"sort"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Key says what kind of unit a group is of: everything in which units can differ, packed into one number so that groups
// are compared, sorted and found as numbers. From the top: space 8 bits, power+1 3, type 4, movement used 4, marks 13,
// from+1 8, target+1 8, cargo 2 × 8. Zero is no unit.
type Key uint64

// Mark is a fact about units that lasts for a turn or a combat, by bit: bit n is the contract's mark n+1.
type Mark uint16

// The marks.
const (
	Moved      Mark = 1 << iota // made a combat move, or takes part in combat without having moved
	Done                        // does nothing more this turn
	Attack                      // must attack the submarines and transports beside it (AA 8.1.4)
	Raid                        // raids a complex (AA 8.9.1)
	Dropped                     // by parachute (AA 6.3.8)
	Seaborne                    // came ashore in this combat (AA 9.3.14) or phase; of a transport: landed something
	Hit                         // in the casualty zone (AA 9.5.5)
	Damaged                     // a battleship hit once in this combat (AA 9.8.4)
	Submerged                   // out of this combat (AA 9.7.7)
	Bombarded                   // this turn (AA 9.3.6)
	Struck                      // by surprise: removed without firing (AA 9.7.4)
	Captured                    // a gun taken this turn (AA 10.1.6)
	Waiting                     // for a new carrier (AA 12.3.5)
	numMarks   = iota
	combatMark = Hit | Damaged | Submerged | Struck
)

// Positions of the fields.
const (
	shiftAt, shiftPower, shiftType, shiftUsed, shiftMarks, shiftFrom, shiftTarget = 56, 53, 49, 45, 32, 24, 16
	marksMask                                                                     = 1<<numMarks - 1
)

// Cargo is a unit aboard: 0 for none. Bit 7 is set, bits 0 and 1 are the type (a fighter counts as 0 on a
// carrier), 2 to 4 the owner.
type Cargo uint8

// Bits of cargo.
const (
	aboard Cargo = 0x80
	loaded Cargo = 0x20 // this turn
	lands  Cargo = 0x40 // declared for an assault
)

func cargoOf(u Unit, w Power) Cargo { return aboard | Cargo(u&3) | Cargo(w)<<2 }

// guestOf is a guest fighter of a power.
func guestOf(w Power) Cargo { return cargoOf(0, w) }

// Unit is the type of a land unit aboard.
func (c Cargo) Unit() Unit { return Unit(c & 3) }

// Power is the owner of a unit aboard.
func (c Cargo) Power() Power { return Power(c >> 2 & 7) }

// keyOf is the key of units at rest.
func keyOf(at Space, w Power, u Unit) Key {
	return Key(at)<<shiftAt | Key(w+1)<<shiftPower | Key(u)<<shiftType
}

// At is the space.
func (k Key) At() Space { return Space(k >> shiftAt) }

// Power is the owner.
func (k Key) Power() Power { return Power(k>>shiftPower&7) - 1 }

// Unit is the type.
func (k Key) Unit() Unit { return Unit(k >> shiftType & 15) }

// Used is the movement used this turn.
func (k Key) Used() uint8 { return uint8(k >> shiftUsed & 15) }

// Marks are the facts of turn and combat.
func (k Key) Marks() Mark { return Mark(k >> shiftMarks & marksMask) }

// Has reports whether any of the marks is set.
func (k Key) Has(m Mark) bool { return k.Marks()&m != 0 }

// From is the space before this one on the way of a combat move; NoSpace if none.
func (k Key) From() Space { return Space(k>>shiftFrom) - 1 }

// Target is the territory that the cargo assaults; NoSpace if none.
func (k Key) Target() Space { return Space(k>>shiftTarget) - 1 }

// Cargo is what is aboard, larger first.
func (k Key) Cargo() [2]Cargo { return [2]Cargo{Cargo(k), Cargo(k >> 8)} }

func (k Key) moveTo(s Space) Key   { return k&^(0xff<<shiftAt) | Key(s)<<shiftAt }
func (k Key) ownedBy(w Power) Key  { return k&^(7<<shiftPower) | Key(w+1)<<shiftPower }
func (k Key) use(n uint8) Key      { return k&^(15<<shiftUsed) | Key(n)<<shiftUsed }
func (k Key) mark(m Mark) Key      { return k | Key(m)<<shiftMarks }
func (k Key) unmark(m Mark) Key    { return k &^ (Key(m) << shiftMarks) }
func (k Key) cameFrom(s Space) Key { return k&^(0xff<<shiftFrom) | Key(uint8(s+1))<<shiftFrom }
func (k Key) aimedAt(s Space) Key  { return k&^(0xff<<shiftTarget) | Key(uint8(s+1))<<shiftTarget }
func (k Key) carrying(c [2]Cargo) Key { // larger first, so that equal loads have equal keys
	if c[0] < c[1] {
		c[0], c[1] = c[1], c[0]
	}
	return k&^0xffff | Key(c[0]) | Key(c[1])<<8
}

// rested is the key without what lasts for a turn; cargo stays aboard.
func (k Key) rested() Key {
	c := k.Cargo()
	for i := range c {
		c[i] &^= loaded | lands
	}
	return keyOf(k.At(), k.Power(), k.Unit()).carrying(c)
}

// Group is a number of units that are alike.
type Group struct {
	Key
	N uint16
}

// tally counts a side's units in a space: what makes it hostile, and what carries whom.
type tally struct{ any, surface, destroyers, fighters, carriers uint16 }

// at are the groups in a space.
func (p *Position) at(s Space) []Group { return p.groups[p.head[s]:p.head[s+1]] }

// find is the place of a key, or where it would be.
func (p *Position) find(k Key) (int, bool) {
	lo, hi := int(p.head[k.At()]), int(p.head[k.At()+1])
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); p.groups[mid].Key < k {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(p.groups) && p.groups[lo].Key == k
}

// count is how many units of a key there are.
func (p *Position) count(k Key) int {
	if i, ok := p.find(k); ok {
		return int(p.groups[i].N)
	}
	return 0
}

// put adds units.
func (p *Position) put(k Key, n uint16) {
	i, ok := p.find(k)
	if ok {
		p.groups[i].N += n
	} else {
		p.groups = append(p.groups, Group{})
		copy(p.groups[i+1:], p.groups[i:])
		p.groups[i] = Group{k, n}
		for s := int(k.At()) + 1; s < len(p.head); s++ {
			p.head[s]++
		}
	}
	p.tell(k, n)
}

// take removes units; false if there are not as many.
func (p *Position) take(k Key, n uint16) bool {
	i, ok := p.find(k)
	if !ok || p.groups[i].N < n {
		return false
	}
	p.groups[i].N -= n
	if p.groups[i].N == 0 {
		p.groups = append(p.groups[:i], p.groups[i+1:]...)
		for s := int(k.At()) + 1; s < len(p.head); s++ {
			p.head[s]--
		}
	}
	p.tell(k, -n)
	return true
}

// tell keeps the tallies.
func (p *Position) tell(k Key, n uint16) {
	w := k.Power()
	if w >= NumPowers {
		return
	}
	t, u := &p.tallies[k.At()][w.Side()], k.Unit()
	t.any += n
	switch {
	case u.In(scenario.SurfaceShip):
		t.surface += n
		if u == Destroyer {
			t.destroyers += n
		} else if u == Carrier {
			t.carriers += n
		}
	case u == Fighter:
		t.fighters += n
	}
}

// rest clears what lasts for a turn from every group, and joins groups that have become alike.
func (p *Position) rest() {
	clean := true
	for i := range p.groups {
		if r := p.groups[i].Key.rested(); r != p.groups[i].Key {
			p.groups[i].Key, clean = r, false
		}
	}
	if clean {
		return
	}
	g := p.groups
	sort.Slice(g, func(i, j int) bool { return g[i].Key < g[j].Key })
	n := 0
	for i := range g {
		if n > 0 && g[n-1].Key == g[i].Key {
			g[n-1].N += g[i].N
		} else {
			g[n] = g[i]
			n++
		}
	}
	p.groups = g[:n]
	p.index()
}

// index finds the first group of every space anew.
func (p *Position) index() {
	i := 0
	for s := range p.head {
		for i < len(p.groups) && int(p.groups[i].At()) < s {
			i++
		}
		p.head[s] = uint16(i)
	}
}
