package ocs

import (
	"math/bits"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// The sea (OCS 18.1). Ships stand in a place like any piece, in the list that the land war never meets. Landing craft
// are ships of which there may be several pieces: each has points, as a transport has. What is carried is aboard, so
// that it moves with what carries it.

// Craft is a kind of landing craft, by the numbers of the contract; 0 for any other ship.
type Craft uint8

// The kinds (OCS 18.4).
const (
	noCraft = Craft(ocsv1.CraftKind_CRAFT_KIND_UNSPECIFIED)
	barge   = Craft(ocsv1.CraftKind_CRAFT_KIND_LC)
	lst     = Craft(ocsv1.CraftKind_CRAFT_KIND_LST)
	dukw    = Craft(ocsv1.CraftKind_CRAFT_KIND_DUKW)
)

// isShip reports whether a unit is a ship, landing craft included.
func (p *Position) isShip(u Unit) bool { return p.counter(u).Kind == ShipUnit }

// isCraft reports whether a unit is landing craft (OCS 18.4).
func (p *Position) isCraft(u Unit) bool {
	return p.counter(u).Craft != noCraft
}

// ships are the ships of a seat in a hex or box, landing craft included, in ascending order: landing craft come last.
func (p *Position) ships(seat rules.Seat, at Place) (list []Unit) {
	for u := range p.wing(ShipUnit, seat, at) {
		list = append(list, u)
	}
	return list
}

// anyShip reports whether a seat has a ship in a hex or box.
func (p *Position) anyShip(seat rules.Seat, at Place) bool {
	for range p.wing(ShipUnit, seat, at) {
		return true
	}
	return false
}

// navy are the ships of a seat in hexes and boxes, landing craft included, in ascending order.
func (p *Position) navy(seat rules.Seat) (list []Unit) {
	for _, u := range p.sc.tab.fleet[seat] {
		if p.units[u].place.onMap() {
			list = append(list, u)
		}
	}
	for u := p.sc.Fixed; u < len(p.units); u++ {
		if s := &p.units[u]; s.seat == seat && s.place.onMap() && p.isShip(Unit(u)) {
			list = append(list, Unit(u))
		}
	}
	return list
}

// topShip is the ship of a seat that its enemy sees in a hex or box, NoUnit if none exists (OCS 4.9a): the first ship
// that is no carrier, then landing craft, then carriers, so that what screens a carrier shows (OCS 18.2e).
func (p *Position) topShip(seat rules.Seat, at Place) Unit {
	carrier := NoUnit
	for u := range p.wing(ShipUnit, seat, at) {
		if !p.carries(u) {
			return u
		}
		if carrier == NoUnit {
			carrier = u
		}
	}
	return carrier
}

// isPort reports whether a hex or box is a friendly port of a seat (OCS 18.1c): a printed one that it controls, an LST
// port of its own (OCS 18.4f), or one in a box of its own.
func (p *Position) isPort(seat rules.Seat, at Place) bool {
	switch {
	case at.inBox():
		b := &p.sc.Boxes[at-boxes]
		return b.Seat == seat && b.Port > 0
	case at.Hex() != NoHex:
		c := p.cell(at)
		return c.lst == seat || p.sc.Hexes[at].Port > 0 && c.owner == seat
	}
	return false
}

// vulnerable reports whether a ship counts as DG: by its marker, or that of landing craft with it that count as one
// ship with it (OCS 18.4d), and always in a port (OCS 18.1d).
func (p *Position) vulnerable(u Unit) bool {
	for _, v := range p.oneShip(u) {
		if p.units[v].marker == DG {
			return true
		}
	}
	return p.isPort(p.units[u].seat, p.units[u].place)
}

// sailingMA is the MP that a ship has in a phase: 20, slow ones 10, as the side that is up says (OCS 18.1f).
func (p *Position) sailingMA(u Unit) Cost {
	if p.isCraft(u) {
		return p.ship(u).Movement / p.roughTimes() // a special rule
	}
	return p.ship(u).Movement
}

// seaBar is what keeps a ship out of a place.
type seaBar uint8

// The bars.
const (
	openSea   seaBar = iota
	dryLand          // OCS 18.1c
	foreign          // a box of the other side, OCS Intro-I-F
	enemyShip        // OCS 18.1b
	enemyLand        // OCS 4.8c
	deadly           // enters, and is eliminated (OCS 4.8c-B)
)

// seaEntry says what keeps ships of a seat out of a place: all-sea hexes and friendly ports are theirs, landing craft
// may be in coastal and estuary hexes too (OCS 18.1c). Enemy non-combat and air units are no bar (OCS 4.8c-C), enemy
// ships are (OCS 18.1b). What an enemy stack does to ships is judged by the unit on top of it, which both sides see.
func (p *Position) seaEntry(seat rules.Seat, craft bool, to Place) seaBar {
	foe := enemy(seat)
	switch h := to.Hex(); {
	case to.inBox() && p.sc.Boxes[to-boxes].Seat != seat:
		return foreign
	case to.inBox():
		if !p.isPort(seat, to) {
			return dryLand
		}
		return openSea
	case h == NoHex || p.sc.Hexes[h].Land && !p.isPort(seat, to) && !(craft && p.sc.Hexes[h].Coastal):
		return dryLand
	}
	switch {
	case p.anyShip(foe, to):
		return enemyShip
	case !p.combatIn(foe, to):
		return openSea
	case p.attackCapable(p.topOf(foe, to)):
		return deadly
	}
	return enemyLand
}

// channel is what a step at sea costs; costNever if none exists: across a hexside that is not all land (OCS 18.1c) 1
// MP (OCS 18.1e), along the link of a box what the link says.
func (p *Position) channel(from, to Place) Cost {
	a, b := from.Hex(), to.Hex()
	if a == NoHex || b == NoHex {
		if l, ok := p.boxLink(from, to); ok && l.Sea {
			return l.MP
		}
		return costNever
	}
	if d, ok := p.sc.Map.DirTo(a, b); ok && p.sc.tab.channels[a]&(1<<d) != 0 {
		return oneMP
	}
	return costNever
}

// newChannels works out which hexsides ships cross, by hex: those of sea or coast, and those of all-sea hexes on
// which nothing else is.
func newChannels(sc *Scenario) []uint8 {
	list := make([]uint8, len(sc.Hexes))
	for h := range sc.Hexes {
		for d, n := range sc.Map.Neighbors(Hex(h)) {
			if n != NoHex && navigable(sc, Hex(h), n, hex.Dir(d)) {
				list[h] |= 1 << d
			}
		}
	}
	return list
}

func navigable(sc *Scenario, a, b Hex, d hex.Dir) bool {
	features := sc.Hexes[a].Sides[d]
	for set := features; set != 0; set &= set - 1 {
		if sc.Features[bits.TrailingZeros32(set)].Sea {
			return true
		}
	}
	return features == 0 && !(sc.Hexes[a].Land && sc.Hexes[b].Land)
}
