package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Air drops (OCS 14.10): air transport to any hex, with a plan for combat units, and a roll for each unit and token.

// planAhead is how many turns before a drop it must be planned, at the latest (OCS 14.10b).
const planAhead = 2

// checkAirdrop says why air units may not drop cargo on a hex (OCS 14.10): a hex that land units could enter, cargo
// that may be dropped, a plan for combat units.
func (p *Position) checkAirdrop(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkFlyers(seat, c.Units); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	if h := c.At.Hex(); h == NoHex || !p.sc.Hexes[h].Land {
		return rules.Refuse("OCS 14.10", "refuse.no-drop-hex", "hex", id).At(id)
	}
	if r := p.checkCargo(seat, c); r != nil {
		return r
	}
	for _, l := range c.Lines {
		switch {
		case p.counter(l.By).Plane.GliderTow:
			return rules.Refuse("OCS 14.10f", "refuse.glider-drop", "unit", p.unitName(l.By)).About(p.id(l.By))
		case l.Flight == uint8(ocsv1.Flight_FLIGHT_ONE_WAY):
			return rules.Refuse("OCS 14.10", "refuse.one-way-drop", "unit", p.unitName(l.By)).About(p.id(l.By))
		case l.Unit == NoUnit || p.isGlider(l.Unit):
		case !p.counter(l.Unit).Parachute && !p.isGlider(l.By):
			// what may be carried by air lands by glider (OCS 14.10e)
			return rules.Refuse("OCS 14.10a", "refuse.no-parachute", "unit", p.unitName(l.Unit)).About(p.id(l.Unit))
		case p.segment != SegMovement:
			return rules.Refuse("OCS 14.10b", "refuse.drop-phase", "unit", p.unitName(l.Unit)).About(p.id(l.Unit))
		case p.units[l.Unit].plan != c.At || p.units[l.Unit].due > p.turn:
			// one that was not flown in its turn counts as put off
			return rules.Refuse("OCS 14.10b", "refuse.no-plan", "unit", p.unitName(l.Unit),
				"hex", id).About(p.id(l.Unit)).At(id)
		}
	}
	return nil
}

func (p *Position) playAirdrop(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_DROP, cmd.Units, cmd.At,
		func(c *changes, f *mission) { p.stow(c, f, cmd, seat) })
}

// drop rolls for each unit dropped, then for each token (OCS 14.10d). Units in a hex with an enemy combat unit are lost
// without a roll; what land units an enemy without combat units has there is captured (OCS 9.14); what can't capture is
// lost (OCS 4.8c-A) unless one that can has landed before it (Decision D54).
func (p *Position) drop(x *exec, f *mission) {
	x.Reveal()
	var landed []Unit
	held := false // by a unit that captures what the enemy has there
	for _, j := range p.jumpers(f) {
		if p.dropUnit(x, f, j.unit, j.hold, held) {
			landed = append(landed, j.unit)
			held = held || p.attackCapable(j.unit)
		}
	}
	for _, on := range p.missionUnits(f) {
		for _, hold := range p.bays(on) {
			p.dropTokens(x, f, hold, held)
		}
		p.useGliders(x, on)
	}
	if len(landed) > 0 {
		p.occupy(x, f.seat, landed, []Place{f.at})
	}
}

// jumper is a unit to be dropped, and the air unit or glider that it is in.
type jumper struct{ unit, hold Unit }

// jumpers are the units of a mission to be dropped. Those that can capture go first where the enemy has something
// (Decision D54).
func (p *Position) jumpers(f *mission) (list []jumper) {
	for _, on := range p.missionUnits(f) {
		for _, hold := range p.bays(on) {
			for _, u := range p.passengers(hold) {
				list = append(list, jumper{u, hold})
			}
		}
	}
	if !p.enemyHolds(f.seat, f.at) {
		return list
	}
	able := func(j jumper) bool { return p.attackCapable(j.unit) }
	unable := slices.DeleteFunc(slices.Clone(list), able)
	return append(slices.DeleteFunc(list, func(j jumper) bool { return !able(j) }), unable...)
}

// dropUnit drops a unit out of an air unit or glider and reports whether it landed. It may not move any more in the
// phase, and needs no trace in this turn (OCS 12.6h). A hex is held if a unit that captures has landed in it.
func (p *Position) dropUnit(x *exec, f *mission, u, hold Unit, held bool) bool {
	fact := &ocsv1.DropRolled{Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Unit: p.id(u)}
	if !p.combatIn(enemy(f.seat), f.at) && (held || !p.enemyHolds(f.seat, f.at) || p.attackCapable(u)) {
		p.rollDrop(x, f, fact, p.isGlider(hold))
	}
	c := p.changed()
	m := c.unit(u)
	if fact.Landed {
		c.move(u, f.at)
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_AIRLIFTED,
			ocsv1.UnitMark_UNIT_MARK_DROPPED)
	} else {
		c.eliminate(u)
	}
	m.Aboard, m.Plan, m.PlanTurn = proto.String(""), proto.String(""), proto.Uint32(0)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_DropRolled{DropRolled: fact}})
	return fact.Landed
}

