package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Ships sail in all three movement segments of their owner, without a Reserve marker (OCS 18.1e, OCS 7.0c,
// OCS 11.0d), together or alone. They may sail in parts as long as MP are left: carriers fly between (OCS
// 18.2d), landing craft load.

// checkSail says why ships may not sail along a path.
func (p *Position) checkSail(seat rules.Seat, c *Command) *rules.Refusal {
	_, r := p.planSail(seat, c)
	return r
}

// planSail works out what each ship will have spent.
func (p *Position) planSail(seat rules.Seat, c *Command) ([]Cost, *rules.Refusal) {
	if r := p.checkSailors(seat, c.Units); r != nil {
		return nil, r
	}
	if len(c.Path) == 0 {
		return nil, rules.Malformed("the path has no hex")
	}
	craft, from := p.allCraft(c.Units), p.units[c.Units[0]].place
	spent := make([]Cost, len(c.Units))
	for i, u := range c.Units {
		spent[i] = p.units[u].spent
	}
	for i, to := range c.Path {
		if r := p.sailInto(seat, craft, from, to, i == len(c.Path)-1); r != nil {
			return nil, r
		}
		cost := p.channel(from, to)
		for j, u := range c.Units {
			if left := p.sailingMA(u) - spent[j]; cost > left {
				return nil,
					rules.Refuse("OCS 18.1f", "refuse.mp", "unit", p.unitName(u), "hex", p.sc.PlaceID(to),
						"need", formatCost(cost), "left", formatCost(max(left, 0))).
						About(p.id(u)).At(p.sc.PlaceID(to))
			}
			spent[j] += cost
		}
		from = to
	}
	return spent, nil
}

// checkSailors checks that ships are given, are the seat's, each once, and in one place.
func (p *Position) checkSailors(seat rules.Seat, list []Unit) *rules.Refusal {
	if len(list) == 0 {
		return rules.Malformed("the command names no ship").For(rules.ReasonUnknownPiece)
	}
	for i, u := range list {
		s := &p.units[u]
		switch {
		case !p.isShip(u):
			return rules.Malformed("unit %s is no ship", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		case s.seat != seat || !s.place.onMap():
			return rules.Refuse("OCS 18.1e", "refuse.not-yours",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		case slices.Contains(list[:i], u):
			return rules.Malformed("unit %s is named twice", p.id(u))
		case p.ashoreBar(u) != nil:
			return p.ashoreBar(u)
		case s.place != p.units[list[0]].place:
			return rules.Refuse("OCS 18.1e", "refuse.not-stacked", "unit", p.unitName(u),
				"other", p.unitName(list[0])).About(p.id(u), p.id(list[0]))
		}
	}
	return nil
}

// allCraft reports whether all of several ships are landing craft: where they go together only all-sea hexes and
// ports are open otherwise.
func (p *Position) allCraft(list []Unit) bool {
	for _, u := range list {
		if !p.isCraft(u) {
			return false
		}
	}
	return true
}

// sailInto says why ships may not go from a place to the next. A hex that eliminates them can only be the last.
func (p *Position) sailInto(seat rules.Seat, craft bool, from, to Place, last bool) *rules.Refusal {
	at := p.sc.PlaceID(to)
	bar := p.seaEntry(seat, craft, to)
	if bar == foreign {
		return rules.Refuse("OCS Intro-I-F", "refuse.box-of-enemy", "hex", at).At(at)
	}
	if p.channel(from, to) == costNever {
		if _, adjacent := p.dirOf(from, to); adjacent && bar != dryLand {
			return rules.Refuse("OCS 18.1c", "refuse.land-between", "from", p.sc.PlaceID(from),
				"to", at).At(p.sc.PlaceID(from), at)
		} else if !adjacent {
			return rules.Refuse("OCS 18.1c", "refuse.not-adjacent", "from", p.sc.PlaceID(from),
				"to", at).At(p.sc.PlaceID(from), at)
		}
	}
	switch {
	case bar == dryLand:
		return rules.Refuse("OCS 18.1c", "refuse.no-sea", "hex", at).At(at)
	case bar == enemyShip:
		return rules.Refuse("OCS 18.1b", "refuse.enemy-ships", "hex", at).At(at)
	case bar == enemyLand || bar == deadly && !last:
		return rules.Refuse("OCS 4.8c", "refuse.shore-held", "hex", at).At(at)
	}
	return nil
}

// playSail carries it out. Control of hexes, ports, air bases and dumps stays as it is (OCS 18.1c).
func (p *Position) playSail(x *exec, seat rules.Seat, cmd *Command) {
	spent, _ := p.planSail(seat, cmd) // it passed the check
	c := p.changed()
	to := cmd.Path[len(cmd.Path)-1]
	sunk := p.seaEntry(seat, p.allCraft(cmd.Units), to) == deadly
	for i, u := range cmd.Units {
		c.move(u, to)
		c.spend(u, spent[i])
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED)
	}
	c.motion(nil) // what is in motion on the ground has finished (OCS 6.1g)
	path := append([]Place{p.units[cmd.Units[0]].place}, cmd.Path...)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ShipsSailed{ShipsSailed: &ocsv1.ShipsSailed{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Path: p.placeIDs(path),
	}}})
	if sunk {
		p.sinkShips(x, cmd.Units)
	}
}

