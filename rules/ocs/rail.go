package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Rail transport (OCS 13.3): cargo entrains, moves and detrains in one Movement Phase, by one command (OCS 13.3c).

// detrainable reports whether a side's cargo may be left in a hex now: a place for it (OCS 13.3c-i, OCS 13.8c) under
// friendly rail control (OCS 13.3c-ii), with a rail line to a supply source that no enemy ZOC blocks (OCS 13.3c-iii).
// Enemy ZOC in the hex itself is a matter of the trip.
func (r *railways) detrainable(h Hex) bool {
	return r.p.detrains(r.s.seat, h) && r.controlled.has(h) && r.s.network().linked.has(h)
}

// fits reports whether cargo may be in a rail hex: no enemy combat unit, no enemy ZOC, negated or not, to load, pass
// or unload in (OCS 4.5a-C, OCS 13.3a, OCS 13.3c-2), the side's gauge (OCS 13.3f) not laid in this turn (OCS 13.3g-A).
func (r *railways) fits(h Hex) bool {
	p, foe := r.p, enemy(r.s.seat)
	return r.usable(h) && !p.inZOC(foe, h) && !p.cells[h].marks.has(ocsv1.HexMark_HEX_MARK_CONVERTED)
}

// cargo is what travels.
type cargo struct {
	units  []Unit
	from   Hex
	tokens int
	weight int  // in eighths of a token (OCS 4.7)
	repair bool // all are railroad repair units (OCS 13.3g-C)
	offMap bool // it came from off the map by rail in this turn (OCS 13.6b)
}

// checkRail says why cargo may not travel by rail (OCS 13.3).
func (p *Position) checkRail(seat rules.Seat, c *Command) *rules.Refusal {
	return p.railways(seat).check(c)
}

func (r *railways) check(c *Command) *rules.Refusal {
	var load cargo
	if refusal := r.loaded(c, &load); refusal != nil {
		return refusal
	}
	if refusal := r.entrains(&load); refusal != nil {
		return refusal
	}
	p, to := r.p, c.At.Hex()
	if to == NoHex || to == load.from {
		return rules.Malformed("the command names no hex to travel to")
	}
	at := p.sc.PlaceID(c.At)
	switch {
	case p.inZOC(enemy(r.s.seat), to):
		return rules.Refuse("OCS 13.3c-3", "refuse.rail-zoc", "hex", at).At(at)
	case !load.repair && !p.detrains(r.s.seat, to):
		return rules.Refuse("OCS 13.3c-i", "refuse.no-station", "hex", at).At(at)
	case !load.repair && !r.controlled.has(to):
		return rules.Refuse("OCS 13.3c-ii", "refuse.no-control", "hex", at).At(at)
	case !load.repair && !r.s.network().linked.has(to):
		return rules.Refuse("OCS 13.3c-iii", "refuse.no-rail-link", "hex", at).At(at)
	}
	halves := r.route(&load, to)
	if halves == 0 {
		return rules.Refuse("OCS 13.3c-2", "refuse.no-rail", "from", p.sc.Map.ID(load.from),
			"to", at).At(p.sc.Map.ID(load.from), at)
	}
	if need, left := load.weight*halves/2, p.railLeft(r.s.seat); need > left {
		return rules.Refuse("OCS 13.3a", "refuse.rail-cap", "need", tokensText(need), "left", tokensText(left))
	}
	return nil
}

// tokensText writes eighths of a token as tokens.
func tokensText(eighths int) string { return fraction(int64(eighths), oneToken).format() }

// railLeft is the rail capacity that a side has left in the phase, in eighths of a token (OCS 13.3b).
func (p *Position) railLeft(seat rules.Seat) int {
	n := int(p.faster(uint32(period(p.sc.Seats[seat].Doc.GetRailCapacityT(), int(p.turn)))))
	return n*oneToken - p.register(seat, ocsv1.Register_REGISTER_RAIL_USED)
}

