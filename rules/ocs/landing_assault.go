package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Beach assaults (OCS 18.6): units aboard landing craft next to a coastal hex that the enemy defends attack it in the
// Combat Phase, in the combat procedure with changes, or land by the table at the defender's choice.

// beachStep is a step of a beach assault.
type beachStep uint8

// The steps, by the numbers of the notation.
const (
	beachChoice beachStep = iota // asks the defender (OCS 18.6b)
	beachOver
)

// beachAssault is an assault of the attacker, at the beach.
type beachAssault struct {
	head
	step  beachStep
	from  Place // where the landing craft are
	units []Unit
}

func (*beachAssault) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_BEACH_ASSAULT }

func (f *beachAssault) wire(w *framing) {
	wireStep(w, &f.step)
	w.from(&f.from)
	w.units(&f.units)
}

func (f *beachAssault) stepped(to beachStep) *beachAssault {
	next := *f
	next.step = to
	return &next
}

// surfID is the id of the hexside terrain that the defender may use, which halves all attackers (OCS 18.6a-F).
const surfID = "beach_assault"

// surf is the index of that terrain, -1 if the chart has none.
func (s *Scenario) surf() int {
	return slices.IndexFunc(s.Features, func(f FeatureInfo) bool { return f.ID == surfID })
}

// clearedBeach reports whether it matters that no defender is left in a place.
func (p *Position) clearedBeach(at Place) bool {
	return p.sc.Sails && at.Hex() != NoHex && p.sc.Hexes[at].Landing
}

// checkAssault says why units may not assault a beach (OCS 18.6, OCS 18.6a).
func (p *Position) checkAssault(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("an assault names units and a hex")
	}
	if p.segment != SegCombat {
		return rules.Refuse("OCS 18.6a", "refuse.assault-phase")
	}
	if r := p.checkBeach(seat, c.At); r != nil {
		return r
	}
	id, cell := p.sc.PlaceID(c.At), p.cell(c.At)
	switch {
	case cell.marks.has(ocsv1.HexMark_HEX_MARK_ATTACKED): // by units ashore, or by another stack
		return rules.Refuse("OCS 18.6a-G", "refuse.hex-attacked", "hex", id).At(id)
	case !p.combatIn(enemy(seat), c.At) && !cell.marks.has(ocsv1.HexMark_HEX_MARK_CLEARED):
		return rules.Refuse("OCS 18.6", "refuse.no-defender", "hex", id).At(id)
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayAssault(seat, u, c.At, p.spot(c.Units[0])); r != nil {
			return r
		}
	}
	if n := p.reOf(c.Units); n > groupRE {
		return rules.Refuse("OCS 18.6a-A", "refuse.assault-re", "n", formatRE(n), "limit", formatRE(groupRE)).At(id)
	}
	return nil
}

// mayAssault says why a unit may not assault a beach: an attack-capable combat unit in Combat mode (OCS 18.6a-A),
// aboard landing craft next to it across a hexside that is not all land (Decision D74), all of one stack.
func (p *Position) mayAssault(seat rules.Seat, u Unit, at, from Place) *rules.Refusal {
	s, id := &p.units[u], p.id(u)
	switch {
	case s.seat != seat || s.place != Aboard || s.aboard == NoUnit || !p.isCraft(s.aboard):
		return rules.Refuse("OCS 18.6", "refuse.not-aboard", "unit", p.unitName(u)).About(id)
	case p.spot(u) != from:
		return rules.Refuse("OCS 18.6a-A", "refuse.not-stacked", "unit", p.unitName(u),
			"other", p.sc.placeName(p.sc.PlaceID(from))).About(id)
	case p.mode(u) != CombatMode:
		return rules.Refuse("OCS 18.6a-A", "refuse.assault-mode", "unit", p.unitName(u)).About(id)
	case !p.attackCapable(u):
		return rules.Refuse("OCS 9.1e", "refuse.not-attack-capable", "unit", p.unitName(u)).About(id)
	case from.Hex() == NoHex || p.channel(from, at) == costNever:
		return rules.Refuse("OCS 18.6", "refuse.not-off", "unit", p.unitName(s.aboard),
			"hex", p.sc.PlaceID(at)).About(id).At(p.sc.PlaceID(at))
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_ATTACKED):
		return rules.Refuse("OCS 9.1c", "refuse.has-attacked", "unit", p.unitName(u)).About(id)
	}
	return nil
}

// playAssault declares it. The defender chooses before anything is rolled, shown or paid (OCS 18.6b); where nobody is
// left the table is used (OCS 18.6b-C).
func (p *Position) playAssault(x *exec, seat rules.Seat, cmd *Command) {
	f := newFrame[beachAssault](seat, cmd.At)
	f.units, f.from = cmd.Units, p.spot(cmd.Units[0])
	empty := !p.combatIn(enemy(seat), cmd.At)
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BeachAssaulted{BeachAssaulted: &ocsv1.BeachAssaulted{
		Seat: seatIDs[seat], From: p.sc.PlaceID(f.from), At: p.sc.PlaceID(f.at), Empty: empty,
	}}})
	if empty {
		p.goOn(x, f.stepped(beachOver))
		p.landAssault(x, f)
	}
}

