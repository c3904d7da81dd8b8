package ocs

import (
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"slices"
)

// airPiece draws an air unit or ship: which side of it is up is printed on it, so whoever sees it sees its steps.
func (d *picture) airPiece(u Unit, s sight) *boardv1.Piece {
	x, c := &d.units[u], d.counter(u)
	m := &boardv1.Piece{
		Id: d.id(u), Name: c.Name.In(d.lang), Owner: seatID(x.seat), Kind: pieceKind(c),
		Place: d.sc.PlaceID(d.spot(u)), Count: 1,
		Steps: int32(c.Steps) - int32(x.lost), MaxSteps: int32(c.Steps),
	}
	if s != full {
		m.Marks = append(m.Marks, "hidden")
	}
	if x.place == Aboard && s == full {
		m.Marks = append(m.Marks, "aboard")
	}
	if x.marker > NoMarker {
		m.Marks = append(m.Marks, markerIDs[x.marker])
	}
	add := func(key, value string) { m.Numbers = append(m.Numbers, &boardv1.Number{Key: key, Value: value}) }
	if c.Kind == ShipUnit {
		f := d.ship(u)
		add("barrage", strconv.Itoa(f.Barrage))
		add("range", strconv.Itoa(f.Range))
		add("flak", strconv.Itoa(f.Flak))
		add("defence", strconv.Itoa(f.Defence))
		add("movement", formatCost(f.Movement))
		if c.Craft != noCraft { // points are its steps
			m.Steps, m.MaxSteps = 0, 0
			add("points", tokens(int(x.points)))
			if s == full {
				add("load", tokens(int(x.load)))
			}
		}
		return m
	}
	if !d.active(u) {
		m.Marks = append(m.Marks, "inactive")
	}
	f := d.plane(u)
	add("rating", bracketed(f.Rating, f.Bracketed))
	if f.Barrage > 0 {
		add("barrage", bracketed(f.Barrage, f.ShipsOnly))
	}
	add("range", strconv.Itoa(f.Range))
	if f.Capacity > 0 {
		add("capacity", formatEighths(f.Capacity))
	}
	return m
}

// seenAt is the place at which a viewer sees a unit: who does not know what is aboard sees air units of a carrier in
// its hex.
func (p *Position) seenAt(u Unit, s sight) Place {
	if s == topOnly {
		return p.spot(u)
	}
	return p.units[u].place
}

// bracketed writes a number, in brackets if they are printed.
func bracketed(n int, brackets bool) string {
	if brackets {
		return "(" + strconv.Itoa(n) + ")"
	}
	return strconv.Itoa(n)
}

// formatEighths writes transport capacity of eighths of a token: "1/2T".
func formatEighths(n int) string {
	f := fraction(int64(n), oneToken)
	return formatParts(f.num, f.den) + "T"
}

// seesWing says how much of an air unit or ship the enemy of its owner sees: the top active air unit of a hex and the
// top ship, and in air combat all air units that take part (OCS 4.9a, OCS 4.9d); of ships that are barraged all (OCS
// 18.3c).
func (p *Position) seesWing(u Unit) sight {
	s := &p.units[u]
	if p.isShip(u) && s.place.onMap() && (p.topShip(s.seat, s.place) == u || p.underFire(u)) {
		return topOnly
	}
	if at := p.spot(u); p.counter(u).Kind == AirUnit && at.onMap() &&
		(p.topPlane(s.seat, at) == u || p.inAirCombat(u)) {
		return topOnly
	}
	return unseen
}

// inAirCombat reports whether an air unit takes part in an air combat under way.
func (p *Position) inAirCombat(u Unit) bool {
	for _, f := range p.frames {
		if f, ok := f.(*airCombat); ok && (slices.Contains(f.attackers, u) || slices.Contains(f.defenders, u)) {
			return true
		}
	}
	return false
}
