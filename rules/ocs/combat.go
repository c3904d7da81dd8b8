package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// combatStep is a step of a ground combat, which has an exact order of them (OCS 9.2).
type combatStep uint8

// The steps, by the numbers of the notation.
const (
	combatPayAttack      combatStep = iota // asks the attacker (OCS 9.2-2)
	combatPayDefence                       // asks the defender
	combatLeadAttack                       // asks the attacker (OCS 9.2-3)
	combatLeadDefence                      // asks the defender
	combatTerrain                          // asks the defender (OCS 9.2-4)
	combatAttackerLosses                   // asks the attacker (OCS 9.2-8)
	combatDefenderLosses                   // asks the defender
	combatAftermath                        // reserves and exploitation
	combatAdvance                          // asks the attacker (OCS 9.2-9)
	combatEnd
)

// combatForm is what a combat is fought as.
type combatForm uint8

// The forms, by the numbers of the notation.
const (
	regularAttack combatForm = iota
	overrunAttack            // OCS 8.0
	beachAttack              // OCS 18.6a; never an overrun in any respect (OCS 18.6a-D)
)

// combat is a ground combat (OCS 9) of the attacker, at the hex that is attacked.
type combat struct {
	head
	step      combatStep
	form      combatForm
	from      Place   // hex of an overrun
	hexes     []Place // attacking hexes
	attackers []Unit
	defenders []Unit
	attack    Unit    // attacker whose Action Rating is used (OCS 9.6)
	defence   Unit    // defender whose Action Rating is used
	terrain   int16   // that the defender chose for itself (OCS 9.4c), or noTerrain
	across    []int16 // for each attacking hex what the defender chose (OCS 9.4b), as far as it did
	row       int     // row of the CRT that was read, from 1; 0 before
	column    int     // column of the CRT that was read
	retreated bool    // the attacker retreated
	unmet     bool    // the attacker could not meet its options
}

func (*combat) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_COMBAT }

func (f *combat) wire(w *framing) {
	wireStep(w, &f.step)
	w.from(&f.from)
	w.unit(&f.attack)
	w.enemy(&f.defence)
	w.units(&f.attackers)
	w.enemies(&f.defenders)
	w.places(&f.hexes)
	wireNumber(w, &f.form)
	wireNumber(w, &f.row)
	wireNumber(w, &f.column)
	w.flag(&f.retreated)
	w.flag(&f.unmet)
	w.terrain(&f.terrain)
	w.terrains(&f.across)
}

func (f *combat) stepped(to combatStep) *combat {
	next := *f
	next.step = to
	return &next
}

func (f *combat) isOverrun() bool { return f.form == overrunAttack }

func (f *combat) isBeach() bool { return f.form == beachAttack }

// checkAttack says why units may not attack a hex (OCS 9.1, OCS 9.2-1). Attacking is voluntary (OCS 9.1b).
func (p *Position) checkAttack(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("an attack names units and a hex")
	}
	if r := p.checkTarget(seat, c.At); r != nil {
		return r
	}
	if at := p.sc.PlaceID(c.At); p.cell(c.At).marks.has(ocsv1.HexMark_HEX_MARK_ATTACKED) {
		return rules.Refuse("OCS 9.1c", "refuse.hex-attacked", "hex", at).At(at)
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayAttack(seat, u, c.At); r != nil {
			return r
		}
	}
	return nil
}

