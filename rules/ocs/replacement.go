package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Replacement units restore steps and bring units back (OCS 13.5), in the Reinforcement Phase of their owner.

// price is replacement units.
type price struct{ pax, eq int }

// priceOf is what so many steps or units of a counter cost (OCS 13.5a): a row of the rebuild table, which may rebuild
// two for one payment (OCS 13.5d). With revised rebuilding each payment is one Pax, or one Eq (OCS 21.7-iii).
func (p *Position) priceOf(c *Counter, items int) price {
	row := p.sc.Doc.GetCounters().GetRebuildCosts()[c.Rebuild]
	payments := (items + int(row.GetUnits()) - 1) / int(row.GetUnits())
	pax, eq := int(row.GetPax()), int(row.GetEq())
	if p.opt.revisedRebuilding {
		track := c.Faces[CombatFace].MP == Track || c.Faces[MoveFace].MP == Track
		if pax > 0 && (eq == 0 || !track) {
			pax, eq = 1, 0
		} else {
			pax, eq = 0, 1
		}
	}
	return price{pax * payments, eq * payments}
}

// checkRepls says why replacement units may not be spent (OCS 13.5a): in Move mode, all in one hex, near an HQ that is
// able to, not in an enemy ZOC.
func (p *Position) checkRepls(seat rules.Seat, list []Unit) *rules.Refusal {
	if r := p.checkStack(seat, list); r != nil {
		return r
	}
	for _, u := range list {
		switch kind := p.counter(u).Kind; {
		case kind != Pax && kind != Eq:
			return rules.Refuse("OCS 13.5", "refuse.no-repl", "unit", p.unitName(u)).About(p.id(u))
		case p.mode(u) != MoveMode:
			return rules.Refuse("OCS 13.5a", "refuse.repl-mode", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return p.checkWorkshop(seat, p.units[list[0]].place)
}

// checkWorkshop says why units may not be rebuilt in a place: an HQ near it must be able to, which is one of its
// abilities (OCS 13.1b, OCS 13.1b-ii, OCS 13.5a-1).
func (p *Position) checkWorkshop(seat rules.Seat, at Place) *rules.Refusal {
	id := p.sc.PlaceID(at)
	if h := at.Hex(); h != NoHex && p.inZOC(enemy(seat), h) {
		return rules.Refuse("OCS 4.5a-K", "refuse.rebuild-zoc", "hex", id).At(id)
	}
	for _, hq := range p.sc.tab.hqs[seat] {
		where := p.units[hq].place
		if !where.onMap() || !p.engineers(hq) {
			continue
		}
		if where == at ||
			where.Hex() != NoHex && at.Hex() != NoHex && p.distance(where.Hex(), at.Hex()) <= rebuildRange {
			return nil
		}
	}
	return rules.Refuse("OCS 13.5a-1", "refuse.no-workshop", "hex", id, "n", rebuildRange).At(id)
}

// checkPrice says why replacement units are not what is needed.
func (p *Position) checkPrice(list []Unit, need price) *rules.Refusal {
	var paid price
	for _, u := range list {
		if p.counter(u).Kind == Pax {
			paid.pax++
		} else {
			paid.eq++
		}
	}
	if paid != need {
		return rules.Refuse("OCS 13.5a", "refuse.repl-price", "pax", need.pax, "eq", need.eq).About(p.ids(list)...)
	}
	return nil
}

// rebuildable says why a unit can't be rebuilt at all.
func (p *Position) rebuildable(u Unit) *rules.Refusal {
	c := p.counter(u)
	switch {
	case c.Kind != CombatUnit:
		return rules.Refuse("OCS 13.5b", "refuse.not-rebuilt", "unit", p.unitName(u)).About(p.id(u))
	case c.NotRebuildable: // a yellow disc behind the Action Rating (OCS 3.1d)
		return rules.Refuse("OCS 13.5c", "refuse.not-rebuilt", "unit", p.unitName(u)).About(p.id(u))
	case c.Rebuild < 0:
		return rules.Refuse("OCS 13.5a", "refuse.not-rebuilt", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// checkRebuild says why a unit may not come back from the dead pile (OCS 13.5a-1, OCS 13.5b). A unit of several steps
// may come back with fewer.
func (p *Position) checkRebuild(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit || c.Unit == c.Other {
		return rules.Malformed("the command names no unit, or one twice").For(rules.ReasonUnknownPiece)
	}
	items := 0
	for _, u := range [...]Unit{c.Unit, c.Other} {
		if u == NoUnit {
			continue
		}
		if p.units[u].seat != seat || p.units[u].place != Dead {
			return rules.Refuse("OCS 13.5b", "refuse.not-dead", "unit", p.unitName(u)).About(p.id(u))
		}
		if r := p.rebuildable(u); r != nil {
			return r
		}
		items++
	}
	if r := p.checkRepls(seat, c.Units); r != nil {
		return r
	}
	info := p.counter(c.Unit)
	if c.Other != NoUnit {
		row := p.sc.Doc.GetCounters().GetRebuildCosts()[info.Rebuild]
		if p.counter(c.Other).Rebuild != info.Rebuild || row.GetUnits() < 2 || info.Steps > 1 ||
			p.counter(c.Other).Steps > 1 {
			return rules.Refuse("OCS 13.5d", "refuse.not-two", "unit", p.unitName(c.Unit),
				"other", p.unitName(c.Other)).About(p.id(c.Unit), p.id(c.Other))
		}
	}
	if c.N < 1 || c.N > int(info.Steps) {
		return rules.Refuse("OCS 13.5b", "refuse.rebuild-steps", "unit", p.unitName(c.Unit),
			"n", int(info.Steps)).About(p.id(c.Unit))
	}
	if info.Steps > 1 {
		items = c.N
	}
	if r := p.checkPrice(c.Units, p.priceOf(info, items)); r != nil {
		return r
	}
	at := p.units[c.Units[0]].place
	if r := p.arrivesIn(c.Unit, at, c.Marker, c.Face); r != nil || c.Other == NoUnit {
		return r
	}
	return p.arrivesIn(c.Other, at, c.Marker, c.Face)
}

// playRebuild brings a unit back, or two, with full internal stocks.
func (p *Position) playRebuild(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	at := p.units[cmd.Units[0]].place
	fact := &ocsv1.UnitsRebuilt{Seat: seatIDs[seat], Spent: p.ids(cmd.Units), Steps: uint32(cmd.N)}
	for _, u := range [...]Unit{cmd.Unit, cmd.Other} {
		if u == NoUnit {
			continue
		}
		k := p.putDown(c, u, at, cmd.Marker, cmd.Face)
		k.Lost = proto.Uint32(uint32(p.counter(u).Steps) - uint32(min(cmd.N, int(p.counter(u).Steps))))
		fact.Units = append(fact.Units, p.id(u))
	}
	p.spendRepls(x, c, seat, cmd.Units, fact)
}

// spendRepls takes replacement units away and tells what was rebuilt.
func (p *Position) spendRepls(x *exec, c *changes, seat rules.Seat, list []Unit, fact *ocsv1.UnitsRebuilt) {
	var used price
	for _, u := range list {
		c.eliminate(u)
		if p.counter(u).Kind == Pax {
			used.pax += 2 // in halves
		} else {
			used.eq += 2
		}
	}
	pax, eq := ocsv1.Register_REGISTER_PAX_USED, ocsv1.Register_REGISTER_EQ_USED
	c.register(seat, pax, p.register(seat, pax)+used.pax)
	c.register(seat, eq, p.register(seat, eq)+used.eq)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsRebuilt{UnitsRebuilt: fact}})
}

// checkRestore says why steps may not be given back to a unit (OCS 13.5a-2): it is stacked with what is spent. Its mode
// and supply do not matter (OCS 13.5b).
func (p *Position) checkRestore(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkOwn(seat, c.Unit); r != nil {
		return r
	}
	if r := p.rebuildable(c.Unit); r != nil {
		return r
	}
	if r := p.checkRepls(seat, c.Units); r != nil {
		return r
	}
	s := &p.units[c.Unit]
	switch {
	case s.place != p.units[c.Units[0]].place:
		return rules.Refuse("OCS 13.5a-2", "refuse.not-stacked", "unit", p.unitName(c.Unit),
			"other", p.unitName(c.Units[0])).About(p.id(c.Unit))
	case c.N < 1 || c.N > int(s.lost):
		return rules.Refuse("OCS 13.5b", "refuse.rebuild-steps", "unit", p.unitName(c.Unit),
			"n", int(s.lost)).About(p.id(c.Unit))
	}
	return p.checkPrice(c.Units, p.priceOf(p.counter(c.Unit), c.N))
}

// playRestore gives steps back. The unit keeps its level of internal stocks.
func (p *Position) playRestore(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.unit(cmd.Unit).Lost = proto.Uint32(uint32(int(p.units[cmd.Unit].lost) - cmd.N))
	p.spendRepls(x, c, seat, cmd.Units, &ocsv1.UnitsRebuilt{
		Seat: seatIDs[seat], Units: []string{p.id(cmd.Unit)}, Spent: p.ids(cmd.Units), Steps: uint32(cmd.N),
	})
}

// stock is the replacement units of a side in a place that can be spent there.
type stock struct{ pax, eq []Unit }

// stocksOf finds the places of a side where replacement units can be spent, in order.
func (p *Position) stocksOf(seat rules.Seat) (places []Place, list []stock) {
	for u := range p.all(seat) {
		kind, at := p.counter(u).Kind, p.units[u].place
		if kind != Pax && kind != Eq || p.mode(u) != MoveMode {
			continue
		}
		i := slices.Index(places, at)
		if i < 0 {
			if p.checkWorkshop(seat, at) != nil {
				continue
			}
			i = len(places)
			places, list = append(places, at), append(list, stock{})
		}
		if kind == Pax {
			list[i].pax = append(list[i].pax, u)
		} else {
			list[i].eq = append(list[i].eq, u)
		}
	}
	return places, list
}

// take takes the replacement units of a price out of a stock, nil if there are too few.
func (s *stock) take(need price) []Unit {
	if len(s.pax) < need.pax || len(s.eq) < need.eq {
		return nil
	}
	return slices.Concat(s.pax[:need.pax], s.eq[:need.eq])
}

// eachRebuild yields what replacement units could be used for: each unit of the dead pile with each number of steps,
// pairs of small ones, and steps of units stacked with them.
func (p *Position) eachRebuild(seat rules.Seat, yield func(Command)) {
	places, stocks := p.stocksOf(seat)
	for i, at := range places {
		for u := range p.sc.Fixed {
			unit := Unit(u)
			s := &p.units[u]
			if s.seat != seat || p.rebuildable(unit) != nil {
				continue
			}
			switch {
			case s.place == Dead:
				p.eachReturn(unit, &stocks[i], yield)
			case s.place == at:
				for n := 1; n <= int(s.lost); n++ {
					c := only(KindRestore)
					if c.Unit, c.N, c.Units = unit, n, stocks[i].take(p.priceOf(p.counter(unit), n)); c.Units != nil {
						yield(c)
					}
				}
			}
		}
	}
}

func (p *Position) eachReturn(u Unit, s *stock, yield func(Command)) {
	info := p.counter(u)
	for n := 1; n <= int(info.Steps); n++ {
		c := only(KindRebuild)
		if c.Unit, c.N, c.Units = u, n, s.take(p.priceOf(info, n)); c.Units != nil {
			yield(c)
		}
	}
	if info.Steps > 1 || p.sc.Doc.GetCounters().GetRebuildCosts()[info.Rebuild].GetUnits() < 2 {
		return
	}
	for v := int(u) + 1; v < p.sc.Fixed; v++ {
		if o := p.counter(Unit(v)); p.units[v].place == Dead && o.Seat == info.Seat && o.Rebuild == info.Rebuild &&
			o.Steps == 1 && !o.NotRebuildable {
			c := only(KindRebuild)
			if c.Unit, c.Other, c.N, c.Units = u, Unit(v), 1, s.take(p.priceOf(info, 2)); c.Units != nil {
				yield(c)
			}
		}
	}
}

// listRebuild and listRestore list these, with the first replacement units of a hex, and a unit that
// comes back in each mode.
func listRebuild(l *lister) {
	l.p.eachRebuild(l.seat, func(c Command) {
		if c.Kind == KindRebuild {
			l.inModes(KindRebuild, func(m *Command) { m.Unit, m.Other, m.N, m.Units = c.Unit, c.Other, c.N, c.Units })
		}
	})
}

func listRestore(l *lister) {
	l.p.eachRebuild(l.seat, func(c Command) {
		if c.Kind == KindRestore {
			l.checked(c)
		}
	})
}

// rebuildRange is how near an HQ must be, in hexes (OCS 13.5a-1).
const rebuildRange = 2

// removeSaved removes replacement units that had to be used in the turn in which they came, with revised rebuilding:
// half of each kind, unless they could not be used (OCS 21.7-i).
func (p *Position) removeSaved(x *exec) {
	for seat := range numSeats {
		if !p.opt.revisedRebuilding || !p.acts(seat) {
			continue
		}
		var useful price
		p.eachRebuild(seat, func(c Command) {
			for _, u := range c.Units {
				if p.counter(u).Kind == Pax {
					useful.pax++
				} else {
					useful.eq++
				}
			}
		})
		c := p.changed()
		fact := &ocsv1.UnitsForfeited{Seat: seatIDs[seat]}
		due := func(received, used ocsv1.Register, can int) int {
			if can == 0 {
				return 0
			}
			return (p.register(seat, received)/2 - p.register(seat, used) + 1) / 2
		}
		pax := due(ocsv1.Register_REGISTER_PAX_RECEIVED, ocsv1.Register_REGISTER_PAX_USED, useful.pax)
		eq := due(ocsv1.Register_REGISTER_EQ_RECEIVED, ocsv1.Register_REGISTER_EQ_USED, useful.eq)
		for u := range p.all(seat) {
			kind := p.counter(u).Kind
			switch {
			case !p.has(u, ocsv1.UnitMark_UNIT_MARK_ARRIVED):
				continue
			case kind == Pax && pax > 0:
				pax--
			case kind == Eq && eq > 0:
				eq--
			default:
				continue
			}
			c.eliminate(u)
			fact.Units = append(fact.Units, p.id(u))
		}
		if len(fact.Units) > 0 {
			tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsForfeited{UnitsForfeited: fact}})
		}
	}
}