// sinkShips eliminates ships, landing craft too, with all that is aboard (OCS 4.8c-B, OCS 9.14g).
func (p *Position) sinkShips(x *exec, list []Unit) {
	if len(list) == 0 {
		return
	}
	at := p.units[list[0]].place
	for _, u := range list {
		p.sink(x, u)
	}
	c := p.changed()
	for _, u := range list {
		c.eliminate(u)
		for _, v := range p.complement(u) { // air units of a carrier
			c.eliminate(v)
			c.unit(v).Aboard = proto.String("")
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ShipsSunk{ShipsSunk: &ocsv1.ShipsSunk{
		Seat: seatIDs[p.units[list[0]].seat], Units: p.ids(list), At: p.sc.PlaceID(at),
	}}})
}

// boardShips eliminates the enemy ships in a hex that attack-capable land units of a seat have entered (OCS 4.8c-B).
func (p *Position) boardShips(x *exec, captor rules.Seat, at Place) {
	p.takeLSTPort(x, captor, at)
	if at.Hex() != NoHex && p.anyShip(enemy(captor), at) && p.attackCapableIn(captor, at) {
		p.sinkShips(x, p.ships(enemy(captor), at))
	}
}

// listSail lists for each ship alone, for all landing craft of a place, and for all ships of a place, a shortest path
// to each place in reach. Places in which they would be eliminated are not listed.
func listSail(l *lister) {
	p, done := l.p, map[Place]bool{}
	var charts []seaChart
	for _, u := range p.navy(l.seat) {
		if l.done {
			return
		}
		if l.acts(u) {
			charts = l.sailAll([]Unit{u}, charts)
		}
		at := p.units[u].place
		if done[at] || l.f.Piece != "" && (l.piece == NoUnit || p.units[l.piece].place != at) {
			continue
		}
		done[at] = true
		stack := p.ships(l.seat, at)
		craft := slices.DeleteFunc(slices.Clone(stack), func(v Unit) bool { return !p.isCraft(v) })
		if len(craft) > 1 && len(craft) < len(stack) {
			charts = l.sailAll(craft, charts)
		}
		if len(stack) > 1 {
			charts = l.sailAll(stack, charts)
		}
	}
}

// sailAll lists the paths of ships that sail together, on a chart that ships with the same MP share.
func (l *lister) sailAll(list []Unit, charts []seaChart) []seaChart {
	p := l.p
	left, craft, from := costNever, p.allCraft(list), p.units[list[0]].place
	for _, u := range list {
		left = min(left, p.sailingMA(u)-p.units[u].spent)
		if p.ashoreBar(u) != nil {
			return charts
		}
	}
	i := slices.IndexFunc(charts, func(c seaChart) bool { return c.from == from && c.left == left && c.craft == craft })
	if i < 0 {
		i = len(charts)
		charts = append(charts, p.chartSea(l.seat, from, left, craft))
	}
	for _, path := range charts[i].paths {
		if l.done {
			break
		}
		if !l.aims(path[len(path)-1]) {
			continue
		}
		c := only(KindSail)
		c.Units, c.Path = list, path
		l.give(c) // the chart steps as the check does; a test holds them against each other
	}
	return charts
}

// seaChart is a shortest path to each place that ships reach.
type seaChart struct {
	from  Place
	left  Cost
	craft bool
	paths [][]Place
}

// chartSea finds them, in the order of what they cost.
func (p *Position) chartSea(seat rules.Seat, from Place, left Cost, craft bool) seaChart {
	chart := seaChart{from: from, left: left, craft: craft}
	if left < 0 || !from.onMap() {
		return chart
	}
	before := make([]Place, len(p.cells)) // by cell, 1 more than the place
	reached := make([][]Place, int(left)/oneMP+1)
	reached[0] = []Place{from}
	before[p.cellIndex(from)] = from + 1
	cost := make([]int, len(p.cells))
	for mp := range reached {
		for i := 0; i < len(reached[mp]); i++ {
			at := reached[mp][i]
			if cost[p.cellIndex(at)] != mp {
				continue // a cheaper way was found
			}
			if mp > 0 || at != from {
				chart.paths = append(chart.paths, p.courseTo(from, at, before))
			}
			p.eachChannel(at, func(to Place, price Cost) {
				n, next := p.cellIndex(to), mp+int(price)/oneMP
				if next >= len(reached) || before[n] != 0 && (cost[n] <= next || to == from) ||
					p.seaEntry(seat, craft, to) != openSea {
					return
				}
				before[n], cost[n] = at+1, next
				reached[next] = append(reached[next], to)
			})
		}
	}
	return chart
}

// courseTo is the path to a place.
func (p *Position) courseTo(from, to Place, before []Place) (path []Place) {
	for at := to; at != from; at = before[p.cellIndex(at)] - 1 {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// eachChannel walks the steps that lead from a place at sea.
func (p *Position) eachChannel(at Place, visit func(Place, Cost)) {
	if h := at.Hex(); h != NoHex {
		for d, n := range p.sc.Map.Neighbors(h) {
			if p.sc.tab.channels[h]&(1<<d) != 0 {
				visit(Place(n), oneMP)
			}
		}
	}
	for _, l := range p.sc.tab.seaLinks {
		switch at {
		case l.box:
			visit(l.to, l.mp)
		case l.to:
			visit(l.box, l.mp)
		}
	}
}

// seaLink is the way by sea between a box and another place.
type seaLink struct {
	box, to Place
	mp      Cost
}

// newSeaLinks gathers the links by sea of all boxes.
func newSeaLinks(sc *Scenario) (list []seaLink) {
	for i := range sc.Boxes {
		for _, l := range sc.Boxes[i].Links {
			if l.Sea {
				list = append(list, seaLink{boxes + Place(i), l.To, l.MP})
			}
		}
	}
	return list
}
