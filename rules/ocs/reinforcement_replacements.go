package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// replacementDoors are the places for replacements of the table; for Pax also the entries at which one of a turn may
// arrive, and with revised rebuilding the hexes of HQs that can trace (OCS 21.7-ii).
func (p *Position) replacementDoors(f *replacementTable, pax bool) (list []Place) {
	side, t := &p.sc.Seats[f.seat], f.table(p)
	ids := t.GetAt()
	if pax && p.register(f.seat, ocsv1.Register_REGISTER_SPECIAL_PAX) == 0 {
		ids = append(slices.Clone(ids), t.GetOnePaxAt()...)
	}
	for _, id := range ids {
		e := &side.Entries[side.entry(id)]
		for _, at := range p.doors(f.seat, e) {
			if p.roomAt(f.seat, e, at, 1) && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	if !p.opt.revisedRebuilding {
		return list
	}
	s := p.survey(f.seat)
	for _, hq := range p.sc.tab.hqs[f.seat] {
		if at := p.units[hq].place; at.onMap() && !slices.Contains(list, at) && s.traces(hq) {
			list = append(list, at)
		}
	}
	return list
}

// checkPlaceReplacement says why a replacement unit may not be put down (OCS 13.5): never in Combat mode (OCS 5.5c), in
// any other mode.
func (p *Position) checkPlaceReplacement(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*replacementTable](p)
	kind := p.replacementCounter(seat, c.Name)
	if f == nil || kind == noCounter || !c.At.onMap() {
		return rules.Malformed("no replacements are to be placed, or the command names no place or no kind of them")
	}
	pax := p.sc.Counters[kind].Kind == Pax
	left := p.register(seat, eqLeft)
	if pax {
		left = p.register(seat, paxLeft)
	}
	at := p.sc.PlaceID(c.At)
	zoc := c.At.Hex() != NoHex && p.inZOC(enemy(seat), c.At.Hex())
	switch {
	case left == 0:
		return rules.Refuse("OCS 13.5", "refuse.replacements-left", "need", 1, "left", 0)
	case !slices.Contains(p.replacementDoors(f, pax), c.At):
		return rules.Refuse("OCS 13.6", "refuse.no-entry", "hex", at).At(at)
	case c.Marker != NoMarker && c.Marker != AnyMarker && c.Marker != Reserve && c.Marker != Strat:
		return rules.Refuse("OCS 13.6b", "refuse.compulsory-mode")
	case c.Marker == Reserve && zoc:
		return rules.Refuse("OCS 4.5a-I", "refuse.mode-in-zoc", "unit", c.Name).At(at)
	case c.Marker == Strat && zoc:
		return rules.Refuse("OCS 4.5a-J", "refuse.mode-in-zoc", "unit", c.Name).At(at)
	case p.spare(kind) >= maxUnits:
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

// replacementCounter is the counter of a kind of replacement unit of a side, noCounter if unknown.
func (p *Position) replacementCounter(seat rules.Seat, id string) uint16 {
	n, ok := p.sc.kinds[id]
	if !ok || p.sc.Counters[n].Seat != seat || p.sc.Counters[n].Kind != Pax && p.sc.Counters[n].Kind != Eq {
		return noCounter
	}
	return n
}

func (p *Position) playPlaceReplacement(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*replacementTable](p)
	kind := p.replacementCounter(seat, cmd.Name)
	r := eqLeft
	c := p.changed()
	if p.sc.Counters[kind].Kind == Pax {
		r = paxLeft
		if t, side := f.table(p), &p.sc.Seats[seat]; !p.among(side, t.GetAt(), cmd.At) &&
			p.among(side, t.GetOnePaxAt(), cmd.At) {
			c.register(seat, ocsv1.Register_REGISTER_SPECIAL_PAX, 1)
		}
	}
	c.register(seat, r, p.register(seat, r)-1)
	id := p.spareID(kind)
	k := c.create(kind, cmd.At)
	k.Set = append(k.Set, ocsv1.UnitMark_UNIT_MARK_ARRIVED)
	if cmd.Marker != AnyMarker {
		k.Marker = ocsv1.Marker(cmd.Marker)
	}
	for i := range p.sc.Seats[seat].Entries {
		if e := &p.sc.Seats[seat].Entries[i]; e.Rail && e.At == cmd.At {
			k.Set = append(k.Set, ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL) // OCS 13.6b
		}
	}
	p.claim(c, cmd.At, seat)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsArrived{UnitsArrived: &ocsv1.UnitsArrived{
		Seat: seatIDs[seat], Units: []string{id}, At: p.sc.PlaceID(cmd.At),
	}}})
}

// among reports whether a place is that of one of some entries.
func (p *Position) among(side *SideInfo, ids []string, at Place) bool {
	for _, id := range ids {
		if side.Entries[side.entry(id)].At == at {
			return true
		}
	}
	return false
}

