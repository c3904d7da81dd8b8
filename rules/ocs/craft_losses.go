package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// What landings cost landing craft, and what was aboard (OCS 18.5f-B, OCS 18.3d-i).

// wreckAny takes points of landing craft, in tokens, each time of one drawn at random.
func (p *Position) wreckAny(x *exec, list []Unit, tokens int) {
	for tokens > 0 {
		list = slices.DeleteFunc(list, func(u Unit) bool { return !p.isCraft(u) || !p.units[u].place.onMap() })
		if len(list) == 0 {
			return
		}
		u := list[0]
		if len(list) > 1 {
			u = list[x.Roll(uint8(min(len(list), 100)), "craft")-1]
		}
		n := min(tokens, int(p.units[u].points))
		tokens -= n
		p.wreck(x, u, n)
	}
}

// wreck takes points of landing craft, and what is aboard and has no room any more, drawn at random. It reports whether
// the craft is still there.
func (p *Position) wreck(x *exec, u Unit, tokens int) bool {
	s := &p.units[u]
	left := max(0, int(s.points)-tokens)
	fact := &ocsv1.Event_CraftHit{CraftHit: &ocsv1.CraftHit{
		Seat: seatIDs[s.seat], Unit: p.id(u), At: p.sc.PlaceID(s.place), PointsT: uint32(left),
	}}
	if left == 0 {
		tell(x, &event{Fact: fact})
		p.sinkShips(x, []Unit{u})
		return false
	}
	c := p.changed()
	c.unit(u).PointsT = proto.Uint32(uint32(left))
	tell(x, &event{Changes: c.list, Fact: fact})
	p.loseCargo(x, u, tokens)
	return true
}
