package anniversary

import "slices"

// Complexes of units placed at sea (AA 13.2.3). A placement comes in through the complex that it names, or through the
// only one that is open to it. Units beside several complexes that name none come in through any of them, whichever
// leaves room for the placements that follow: a placement is refused only if no assignment finds all of them a complex.

// entry is how the units of a placement come in.
type entry struct {
	through Space // NoSpace for any complex beside the zone
	zone    Space // where they are placed
	n       int
}

// units is how many units a command names.
func (c *Command) units() (n int) {
	for _, it := range c.items() {
		n += int(it.N)
	}
	return n
}

// entryOf is how a placement comes in.
func (p *Position) entryOf(c *Command, w Power) entry {
	e := entry{through: p.through(c, w), zone: c.To, n: c.units()}
	if c.From != NoSpace || !p.sc.IsSea(c.To) {
		return e
	}
	open := 0
	for _, s := range p.sc.LandNear[c.To] {
		if p.eligibleComplex(w, s) && p.capacityOf(w, s) > int(p.placed[s]) {
			open++
		}
	}
	if open > 1 {
		e.through = NoSpace
	}
	return e
}

// roomFor is how many more units can come in as a placement does.
func (p *Position) roomFor(w Power, e entry) int {
	if e.through != NoSpace {
		return p.roomAt(w, e.through)
	}
	ways := p.entrances(w)
	return ways.more(e.zone)
}

// anyUnnamed reports whether units were placed this turn that may come in through several complexes.
func (p *Position) anyUnnamed() bool { return p.unnamed != [MaxSpaces]uint8{} }

// entrances are the complexes of a power, with the units that may come in through several of them.
type entrances struct {
	sc    *Scenario
	at    []Space // complexes
	room  []int   // units that each still takes
	zones []Space
	units []int // in each zone
	flow  []int // units of each zone through each complex
	seen  []bool
}

// entrances are those of a position.
func (p *Position) entrances(w Power) entrances {
	e := entrances{sc: p.sc}
	for s := range p.startComplex.Each {
		if p.eligibleComplex(w, s) {
			e.at = append(e.at, s)
			e.room = append(e.room, max(0, p.capacityOf(w, s)-int(p.placed[s])))
		}
	}
	for z, n := range p.unnamed {
		if n > 0 {
			e.sail(Space(z), int(n))
		}
	}
	return e
}

// enter adds a placement.
func (e *entrances) enter(x entry) {
	if x.through == NoSpace {
		e.sail(x.zone, x.n)
	} else {
		e.take(x.through, x.n)
	}
}

// sail adds units in a zone.
func (e *entrances) sail(z Space, n int) {
	e.zones, e.units = append(e.zones, z), append(e.units, n)
}

// take fills places of a complex.
func (e *entrances) take(s Space, n int) {
	if i := slices.Index(e.at, s); i >= 0 {
		e.room[i] -= n
	}
}

// bound is how many units must come in through a complex, since the others have no room for them.
func (e entrances) bound(s Space) int {
	e.room = slices.Clone(e.room)
	if i := slices.Index(e.at, s); i >= 0 {
		e.room[i] = 0
	}
	return e.waiting() - e.assigned()
}

// more is how many further units in a zone find a complex.
func (e *entrances) more(z Space) int {
	waiting, room := e.waiting(), 0
	for _, n := range e.room {
		room += max(0, n)
	}
	e.sail(z, room)
	return e.assigned() - waiting
}

// waiting is how many units there are.
func (e *entrances) waiting() (n int) {
	for _, k := range e.units {
		n += k
	}
	return n
}

// fits reports whether all units find a complex, and none is overfull.
func (e *entrances) fits() bool {
	return !slices.ContainsFunc(e.room, func(n int) bool { return n < 0 }) && e.assigned() == e.waiting()
}

// assigned is the most units that find a complex together: the greatest flow from the zones to the complexes.
func (e *entrances) assigned() (total int) {
	e.flow = make([]int, len(e.zones)*len(e.at))
	e.seen = make([]bool, len(e.at))
	for z, n := range e.units {
		for range n {
			clear(e.seen)
			if !e.push(z) {
				break // no further unit of the zone does
			}
			total++
		}
	}
	return total
}

// push finds one more unit of a zone a complex; another unit moves to another complex for it if it must.
func (e *entrances) push(z int) bool {
	for i, s := range e.at {
		if e.seen[i] || !e.sc.Around[e.zones[z]].Has(s) {
			continue
		}
		e.seen[i] = true
		through := 0 // units of all zones
		for y := range e.zones {
			through += e.flow[y*len(e.at)+i]
		}
		if through < e.room[i] {
			e.flow[z*len(e.at)+i]++
			return true
		}
		for y := range e.zones {
			if e.flow[y*len(e.at)+i] > 0 && e.push(y) {
				e.flow[y*len(e.at)+i]--
				e.flow[z*len(e.at)+i]++
				return true
			}
		}
	}
	return false
}
