package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// Air bases (OCS 15.0): a level from 1 to 3, or an airstrip, in a hex or box. A cell keeps one level, so that there is
// one air base in a hex at most (OCS 15.0a); it has no strength and is no piece. Its owner is the owner of the hex.

// maxBase is the highest level of an air base (OCS 15.3).
const maxBase = 3

// base is the level of the air base in a hex or box: that of the box, or what was set up or built; airstrip for one, 0
// for none.
func (p *Position) base(at Place) int {
	switch {
	case !at.onMap():
		return 0
	case at.inBox() && p.cell(at).base == 0:
		return int(p.sc.Boxes[at-boxes].AirBase)
	}
	return int(p.cell(at).base)
}

// baseLevel is the level of an air base as far as its effects go: an airstrip is level 0 (OCS 15.0b, OCS 15.2).
func (p *Position) baseLevel(at Place) int {
	if n := p.base(at); n != airstrip {
		return n
	}
	return 0
}

// ownBase reports whether a seat has an air base in a hex or box.
func (p *Position) ownBase(seat rules.Seat, at Place) bool {
	return at.onMap() && p.base(at) > 0 && p.cell(at).owner == seat
}

// baseRoom is how many active air units an air base takes: 4 and its level; an airstrip 4 (OCS 14.2a, OCS 15.0b-D, OCS
// 15.2-C). Reduced ones count as one, inactive ones not at all.
func (p *Position) baseRoom(at Place) int { return 4 + p.baseLevel(at) }

// refits is how many air units an air base refits in a phase: two for each level, an airstrip one (OCS 15.0b-A, OCS
// 15.2-A).
func (p *Position) refits(at Place) int {
	if p.base(at) == airstrip {
		return 1
	}
	return 2 * p.baseLevel(at)
}

// airRoom is how much air cargo may still be unloaded at an air base in this segment, in eighths of a token: 2 T for
// each level, an airstrip 2 T (OCS 14.9f, OCS 15.0b-C, OCS 15.2-B).
func (p *Position) airRoom(at Place) int {
	return max(0, 2*oneToken*max(1, p.baseLevel(at))-int(p.cell(at).flown))
}

// inZone reports whether a hex or box lies in a patrol zone of a seat: within 10 hexes of an air base or carrier of it
// with an active fighter, in any weather (OCS 14.4c).
func (p *Position) inZone(of rules.Seat, at Place) bool {
	for u := range p.aloft(of) {
		if p.patrols(u, at) {
			return true
		}
	}
	return false
}

// zoneRadius is how far a patrol zone reaches, in hexes (OCS 14.4c).
const zoneRadius = 10

// patrols reports whether an air unit projects a patrol zone over a hex or box: an active fighter that stands at an air
// base, or on a carrier (OCS 14.4c).
func (p *Position) patrols(u Unit, at Place) bool {
	if !p.is(u, fighter) || !p.active(u) || p.flying(u) {
		return false
	}
	from := p.spot(u)
	if p.carrierOf(u) == NoUnit && !p.ownBase(p.units[u].seat, from) {
		return false
	}
	n, ok := p.airDistance(from, at)
	return ok && n <= zoneRadius
}

// flying reports whether an air unit is in the air: on a mission, in combat or on its way back.
func (p *Position) flying(u Unit) bool {
	for _, f := range p.frames {
		var aloft []Unit
		switch f := f.(type) {
		case *mission:
			aloft = f.units
		case *airReturn:
			aloft = f.units
		}
		if slices.Contains(aloft, u) {
			return true
		}
	}
	return false
}
