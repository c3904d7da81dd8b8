package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// walker answers what a step costs and what stands in its way, for the check of a move and for the list of all moves
// alike. It keeps what is the same for all units of the side, so it is made for one command or one list and dropped
// before anything changes.
type walker struct {
	p       *Position
	seat    rules.Seat
	bridges hexSet // hexes of units that bridge; nil if none exist
	busted  hexSet // marked by the enemy; nil if none are
	supply  *survey
}

// walk makes a walker for a side.
func (p *Position) walk(seat rules.Seat) *walker {
	if p.found != nil && p.found.walkers[seat] != nil {
		return p.found.walkers[seat]
	}
	w := &walker{p: p, seat: seat}
	if p.found != nil {
		p.found.walkers[seat] = w
	}
	w.bridges, w.busted = p.bridgers(seat), p.markedBy(enemy(seat))
	return w
}

// cost is what a unit pays for a step (OCS 6.1a), by the type of MP of the face that is up (OCS 3.1a): what the
// chart says, by road where there is one (OCS 6.2a), with the hexside (OCS 6.2b), less what an engineer bridges,
// more for trainbusting.
func (w *walker) cost(u Unit, from Hex, d hex.Dir) Cost {
	p, mp := w.p, w.p.shown(u).MP
	c := p.way(byRoad, mp, from, d)
	to := p.sc.Map.Neighbor(from, d)
	if w.bridges != nil && (w.bridges.has(from) || w.bridges.has(to)) || p.bridgesOut(u, from) {
		c = min(c, p.bridged(mp, from, d))
	}
	if w.busted != nil && c < costAll && p.trainbusted(w.busted, mp, to) {
		c += oneMP // OCS 14.8c-i
	}
	return c
}

// obstacle is what keeps a unit out of a hex.
type obstacle uint8

// The obstacles.
const (
	noObstacle   obstacle = iota
	enemyCombat           // OCS 4.8c
	enemyPieces           // OCS 4.4c, OCS 4.8c-A
	enemyHold             // OCS 2.4-3
	stratIntoZOC          // OCS 5.8a
)

// entry says what keeps a unit out of a hex, apart from terrain (OCS 6.3, OCS 6.3b).
func (w *walker) entry(u Unit, to Hex) obstacle {
	p, foe := w.p, enemy(w.seat)
	switch {
	case p.combatIn(foe, Place(to)):
		return enemyCombat
	case p.anything(foe, Place(to)):
		if !p.attackCapable(u) {
			return enemyPieces
		}
		if p.together {
			return enemyHold
		}
	}
	if p.units[u].marker == Strat && p.inZOC(foe, to) {
		return stratIntoZOC
	}
	return noObstacle
}

// anything reports whether non-combat units of a side are in a hex (OCS 4.4c): transports, supply, a hedgehog, port or
// air base that is its own; or ships (OCS 4.8c-A).
func (p *Position) anything(seat rules.Seat, at Place) bool {
	c := p.cell(at)
	if c.pieces[seat] > c.combat[seat] || c.ground[seat] > 0 {
		return true
	}
	return p.anyShip(seat, at) ||
		c.owner == seat && (c.hedgehog > 0 || c.base > 0 || at.Hex() != NoHex && p.sc.Hexes[at.Hex()].Port > 0)
}

// blocked is the refusal for an obstacle.
func (p *Position) blocked(u Unit, to Place, o obstacle) *rules.Refusal {
	at := p.sc.PlaceID(to)
	rule, key := "OCS 4.8c", "refuse.enemy-there"
	switch o {
	case enemyPieces:
		// ships are no case of OCS 4.4c
		if foe := enemy(p.units[u].seat); p.cell(to).pieces[foe] > 0 || !p.anyShip(foe, to) {
			rule = "OCS 4.4c"
		}
		key = "refuse.not-capable"
	case enemyHold:
		rule, key = "OCS 2.4-3", "refuse.no-offence"
	case stratIntoZOC:
		rule, key = "OCS 5.8a", "refuse.strat-zoc"
	}
	return rules.Refuse(rule, key, "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
}

// halts reports whether a unit must stop in a hex that it enters (OCS 4.5a-A).
func (w *walker) halts(u Unit, h Hex) bool {
	p := w.p
	return p.shown(u).MP == Truck && p.inZOC(enemy(w.seat), h) && !p.holds(w.seat, h)
}

// tracesFrom reports whether a unit could trace if it stood in a place (OCS 5.8b). An HQ that moves with it
// serves it from there.
func (w *walker) tracesFrom(u Unit, at Place, moving []Unit) bool {
	p, h := w.p, at.Hex()
	if h == NoHex {
		return p.supplied(at)
	}
	if w.supply == nil {
		w.supply = p.survey(w.seat)
	}
	s := w.supply
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_DROPPED) || s.directFrom(u, h) {
		return true
	}
	if p.opt.stratModeDirectDraw {
		return false // OCS 21.12d
	}
	for _, hq := range p.sc.tab.hqs[w.seat] {
		if hq == u || !p.units[hq].place.onMap() || p.units[hq].marker == Strat || !p.serves(hq, u) {
			continue
		}
		if slices.Contains(moving, hq) {
			if s.directFrom(hq, h) {
				return true
			}
			continue
		}
		if p.units[hq].place == at || p.units[hq].place.Hex() != NoHex && s.thrown(hq).has(h) {
			if s.direct(hq) {
				return true
			}
		}
	}
	return false
}

// directFrom reports whether a unit that stood in a hex would reach a place to trace to by itself.
func (s *survey) directFrom(u Unit, h Hex) bool {
	return s.cover(h, s.p.drawType(u), s.p.drawRange()).meets(s.network().ends)
}
