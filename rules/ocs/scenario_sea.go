package ocs

import (
	"fmt"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// MP of ships by the series (OCS 18.1f): slow ones half of it, DUKWs 8 at sea (OCS 18.4e).
const (
	fastMP = 20
	slowMP = 10
	dukwMP = 8
)

// landingCraft reads a kind of landing craft: slow ships with points (OCS 18.4, OCS 18.4b). There may be several pieces
// of it.
func (l *loader) landingCraft(path string, t *ocsv1.LandingCraft) {
	if t.GetKind() < ocsv1.CraftKind_CRAFT_KIND_LC || t.GetKind() > ocsv1.CraftKind_CRAFT_KIND_DUKW {
		l.Fault(path+".kind", "%d is no kind of landing craft", t.GetKind())
	}
	mp := t.GetMovement()
	switch {
	case mp > slowMP:
		l.Fault(path+".movement", "%d, expected at most %d for a slow ship (OCS 18.4b)", mp, slowMP)
	case mp == 0 && Craft(t.GetKind()) == dukw:
		mp = dukwMP
	case mp == 0:
		mp = slowMP
	}
	side := ShipSide{
		Flak: int(l.amount(path+".flak", t.GetFlak())), Defence: int(l.amount(path+".defence", t.GetDefence())),
		Movement: Cost(min(mp, slowMP)) * oneMP,
	}
	c := Counter{
		ID: t.GetId(), Name: l.sc.words(t.GetName()),
		Seat: l.seat(path+".seat", t.GetSeat()), Kind: ShipUnit, Nation: -1,
		Formation: -1, Rebuild: -1, Transport: -1,
		Class: Other, Size: "ship", Steps: 1, Craft: Craft(t.GetKind() & 3),
		Ship: &ShipInfo{Slow: true, Sides: [2]ShipSide{side, side}},
	}
	for f := range c.Faces {
		c.Faces[f] = FaceInfo{MP: Immobile, ThrowMP: Immobile}
	}
	c.Faces[MoveFace].Exists, c.Faces[MoveFace].DefenceOnly = true, true
	c.Ashore = l.dukwAshore(path+".ashore", t, c.Seat)
	l.add(c, path)
}

// speeds fills in the MP of a ship where the document leaves them to the series, and checks them (OCS 18.1f): a ship
// that is several is as quick when it is damaged, none is quicker.
func (l *loader) speeds(path string, s *ShipInfo) {
	most := Cost(fastMP * oneMP)
	if s.Slow {
		most = slowMP * oneMP
	}
	full, reduced := &s.Sides[0].Movement, &s.Sides[1].Movement
	if *full == 0 {
		*full = most
	}
	if *reduced == 0 && !s.Single {
		*reduced = *full
	}
	switch {
	case *full > most:
		l.Fault(path+".full.movement", "%s, expected at most %s (OCS 18.1f)", formatCost(*full), formatCost(most))
	case *reduced > *full || !s.Single && *reduced < *full:
		l.Fault(path+".reduced.movement", "%s, and %s undamaged (OCS 18.1f)", formatCost(*reduced), formatCost(*full))
	}
}

// seaSides checks where ships and landing craft are set up and what of them arrives.
func (l *loader) seaSides() {
	if l.sc.Map == nil || len(l.doc.GetSides()) != int(numSeats) {
		return
	}
	l.barges()
	held := owners(l.sc)
	for i, s := range l.doc.GetSetup() {
		l.seaStack(fmt.Sprintf("setup[%d]", i), s, held)
	}
	for i, s := range l.doc.GetSides() {
		for j, a := range s.GetArrivals() {
			l.craftPoints(fmt.Sprintf("sides[%d].arrivals[%d].craft", i, j), rules.Seat(i), a.GetCraft())
		}
	}
}

// barges checks that a side with LSTs has landing craft that they become when they are hit (OCS 18.3d-C).
func (l *loader) barges() {
	kinds := l.doc.GetCounters().GetLandingCraft()
	for i, t := range kinds {
		has := t.GetKind() != ocsv1.CraftKind_CRAFT_KIND_LST
		for _, o := range kinds {
			has = has || o.GetSeat() == t.GetSeat() && o.GetKind() == ocsv1.CraftKind_CRAFT_KIND_LC
		}
		if !has {
			l.Fault(fmt.Sprintf("counters.landing_craft[%d].kind", i),
				"an LST, and its side has no landing craft that it becomes when it is hit (OCS 18.3d-C)")
		}
	}
}

// craftPoints checks landing craft that are put somewhere.
func (l *loader) craftPoints(path string, seat rules.Seat, list []*ocsv1.CraftPoints) {
	for i, t := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		n, ok := l.sc.kinds[t.GetCraft()]
		if !ok || l.sc.Counters[n].Craft == noCraft || l.sc.Counters[n].Seat != seat {
			l.Fault(at+".craft", "the side has no landing craft %.40q", t.GetCraft())
			continue
		}
		if l.amount(at+".points_t", t.GetPointsT()) == 0 {
			l.Fault(at+".points_t", "no points")
		}
		l.craftCargo(at, t)
		l.sc.Sails = true
	}
}