// asks asks the defender.
func (f *beachAssault) asks(*Position) (Ask, rules.Seats) {
	if f.step == beachChoice {
		return AskBeach, rules.SeatsOf(enemy(f.seat))
	}
	return AskNothing, 0
}

// proceed ends the procedure.
func (*beachAssault) proceed(p *Position, x *exec) { p.endFrame(x) }

// playChooseBeach resolves the assault as the defender chose, irrevocably.
func (p *Position) playChooseBeach(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*beachAssault](p)
	c := p.changed()
	c.frame(f.stepped(beachOver))
	tell(x, &event{Changes: c.list})
	tell(x, &event{Fact: &ocsv1.Event_BeachChosen{
		BeachChosen: &ocsv1.BeachChosen{Seat: seatIDs[seat], At: p.sc.PlaceID(f.at), Combat: cmd.Yes},
	}})
	if cmd.Yes {
		p.beginAssault(x, f)
		return
	}
	p.landAssault(x, f)
}

func listChooseBeach(l *lister) {
	for _, yes := range [...]bool{true, false} {
		c := only(KindChooseBeach)
		c.Yes = yes
		l.checked(c)
	}
}

// beginAssault begins the fight.
func (p *Position) beginAssault(x *exec, assault *beachAssault) {
	f := newFrame[combat](assault.seat, assault.at)
	f.form, f.attackers, f.hexes = beachAttack, assault.units, []Place{assault.from}
	f.defenders = p.combatUnits(enemy(f.seat), f.at)
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AttackDeclared{AttackDeclared: &ocsv1.AttackDeclared{
		Seat: seatIDs[f.seat], From: p.placeIDs(f.hexes), At: p.sc.PlaceID(f.at),
	}}})
}

// landAssault resolves an assault by the table: nothing is spent, defenders are eliminated whatever comes of it (OCS
// 18.6b-A), and who lands moves no further (OCS 18.6b-B, Decision D77).
func (p *Position) landAssault(x *exec, f *beachAssault) {
	c := p.changed()
	m := c.hex(f.at)
	m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_ATTACKED)
	tell(x, &event{Changes: c.list})
	if foes := p.combatUnits(enemy(f.seat), f.at); len(foes) > 0 {
		c := p.changed()
		for _, u := range foes {
			c.eliminate(u)
		}
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_LossesTaken{LossesTaken: &ocsv1.LossesTaken{
			Seat: seatIDs[enemy(f.seat)], At: p.sc.PlaceID(f.at), Steps: uint32(p.capacity(foes)),
		}}})
	}
	p.comeAshore(x, f.seat, f.at, f.units, false)
	var landed []Unit
	for _, u := range f.units {
		if p.units[u].place == f.at {
			landed = append(landed, u)
		}
	}
	if len(landed) > 0 {
		p.occupy(x, f.seat, landed, []Place{f.at})
	}
}

// endAssault ends the fight: all attackers that are left enter the beach with their craft (Decision D76), or are
// eliminated with them if defenders hold it (OCS 18.6a-E).
func (p *Position) endAssault(x *exec, f *combat) {
	left := p.fighters(f, f.seat)
	crafts := p.craftOf(left)
	taken := !p.combatIn(enemy(f.seat), f.at)
	c := p.changed()
	if taken {
		p.debark(c, left, f.at)
		for _, u := range crafts {
			c.move(u, f.at)
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BeachEnded{
		BeachEnded: &ocsv1.BeachEnded{Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Taken: taken},
	}})
	if taken {
		if len(left) > 0 {
			p.occupy(x, f.seat, left, []Place{f.at})
		}
		return
	}
	p.sinkShips(x, p.craftOfAll(f))
}

// craftOfAll are the landing craft from which an assault was made: those that still carry attackers, and those whose
// attackers were all lost.
func (p *Position) craftOfAll(f *combat) (list []Unit) {
	for _, u := range p.ships(f.seat, f.hexes[0]) {
		if p.isCraft(u) &&
			(p.has(u, ocsv1.UnitMark_UNIT_MARK_ATTACKED) || slices.Contains(p.craftOf(p.fighters(f, f.seat)), u)) {
			list = append(list, u)
		}
	}
	return list
}

// listAssault lists for each beach the assault of all units of a stack that may, if they are few enough, and of each
// alone.
func listAssault(l *lister) {
	p := l.p
	if p.segment != SegCombat {
		return
	}
	var done []Place
	for _, on := range p.bearers(l.seat) {
		from := p.units[on].place
		if !p.isCraft(on) || from.Hex() == NoHex || slices.Contains(done, from) {
			continue
		}
		done = append(done, from)
		for _, h := range p.around(from.Hex()) {
			var all []Unit
			for _, v := range p.ships(l.seat, from) {
				for _, u := range p.passengers(v) {
					if p.mayAssault(l.seat, u, Place(h), from) == nil {
						all = append(all, u)
					}
				}
			}
			for i, u := range all {
				l.assault([]Unit{u}, Place(h))
				if i == 0 && len(all) > 1 {
					l.assault(all, Place(h))
				}
			}
		}
	}
}

func (l *lister) assault(units []Unit, at Place) {
	c := only(KindBeachAssault)
	c.Units, c.At = units, at
	l.checked(c)
}