// mayAttack says why one unit may not attack a hex.
func (p *Position) mayAttack(seat rules.Seat, u Unit, target Place) *rules.Refusal {
	s := &p.units[u]
	id, at := p.id(u), p.sc.PlaceID(target)
	switch {
	case s.seat != seat || !s.place.onMap(): // OCS 9.1a
		return rules.Refuse("OCS 9.1a", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case !p.attackCapable(u): // OCS 4.4a, OCS 9.1e
		return rules.Refuse("OCS 9.1e", "refuse.not-attack-capable", "unit", p.unitName(u)).About(id)
	case p.segment == SegExploitCombat && s.marker != Exploitation && !s.marks.has(ocsv1.UnitMark_UNIT_MARK_RELEASED):
		// OCS 9.13a
		return rules.Refuse("OCS 11.0a", "refuse.not-exploiting", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_ATTACKED):
		return rules.Refuse("OCS 9.1c", "refuse.has-attacked", "unit", p.unitName(u)).About(id)
	case s.place.Hex() == NoHex || !p.sc.Map.Adjacent(s.place.Hex(), target.Hex()):
		return rules.Refuse("OCS 9.2-1", "refuse.not-adjacent", "from", p.sc.PlaceID(s.place),
			"to", at).About(id).At(at)
	case !p.enters(u, s.place.Hex(), target.Hex()):
		return rules.Refuse("OCS 9.1f", "refuse.prohibited", "unit", p.unitName(u), "hex", at).About(id).At(at)
	}
	return nil
}

// footing is the type of MP by which it is judged where a unit may go in combat: that of the face that is up, or of its
// Move face if it can't move on the other; leg for what never moves, which may attack where men can walk.
func (p *Position) footing(u Unit) MoveType {
	for _, f := range [...]*FaceInfo{p.shown(u), &p.counter(u).Faces[MoveFace]} {
		if f.Exists && f.MP < numMoveTypes {
			return f.MP
		}
	}
	return Leg
}

// enters reports whether the movement rules let a unit into an adjacent hex at any cost: also along a road only (OCS
// 9.1f, OCS 6.2c).
func (p *Position) enters(u Unit, from, to Hex) bool {
	d, ok := p.sc.Map.DirTo(from, to)
	return ok && p.passes(p.units[u].seat, p.footing(u), from, to, d)
}

// passes reports whether a type of MP can take a step at any cost, over what an engineer of the seat bridges too (OCS
// 13.8b).
func (p *Position) passes(seat rules.Seat, mp MoveType, from, to Hex, d hex.Dir) bool {
	if p.way(byRoad, mp, from, d) != costNever {
		return true
	}
	engineers := p.bridgers(seat)
	return engineers != nil && (engineers.has(from) || engineers.has(to)) && p.bridged(mp, from, d) != costNever
}

// playAttack declares an attack.
func (p *Position) playAttack(x *exec, _ rules.Seat, cmd *Command) {
	p.beginCombat(x, cmd.Units, cmd.At, false)
}

// beginCombat begins the fight of units against a hex: a regular attack, or an overrun whose cost is paid.
func (p *Position) beginCombat(x *exec, attackers []Unit, target Place, overrun bool) {
	seat := p.units[attackers[0]].seat
	f := newFrame[combat](seat, target)
	f.attackers, f.hexes = attackers, p.hexesOf(attackers)
	if overrun {
		f.form, f.from = overrunAttack, f.hexes[0]
	}
	f.defenders = p.combatUnits(enemy(seat), target) // OCS 9.1d
	c := p.changed()
	c.push(f)
	p.dropped(c, f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AttackDeclared{AttackDeclared: &ocsv1.AttackDeclared{
		Seat: seatIDs[seat], From: p.placeIDs(f.hexes), At: p.sc.PlaceID(target), Overrun: overrun,
	}}})
}

