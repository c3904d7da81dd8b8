package ocs

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Suggested colours of ranges: where a piece gets, and where it fires or flies.
const (
	moveColor = "#1f5fa8"
	farColor  = "#4a7fb5"
	fireColor = "#8e24aa"
)

// ranges are how far pieces reach from where they are in a whole phase of their own, with fuel and supply, and where
// the units are that could attack a hex. Pieces that the viewer does not see have none, because the position lacks them
// (OCS 4.9a).
func (p *Position) ranges(v rules.Viewer, of rules.Ranged, lang rules.Lang) []*boardv1.Layer {
	r := &ranger{d: picture{p, v, lang}}
	for _, id := range of.Pieces {
		if u, fresh, ok := p.unitByID(id); ok && !fresh {
			r.piece(u)
		} else if seat, at, ok := p.dumpByID(id); ok {
			r.dump(seat, at.Hex())
		}
	}
	if at, ok := p.sc.PlaceByID(of.Space); ok && at.Hex() != NoHex {
		r.threats(at.Hex())
	}
	return r.finish()
}

// dumpByID finds a dump on the board.
func (p *Position) dumpByID(id string) (seat rules.Seat, at Place, ok bool) {
	for seat := range numSeats {
		prefix := "dump-" + seatIDs[seat] + "@"
		if len(id) <= len(prefix) || id[:len(prefix)] != prefix {
			continue
		}
		at, ok := p.sc.PlaceByID(id[len(prefix):])
		return seat, at, ok && p.cell(at).ground[seat] > 0
	}
	return 0, 0, false
}

// ranger collects ranges by key. The range of several pieces is what any of them reaches.
type ranger struct {
	d      picture
	flood  hex.Flood
	layers []*boardv1.Layer
	sets   []hexSet
}

// set returns the set of a range. The first call for a key adds a layer of that name.
func (r *ranger) set(key, color string) hexSet { return r.named(key, color, rules.Say("range."+key)) }

func (r *ranger) named(key, color string, name rules.Text) hexSet {
	for i, l := range r.layers {
		if l.GetKey() == key {
			return r.sets[i]
		}
	}
	r.layers = append(r.layers, &boardv1.Layer{Key: key, Color: color, Name: catalogue.Format(r.d.lang, name)})
	r.sets = append(r.sets, make(hexSet, (len(r.d.sc.Hexes)+63)/64))
	return r.sets[len(r.sets)-1]
}

// finish writes the sets into the layers.
func (r *ranger) finish() []*boardv1.Layer {
	for i, l := range r.layers {
		for h := range r.d.sc.Hexes {
			if r.sets[i].has(Hex(h)) {
				l.Spaces = append(l.Spaces, r.d.sc.PlaceID(Place(h)))
			}
		}
	}
	return r.layers
}

// piece adds the ranges of a unit on the map.
func (r *ranger) piece(u Unit) {
	p := r.d.Position
	at := p.spot(u)
	from := at.Hex()
	switch {
	case p.isPlane(u) && at.onMap():
		r.flights(u, at)
		return
	case from == NoHex || p.units[u].place != at: // a box, or aboard
		return
	case p.isShip(u):
		r.sail(u, from)
	default:
		r.march(u, from)
		r.supplies(u)
	}
	if n := p.firesTo(u); n > 0 {
		r.fire(from, n)
	}
}

// march adds where a unit gets in its Movement Phase (OCS 6.1b), in both modes if it may choose (OCS 5.5, OCS 5.6), and
// what it could attack from there (OCS 9.1). The position is a copy, and is left as it was.
func (r *ranger) march(u Unit, from Hex) {
	p := r.d.Position
	face, faces := p.units[u].face, p.counter(u).Faces
	choice := p.units[u].marker == NoMarker && faces[CombatFace].Exists && faces[MoveFace].Exists
	for f := range faces {
		f, key, color := Face(f), "move", moveColor
		switch {
		case !choice && f != face:
			continue
		case choice && f == CombatFace:
			key = "move-combat"
		case choice:
			key, color = "move-move", farColor
		}
		p.units[u].face = f
		if p.fullAllowance(u) > 0 {
			to, attack := r.set(key, color), p.attackCapable(u)
			for _, h := range r.reach(u, from) {
				to.add(h)
				if attack {
					p.strikes(h, r.set("attack", threatColor))
				}
			}
		}
	}
	p.units[u].face = face
}

