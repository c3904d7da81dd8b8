package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Construction by units with the engineer ability (OCS 13.8d). The ability itself and bridging are in terrain.go,
// stations in trace_net.go.

// buildRange is how far from its hex a unit with the engineer ability builds, in hexes (OCS 13.8d).
const buildRange = 2

// buildable are the hexes in which a unit may build: on a path of at most two hexes that a Leg unit could walk, without
// enemy combat units (OCS 13.8d).
func (p *Position) buildable(u Unit) (list []Hex) {
	foe := enemy(p.units[u].seat)
	from := p.units[u].place.Hex()
	if from == NoHex {
		return nil
	}
	list = []Hex{from}
	begin := 0
	for range buildRange {
		end := len(list)
		for ; begin < end; begin++ {
			for d, n := range p.around(list[begin]) {
				if p.way(byRoad, Leg, list[begin], d) != costNever && !p.combatIn(foe, Place(n)) &&
					!slices.Contains(list, n) {
					list = append(list, n)
				}
			}
		}
	}
	return list
}

// checkBuilder says why a unit with the engineer ability may not build in a hex (OCS 13.8d): it has not moved in the
// phase, and had no job in this turn.
func (p *Position) checkBuilder(u Unit, at Hex) *rules.Refusal {
	s, id := &p.units[u], p.sc.Map.ID(at)
	switch {
	case !p.engineers(u):
		return rules.Refuse("OCS 13.8a", "refuse.no-engineer", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) || s.spent > 0 && s.place != s.origin:
		return rules.Refuse("OCS 13.8d", "refuse.has-moved", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_BUILT):
		return rules.Refuse("OCS 13.8d-ii", "refuse.has-built", "unit", p.unitName(u)).About(p.id(u))
	case !slices.Contains(p.buildable(u), at):
		return rules.Refuse("OCS 13.8d", "refuse.build-range", "unit", p.unitName(u), "hex", id,
			"n", buildRange).About(p.id(u)).At(id)
	}
	return nil
}
