package odds

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// fleet is what is left of a side in a battle that is weighed.
type fleet struct {
	left  [scenario.NumUnits]uint16 // battleships that are hit count as they are
	hurt  uint16                    // of them hit once
	dived bool                      // submarines are out of the combat (AA 9.7.7)
}

func fleetOf(units *[scenario.NumUnits]int) (f fleet) {
	for u, n := range units {
		f.left[u] = uint16(n)
	}
	return f
}

// begins is a side as the battle begins.
func (s *Side) begins() fleet {
	f := fleetOf(&s.Units)
	f.hurt = uint16(s.Hurt)
	return f
}

// force counts what is in the combat.
func (f *fleet) force() (o Force) {
	for u, n := range f.left {
		if n > 0 && !(f.dived && scenario.Unit(u) == scenario.Submarine) {
			o.Add(scenario.Unit(u), int(n))
		}
	}
	return o
}

// subs is how many submarines are in the combat.
func (f *fleet) subs() int {
	if f.dived {
		return 0
	}
	return int(f.left[scenario.Submarine])
}

// dive takes the submarines out of the combat.
func (f *fleet) dive() { f.dived = f.dived || f.left[scenario.Submarine] > 0 }

// slots is how many hits a type can take next; Hull stands for the first hits of battleships (AA 9.8.4).
func (f *fleet) slots(u scenario.Unit) int {
	switch {
	case u == scenario.Hull:
		return int(f.left[scenario.Battleship] - f.hurt)
	case u == scenario.Battleship:
		return int(f.hurt)
	case u == scenario.Submarine:
		return f.subs()
	}
	return int(f.left[u])
}

// hit takes n hits on a type.
func (f *fleet) hit(u scenario.Unit, n int) {
	switch u {
	case scenario.Hull:
		f.hurt += uint16(n)
		return
	case scenario.Battleship:
		f.hurt -= uint16(n)
	}
	f.left[u] -= uint16(n)
}

// OrderOf completes an order of loss, without what never is lost; transports come last whatever it says (AA 9.8.5).
func OrderOf(losses []scenario.Unit) []scenario.Unit {
	named := uint32(1<<scenario.AAGun | 1<<scenario.Complex | 1<<scenario.Transport)
	list := make([]scenario.Unit, 0, scenario.NumUnits+1)
	for _, part := range [2][]scenario.Unit{losses, DefaultLosses[:]} {
		for _, u := range part {
			if u <= scenario.Hull && !u.In(named) {
				named |= 1 << u
				list = append(list, u)
			}
		}
	}
	return append(list, scenario.Transport)
}

// lose takes the hits of a step by an order of loss, as many as find a unit (AA 9.8.3): those of submarines on
// what does not fly, those of aircraft without a destroyer on what is not a submarine (AA 9.8.2). So at most as
// many submarines are lost as there are hits that are not such of aircraft, and the like for aircraft; within
// that the order decides.
func (f *fleet) lose(order []scenario.Unit, hits [NumClasses]int) {
	left := hits[BySubmarine] + hits[ByAir] + hits[ByAny]
	subs, air := left-hits[ByAir], left-hits[BySubmarine]
	for i := 0; left > 0 && i < len(order); i++ {
		u := order[i]
		n := min(f.slots(u), left)
		switch {
		case u == scenario.Submarine:
			n = min(n, subs)
			subs -= n
		case u.In(scenario.AirUnits):
			n = min(n, air)
			air -= n
		case u == scenario.Hull && n > 0 && slices.Contains(order[:i], scenario.Battleship):
			n = 1 // what was named before can be lost now
		}
		if n == 0 {
			continue
		}
		f.hit(u, n)
		if left -= n; u == scenario.Hull {
			i = -1
		}
	}
}
