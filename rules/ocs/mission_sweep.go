package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Fighter sweeps (OCS 14.6) and base transfers (OCS 14.11), the missions that neither hit nor carry anything,
// and what missions list.

// checkSweep says why fighters may not sweep a hex to seek air combat (OCS 14.2e-ii): 1 to 4 fighters, an enemy air
// base in range.
func (p *Position) checkSweep(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkFlyers(seat, c.Units); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	if !p.ownBase(enemy(seat), c.At) && !p.showsDeck(enemy(seat), c.At) {
		return rules.Refuse("OCS 14.6", "refuse.no-enemy-base", "hex", id).At(id)
	}
	for _, u := range c.Units {
		if !p.is(u, fighter) {
			return rules.Refuse("OCS 14.6", "refuse.no-fighter", "unit", p.unitName(u)).About(p.id(u))
		}
		if r := p.checkRange(u, c.At, 1, 1, "OCS 14.2d"); r != nil {
			return r
		}
	}
	return nil
}

func (p *Position) playSweep(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_SWEEP, cmd.Units, cmd.At, nil)
}

// checkTransfer says why air units may not transfer to an air base: within twice their range (OCS 14.11).
func (p *Position) checkTransfer(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkFlyers(seat, c.Units); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	if !p.ownBase(seat, c.At) {
		return rules.Refuse("OCS 14.11", "refuse.no-own-base", "hex", id).At(id)
	}
	for _, u := range c.Units {
		if p.sc.homeOf(u) != NoUnit {
			return rules.Refuse("OCS 18.2a", "refuse.carrier-group", "unit", p.unitName(u)).About(p.id(u))
		}
		if p.spot(u) == c.At {
			return rules.Refuse("OCS 14.11", "refuse.same-base", "unit", p.unitName(u), "hex", id).About(p.id(u)).At(id)
		}
		if r := p.checkRange(u, c.At, 2, 1, "OCS 14.11"); r != nil {
			return r
		}
	}
	return nil
}

func (p *Position) playTransfer(x *exec, seat rules.Seat, cmd *Command) {
	p.fly(x, seat, ocsv1.Mission_MISSION_TRANSFER, cmd.Units, cmd.At, nil)
}

// flyers are the air units of a seat that may fly a mission now and pass a test, in ascending order.
func (l *lister) flyers(test func(Unit) bool) (list []Unit) {
	p := l.p
	if p.flight == noFlight {
		return nil
	}
	for u := range p.aloft(l.seat) {
		if p.checkFlyer(l.seat, u) == nil && (test == nil || test(u)) {
			list = append(list, u)
		}
	}
	return list
}

// missions offers a mission of each unit alone, and of up to four that may fly it together.
func (l *lister) missions(kind Kind, list []Unit, at Place, choice int, fits func(Unit) bool) {
	if l.done || !l.aims(at) {
		return
	}
	var all []Unit
	for _, u := range list {
		if fits != nil && !fits(u) {
			continue
		}
		c := only(kind)
		c.Units, c.At, c.Choice = []Unit{u}, at, choice
		l.checked(c)
		if len(all) < maxMission {
			all = append(all, u)
		}
	}
	if len(all) > 1 {
		c := only(kind)
		c.Units, c.At, c.Choice = all, at, choice
		l.checked(c)
	}
}

// inRange is a test whether an air unit reaches a place within times its range.
func (l *lister) inRange(at Place, times int) func(Unit) bool {
	return func(u Unit) bool {
		n, ok := l.p.airDistance(l.p.spot(u), at)
		return ok && l.p.flies(u, n, times, 1)
	}
}

func listSweep(l *lister) {
	list := l.flyers(func(u Unit) bool { return l.p.is(u, fighter) })
	if len(list) == 0 {
		return
	}
	for _, at := range l.p.bases(enemy(l.seat)) {
		l.missions(KindSweep, list, at, 0, l.inRange(at, 1))
	}
	for _, on := range l.p.carriers(enemy(l.seat)) {
		if at := l.p.units[on].place; l.p.showsDeck(enemy(l.seat), at) && !l.p.ownBase(enemy(l.seat), at) &&
			l.p.carriersIn(enemy(l.seat), at)[0] == on {
			l.missions(KindSweep, list, at, 0, l.inRange(at, 1))
		}
	}
}

func listTransfer(l *lister) {
	list := l.flyers(nil)
	if len(list) == 0 {
		return
	}
	for _, at := range l.p.bases(l.seat) {
		l.missions(KindTransfer, list, at, 0, func(u Unit) bool { return l.p.spot(u) != at && l.inRange(at, 2)(u) })
	}
}

// bombers is a test for units that may barrage targets on land.
func (p *Position) bombers(u Unit) bool { return p.plane(u).Barrage > 0 && !p.plane(u).ShipsOnly }

// isTarget reports whether a hex has a target of a barrage from the air.
func (l *lister) isTarget(at Place, kind int, free bool) bool {
	rule, _ := l.p.targetFault(l.seat, at, kind, free)
	return rule == ""
}

// torpedoes is a test for units that may barrage ships (OCS 14.1e-B, OCS 18.3e).
func (p *Position) torpedoes(u Unit) bool { return p.plane(u).Barrage > 0 && !p.is(u, strategic) }

func listAirBarrage(l *lister) {
	list := l.flyers(l.p.bombers)
	var naval []Unit
	if l.p.sc.Sails {
		naval = l.flyers(l.p.torpedoes)
	}
	for h := range l.p.sc.Hexes {
		if len(list)+len(naval) == 0 || l.done {
			return
		}
		at := Place(h)
		if l.p.sc.Sails && l.aims(at) && l.isTarget(at, targetShips, true) {
			l.missions(KindAirBarrage, naval, at, targetShips, l.inRange(at, 1))
		}
		if len(list) == 0 {
			continue
		}
		for _, target := range [...]int{targetUnits, targetPort, targetBase} {
			if l.aims(at) && l.isTarget(at, target, false) {
				l.missions(KindAirBarrage, list, at, target, l.inRange(at, 1))
			}
		}
	}
}

func listTrainbust(l *lister) {
	list := l.flyers(l.p.bombers)
	for h := range l.p.sc.Hexes {
		if len(list) == 0 || l.done {
			return
		}
		if at := Place(h); l.p.sc.Hexes[h].Rail && l.p.cells[h].owner == enemy(l.seat) &&
			!l.p.cells[h].marks.has(ocsv1.HexMark_HEX_MARK_BARRAGED) {
			l.missions(KindTrainbust, list, at, 0, l.inRange(at, 1))
		}
	}
}

func listHipShoot(l *lister) {
	p := l.p
	list := l.flyers(func(u Unit) bool {
		n := p.counter(u).Nation
		return (p.bombers(u) || p.sc.Sails && p.torpedoes(u)) && !p.is(u, strategic) && n >= 0 &&
			p.sc.Seats[l.seat].HipShoot&(1<<n) != 0
	})
	if len(list) == 0 || p.flight != fullFlight {
		return
	}
	for h := range p.sc.Hexes {
		at := Place(h)
		for _, target := range [...]int{targetUnits, targetPort, targetBase, targetShips} {
			if l.done || !l.aims(at) || !l.isTarget(at, target, true) || !p.spots(l.seat, Hex(h)) {
				continue
			}
			for _, u := range list {
				c := only(KindHipShoot)
				c.Unit, c.At, c.Choice = u, at, target
				l.checked(c)
			}
		}
	}
}
