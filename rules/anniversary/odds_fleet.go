package anniversary

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// fleet is what is left of a side in a battle that is weighed.
type fleet struct {
	left  [NumUnits]uint16 // battleships that are hit count as they are
	hurt  uint16           // of them hit once
	dived bool             // submarines are out of the combat (AA 9.7.7)
}

func fleetOf(units *[NumUnits]int) (f fleet) {
	for u, n := range units {
		f.left[u] = uint16(n)
	}
	return f
}

// force counts what is in the combat.
func (f *fleet) force() (o force) {
	for u, n := range f.left {
		if n > 0 && !(f.dived && Unit(u) == Submarine) {
			o.add(keyOf(0, 0, Unit(u)), int(n))
		}
	}
	return o
}

// subs is how many submarines are in the combat.
func (f *fleet) subs() int {
	if f.dived {
		return 0
	}
	return int(f.left[Submarine])
}

// dive takes the submarines out of the combat.
func (f *fleet) dive() { f.dived = f.dived || f.left[Submarine] > 0 }

// slots is how many hits a type can take next; Hull stands for the first hits of battleships (AA 9.8.4).
func (f *fleet) slots(u Unit) int {
	switch {
	case u == Hull:
		return int(f.left[Battleship] - f.hurt)
	case u == Battleship:
		return int(f.hurt)
	case u == Submarine:
		return f.subs()
	}
	return int(f.left[u])
}

// hit takes n hits on a type.
func (f *fleet) hit(u Unit, n int) {
	switch u {
	case Hull:
		f.hurt += uint16(n)
		return
	case Battleship:
		f.hurt -= uint16(n)
	}
	f.left[u] -= uint16(n)
}

// orderOf completes an order of loss, without what never is lost; transports come last whatever it says (AA 9.8.5).
func orderOf(losses []Unit) []Unit {
	named := uint32(1<<AAGun | 1<<Complex | 1<<Transport)
	list := make([]Unit, 0, NumUnits+1)
	for _, part := range [2][]Unit{losses, defaultLosses[:]} {
		for _, u := range part {
			if u <= Hull && !u.In(named) {
				named |= 1 << u
				list = append(list, u)
			}
		}
	}
	return append(list, Transport)
}

// lose takes the hits of a step by an order of loss, as many as find a unit (AA 9.8.3): those of submarines on
// what does not fly, those of aircraft without a destroyer on what is not a submarine (AA 9.8.2). So at most as
// many submarines are lost as there are hits that are not such of aircraft, and the like for aircraft; within
// that the order decides.
func (f *fleet) lose(order []Unit, hits [numClasses]int) {
	left := hits[bySubmarine] + hits[byAir] + hits[byAny]
	subs, air := left-hits[byAir], left-hits[bySubmarine]
	for i := 0; left > 0 && i < len(order); i++ {
		u := order[i]
		n := min(f.slots(u), left)
		switch {
		case u == Submarine:
			n = min(n, subs)
			subs -= n
		case u.In(scenario.AirUnits):
			n = min(n, air)
			air -= n
		case u == Hull && n > 0 && slices.Contains(order[:i], Battleship):
			n = 1 // what was named before can be lost now
		}
		if n == 0 {
			continue
		}
		f.hit(u, n)
		if left -= n; u == Hull {
			i = -1
		}
	}
}