// dropTokens drops the supply of an air unit or glider, token by token.
func (p *Position) dropTokens(x *exec, f *mission, on Unit, held bool) {
	load, landed := int(p.units[on].load), 0
	for range load {
		fact := &ocsv1.DropRolled{Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at)}
		if !p.combatIn(enemy(f.seat), f.at) && (held || !p.enemyHolds(f.seat, f.at)) {
			p.rollDrop(x, f, fact, p.isGlider(on))
		}
		if fact.Landed {
			landed++
		}
		tell(x, &event{Fact: &ocsv1.Event_DropRolled{DropRolled: fact}})
	}
	if load == 0 {
		return
	}
	c := p.changed()
	c.unit(on).LoadT = proto.Uint32(0)
	if landed > 0 {
		c.ground(f.at, f.seat, int(p.cell(f.at).ground[f.seat])+landed)
		c.taint(f.at, f.seat, ocsv1.Carriage_CARRIAGE_AIR, p.tainted(f.at, f.seat, ocsv1.Carriage_CARRIAGE_AIR)+landed)
	}
	tell(x, &event{Changes: c.list})
}

// rollDrop rolls on the air drop table, by the terrain of the hex and whether a friendly unit was in it when the phase
// began; gliders land more surely (OCS 14.10e-E).
func (p *Position) rollDrop(x *exec, f *mission, fact *ocsv1.DropRolled, byGlider bool) {
	var by named
	by.add(bySide, int(p.sc.Seats[f.seat].Doc.GetDropModifier()))
	if byGlider {
		by.add(byAir, int(p.sc.Charts.GetAir().GetGliderModifier()))
	}
	modifier := by.total()
	roll := x.Roll(6, "air-drop") + x.Roll(6, "air-drop")
	fact.Roll, fact.Modifier, fact.Modifiers = uint32(roll), int32(modifier), by.told()
	fact.Landed = roll+modifier >= p.dropNeeds(f.seat, f.at)
}

// dropNeeds is the least roll that lands in a hex.
func (p *Position) dropNeeds(seat rules.Seat, at Place) int {
	terrain := dropClosed
	if p.clearForDrops(at) {
		terrain = dropClear
	}
	friendly := false
	for u := range p.of(seat, at) {
		friendly = friendly || p.units[u].origin == at
	}
	for _, r := range p.sc.Charts.GetAir().GetDrops() {
		if r.GetFriendly() == friendly && r.GetTerrain() == terrain {
			return int(r.GetMin())
		}
	}
	return 0
}

// clearForDrops reports whether a hex is clear for drops: all its terrain is, or it has an air base.
func (p *Position) clearForDrops(at Place) bool {
	if p.base(at) > 0 {
		return true
	}
	for _, t := range p.sc.Hexes[at].Terrains {
		if !p.sc.Terrains[t].Clear {
			return false
		}
	}
	return true
}

// checkPlanDrop says why a drop may not be planned: at the beginning of the game, or two turns ahead in the Aircraft
// Refit Phase; one plan for a unit (OCS 14.10b).
func (p *Position) checkPlanDrop(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if u == NoUnit || c.At.Hex() == NoHex {
		return rules.Malformed("a plan names a unit and a hex")
	}
	id, s, earliest := p.id(u), &p.units[u], int(p.turn)+planAhead
	if p.segment != SegRefit {
		earliest = 1
	}
	switch {
	case s.seat != seat || !p.counter(u).Kind.Combat() || !p.spot(u).onMap() || int(u) >= p.sc.Fixed:
		return rules.Refuse("OCS 14.10b", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case !p.mayDrop(u):
		return rules.Refuse("OCS 14.10a", "refuse.no-parachute", "unit", p.unitName(u)).About(id)
	case s.plan != Nowhere:
		return rules.Refuse("OCS 14.10b", "refuse.has-plan", "unit", p.unitName(u),
			"hex", p.sc.PlaceID(s.plan)).About(id)
	case c.N < earliest || c.N > p.sc.Turns():
		return rules.Refuse("OCS 14.10b", "refuse.plan-turn", "n", earliest, "max", p.sc.Turns()).About(id)
	case !p.sc.Hexes[c.At].Land:
		return rules.Refuse("OCS 14.10", "refuse.no-drop-hex", "hex", p.sc.PlaceID(c.At)).At(p.sc.PlaceID(c.At))
	}
	return nil
}

func (p *Position) playPlanDrop(x *exec, seat rules.Seat, cmd *Command) {
	p.plan(x, seat, cmd.Unit, cmd.At, cmd.N)
}

// plan makes, changes or discards the plan of a unit. Nobody else knows of it until it is flown.
func (p *Position) plan(x *exec, seat rules.Seat, u Unit, at Place, turn int) {
	c := p.changed()
	c.unit(u).Plan, c.unit(u).PlanTurn = proto.String(p.sc.PlaceID(at)), proto.Uint32(uint32(turn))
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_DropPlanned{DropPlanned: &ocsv1.DropPlanned{
		Seat: seatIDs[seat], Unit: p.id(u), At: p.sc.PlaceID(at), Turn: uint32(turn),
	}}})
}