func listPlaceReplacement(l *lister) {
	p := l.p
	f := inner[*replacementTable](p)
	if f == nil {
		return
	}
	for _, kind := range [...]uint16{p.sc.tab.pax[l.seat], p.sc.tab.eq[l.seat]} {
		for _, at := range p.replacementDoors(f, p.sc.Counters[kind].Kind == Pax) {
			for _, m := range [...]Marker{NoMarker, Reserve, Strat} {
				c := only(KindPlaceRepl)
				c.Name, c.At, c.Marker = p.sc.Counters[kind].ID, at, m
				l.checked(c)
			}
		}
	}
}

// checkPlaceTrucks says why truck points of the table may not be put down (OCS 13.5e).
func (p *Position) checkPlaceTrucks(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*replacementTable](p)
	if f == nil || !c.At.onMap() || c.M == 0 || p.truckOf(seat) == noCounter {
		return rules.Malformed("no trucks are to be placed, or the command names no place or no points")
	}
	at, left := p.sc.PlaceID(c.At), p.register(seat, trucksLeft)
	switch {
	case c.M > left:
		return rules.Refuse("OCS 13.5e", "refuse.trucks-left", "need", c.M, "left", left)
	case !slices.Contains(p.replacementDoors(f, false), c.At):
		return rules.Refuse("OCS 13.6", "refuse.no-entry", "hex", at).At(at)
	case p.spare(p.truckOf(seat)) >= maxUnits:
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

func (p *Position) playPlaceTrucks(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.register(seat, trucksLeft, p.register(seat, trucksLeft)-cmd.M)
	p.regain(c, seat, cmd.M)
	k := c.create(p.truckOf(seat), cmd.At)
	k.PointsT = proto.Uint32(uint32(cmd.M))
	k.Set = append(k.Set, ocsv1.UnitMark_UNIT_MARK_ARRIVED)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SupplyArrived{SupplyArrived: &ocsv1.SupplyArrived{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At), PointsT: uint32(cmd.M),
	}}})
}

// regain notes that lost truck points are there again (OCS 13.5e).
func (p *Position) regain(c *changes, seat rules.Seat, points int) {
	r := ocsv1.Register_REGISTER_TRUCKS_LOST
	c.register(seat, r, p.register(seat, r)-points)
}

func listPlaceTrucks(l *lister) {
	p := l.p
	f := inner[*replacementTable](p)
	if f == nil {
		return
	}
	for _, at := range p.replacementDoors(f, false) {
		c := only(KindPlaceTrucks)
		c.At, c.M = at, p.register(l.seat, trucksLeft)
		if c.M > 0 {
			l.checked(c)
		}
	}
}

// playWaive ends a table with something left.
func (p *Position) playWaive(x *exec, seat rules.Seat, _ *Command) { p.endTable(x, seat) }

func listWaive(l *lister) { l.checked(only(KindWaive)) }

// withdraw takes units out of the game by the schedule. For one in the dead pile or not at full strength a Pax is owed,
// or an Eq for one with track or truck movement, as soon as there is one. Owed Pax are the low, owed Eq the high digits
// of the register.
func (p *Position) withdraw(x *exec, seat rules.Seat) {
	owed := p.register(seat, ocsv1.Register_REGISTER_OWED)
	for _, w := range p.sc.Seats[seat].Doc.GetWithdrawals() {
		if int(w.GetTurn()) != int(p.turn) {
			continue
		}
		c := p.changed()
		fact := &ocsv1.UnitsWithdrawn{Seat: seatIDs[seat]}
		for _, id := range slices.Concat(w.GetUnits(), w.GetOrganic()) {
			u, fresh, ok := p.unitByID(id)
			if !ok || fresh || p.units[u].place == Gone {
				continue
			}
			if s := &p.units[u]; p.isCombat(u) && (s.place == Dead || s.lost > 0) {
				if owed += paxOwed; p.counter(u).Faces[MoveFace].MP != Leg {
					owed += eqOwed - paxOwed
				}
				fact.Owed++
			}
			c.eliminate(u)
			c.move(u, Gone)
			fact.Units = append(fact.Units, id)
		}
		c.register(seat, ocsv1.Register_REGISTER_OWED, owed)
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsWithdrawn{UnitsWithdrawn: fact}})
	}
}

// The unit of each kind of debt in the register.
const (
	paxOwed = 1
	eqOwed  = 1000
)

// settleDebts removes replacement units that are owed, at the end of the Reinforcement Phase.
func (p *Position) settleDebts(x *exec) {
	for seat := range numSeats {
		owed := p.register(seat, ocsv1.Register_REGISTER_OWED)
		if !p.acts(seat) || owed == 0 {
			continue
		}
		c := p.changed()
		fact := &ocsv1.UnitsWithdrawn{Seat: seatIDs[seat]}
		for u := range p.all(seat) {
			n := 0
			switch kind := p.counter(u).Kind; {
			case kind == Pax && owed%eqOwed > 0:
				n = paxOwed
			case kind == Eq && owed/eqOwed > 0:
				n = eqOwed
			default:
				continue
			}
			owed -= n
			c.eliminate(u)
			fact.Units = append(fact.Units, p.id(u))
		}
		if len(fact.Units) > 0 {
			c.register(seat, ocsv1.Register_REGISTER_OWED, owed)
			tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsWithdrawn{UnitsWithdrawn: fact}})
		}
	}
}
