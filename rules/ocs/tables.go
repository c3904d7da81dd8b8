package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// tables are what is worked out of a scenario once and shared by all positions. They never change.
type tables struct {
	// ways by kind, ground condition and type of MP.
	ways [numWayKinds][][numMoveTypes]ways
	// hqs, by seat, are the units that are HQs.
	hqs [numSeats][]Unit
	// builders, by seat, are the units with the engineer ability.
	builders [numSeats][]Unit
	// planes and fleet, by seat, are the air units and the ships; of landing craft there are more.
	planes, fleet [numSeats][]Unit
	// channels are the hexsides that ships cross, by hex, with a bit for each direction; seaLinks the ways
	// between boxes and the sea.
	channels []uint8
	// barges, by seat, are the landing craft that an LST becomes (OCS 18.3d-C).
	barges   [numSeats]uint16
	seaLinks []seaLink
	// generic are the counters of which there may be several pieces, by side: pax, eq.
	pax, eq [numSeats]uint16
	// due are the counters that the schedules bring; what else has not arrived has no part in the game.
	due []bool
	// blank are the hexes and boxes before the first event.
	blank []cell
}

// newTables works them out.
func newTables(sc *Scenario) *tables {
	t := &tables{due: make([]bool, len(sc.Counters))}
	for _, side := range sc.Doc.GetSides() {
		for _, a := range side.GetArrivals() {
			for _, id := range slices.Concat(a.GetUnits(), a.GetOrganic(), a.GetAir(), a.GetShips()) {
				if n, ok := sc.kinds[id]; ok {
					t.due[n] = true
				}
			}
		}
	}
	for kind := range numWayKinds {
		t.ways[kind] = make([][numMoveTypes]ways, len(sc.Grounds))
		for g := range sc.Grounds {
			for mp := range numMoveTypes {
				t.ways[kind][g][mp] = newWays(sc, kind, g, mp)
			}
		}
	}
	for u := range sc.Fixed {
		c := &sc.Counters[u]
		if c.HQ {
			t.hqs[c.Seat] = append(t.hqs[c.Seat], Unit(u))
		}
		switch c.Kind {
		case AirUnit:
			t.planes[c.Seat] = append(t.planes[c.Seat], Unit(u))
		case ShipUnit:
			t.fleet[c.Seat] = append(t.fleet[c.Seat], Unit(u))
		}
		if c.HQ || c.Engineer {
			t.builders[c.Seat] = append(t.builders[c.Seat], Unit(u))
		}
	}
	for i := range sc.Counters {
		switch c := &sc.Counters[i]; c.Kind {
		case Pax:
			t.pax[c.Seat] = uint16(i)
		case Eq:
			t.eq[c.Seat] = uint16(i)
		case ShipUnit:
			if c.Craft == barge {
				t.barges[c.Seat] = uint16(i)
			}
		}
	}
	t.channels, t.seaLinks = newChannels(sc), newSeaLinks(sc)
	t.begin(sc)
	return t
}

// begin works out who controls each hex and which gauge its railway has when the game begins.
func (t *tables) begin(sc *Scenario) {
	owners := owners(sc)
	t.blank = make([]cell, len(owners))
	for i := range t.blank {
		c := &t.blank[i]
		*c = cell{head: NoUnit, wing: NoUnit, owner: owners[i], bust: rules.NoSeat, lst: rules.NoSeat}
		if i < len(sc.Hexes) {
			c.hedgehog, c.gauge = sc.Hexes[i].Hedgehog, sc.Hexes[i].Gauge
		}
	}
	for _, g := range sc.Doc.GetGauges() {
		for _, id := range g.GetHexes() {
			t.blank[sc.names[id]].gauge = uint8(g.GetGauge())
		}
	}
}

// owners says who controls each hex and box when the game begins: what a side has set up in a hex makes it its own, but
// ships do not (OCS 18.1c).
func owners(sc *Scenario) []rules.Seat {
	most := rules.Seat(Blue)
	if sc.Doc.GetControl() == seatIDs[Red] {
		most = Red
	}
	list := make([]rules.Seat, len(sc.Hexes)+len(sc.Boxes))
	for i := range list {
		list[i] = most
		if i >= len(sc.Hexes) {
			list[i] = sc.Boxes[i-len(sc.Hexes)].Seat
		}
	}
	for _, id := range sc.Doc.GetControlledByOther() {
		if h := sc.names[id].Hex(); h != NoHex {
			list[h] = enemy(most)
		}
	}
	for _, s := range sc.Doc.GetSetup() {
		at, ok := sc.names[s.GetAt()]
		if !ok || at.Hex() == NoHex || afloatOnly(s) {
			continue
		}
		list[at] = Blue
		if s.GetSeat() == seatIDs[Red] {
			list[at] = Red
		}
	}
	return list
}