// loaded reads what travels: units of one hex, or supply on the ground of one (OCS 13.3a).
func (r *railways) loaded(c *Command, load *cargo) *rules.Refusal {
	p := r.p
	if (len(c.Units) == 0) == (c.N == 0) {
		return rules.Malformed("either units travel or supply")
	}
	if c.N > 0 {
		load.from, load.tokens, load.weight = c.From.Hex(), c.N, c.N*oneToken
		if load.from == NoHex {
			return rules.Malformed("the command does not say where the supply is")
		}
		at := p.sc.PlaceID(c.From)
		lies := int(p.cell(c.From).ground[r.s.seat])
		if c.N > lies {
			return rules.Refuse("OCS 13.3a", "refuse.tokens", "hex", at, "need", c.N, "left", lies).At(at)
		}
		if fresh := lies - p.carriedHere(r.s.seat, c.From); c.N > fresh {
			return rules.Refuse("OCS 12.2a", "refuse.leapfrog", "hex", at, "left", fresh).At(at)
		}
		load.offMap = c.N <= p.register(r.s.seat, ocsv1.Register_REGISTER_RAIL_SUPPLY) && p.railEntry(r.s.seat, c.From)
		return nil
	}
	if refusal := p.checkStack(r.s.seat, c.Units); refusal != nil {
		return refusal
	}
	load.units, load.from = c.Units, p.units[c.Units[0]].place.Hex()
	if load.from == NoHex {
		return rules.Refuse("OCS 13.3c-1", "refuse.no-rail-there",
			"hex", p.sc.PlaceID(p.units[c.Units[0]].place)).About(p.ids(c.Units)...)
	}
	load.repair, load.offMap = true, true
	for _, u := range c.Units {
		load.weight += p.railWeight(u)
		load.repair = load.repair && p.counter(u).RailRepair
		load.offMap = load.offMap && p.has(u, ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL)
	}
	return nil
}

// railEntry reports whether a place is an entry of the side on a railway.
func (p *Position) railEntry(seat rules.Seat, at Place) bool {
	for i := range p.sc.Seats[seat].Entries {
		if e := &p.sc.Seats[seat].Entries[i]; e.Rail && e.At == at {
			return true
		}
	}
	return false
}

// heavyRail is what a gun that moves by rail only counts, in tokens (a special rule).
const heavyRail = 8

// railWeight is what a unit counts as rail cargo, in eighths of a token.
func (p *Position) railWeight(u Unit) int {
	if p.counter(u).RailOnly {
		return heavyRail * oneToken
	}
	return p.freight(u)
}

// entrains says why cargo may not entrain where it is (OCS 13.3c-1).
func (r *railways) entrains(load *cargo) *rules.Refusal {
	p, from := r.p, r.p.sc.Map.ID(load.from)
	for _, u := range load.units {
		if refusal := r.boards(u, load); refusal != nil {
			return refusal
		}
	}
	switch {
	case !p.sc.Hexes[load.from].Rail:
		return rules.Refuse("OCS 13.3c-1", "refuse.no-rail-there", "hex", from).At(from)
	case !r.usable(load.from):
		return rules.Refuse("OCS 13.3f", "refuse.other-gauge", "hex", from).At(from)
	case p.inZOC(enemy(r.s.seat), load.from): // also what entrained off the map goes through it (OCS 13.3c-2)
		return rules.Refuse("OCS 13.3c-1", "refuse.rail-zoc", "hex", from).At(from)
	case load.offMap:
		return nil // OCS 13.6b
	case !load.repair && !r.detrainable(load.from) && !r.ownStation(load):
		return rules.Refuse("OCS 13.3c-1", "refuse.no-station", "hex", from).At(from)
	}
	return nil
}

// ownStation reports whether the cargo is an HQ that could make its hex detrainable when the phase began (OCS 13.8c).
func (r *railways) ownStation(load *cargo) bool {
	for _, u := range load.units {
		s := &r.p.units[u]
		if !r.p.counter(u).HQ || s.origin.Hex() != load.from || !s.marks.has(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT) {
			return false
		}
	}
	return len(load.units) > 0 && r.controlled.has(load.from) && r.s.network().linked.has(load.from)
}