// seaStack checks the ships of a stack: at sea, or in a port of their side; landing craft on a coast too (OCS 18.1c).
// Air units of a carrier are with it, and no more than it has room for (OCS 18.2a).
func (l *loader) seaStack(path string, s *ocsv1.Stack, held []rules.Seat) {
	seat, at := l.seat(path+".seat", s.GetSeat()), l.place(path+".at", s.GetAt())
	l.craftPoints(path+".craft", seat, s.GetCraft())
	port, coast, sea := false, false, false
	if h := at.Hex(); h != NoHex {
		info := &l.sc.Hexes[h]
		port, coast, sea = info.Port > 0 && held[h] == seat, info.Coastal, !info.Land
	} else {
		port = l.sc.Boxes[at-boxes].Port > 0
	}
	if len(s.GetShips()) > 0 && !sea && !port {
		l.Fault(path+".ships", "%s is neither sea nor a port of the side (OCS 18.1c)", s.GetAt())
	}
	if len(s.GetCraft()) > 0 && !sea && !port && !coast {
		l.Fault(path+".craft", "%s is neither sea nor coast nor a port of the side (OCS 18.1c)", s.GetAt())
	}
	aboard := map[string]int{}
	for _, id := range s.GetAir() {
		home := l.carrierOf(id)
		if home == "" {
			continue
		}
		here := false
		for _, ship := range s.GetShips() {
			here = here || ship == home
		}
		if aboard[home]++; !here {
			l.Fault(path+".air", "%s operates only from %s, which is not there (OCS 18.2a)", id, home)
		} else if ship := l.ship(home); ship != nil && aboard[home] > ship.Planes {
			// what is no ship is reported where it is named
			l.Fault(path+".air", "%d air units on %s, which has room for %d (OCS 18.2a)",
				aboard[home], home, ship.Planes)
		}
	}
}

// cargoOf checks what begins aboard the ships and landing craft of a stack: units that move with Leg MP, no more than
// each kind of carrier there has room for (OCS 18.4c).
func (l *loader) cargoOf(path string, seat rules.Seat, s *ocsv1.Stack) {
	room := map[string]int{}
	for _, id := range s.GetShips() {
		if n, ok := l.sc.kinds[id]; ok && l.sc.Counters[n].Ship != nil {
			room[id] = int(l.sc.Counters[n].Ship.Lift) * oneToken
		}
	}
	for _, t := range s.GetCraft() {
		room[t.GetCraft()] += int(t.GetPointsT()) * oneToken
	}
	for i, c := range s.GetCargo() {
		at := fmt.Sprintf("%s[%d]", path, i)
		left, carries := room[c.GetOn()]
		if !carries {
			l.Fault(at+".on", "%.40q is no ship or landing craft of the stack", c.GetOn())
			continue
		}
		l.once(at+".unit", seat, c.GetUnit(), CombatUnit)
		n, ok := l.sc.kinds[c.GetUnit()]
		if !ok {
			continue
		}
		u := &l.sc.Counters[n]
		if int(n) >= l.sc.Fixed || u.Faces[MoveFace].MP != Leg {
			l.Fault(at+".unit", "%s can't be aboard", c.GetUnit())
		}
		if left -= freightOf(u, int(u.RE)); left < 0 {
			l.Fault(at+".unit", "%s has no room for %s", c.GetOn(), c.GetUnit())
		}
		room[c.GetOn()] = left
	}
}

// carrierOf is the carrier of an air unit's group, empty for none.
func (l *loader) carrierOf(id string) string {
	if n, ok := l.sc.kinds[id]; ok && l.sc.Counters[n].Plane != nil {
		return l.sc.Counters[n].Plane.Carrier
	}
	return ""
}

// ship is a ship by its id, nil for anything else.
func (l *loader) ship(id string) *ShipInfo {
	if n, ok := l.sc.kinds[id]; ok {
		return l.sc.Counters[n].Ship
	}
	return nil
}

// homeOf is the carrier whose group an air unit belongs to, NoUnit for none (OCS 18.2a).
func (s *Scenario) homeOf(u Unit) Unit {
	if c := &s.Counters[u]; c.Plane != nil && c.Plane.Carrier != "" {
		return Unit(s.kinds[c.Plane.Carrier])
	}
	return NoUnit
}

// afloatOnly reports whether nothing but ships, and the air units on them, are set up in a stack.
func afloatOnly(s *ocsv1.Stack) bool {
	return len(s.GetShips())+len(s.GetCraft()) > 0 &&
		len(s.GetUnits())+len(s.GetTransports())+len(s.GetOrganic()) == 0 &&
		s.GetDumpT()+s.GetPax()+s.GetEq()+s.GetHedgehog()+s.GetAirBase()+s.GetPortHits() == 0
}
