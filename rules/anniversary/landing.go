package anniversary

// Proof that air units can land (AA 8.3.11). Bombers and fighters that can reach territory that was friendly are proven
// one by one; the other fighters, the needy ones, share out the places of carriers: where carriers are, where they can
// still go, and where new ones can be mobilized.

// needy is a fighter that only a carrier can save.
type needy struct {
	at   Space
	left uint8
}

// berth is a carrier that may still choose where it ends.
type berth struct {
	zones  SpaceSet
	places uint8
	port   int8 // index of the complex that a new carrier comes through; -1 for one on the map
	used   bool
}

// rescue is the search for the most needy fighters that can be saved together. It works on the fighters and carriers of
// a side alone, as they are or as changes would leave them.
type rescue struct {
	p        *Position
	w        Power
	settled  bool // nobody moves any more
	units    [maxDeckGroups]Group
	nUnits   int
	fighters [maxNeedy]needy
	nFight   int
	total    int // fighters of the power
	open     [MaxSpaces]int8
	zones    SpaceSet // that have or can get places
	berths   [maxNeedy]berth
	nBerths  int
	ports    [16]int8 // capacity left of the complexes
	nPorts   int
	best     int
	nodes    int
	// A placement that is tried out: how its units come in, and how many of them are carriers.
	placed entry
	built  int
	ways   *entrances // with units that may come in through several; nil if none exist
	portAt [16]Space
}

// Bounds of the search; beyond them fighters count as lost and carriers as absent. Nodes: real
// positions need a few dozen.
const (
	maxDeckGroups = 96
	maxNeedy      = 32
	maxNodes      = 20000
)

// canReturn reports whether an air unit that attacks a space with so much movement left can land somewhere by itself
// (AA 8.3.4, AA 8.3.10): in territory that was friendly (AA 8.3.6), or on a carrier (AA 8.3.9).
func (p *Position) canReturn(w Power, u Unit, s Space, left int, known *proof) bool {
	if w == China {
		for t := range p.sc.ChinaRules.Range.Each {
			if p.wasFriendly(t) && int(p.tab.flight[s][t]) <= left {
				return true
			}
		}
		return false
	}
	if int(p.home[s]) <= left {
		return true
	}
	return u == Fighter && p.within(s, p.decks(w, s, known), left)
}

// within reports whether one of some zones is no further than so many steps of flight.
func (p *Position) within(s Space, zones SpaceSet, left int) bool {
	for z := range zones.Each {
		if p.sc.AirDistance(s, z) <= left {
			return true
		}
	}
	return false
}

// gather collects the carriers of a side and the fighters that are not over friendly territory, with changes applied.
func (r *rescue) gather(p *Position, w Power, list []change) {
	r.p, r.w = p, w
	side := w.Side()
	for _, g := range p.groups {
		if u := g.Unit(); u != Fighter && u != Carrier || g.Power().Side() != side {
			continue
		}
		for _, c := range list {
			if c.before == g.Key {
				g.N -= min(c.n, g.N)
			}
		}
		r.have(g)
	}
	for _, c := range list {
		if u := c.after.Unit(); c.after != 0 && (u == Fighter || u == Carrier) {
			r.have(Group{c.after, c.n})
		}
	}
}

// adrift reports whether an air unit can't stay in a space as it is: at sea, or over territory that was not friendly.
func (p *Position) adrift(s Space) bool { return p.sc.IsSea(s) || !p.wasFriendly(s) }

func (r *rescue) have(g Group) {
	if g.N > 0 && r.nUnits < maxDeckGroups && r.p.adrift(g.At()) {
		r.units[r.nUnits] = g
		r.nUnits++
	}
	if g.Unit() == Fighter && g.Power() == r.w {
		r.total += int(g.N)
	}
}

// spare is what the carriers of consenting allies in a zone can hold.
func (r *rescue) spare(z Space) int {
	open, closed, others := 0, 0, 0
	for _, g := range r.units[:r.nUnits] {
		v := g.Power()
		switch {
		case g.At() != z || v == r.w:
		case g.Unit() == Fighter:
			others += int(g.N)
		case r.p.closed(v):
			closed += int(g.N) * deckSize
		default:
			open += int(g.N) * deckSize
		}
	}
	return max(0, open-max(0, others-closed))
}

// begin finds the places. The zone extra counts as cleared: it is about to be attacked.
func (r *rescue) begin(extra Space) {
	p := r.p
	for _, g := range r.units[:r.nUnits] {
		if g.Unit() != Carrier {
			continue
		}
		z := g.At()
		if g.Power() != r.w {
			if free := r.spare(z); free > 0 && !r.zones.Has(z) {
				r.open[z] += int8(min(free, 50)) // once for all allies there
				r.zones.Add(z)
			}
			continue
		}
		places := deckSize - guests(g.Key)
		if r.settled || !p.mayMoveLater(g.Key) {
			r.fix(z, places*int(g.N))
			continue
		}
		zones := p.carrierReach(z, extra)
		r.zones = r.zones.Union(zones)
		for range g.N {
			r.berth(berth{zones: zones, places: uint8(places), port: -1})
		}
	}
	if !r.settled || p.phase <= PhaseNoncombat { // at the end of Mobilize those not placed save no one (AA 12.5.3)
		r.newCarriers()
	}
}

// fix opens places that stay where they are. A zone that allies opened before keeps theirs.
func (r *rescue) fix(z Space, places int) {
	if !r.zones.Has(z) {
		r.open[z] += int8(min(r.spare(z), 50))
	}
	r.open[z] += int8(min(places, 50))
	r.zones.Add(z)
}

func (r *rescue) berth(b berth) {
	if r.nBerths < maxNeedy {
		r.berths[r.nBerths] = b
		r.nBerths++
	}
}
