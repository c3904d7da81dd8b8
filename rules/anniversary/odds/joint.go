package odds

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Hits of a step are assigned together (AA 9.8.3). Hits of any kind can nearly always be assigned after the others, one
// by one: they take what comes next in the order. An order that names battleships before their hulls is the exception,
// because a battleship can be lost only after a hit on a hull. With battleship, submarine, hull, one hit of an aircraft
// damages the battleship; a further hit of any kind would then sink it. Together the hit of any kind goes to the
// submarine, since no battleship was damaged before.

// jointHits is a state and the hits of submarines and of aircraft on it.
type jointHits struct {
	state     int32
	subs, air uint16
}

// path is states after more and more hits.
type path []int32

// entangled reports whether an order is such an exception: it names units that not every hit finds between battleships
// and hulls.
func entangled(order []scenario.Unit, start *fleet) bool {
	if start.left[scenario.Battleship] == 0 {
		return false
	}
	first, last := slices.Index(order, scenario.Battleship), slices.Index(order, scenario.Hull)
	if first > last {
		return false
	}
	return slices.ContainsFunc(order[first:last], func(u scenario.Unit) bool {
		return start.left[u] > 0 && (u == scenario.Submarine || u.In(scenario.AirUnits))
	})
}

// joint is the states after hits of submarines and aircraft with up to n-1 of any kind, all assigned together; it is
// shorter if nothing is left to hit before.
func (s *side) joint(i int32, hits [NumClasses]int, n int) []int32 {
	key := jointHits{i, uint16(hits[BySubmarine]), uint16(hits[ByAir])}
	list := s.joints[key]
	for len(list) < n {
		f := s.states[i].fleet
		hits[ByAny] = len(list)
		f.lose(s.order, hits)
		next := s.state(&f)
		if len(list) > 0 && next == list[len(list)-1] {
			break
		}
		list = append(list, next)
	}
	if s.joints == nil {
		s.joints = map[jointHits]path{}
	}
	s.joints[key] = list
	return list[:min(n, len(list))]
}