// boards says why a unit may not entrain: not in Strat mode (OCS 5.8d), Reserve mode (OCS 5.7e), DG (OCS 5.10d) nor
// Combat mode (OCS 5.5a), only in Move mode (OCS 5.6a) with half of its allowance left (OCS 13.3c-1); a railroad repair
// unit also in Combat mode (OCS 13.3g-B).
func (r *railways) boards(u Unit, load *cargo) *rules.Refusal {
	p, s := r.p, &r.p.units[u]
	mode := p.mode(u)
	switch {
	case mode == StratMode:
		return rules.Refuse("OCS 5.8d", "refuse.rail-mode", "unit", p.unitName(u)).About(p.id(u))
	case mode == ReserveMode:
		return rules.Refuse("OCS 5.7e", "refuse.rail-mode", "unit", p.unitName(u)).About(p.id(u))
	case mode == DGMode:
		return rules.Refuse("OCS 5.10d", "refuse.rail-mode", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_EXTENDER):
		return rules.Refuse("OCS 12.7", "refuse.is-extender", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMMITTED):
		return rules.Refuse("OCS 4.5b", "refuse.committed", "unit", p.unitName(u),
			"hex", p.sc.placeName(p.sc.PlaceID(s.place))).About(p.id(u))
	case s.load > 0 && s.spent > 0: // what a transport has moved or loaded, no train carries on in the phase
		return rules.Refuse("OCS 12.2a", "refuse.rail-loaded", "unit", p.unitName(u)).About(p.id(u))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE) ||
		s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) && !p.inMotion(u) && s.spent > 0 && !load.repair:
		return rules.Refuse("OCS 6.1f", "refuse.move-over", "unit", p.unitName(u)).About(p.id(u))
	case load.offMap:
		return nil
	case mode != MoveMode && !(mode == CombatMode && p.counter(u).RailRepair):
		return rules.Refuse("OCS 5.6a", "refuse.rail-mode", "unit", p.unitName(u)).About(p.id(u))
	case 2*s.spent > p.shown(u).Movement:
		return rules.Refuse("OCS 13.3c-1", "refuse.rail-spent", "unit", p.unitName(u),
			"n", formatCost(p.shown(u).Movement/2)).About(p.id(u))
	}
	return nil
}

// route finds the cheapest way for cargo and gives its cost in halves: 1 if it is wholly on double track (OCS 13.3a-i),
// 2 otherwise; twice as much through a trainbusting zone, however many markers make it (OCS 13.3a-ii, OCS 14.8c-ii, OCS
// 14.8c-iv); 0 if none exists.
func (r *railways) route(load *cargo, to Hex) int {
	busted := r.p.walk(r.s.seat).busted
	for _, way := range [...]struct {
		halves int
		track  uint8
		zones  bool
	}{{1, 2, false}, {2, 1, false}, {2, 2, true}, {4, 1, true}} {
		if (busted != nil || !way.zones) && r.connected(load, to, way.track, busted, way.zones) {
			return way.halves
		}
	}
	return 0
}

// connected reports whether a path of controlled hexes with at least so many tracks leads from one hex to another.
// Railroad repair units may begin and end outside of what is controlled. Ways through trainbusting zones count
// only if zones is true.
func (r *railways) connected(load *cargo, to Hex, track uint8, busted hexSet, zones bool) bool {
	seen := r.s.newSet()
	barred := func(h Hex) bool { return busted != nil && !zones && r.p.trainbusted(busted, Track, h) }
	if barred(load.from) {
		return false
	}
	todo := []Hex{load.from}
	seen.add(load.from)
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if h == to {
			return true
		}
		for d, n := range r.p.sc.Map.Neighbors(h) {
			if n == NoHex || seen.has(n) || r.p.sc.Hexes[h].Tracks[hex.Dir(d)] < track || !r.fits(n) || !load.repair &&
				!r.controlled.has(n) || barred(n) {
				continue
			}
			seen.add(n)
			todo = append(todo, n)
		}
	}
	return false
}