// reach is where a unit gets with all MP of its mode (OCS 6.0), its own hex included. As in the list of moves, a unit
// with any MP may always enter the first hex (OCS 6.1c), and non-combat units of the enemy end a move (OCS 9.14).
func (r *ranger) reach(u Unit, from Hex) []Hex {
	p, seat := r.d.Position, r.d.units[u].seat
	w, foe, left := p.walk(seat), enemy(seat), p.fullAllowance(u)
	if left == 0 {
		return []Hex{from}
	}
	r.flood.Run(p.sc.Map, from, int(left), func(a, b Hex, d hex.Dir) (int, hex.Verdict) {
		c := w.cost(u, a, d)
		switch {
		case w.entry(u, b) != noObstacle, c == costNever, c == costAll && a != from:
			return 0, hex.Blocked
		case a == from:
			c = min(c, left)
		}
		if w.halts(u, b) || p.anything(foe, Place(b)) {
			return int(c), hex.Stop
		}
		return int(c), hex.Pass
	})
	return r.flood.Reached()
}

// strikes adds the hexes that could be attacked from a hex.
func (p *Position) strikes(from Hex, to hexSet) {
	for _, n := range p.around(from) {
		if p.walkable(n) {
			to.add(n)
		}
	}
}

// fire adds what guns hit from where they are (OCS 10.1a, OCS 18.3a).
func (r *ranger) fire(from Hex, most int) {
	set := r.set("fire", fireColor)
	for h := range r.d.sc.Hexes {
		if n := r.d.distance(from, Hex(h)); n >= 1 && n <= most {
			set.add(Hex(h))
		}
	}
}

// firesTo is how far a unit on the map fires from where it is; 0 if it has no guns, or they may not fire in its mode
// (OCS 13.4a) or off its railway.
func (p *Position) firesTo(u Unit) int {
	c := p.counter(u)
	switch m := p.units[u].marker; {
	case p.isShip(u):
		if p.ship(u).Barrage == 0 {
			return 0
		}
	case !c.Artillery && !p.isBattery(u), p.shown(u).Barrage == 0, m == Reserve || m == Strat,
		c.RailOnly && !p.onOwnRail(p.units[u].seat, p.units[u].place.Hex()): // a special rule
		return 0
	}
	return p.gunRange(u)
}

// flights adds where an air unit flies missions (OCS 14.2d) and the air bases that it may transfer to (OCS 14.11), in
// the weather as it is.
func (r *ranger) flights(u Unit, from Place) {
	p := r.d.Position
	if p.flight == noFlight {
		return
	}
	fly, bases := r.set("fly", moveColor), r.set("transfer", farColor)
	for h := range p.sc.Hexes {
		if n, ok := p.airDistance(from, Place(h)); ok && p.flies(u, n, 1, 1) {
			fly.add(Hex(h))
		}
	}
	for _, at := range p.bases(p.units[u].seat) {
		if n, ok := p.airDistance(from, at); ok && at.Hex() != NoHex && at != from && p.flies(u, n, 2, 1) {
			bases.add(at.Hex())
		}
	}
}

// sail adds where a ship gets (OCS 18.1c, OCS 18.1e).
func (r *ranger) sail(u Unit, from Hex) {
	p, set := r.d.Position, r.set("sail", moveColor)
	seat, craft := p.units[u].seat, p.isCraft(u)
	r.flood.Run(p.sc.Map, from, int(p.sailingMA(u)), func(a, b Hex, _ hex.Dir) (int, hex.Verdict) {
		c := p.channel(Place(a), Place(b))
		if c == costNever || p.seaEntry(seat, craft, Place(b)) != openSea {
			return 0, hex.Blocked
		}
		return int(c), hex.Pass
	})
	for _, h := range r.flood.Reached() {
		set.add(h)
	}
}