// hexesOf are the places of units, in order of the map.
func (p *Position) hexesOf(units []Unit) []Place {
	var list []Place
	for _, u := range units {
		if at := p.spot(u); !slices.Contains(list, at) { // of a beach assault, that of the craft
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// fighters are the units of a side in a combat that are left.
func (p *Position) fighters(f *combat, seat rules.Seat) []Unit {
	all := f.attackers
	if seat != f.seat {
		all = f.defenders
	}
	var list []Unit
	for _, u := range all {
		if int(u) < len(p.units) && (p.units[u].place.onMap() || f.isBeach() && p.units[u].place == Aboard) {
			list = append(list, u)
		}
	}
	return list
}

// asks asks at the steps that ask. Payment, ratings and losses are always asked: that a side has no choice may be a
// secret (OCS 4.9).
func (f *combat) asks(p *Position) (Ask, rules.Seats) {
	attacker, defender := rules.SeatsOf(f.seat), rules.SeatsOf(enemy(f.seat))
	switch f.step {
	case combatPayAttack:
		return AskCombatSupply, attacker
	case combatPayDefence:
		return AskCombatSupply, defender
	case combatLeadAttack:
		return AskLead, attacker
	case combatLeadDefence:
		return AskLead, defender
	case combatTerrain:
		if len(p.unchosen(f)) > 0 {
			return AskTerrain, defender
		}
	case combatAttackerLosses:
		if r := p.result(f); r.attacker.due() > 0 && p.anyLeft(f, f.seat) {
			return AskLosses, attacker
		}
	case combatDefenderLosses:
		if r := p.result(f); r.defender.due() > 0 && p.anyLeft(f, enemy(f.seat)) {
			return AskLosses, defender
		}
	case combatAdvance:
		if p.vacated(f) && !f.isBeach() {
			return AskAdvance, attacker
		}
	}
	return AskNothing, 0
}

// anyLeft reports whether a side has units left in a combat.
func (p *Position) anyLeft(f *combat, seat rules.Seat) bool { return len(p.fighters(f, seat)) > 0 }

func (f *combat) proceed(p *Position, x *exec) {
	switch f.step {
	case combatTerrain:
		p.fight(x, f)
	case combatAdvance:
		g := f.stepped(combatEnd)
		p.goOn(x, g)
		if g.isBeach() {
			p.endAssault(x, g)
		}
	case combatAttackerLosses:
		p.goOn(x, f.stepped(combatDefenderLosses))
	case combatDefenderLosses:
		p.goOn(x, f.stepped(combatAftermath))
	case combatAftermath:
		p.aftermath(x, f)
	default:
		p.endCombat(x, f)
	}
}

// aftermath takes Reserve markers away (OCS 5.7d) and gives Exploitation markers (OCS 9.13).
func (p *Position) aftermath(x *exec, f *combat) {
	r, c := p.result(f), p.changed()
	if !r.defender.empty() {
		for _, u := range p.fighters(f, enemy(f.seat)) {
			if p.units[u].marker == Reserve {
				c.unit(u).Marker = ocsv1.Marker_MARKER_NONE
			}
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list})
	}
	p.exploit(x, f, r.exploitation)
	p.goOn(x, f.stepped(combatAdvance))
}

// exploit marks the attackers that exploit (OCS 9.13): attack-capable ones that are not DG (OCS 9.13b-A) and have the
// rating that the result asks for; others of the stack do not get the marker (OCS 5.9b). Some combats give none at all
// (OCS 5.9a, OCS 9.13b).
func (p *Position) exploit(x *exec, f *combat, rating int) {
	switch {
	case rating == 0, f.isOverrun(): // OCS 9.13b-B, OCS 8.1e
		return
	case f.retreated || f.unmet: // OCS 9.10b
		return
	case p.segment == SegExploitCombat: // OCS 9.13b-C
		return
	case len(f.hexes) > 2 || len(f.hexes) == 2 && !p.sc.Map.Adjacent(f.hexes[0].Hex(), f.hexes[1].Hex()): // OCS 9.13b-D
		return
	}
	c := p.changed()
	var got []Unit
	for _, u := range p.fighters(f, f.seat) {
		if p.mode(u) == DGMode || !p.attackCapable(u) || p.rating(u) < rating {
			continue
		}
		got = append(got, u)
		m := c.unit(u)
		m.Marker = ocsv1.Marker_MARKER_EXPLOITATION
		if p.hasZOC(u) { // OCS 5.9c
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_HAD_ZOC)
		}
	}
	if len(got) > 0 {
		tell(x,
			&event{Changes: c.list, Fact: &ocsv1.Event_ExploitationGained{ExploitationGained: &ocsv1.ExploitationGained{
				Seat: seatIDs[f.seat], Units: p.ids(got), Rating: uint32(rating),
			}}})
	}
}

// endCombat ends the procedure. Overrunning units that retreated may not move any more in the phase (OCS 8.1f).
func (p *Position) endCombat(x *exec, f *combat) {
	c := p.changed()
	for u := range p.units { // whoever fought, and regiments that were detached from them
		if p.units[u].marks.has(ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) {
			m := c.unit(Unit(u))
			m.Unset = append(m.Unset, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED)
		}
	}
	if f.isOverrun() {
		p.endOverrunFight(c, f)
	}
	c.pop()
	e := &event{Changes: c.list}
	if f.form == regularAttack && f.row > 0 { // other forms say how they end, and no combat was fought before the roll
		e.Fact = &ocsv1.Event_CombatEnded{
			CombatEnded: &ocsv1.CombatEnded{At: p.sc.PlaceID(f.at), Seat: p.standsIn(f.at)},
		}
	}
	tell(x, e)
}

// standsIn is the id of the seat whose combat units stand in a place, empty if none do.
func (p *Position) standsIn(at Place) string {
	for seat := range numSeats {
		if p.combatIn(rules.Seat(seat), at) {
			return seatIDs[seat]
		}
	}
	return ""
}

// endOverrunFight says who is still in motion after an overrun.
func (p *Position) endOverrunFight(c *changes, f *combat) {
	left := p.fighters(f, f.seat)
	if f.retreated {
		for _, u := range left {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
		left = nil
	}
	c.motion(left)
}
