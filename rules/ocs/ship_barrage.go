package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Barrage by ships (OCS 10.3, OCS 18.3). It costs no supply. On land it is the barrage of artillery with a milder
// table. Against naval targets, which are ships and coastal batteries, it is declared on a hex: a navalBarrage.

// flightFlags say how an air unit came to a naval barrage.
type flightFlags uint8

const (
	cameNear flightFlags = 1 << iota // OCS 14.7c
	cameFar                          // OCS 21.4-A
)

// navalBarrage is a barrage of whoever fires at naval targets, air units and coastal batteries too. Its owner aims at
// one target after the other, having seen what is there.
type navalBarrage struct {
	head
	units []Unit        // that have not fired yet
	noted bool          // air and came are written: of air units, and of all once some have fired
	air   bool          // air units
	came  []flightFlags // by unit, as far as it is noted
}

func (*navalBarrage) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_NAVAL_BARRAGE }

func (f *navalBarrage) wire(w *framing) {
	w.units(&f.units)
	if w.more(&f.noted) {
		w.flag(&f.air)
		w.keep()
		wireList(w, &f.came, len(f.units))
	}
}

// cameTo says how unit i came to the barrage.
func (f *navalBarrage) cameTo(i int) flightFlags {
	if i < len(f.came) {
		return f.came[i]
	}
	return 0
}

// targetShips are naval targets (OCS 18.3c).
const targetShips = int(ocsv1.BarrageTarget_BARRAGE_TARGET_SHIPS)

// isBattery reports whether a unit is a coastal battery (OCS 18.3g).
func (p *Position) isBattery(u Unit) bool { return p.counter(u).Coastal }

// checkNavalBarrage says why ships may not barrage a hex (OCS 18.3a).
func (p *Position) checkNavalBarrage(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("a barrage names ships and a hex")
	}
	if r := p.seaTarget(seat, c.At, c.Choice); r != nil {
		return r
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayShell(seat, u, c.At, c.Choice); r != nil {
			return r
		}
	}
	return nil
}

// seaTarget says why a hex is no target of a kind for ships. That enemy ships or combat units are in it can be seen;
// whether a coastal battery is among these cannot, so that a barrage may be declared in vain.
func (p *Position) seaTarget(seat rules.Seat, at Place, kind int) *rules.Refusal {
	if kind != targetShips {
		return p.mayBeBarraged(seat, at, kind) // OCS 10.0e-A
	}
	if foe, id := enemy(seat), p.sc.PlaceID(at); !p.anyShip(foe, at) && !p.combatIn(foe, at) {
		return rules.Refuse("OCS 18.3a", "refuse.no-naval-target", "hex", id).At(id)
	}
	return nil
}