// checkPlanned says why a unit has no plan that could be put off or discarded (OCS 14.10c).
func (p *Position) checkPlanned(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if u == NoUnit || p.units[u].seat != seat || p.units[u].plan == Nowhere {
		return rules.Refuse("OCS 14.10c", "refuse.nothing-planned", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// playDelayDrop puts a plan off to the next turn, unchanged.
func (p *Position) playDelayDrop(x *exec, seat rules.Seat, cmd *Command) {
	s := &p.units[cmd.Unit]
	p.plan(x, seat, cmd.Unit, s.plan, max(int(s.due), int(p.turn))+1)
}

// checkDelayDrop is checkPlanned for a delay that the game lasts long enough for.
func (p *Position) checkDelayDrop(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkPlanned(seat, c); r != nil {
		return r
	}
	if max(int(p.units[c.Unit].due), int(p.turn)) >= p.sc.Turns() {
		return rules.Refuse("OCS 14.10c", "refuse.plan-turn", "n", p.sc.Turns(),
			"max", p.sc.Turns()).About(p.id(c.Unit))
	}
	return nil
}

func (p *Position) playCancelDrop(x *exec, seat rules.Seat, cmd *Command) {
	p.plan(x, seat, cmd.Unit, Nowhere, 0)
}

// parachutists are the units of a seat that may have plans (OCS 14.10a).
func (p *Position) parachutists(seat rules.Seat) (list []Unit) {
	for u := range p.sc.Fixed {
		if p.sc.Counters[u].Seat == seat && p.mayDrop(Unit(u)) && p.spot(Unit(u)).onMap() {
			list = append(list, Unit(u))
		}
	}
	return list
}

// listPlanDrop lists plans of each unit for the earliest turn, for every hex; of those without parachutes where gliders
// are that could take them.
func listPlanDrop(l *lister) {
	if !l.p.sc.Flies {
		return
	}
	turn := 1
	if l.p.segment == SegRefit {
		turn = int(l.p.turn) + planAhead
	}
	for _, u := range l.p.parachutists(l.seat) {
		if l.p.units[u].plan != Nowhere || !l.acts(u) ||
			!l.p.counter(u).Parachute && !l.p.glidersIn(l.seat, l.p.spot(u)) {
			continue
		}
		for h := range l.p.sc.Hexes {
			if !l.done && l.aims(Place(h)) && l.p.sc.Hexes[h].Land {
				c := only(KindPlanDrop)
				c.Unit, c.At, c.N = u, Place(h), turn
				l.checked(c)
			}
		}
	}
}

// listPlanned lists the units that have a plan.
func listPlanned(kind Kind) func(*lister) {
	return func(l *lister) {
		for _, u := range l.p.parachutists(l.seat) {
			if l.p.units[u].plan != Nowhere {
				c := only(kind)
				c.Unit = u
				l.checked(c)
			}
		}
	}
}

// listAirdrop lists for each transport its drops: units on the hex of their plan, and one token or as many as it
// carries on every hex with a friendly unit.
func listAirdrop(l *lister) {
	p := l.p
	list := l.flyers(func(u Unit) bool {
		return p.is(u, hauler) && p.plane(u).Capacity > 0 && !p.counter(u).Plane.GliderTow
	})
	if len(list) == 0 && !p.hasGliders(l.seat) {
		return
	}
	flights := []ocsv1.Flight{ocsv1.Flight_FLIGHT_UNSPECIFIED, ocsv1.Flight_FLIGHT_SHORT}
	wanted := make([]bool, len(p.sc.Hexes))
	for u := range p.all(l.seat) {
		if s := &p.units[u]; s.place.Hex() != NoHex {
			wanted[s.place] = true
		}
	}
	for _, u := range p.parachutists(l.seat) {
		if s := &p.units[u]; s.plan != Nowhere && s.due <= p.turn {
			wanted[s.plan] = true
		}
	}
	for h, yes := range wanted {
		if yes && !l.done && l.aims(Place(h)) {
			l.haul(KindAirdrop, list, Place(h), flights)
			l.tow(KindAirdrop, Place(h), flights)
		}
	}
}