// playRail carries cargo. It can't move any more in the phase (OCS 13.3c-3), but a railroad repair unit has what is
// left of its allowance (OCS 13.3g-B).
func (p *Position) playRail(x *exec, seat rules.Seat, cmd *Command) {
	r := p.railways(seat)
	var load cargo
	_ = r.loaded(cmd, &load) // it passed the check
	cost := load.weight * r.route(&load, cmd.At.Hex()) / 2
	c := p.changed()
	used := ocsv1.Register_REGISTER_RAIL_USED
	c.register(seat, used, p.register(seat, used)+cost)
	for _, u := range load.units {
		c.move(u, cmd.At)
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_RAILED)
		if !p.counter(u).RailRepair {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
		k := c.unit(u)
		k.Unset = []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL}
		if p.units[u].load > 0 {
			k.Carried = ocsv1.Carriage_CARRIAGE_RAIL.Enum()
		}
	}
	for _, u := range p.motion {
		if !slices.Contains(load.units, u) {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE) // OCS 6.1g
		}
	}
	var going []Unit
	for _, u := range load.units {
		if p.counter(u).RailRepair {
			going = append(going, u)
		}
	}
	c.motion(going)
	if cmd.N > 0 {
		p.railSupply(c, seat, cmd)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Railed{Railed: &ocsv1.Railed{
		Seat: seatIDs[seat], Units: p.ids(load.units), From: p.sc.Map.ID(load.from), At: p.sc.PlaceID(cmd.At),
		Tokens: uint32(cmd.N), CostEighths: uint32(cost),
	}}})
}

// railSupply carries supply, which can't be carried on in this phase (OCS 12.2a).
func (p *Position) railSupply(c *changes, seat rules.Seat, cmd *Command) {
	c.ground(cmd.From, seat, int(p.cell(cmd.From).ground[seat])-cmd.N)
	c.ground(cmd.At, seat, int(p.cell(cmd.At).ground[seat])+cmd.N)
	sum := cmd.N
	for _, t := range p.taint {
		if t.at == cmd.At && t.seat == seat && t.carriage == uint8(ocsv1.Carriage_CARRIAGE_RAIL) {
			sum += int(t.tokens)
		}
	}
	c.taint(cmd.At, seat, ocsv1.Carriage_CARRIAGE_RAIL, sum)
	if fresh := ocsv1.Register_REGISTER_RAIL_SUPPLY; p.railEntry(seat, cmd.From) {
		c.register(seat, fresh, max(0, p.register(seat, fresh)-cmd.N))
	}
}

// listRail lists the trips of single units, and of all supply of a hex that capacity allows and one token of it, to
// each hex where it may be left.
func listRail(l *lister) {
	p := l.p
	if p.railLeft(l.seat) <= 0 {
		return
	}
	r := p.railways(l.seat)
	var ends []Place
	for i := range p.sc.Hexes {
		if h := Hex(i); r.fits(h) && l.aims(Place(i)) {
			ends = append(ends, Place(i))
		}
	}
	trip := func(c Command) {
		var load cargo
		if r.loaded(&c, &load) != nil || r.entrains(&load) != nil {
			return
		}
		for _, at := range ends {
			if c.At = at; (load.repair || r.detrainable(at.Hex())) && r.check(&c) == nil {
				l.give(c)
			}
		}
	}
	for u := range p.all(l.seat) {
		if h := p.units[u].place.Hex(); h != NoHex && p.sc.Hexes[h].Rail && l.acts(u) {
			c := only(KindRail)
			c.Units = []Unit{u}
			trip(c)
		}
	}
	for i := range p.sc.Hexes {
		lies := min(int(p.cells[i].ground[l.seat])-p.carriedHere(l.seat, Place(i)), p.railLeft(l.seat)/oneToken)
		for _, n := range [...]int{lies, 1} {
			if n < 1 || !p.sc.Hexes[i].Rail {
				break
			}
			c := only(KindRail)
			c.From, c.N = Place(i), n
			trip(c)
			if lies == 1 {
				break
			}
		}
	}
}

// resetCapacity gives rail and sea capacity anew for the next Movement Phase; it can't be saved
// (OCS 13.3b, OCS 19.0f-B).
func (p *Position) resetCapacity(x *exec) {
	for seat := range numSeats {
		for _, used := range [...]ocsv1.Register{ocsv1.Register_REGISTER_RAIL_USED, ocsv1.Register_REGISTER_SEA_USED,
			ocsv1.Register_REGISTER_LANDING} {
			if p.register(seat, used) == 0 {
				continue
			}
			c := p.changed()
			c.register(seat, used, 0)
			tell(x, &event{Changes: c.list})
		}
	}
}