// mayShell says why one unit may not fire at a hex as a ship: once a segment, at ships in every one (OCS 18.3a, OCS
// 18.3a-A), at land once a turn (OCS 18.3a-B). Coastal batteries fire at ships only and in any mode but Reserve and
// Strat, as ships on land (OCS 18.3g); what they do as artillery is an ordinary barrage (OCS 18.3g-A).
func (p *Position) mayShell(seat rules.Seat, u Unit, target Place, kind int) *rules.Refusal {
	s, id := &p.units[u], p.id(u)
	switch {
	case s.seat != seat || !s.place.onMap():
		return rules.Refuse("OCS 18.3a", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case !p.isShip(u) && (!p.isBattery(u) || kind != targetShips): // OCS 10.0e-F
		return rules.Refuse("OCS 18.3g", "refuse.no-naval-gun", "unit", p.unitName(u)).About(id)
	case p.isBattery(u) && (s.marker == Reserve || s.marker == Strat):
		return rules.Refuse("OCS 18.3g", "refuse.barrage-mode", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_BARRAGED):
		return rules.Refuse("OCS 18.3a", "refuse.has-barraged", "unit", p.unitName(u)).About(id)
	case kind != targetShips && s.marks.has(ocsv1.UnitMark_UNIT_MARK_LANDED_TROOPS): // a special rule
		return rules.Refuse("OCS 18.3a", "refuse.landed-troops", "unit", p.unitName(u)).About(id)
	case kind != targetShips && s.marks.has(ocsv1.UnitMark_UNIT_MARK_BOMBARDED):
		return rules.Refuse("OCS 18.3a-B", "refuse.has-bombarded", "unit", p.unitName(u)).About(id)
	case p.gunnery(u).IsZero():
		return rules.Refuse("OCS 10.0", "refuse.no-strength", "unit", p.unitName(u)).About(id)
	}
	if n := p.distanceTo(s.place.Hex(), target.Hex()); n < 1 || n > p.gunRange(u) {
		return rules.Refuse("OCS 18.3a", "refuse.range", "unit", p.unitName(u), "range", p.gunRange(u),
			"n", n).About(id).At(p.sc.PlaceID(target))
	}
	return nil
}

// gunRange is how far a ship or coastal battery fires.
func (p *Position) gunRange(u Unit) int {
	if p.isShip(u) {
		return p.ship(u).Range
	}
	return p.shown(u).Range
}

// gunnery is the strength that a unit has in a naval barrage: DG changes nothing for ships (OCS 18.3d-B), the strength
// of air units is doubled against ships (OCS 18.3c-B), that of a DG battery is halved as that of any unit (OCS
// 5.10b-A).
func (p *Position) gunnery(u Unit) Fraction {
	switch {
	case p.isPlane(u):
		return whole(2 * p.plane(u).Barrage)
	case p.isShip(u):
		return whole(p.ship(u).Barrage)
	case p.units[u].marker == DG:
		return whole(p.shown(u).Barrage).Times(half)
	}
	return whole(p.shown(u).Barrage)
}

// broadside is the total strength of units, unrounded.
func (p *Position) broadside(units []Unit) Fraction {
	sum := whole(0)
	for _, u := range units {
		sum = sum.Plus(p.gunnery(u))
	}
	return sum
}

// playNavalBarrage fires. Whoever fires has barraged in the phase, whatever comes of it (OCS 10.0e-B); at land also for
// the turn (OCS 18.3a-B).
func (p *Position) playNavalBarrage(x *exec, seat rules.Seat, cmd *Command) {
	kind := max(cmd.Choice, targetUnits)
	strength := p.broadside(cmd.Units).Round()
	c := p.changed()
	for _, u := range cmd.Units {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_BARRAGED)
		if kind != targetShips {
			c.mark(u, ocsv1.UnitMark_UNIT_MARK_BOMBARDED)
		}
	}
	if kind == targetShips {
		f := newFrame[navalBarrage](seat, cmd.At)
		f.units = cmd.Units
		c.push(f)
	} else {
		h := c.hex(cmd.At)
		h.Set = append(h.Set, ocsv1.HexMark_HEX_MARK_BARRAGED)
	}
	if kind == targetUnits {
		f := newFrame[barrage](enemy(seat), cmd.At)
		f.strength, f.naval = strength, true
		p.chooseOnly(f)
		c.push(f)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BarrageFired{BarrageFired: &ocsv1.BarrageFired{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At), Target: ocsv1.BarrageTarget(kind), Strength: uint32(strength),
	}}})
	switch kind {
	case targetPort:
		p.hitPort(x, seat, cmd.At, strength)
	case targetBase:
		p.hitBase(x, seat, cmd.At, strength)
	case targetShips:
		p.showStack(x, seat, cmd.At)
	}
}

// showStack shows the naval targets of a hex to whoever barrages them, without their cargo (OCS 18.3c).
func (p *Position) showStack(x *exec, seat rules.Seat, at Place) {
	x.Reveal()
	tell(x, &event{Fact: &ocsv1.Event_StackShown{StackShown: &ocsv1.StackShown{
		Seat: seatIDs[enemy(seat)], At: p.sc.PlaceID(at), Units: p.ids(p.navalTargets(enemy(seat), at)),
	}}})
}

// navalTargets are the ships and coastal batteries of a seat in a hex.
func (p *Position) navalTargets(seat rules.Seat, at Place) []Unit {
	list := p.ships(seat, at)
	for u := range p.of(seat, at) {
		if p.isBattery(u) {
			list = append(list, u)
		}
	}
	return list
}

// underFire reports whether a ship or coastal battery is shown to the enemy, who barrages its hex (OCS 18.3c).
func (p *Position) underFire(u Unit) bool {
	for _, f := range p.frames {
		if f, ok := f.(*navalBarrage); ok && f.at == p.units[u].place && f.seat != p.units[u].seat {
			return p.isShip(u) || p.isBattery(u)
		}
	}
	return false
}

// asks asks for the next target while something can be fired at something.
func (f *navalBarrage) asks(p *Position) (Ask, rules.Seats) {
	for _, u := range f.units {
		for _, v := range p.navalTargets(enemy(f.seat), f.at) {
			if p.mayHit(f, []Unit{u}, v) == nil {
				return AskAim, rules.SeatsOf(f.seat)
			}
		}
	}
	return AskNothing, 0
}

