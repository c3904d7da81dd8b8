package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// doors are the places at which an entry lets units in: its hex or box; the nearest unblocked hexes of the map's edge
// if enemies block it (OCS 13.6b); none for a port that is in an enemy ZOC, negated or not, or not friendly (OCS
// 13.6a).
func (p *Position) doors(seat rules.Seat, e *EntryInfo) []Place {
	foe, h := enemy(seat), e.At.Hex()
	switch {
	case h == NoHex:
		return []Place{e.At}
	case e.Port:
		if p.cells[h].owner != seat || p.inZOC(foe, h) || p.cells[h].pieces[foe] > 0 {
			return nil
		}
		return []Place{e.At}
	case p.cells[h].pieces[foe] == 0:
		return []Place{e.At}
	}
	var list []Place
	best := len(p.sc.Hexes)
	for i := range p.sc.Hexes {
		n := Hex(i)
		if !p.sc.Hexes[i].Land || p.cells[i].pieces[foe] > 0 || !p.onEdge(n) {
			continue
		}
		switch d := p.distance(h, n); {
		case d < best:
			best, list = d, []Place{Place(i)}
		case d == best:
			list = append(list, Place(i))
		}
	}
	return list
}

// onEdge reports whether a hex lies on the edge of the map.
func (p *Position) onEdge(h Hex) bool {
	for _, n := range p.sc.Map.Neighbors(h) {
		if n == NoHex {
			return true
		}
	}
	return false
}

// roomAt reports whether a port has room for so many tokens more in this phase; other places have no limit (OCS 13.6a).
func (p *Position) roomAt(seat rules.Seat, e *EntryInfo, at Place, tokens int) bool {
	return !e.Port || p.landed(seat, at)+tokens*oneToken <= p.portLeft(at)*oneToken
}

// roomFor reports whether a port has room for units that arrive in this phase: also for a single one that is larger
// than its capacity, if nothing else arrives there (OCS 13.6a, OCS 19.0a-i).
func (p *Position) roomFor(seat rules.Seat, e *EntryInfo, at Place, units []Unit) bool {
	if !e.Port {
		return true
	}
	used, weight := p.landed(seat, at), 0
	for _, u := range units {
		weight += p.freight(u)
	}
	return used+weight <= p.portLeft(at)*oneToken || used == 0 && p.oversized(at, units)
}

// landed is what arrived at a port in this phase, in eighths of a token.
func (p *Position) landed(seat rules.Seat, at Place) (used int) {
	for u := range p.of(seat, at) {
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_ARRIVED) {
			used += p.freight(u)
		}
	}
	for _, t := range p.taint {
		if t.at == at && t.seat == seat && t.carriage == uint8(ocsv1.Carriage_CARRIAGE_SEA) {
			used += int(t.tokens) * oneToken
		}
	}
	return used
}

// freight is what a unit counts as cargo, in eighths of a token (OCS 4.7): 4 tokens for an RE, half of that for leg
// units whose Move face has an allowance of 1 to 6 (OCS 4.7b); a transport its own value, loaded or not (OCS 4.7c, OCS
// 13.2e).
func (p *Position) freight(u Unit) int {
	if p.isTransport(u) {
		return int(p.units[u].points) * oneToken
	}
	return freightOf(p.counter(u), p.re(u))
}

// freightOf is what a combat unit of some quarters of an RE counts as cargo, in eighths of a token (OCS 4.7a, OCS
// 4.7b).
func freightOf(c *Counter, quarters int) int {
	n := quarters * oneToken
	if f := &c.Faces[MoveFace]; f.MP == Leg && f.Movement >= oneMP && f.Movement <= 6*oneMP {
		return n / 2
	}
	return n
}

// arrivesIn says why a unit may not be put down in a mode: only modes that can be chosen (OCS 13.6b), Combat mode needs
// its face (OCS 5.5c), Reserve and Strat mode are not for transports (OCS 5.7f, OCS 5.8c) nor in an enemy ZOC (OCS
// 4.5a-I, OCS 4.5a-J).
func (p *Position) arrivesIn(u Unit, at Place, m Marker, f Face) *rules.Refusal {
	if m == Strat || f == NoFace && !p.counter(u).Faces[CombatFace].Exists {
		f = MoveFace
	}
	if f == NoFace {
		f = CombatFace
	}
	zoc := at.Hex() != NoHex && p.inZOC(enemy(p.counter(u).Seat), at.Hex())
	switch {
	case m != NoMarker && m != AnyMarker && m != Reserve && m != Strat:
		return rules.Refuse("OCS 13.6b", "refuse.compulsory-mode").About(p.id(u))
	case !p.counter(u).Faces[f].Exists:
		return rules.Refuse("OCS 5.5c", "refuse.no-combat-face", "unit", p.unitName(u)).About(p.id(u))
	case m == Reserve && p.isTransport(u) && !p.organic(u):
		return rules.Refuse("OCS 5.7f", "refuse.transport-mode", "unit", p.unitName(u)).About(p.id(u))
	case m == Strat && p.isTransport(u):
		return rules.Refuse("OCS 5.8c", "refuse.transport-mode", "unit", p.unitName(u)).About(p.id(u))
	case m == Reserve && zoc:
		return rules.Refuse("OCS 4.5a-I", "refuse.mode-in-zoc", "unit", p.unitName(u)).About(p.id(u))
	case m == Strat && zoc:
		return rules.Refuse("OCS 4.5a-J", "refuse.mode-in-zoc", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// claim gives a hex to the side that puts units down in it.
func (p *Position) claim(c *changes, at Place, seat rules.Seat) {
	if at.Hex() != NoHex && p.cell(at).owner != seat {
		c.own(at, seat)
	}
}
