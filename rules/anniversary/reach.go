package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// incoming is what a power could bring to a space in one phase of Combat Move, each unit for itself. Whether all of
// them find landing places together is another matter (AA 8.3.11).
type incoming struct {
	// units come by land or air, or sail to a sea zone; ashore are those that transports can land; ships are those that
	// could bombard.
	units, ashore, ships [NumUnits]int
	// dropped is how many infantry bombers can drop that can't come on foot (AA 6.3.7), spare how many of them are left
	// when the transports are loaded.
	dropped, spare int
	// contested is true if a sea zone from which they land is hostile.
	contested bool

	p    *Position
	at   Space
	seen []found
	left map[found]int // what transports left behind
	ways []Command     // assaults on the space
	from SpaceSet      // zones that units land from
}

// found is units of one kind that were counted.
type found struct {
	from    Space
	unit    Unit
	variant uint8
}

// moving returns the position as if a power were making its combat moves. If it is, that is the position itself;
// otherwise it is the position with a turn of that power begun (AA 4.2.6).
func (p *Position) moving(w Power) *Position {
	q := p.Clone()
	if p.phase == PhaseMove && p.acting == w && !p.request.on() {
		return q
	}
	q.battle, q.request = battle{at: NoSpace, chooser: NoPower}, request{power: NoPower}
	q.plan, q.entries = q.plan[:0], 0
	q.rest()
	q.power, q.acting, q.phase, q.step = w, w, PhaseMove, 0
	if w == China {
		q.power = p.sc.ChinaRules.PlayedBy
	}
	q.startOwner, q.startComplex, q.startHostile = q.owner, q.complexes, q.hostileNow(w.Side())
	q.canals = q.canalsOf(&q.owner, w.Side())
	q.fought, q.ignored = SpaceSet{}, SpaceSet{}
	q.measureHome()
	return q
}

// reachOf counts what a power could bring to a space. The position is in its combat moves.
func (p *Position) reachOf(w Power, at Space) *incoming {
	r := &incoming{p: p, at: at}
	l := &lister{p: p, seat: w.Seat(), yield: r.count}
	l.f.Kind = kinds[KindMove].ID
	l.combatMoves()
	if p.sc.IsSea(at) {
		l.f.Kind = kinds[KindJoin].ID
	} else {
		l.f.Kind = kinds[KindShip].ID
	}
	l.combatMoves()
	r.load()
	l.f.Kind = kinds[KindDrop].ID
	l.combatMoves()
	for z := range r.from.Each {
		r.guns(w, z)
	}
	return r
}

// count takes note of a command that leads to the space.
func (r *incoming) count(c Command) bool {
	switch {
	case c.Kind == KindMove && c.To == r.at:
		r.meet(c.From, c.Items[0])
		if c.Len > 1 { // infantry beside tanks, one each (AA 6.3.16)
			r.beside(c.From)
		}
	case c.Kind == KindJoin && c.To == r.at:
		r.meet(r.at, line(Fighter, 1))
	case c.Kind == KindShip && c.Target == r.at:
		r.ways = append(r.ways, c)
	case c.Kind == KindDrop && c.To == r.at:
		r.drop(c.From)
	}
	return true
}

// drop counts the infantry that bombers of a territory can drop, unless it can come by itself.
func (r *incoming) drop(from Space) {
	x := found{from: from, unit: Infantry}
	for _, y := range r.seen {
		if x == y {
			return
		}
	}
	r.seen = append(r.seen, x)
	w := r.p.acting
	bombers, infantry := r.p.count(keyOf(from, w, Bomber)), r.p.count(keyOf(from, w, Infantry))
	r.dropped += min(bombers, infantry)
	if n, loaded := r.left[x]; loaded {
		infantry = n
	}
	r.spare += min(bombers, infantry)
}

// meet counts the units of a line, each kind once.
func (r *incoming) meet(from Space, it Item) {
	x := found{from, it.Unit, it.Variant}
	for _, y := range r.seen {
		if x == y {
			return
		}
	}
	r.seen = append(r.seen, x)
	lo, hi := int(r.p.head[from]), int(r.p.head[from+1])
	for i := lo; i < hi; i++ {
		g := r.p.groups[i]
		if g.Power() != r.p.acting || g.Unit() != it.Unit || !r.p.ready(g.Key) {
			continue
		}
		if v, _ := r.p.variant(i); it.Unit.In(scenario.LandUnits) || v == it.Variant {
			r.units[it.Unit] += int(g.N)
		}
	}
}