// proceed ends the barrage.
func (*navalBarrage) proceed(p *Position, x *exec) { p.endFrame(x) }

// mayHit says why units of a barrage may not fire at a target: each is barraged once a phase (OCS 18.3c); a coastal
// battery is a naval target for ships only (OCS 18.3g-B); carriers are screened from ships (OCS 18.2e).
func (p *Position) mayHit(f *navalBarrage, units []Unit, target Unit) *rules.Refusal {
	id := p.id(target)
	switch {
	case p.units[target].seat == f.seat || p.units[target].place != f.at || !p.isShip(target) && !p.isBattery(target):
		return rules.Refuse("OCS 18.3c", "refuse.not-there", "unit", p.unitName(target)).About(id)
	case p.has(target, ocsv1.UnitMark_UNIT_MARK_SHELLED):
		return rules.Refuse("OCS 18.3c", "refuse.was-shelled", "unit", p.unitName(target)).About(id)
	}
	for _, u := range units {
		switch {
		case p.gunnery(u).IsZero():
			return rules.Refuse("OCS 10.0", "refuse.no-strength", "unit", p.unitName(u)).About(p.id(u))
		case p.isBattery(target) && !p.isShip(u):
			return rules.Refuse("OCS 18.3g-B", "refuse.battery-target", "unit", p.unitName(target)).About(id)
		case p.isShip(u) && p.carries(target) && p.screened(u, target):
			return rules.Refuse("OCS 18.2e", "refuse.screened", "unit", p.unitName(target)).About(p.id(u), id)
		}
	}
	return nil
}

// carries reports whether a ship is a carrier.
func (p *Position) carries(u Unit) bool { return p.isShip(u) && p.counter(u).Ship.Planes > 0 }

// screened reports whether a carrier is shielded from a ship: another ship of its side than a carrier is in its hex, or
// in another hex in range of the guns (OCS 18.2e). Such a ship lies on top of its hex, see topShip, so that both sides
// know of it.
func (p *Position) screened(from, carrier Unit) bool {
	seat, at := p.units[carrier].seat, p.units[carrier].place
	for _, u := range p.navy(seat) {
		h := p.units[u].place.Hex()
		if p.carries(u) || h == NoHex {
			continue
		}
		if p.units[u].place == at || p.distanceTo(p.units[from].place.Hex(), h) <= p.gunRange(from) {
			return true
		}
	}
	return false
}

// listNavalBarrage lists for each target each unit alone and all that reach it. Of the hexes that may hold a coastal
// battery only those are listed that show one.
func listNavalBarrage(l *lister) {
	p := l.p
	guns := p.navalGuns(l.seat)
	for h := range p.sc.Hexes {
		if len(guns) == 0 || l.done {
			return
		}
		at := Place(h)
		if !l.aims(at) {
			continue
		}
		for _, kind := range [...]int{targetUnits, targetPort, targetBase, targetShips} {
			if kind == targetBase && !p.sc.Flies || kind == targetShips && !p.showsTarget(enemy(l.seat), at) ||
				p.seaTarget(l.seat, at, kind) != nil {
				continue
			}
			var all []Unit
			for _, u := range guns {
				if p.mayShell(l.seat, u, at, kind) == nil {
					all = append(all, u)
				}
			}
			groups := [][]Unit{all}
			if len(all) > 1 {
				for _, u := range all {
					groups = append(groups, []Unit{u})
				}
			}
			for _, g := range groups {
				c := only(KindNavalBarrage)
				c.Units, c.At, c.Choice = g, at, kind
				if len(g) > 0 {
					l.give(c)
				}
			}
		}
	}
}

// showsTarget reports whether the enemy of a seat sees a naval target of it in a hex.
func (p *Position) showsTarget(seat rules.Seat, at Place) bool {
	if p.anyShip(seat, at) {
		return true
	}
	top := p.topOf(seat, at)
	return top != NoUnit && p.isBattery(top)
}

// navalGuns are the ships and coastal batteries of a seat that may have something to fire.
func (p *Position) navalGuns(seat rules.Seat) (list []Unit) {
	for _, u := range p.navy(seat) {
		if p.ship(u).Barrage > 0 {
			list = append(list, u)
		}
	}
	for u := range p.all(seat) {
		if p.isBattery(u) {
			list = append(list, u)
		}
	}
	return list
}
