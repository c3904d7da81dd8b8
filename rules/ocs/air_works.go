package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Air bases are built, raised and lowered in the Movement Phase as the other works of OCS 13.8d (OCS
// 15.2-D, OCS 15.3, OCS 15.4).

// What works on air bases cost, in tokens (OCS 15.2-D, OCS 15.3).
const (
	stripT   = 1
	baseT    = oneSP
	upgradeT = baseT - stripT
)

// airWork reports whether a job is done on an air base.
func airWork(job ocsv1.Job) bool {
	return job == ocsv1.Job_JOB_RAISE_AIR_BASE || job == ocsv1.Job_JOB_LOWER_AIR_BASE ||
		job == ocsv1.Job_JOB_BUILD_AIRSTRIP
}

// airPrice is what a job on an air base costs: 1 SP for each level, what is left of it for an airstrip that becomes
// level 1; lowering costs nothing.
func (p *Position) airPrice(job ocsv1.Job, at Hex) int {
	switch {
	case job == ocsv1.Job_JOB_LOWER_AIR_BASE:
		return 0
	case job == ocsv1.Job_JOB_BUILD_AIRSTRIP:
		return stripT
	case p.base(Place(at)) == airstrip:
		return upgradeT
	}
	return baseT
}

// checkAirWork says why an air base may not be worked on: in a hex of the side (OCS 15.3), one level in a phase, up to
// level 3, never lowered below 1 (OCS 15.4), an airstrip not at all (OCS 15.2-E). Airstrips are built only where the
// game has them (OCS 15.2).
func (p *Position) checkAirWork(seat rules.Seat, job ocsv1.Job, at Hex) *rules.Refusal {
	id, c, level := p.sc.Map.ID(at), &p.cells[at], p.base(Place(at))
	switch {
	case c.owner != seat || !p.sc.Hexes[at].Land:
		return rules.Refuse("OCS 15.3", "refuse.base-not-yours", "hex", id).At(id)
	case c.marks.has(ocsv1.HexMark_HEX_MARK_AIR_BASE_CHANGED):
		return rules.Refuse("OCS 15.3", "refuse.base-once", "hex", id).At(id)
	case job == ocsv1.Job_JOB_LOWER_AIR_BASE && level == airstrip:
		return rules.Refuse("OCS 15.2-E", "refuse.strip-lowered", "hex", id).At(id)
	case job == ocsv1.Job_JOB_LOWER_AIR_BASE && level <= 1:
		return rules.Refuse("OCS 15.4", "refuse.base-lowest", "hex", id).At(id)
	case job == ocsv1.Job_JOB_BUILD_AIRSTRIP && !p.sc.Constants.GetAirstrips():
		return rules.Refuse("OCS 15.2", "refuse.no-airstrips")
	case job == ocsv1.Job_JOB_BUILD_AIRSTRIP && level > 0:
		return rules.Refuse("OCS 15.0a", "refuse.has-base", "hex", id).At(id)
	case job == ocsv1.Job_JOB_RAISE_AIR_BASE && level == maxBase:
		return rules.Refuse("OCS 15.3", "refuse.highest-level", "hex", id, "n", maxBase).At(id)
	}
	return nil
}

// checkAirCrew says why units may not work on an air base: it is built and raised by an engineer (OCS 15.3), lowered
// also by an RE of combat units in the hex (OCS 15.4).
func (p *Position) checkAirCrew(list []Unit, job ocsv1.Job, at Hex) *rules.Refusal {
	if job == ocsv1.Job_JOB_LOWER_AIR_BASE {
		return p.checkBuilders(list, at)
	}
	for i, u := range list {
		if i > 0 || !p.engineers(u) {
			return rules.Refuse("OCS 15.3", "refuse.no-engineer", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return p.checkBuilder(list[0], at)
}

// workBase changes the level of an air base at once: it can be used in the same phase (OCS 13.8d-iv).
func (p *Position) workBase(x *exec, seat rules.Seat, job ocsv1.Job, at Place) {
	level := p.base(at)
	switch {
	case job == ocsv1.Job_JOB_LOWER_AIR_BASE:
		level--
	case job == ocsv1.Job_JOB_BUILD_AIRSTRIP:
		level = airstrip
	case level == airstrip:
		level = 1
	default:
		level++
	}
	c := p.changed()
	m := c.hex(at)
	m.AirBase, m.Set = proto.Uint32(uint32(level)), []ocsv1.HexMark{ocsv1.HexMark_HEX_MARK_AIR_BASE_CHANGED}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Constructed{Constructed: &ocsv1.Constructed{
		Seat: seatIDs[seat], Job: job, Hex: p.sc.PlaceID(at), Level: uint32(level),
	}}})
}

// airSteps is how many steps of air units an Eq gives back (OCS 13.5f).
const airSteps = 2

// checkRestoreAir says why an Eq may not give steps back to air units (OCS 13.5f): it is spent like any
// other (OCS 13.5a), for at most two steps; reduced units at air bases get one, those of the dead pile
// appear at an air base with room.
func (p *Position) checkRestoreAir(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit || len(c.Lines) == 0 {
		return rules.Malformed("the command names no replacement unit or no air units")
	}
	if r := p.checkRepls(seat, []Unit{c.Unit}); r != nil {
		return r
	}
	if p.counter(c.Unit).Kind != Eq {
		return rules.Refuse("OCS 13.5f", "refuse.no-eq", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	steps, coming := 0, map[Place]int{}
	for i, l := range c.Lines {
		u := l.Unit
		if u == NoUnit || !p.isPlane(u) || p.units[u].seat != seat ||
			slices.ContainsFunc(c.Lines[:i], func(o Line) bool { return o.Unit == u }) {
			return rules.Refuse("OCS 13.5f", "refuse.no-plane", "unit", p.unitName(u)).About(p.id(u))
		}
		if r := p.checkRestored(seat, l, coming); r != nil {
			return r
		}
		steps += l.Count
	}
	if steps > airSteps {
		return rules.Refuse("OCS 13.5f", "refuse.air-steps", "n", steps, "max", airSteps).About(p.id(c.Unit))
	}
	return nil
}

// checkRestored checks a line of checkRestoreAir; coming counts the units that appear at each air base.
func (p *Position) checkRestored(seat rules.Seat, l Line, coming map[Place]int) *rules.Refusal {
	u, s := l.Unit, &p.units[l.Unit]
	lost := int(s.lost)
	if s.place == Dead {
		lost = int(p.counter(u).Steps)
	}
	if l.Count < 1 || l.Count > lost || s.place != Dead && !p.spot(u).onMap() {
		return rules.Refuse("OCS 13.5f", "refuse.steps-whole", "unit", p.unitName(u), "n", lost).About(p.id(u))
	}
	if s.place != Dead {
		return nil // where it is, and as active as it was
	}
	id := p.sc.PlaceID(l.At)
	if on := p.sc.homeOf(u); on != NoUnit {
		if coming[Aboard+Place(on)]++; l.At != p.deckOf(u) ||
			len(p.deck(on))+coming[Aboard+Place(on)] > p.counter(on).Ship.Planes {
			return rules.Refuse("OCS 18.2a", "refuse.carrier-group", "unit", p.unitName(u)).About(p.id(u)).At(id)
		}
		return nil
	}
	if !p.ownBase(seat, l.At) {
		return rules.Refuse("OCS 13.5f", "refuse.no-own-base", "hex", id).At(id)
	}
	if p.is(u, glider) { // OCS 14.10e
		return nil
	}
	if coming[l.At]++; len(p.activeIn(seat, l.At, false))+coming[l.At] > p.baseRoom(l.At) {
		return rules.Refuse("OCS 14.2a", "refuse.base-room", "hex", id, "n", coming[l.At],
			"left", max(0, p.baseRoom(l.At)-len(p.activeIn(seat, l.At, false)))).At(id)
	}
	return nil
}

// playRestoreAir spends an Eq. Units out of the dead pile appear active.
func (p *Position) playRestoreAir(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	fact := &ocsv1.AirRestored{Seat: seatIDs[seat]}
	for _, l := range cmd.Lines {
		m, left := c.unit(l.Unit), int(p.units[l.Unit].lost)-l.Count
		if p.units[l.Unit].place == Dead {
			c.move(l.Unit, l.At)
			m.Origin, m.Unset = m.Place, everyUnitMark()
			p.embark(c, l.Unit)
			left = int(p.counter(l.Unit).Steps) - l.Count
		}
		m.Lost = proto.Uint32(uint32(left))
		fact.Units = append(fact.Units, p.id(l.Unit))
	}
	c.eliminate(cmd.Unit)
	eq := ocsv1.Register_REGISTER_EQ_USED
	c.register(seat, eq, p.register(seat, eq)+2) // in halves
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirRestored{AirRestored: fact}})
}

// listRestoreAir lists for the first Eq of each place one step of each air unit, two for one of the dead pile, and one
// for each pair of reduced ones.
func listRestoreAir(l *lister) {
	p := l.p
	var lines []Line
	for _, u := range p.sc.tab.planes[l.seat] {
		s := &p.units[u]
		switch {
		case s.place == Dead:
			for _, at := range p.basesFor(l.seat, u) {
				if p.counter(u).Steps > 1 {
					lines = append(lines, Line{Unit: u, At: at, Count: airSteps, By: NoUnit, Terrain: -1})
				}
				lines = append(lines, Line{Unit: u, At: at, Count: 1, By: NoUnit, Terrain: -1})
			}
		case s.lost > 0 && p.spot(u).onMap():
			lines = append(lines, Line{Unit: u, At: Nowhere, Count: 1, By: NoUnit, Terrain: -1})
		}
	}
	if len(lines) == 0 {
		return
	}
	done := map[Place]bool{}
	for eq := range p.all(l.seat) {
		if at := p.units[eq].place; p.counter(eq).Kind == Eq && !done[at] && p.checkRepls(l.seat, []Unit{eq}) == nil {
			done[at] = true
			for i, first := range lines {
				c := only(KindRestoreAir)
				c.Unit, c.Lines = eq, []Line{first}
				l.checked(c)
				for _, second := range lines[i+1:] {
					if first.Count == 1 && second.Count == 1 && first.Unit != second.Unit {
						c.Lines = []Line{first, second}
						l.checked(c)
					}
				}
			}
		}
	}
}

// checkCombineAir says why two air units may not become one (OCS 13.9-4): both reduced, in the same place, with the
// same type and values, both active or both not.
func (p *Position) checkCombineAir(seat rules.Seat, c *Command) *rules.Refusal {
	for _, u := range [...]Unit{c.Unit, c.Other} {
		if u == NoUnit || p.units[u].seat != seat || !p.isPlane(u) || !p.spot(u).onMap() {
			return rules.Refuse("OCS 13.9-4", "refuse.no-plane",
				"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
	}
	a, b := p.counter(c.Unit).Plane, p.counter(c.Other).Plane
	s, o := &p.units[c.Unit], &p.units[c.Other]
	if c.Unit == c.Other || s.place != o.place || s.aboard != o.aboard || s.lost != 1 || o.lost != 1 ||
		p.active(c.Unit) != p.active(c.Other) || a.Types != b.Types ||
		a.Sides != b.Sides || a.GliderTow != b.GliderTow {
		return rules.Refuse("OCS 13.9-4", "refuse.not-alike", "unit", p.unitName(c.Unit),
			"other", p.unitName(c.Other)).About(p.id(c.Unit), p.id(c.Other))
	}
	return nil
}

// playCombineAir makes one full unit of two. If one of them has flown in the phase, it has too.
func (p *Position) playCombineAir(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.unit(cmd.Unit).Lost = proto.Uint32(0)
	if p.has(cmd.Other, ocsv1.UnitMark_UNIT_MARK_FLOWN) {
		c.mark(cmd.Unit, ocsv1.UnitMark_UNIT_MARK_FLOWN)
	}
	c.eliminate(cmd.Other)
	c.unit(cmd.Other).Aboard = proto.String("")
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirCombined{AirCombined: &ocsv1.AirCombined{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), Other: p.id(cmd.Other),
	}}})
}

func listCombineAir(l *lister) {
	var list []Unit
	for u := range l.p.aloft(l.seat) {
		if l.p.units[u].lost == 1 {
			list = append(list, u)
		}
	}
	for i, a := range list {
		for _, b := range list[i+1:] {
			c := only(KindCombineAir)
			c.Unit, c.Other = a, b
			l.checked(c)
		}
	}
}