// supplies adds where an HQ throws supply (OCS 12.3b), and how far back transports reach as an extender (OCS 12.7b).
func (r *ranger) supplies(u Unit) {
	p := r.d.Position
	x, c := &p.units[u], p.counter(u)
	s := p.survey(x.seat)
	if c.HQ && x.marker != Strat { // OCS 12.3b-A
		r.cover("throw", s.thrown(u))
	}
	if n := p.extenderRange(c); n > 0 {
		r.cover("extend", s.cover(x.place.Hex(), c.Faces[MoveFace].MP, n))
	}
}

// dump adds the hexes that draw from a dump directly (OCS 12.3a), in Truck MP as most units do. A line is traced from
// the unit, so every hex is tried as the place of one.
func (r *ranger) dump(seat rules.Seat, at Hex) {
	p := r.d.Position
	s := p.survey(seat)
	set := s.newSet()
	for h := range p.sc.Hexes {
		if h := Hex(h); !p.combatIn(enemy(seat), Place(h)) && s.cover(h, Truck, p.drawRange()).has(at) {
			set.add(h)
		}
	}
	r.cover("draw", set)
}

// cover adds a set of hexes on land to a range of supply.
func (r *ranger) cover(key string, from hexSet) {
	set := r.set(key, traceColor)
	for h := range r.d.sc.Hexes {
		if h := Hex(h); from.has(h) && r.d.walkable(h) {
			set.add(h)
		}
	}
}

// threats adds where the combat units of each side are that could attack a hex after a move (OCS 9.1) with the face
// that is up. It also adds where guns (OCS 10.1a, OCS 18.3a) and active air units (OCS 14.2d) are that could barrage
// the hex without moving first.
func (r *ranger) threats(at Hex) {
	p := r.d.Position
	for seat := range numSeats {
		pairs := []any{"seat", "@seat." + seatIDs[seat], "hex", p.sc.PlaceID(Place(at))}
		attack := r.named("attackers-"+seatIDs[seat], threatColor, rules.Say("range.attackers", pairs...))
		fire := r.named("guns-"+seatIDs[seat], fireColor, rules.Say("range.guns", pairs...))
		for u := range p.all(seat) {
			from := p.units[u].place.Hex()
			if from == NoHex {
				continue
			}
			if p.attackCapable(u) && r.comesNear(u, from, at) {
				attack.add(from)
			}
			if n := p.distance(from, at); n > 0 && n <= p.firesTo(u) {
				fire.add(from)
			}
		}
		r.bombers(seat, at, fire)
	}
}

// comesNear reports whether a unit gets beside a hex.
func (r *ranger) comesNear(u Unit, from, to Hex) bool {
	for _, h := range r.reach(u, from) {
		if r.d.distance(h, to) == 1 {
			return true
		}
	}
	return false
}

// bombers adds where active air units and ships stand that could barrage a hex.
func (r *ranger) bombers(seat rules.Seat, at Hex, set hexSet) {
	p := r.d.Position
	for u := range p.aloft(seat) {
		n, ok := p.airDistance(p.spot(u), Place(at))
		if from := p.spot(u).Hex(); from != NoHex && ok && p.active(u) && p.flight != noFlight &&
			p.plane(u).Barrage > 0 && p.flies(u, n, 1, 1) {
			set.add(from)
		}
	}
	for _, u := range p.sc.tab.fleet[seat] {
		if from := p.units[u].place.Hex(); from != NoHex {
			if n := p.distance(from, at); n > 0 && n <= p.firesTo(u) {
				set.add(from)
			}
		}
	}
}