// beside counts infantry that tanks can take along, unless it can come by itself.
func (r *incoming) beside(from Space) {
	x := found{from: from, unit: Infantry}
	for _, y := range r.seen {
		if x == y {
			return
		}
	}
	r.seen = append(r.seen, x)
	w := r.p.acting
	r.units[Infantry] += min(r.p.count(keyOf(from, w, Infantry)), r.p.count(keyOf(from, w, Tank)))
}

// load fills the transports, one after the other, each with the most expensive cargo still left (AA 15.13.4).
func (r *incoming) load() {
	left, ships := map[found]int{}, map[found]int{}
	r.left = left
	for _, c := range r.ways {
		port := found{from: c.From, unit: Transport, variant: uint8(c.Power)}
		if _, known := ships[port]; !known {
			for _, g := range r.p.at(c.From) {
				if g.Power() == c.Power && g.Unit() == Transport && !g.Has(Done) && g.Target() == NoSpace {
					ships[port] += int(g.N)
				}
			}
		}
		for _, it := range c.items() {
			x := source(&c, it)
			if _, known := left[x]; !known {
				left[x] = r.stock(&c, it)
			}
		}
	}
	for {
		best, value := Command{}, 0
		for _, c := range r.ways {
			if ships[found{from: c.From, unit: Transport, variant: uint8(c.Power)}] == 0 {
				continue
			}
			if n := r.worth(&c, left); n > value {
				best, value = c, n
			}
		}
		if value == 0 {
			return
		}
		ships[found{from: best.From, unit: Transport, variant: uint8(best.Power)}]--
		for _, it := range best.items() {
			left[source(&best, it)]--
			r.ashore[it.Unit]++
		}
		r.from.Add(best.To)
		r.contested = r.contested || r.p.hostileSea(best.To)
	}
}

// source is where a unit to be landed comes from: a territory, or aboard transports of a zone.
func source(c *Command, it Item) found {
	if it.At == NoSpace {
		return found{from: c.From, unit: it.Unit, variant: uint8(c.Power)}
	}
	return found{from: it.At, unit: it.Unit}
}

// stock returns how many units like one of a command's can still be landed.
func (r *incoming) stock(c *Command, it Item) (n int) {
	if it.At != NoSpace {
		return r.p.count(keyOf(it.At, r.p.acting, it.Unit))
	}
	for _, g := range r.p.at(c.From) {
		if g.Power() != c.Power || g.Unit() != Transport {
			continue
		}
		for _, have := range g.Cargo() {
			if have != 0 && have.Power() == r.p.acting && have.Unit() == it.Unit {
				n += int(g.N)
			}
		}
	}
	return n
}

// worth is the price of what a command lands; 0 if not all of it is left.
func (r *incoming) worth(c *Command, left map[found]int) (n int) {
	for i, it := range c.items() {
		need := 1
		for _, other := range c.items()[:i] {
			if source(c, other) == source(c, it) {
				need++
			}
		}
		if left[source(c, it)] < need {
			return 0
		}
		n += r.p.sc.Units[it.Unit].Cost
	}
	return n
}

// guns counts the ships that could bombard from a zone in which there is no sea combat (AA 9.3.5, AA 9.3.6).
func (r *incoming) guns(w Power, z Space) {
	p := r.p
	if p.hostileSea(z) {
		return
	}
	for _, g := range p.groups {
		u := g.Unit()
		if g.Power() != w || !u.In(scenario.Bombarders) || !p.ready(g.Key) || r.counted(g.At(), u) {
			continue
		}
		o := newPlan()
		o.quiet = true
		far := p.sc.SeaDistance(g.At(), z)
		if far <= p.moves(w, u)-int(g.Used()) && p.seaPath(g.At(), NoSpace, z, false, &o) == nil {
			r.ships[u] += r.ready(w, g.At(), u)
			r.seen = append(r.seen, found{from: g.At(), unit: u})
		}
	}
}

// counted reports whether the ships of a zone were counted for a zone that others land from.
func (r *incoming) counted(at Space, u Unit) bool {
	for _, x := range r.seen {
		if x.from == at && x.unit == u {
			return true
		}
	}
	return false
}

// ready is how many ships of a type are ready in a zone.
func (r *incoming) ready(w Power, at Space, u Unit) (n int) {
	for _, g := range r.p.at(at) {
		if g.Power() == w && g.Unit() == u && r.p.ready(g.Key) {
			n += int(g.N)
		}
	}
	return n
}
