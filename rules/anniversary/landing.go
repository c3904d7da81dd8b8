package anniversary

// Proof that air units can land (AA 8.3.11). Bombers and fighters that can reach territory that was friendly are proven one by one; the other
// fighters, the needy ones, share out the places of carriers: where carriers are, where they can still go, and where new ones can be mobilized.

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

// rescue is the search for the most needy fighters that can be saved together. It works on the fighters and carriers of a side alone, as they are or as
// changes would leave them.
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
}

// Bounds of the search; beyond them fighters count as lost and carriers as absent. Nodes: real positions need a few dozen.
const (
	maxDeckGroups = 96
	maxNeedy      = 32
	maxNodes      = 20000
)

// canReturn reports whether an air unit that attacks a space with so much movement left can land somewhere by itself (AA 8.3.4, AA 8.3.10): in
// territory that was friendly (AA 8.3.6), or on a carrier (AA 8.3.9).
func (p *Position) canReturn(w Power, u Unit, s Space, left int) bool {
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
	if u != Fighter || !p.anyDeck(w) {
		return false
	}
	var r rescue
	r.gather(p, w, nil)
	r.begin(s)
	return r.reaches(s, left)
}

// gather collects the fighters and carriers of a side, with changes applied.
func (r *rescue) gather(p *Position, w Power, list []change) {
	r.p, r.w = p, w
	side := w.Side()
	for i := range p.groups {
		g := p.groups[i]
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

func (r *rescue) have(g Group) {
	if g.N > 0 && r.nUnits < maxDeckGroups {
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

// newCarriers adds the carriers in the mobilization zone, next to eligible complexes with capacity (AA 8.3.11 d, AA 12.3.5).
func (r *rescue) newCarriers() {
	p := r.p
	n := int(p.pool[r.w][Carrier])
	if n == 0 || p.capitalLost(r.w) {
		return
	}
	for s := range p.startComplex.Each {
		room := p.roomAt(r.w, s)
		if room <= 0 {
			continue
		}
		var zones SpaceSet
		for _, z := range p.sc.SeaNear[s] {
			zones.Add(z)
		}
		if zones.Empty() {
			continue
		}
		if r.nPorts == len(r.ports) {
			return
		}
		r.ports[r.nPorts] = int8(min(room, 100))
		r.nPorts++
		r.zones = r.zones.Union(zones)
		for range min(n, room, 8) {
			r.berth(berth{zones: zones, places: deckSize, port: int8(r.nPorts - 1)})
		}
	}
}

// mayMoveLater reports whether a carrier can still make a noncombat move: it has made none, and does not fight where it is (AA 8.3.7, AA 12.5.1).
func (p *Position) mayMoveLater(k Key) bool {
	if k.Has(Moved | Done) {
		return false
	}
	switch p.phase {
	case PhaseMobilize, PhaseIncome:
		return false
	case PhaseNoncombat:
		return p.step == 0
	case PhaseMove, PhaseCombat:
		return !p.hostileSea(k.At())
	}
	return true
}

// carrierReach are the zones that a carrier can end in by a noncombat move: over zones that are friendly or that combat will clear (AA 8.3.5).
func (p *Position) carrierReach(from, extra Space) SpaceSet {
	reach := SpacesOf(from)
	for _, l := range p.sc.Lanes[from] {
		if !p.open(l) || !p.willBeFriendly(l.To, extra) {
			continue
		}
		reach.Add(l.To)
		for _, m := range p.sc.Lanes[l.To] {
			if !reach.Has(m.To) && p.open(m) && p.willBeFriendly(m.To, extra) {
				reach.Add(m.To)
			}
		}
	}
	return reach
}

// open reports whether sea units may take a lane: open water, or a canal that was the side's when the turn began (AA 2.4.3).
func (p *Position) open(l Lane) bool { return l.Canal == NoCanal || p.canals&(1<<l.Canal) != 0 }

// willBeFriendly reports whether a zone is friendly or has a combat declared that may clear it.
func (p *Position) willBeFriendly(z, extra Space) bool {
	if !p.hostileSea(z) || z == extra {
		return true
	}
	if p.phase != PhaseMove && p.phase != PhaseCombat {
		return false
	}
	for _, g := range p.at(z) {
		if g.Power() == p.acting && (g.Unit().in(warships) || g.Unit().in(airUnits) && g.Has(Moved)) && !p.fought.Has(z) {
			return true
		}
	}
	return false
}

// collect finds the needy fighters; in Combat Move those without an attack count only if they can be saved at all.
func (r *rescue) collect() {
	p := r.p
	for _, g := range r.units[:r.nUnits] {
		if g.Power() != r.w || g.Unit() != Fighter || !p.sc.IsSea(g.At()) && p.wasFriendly(g.At()) {
			continue
		}
		left := p.moves(r.w, Fighter) - int(g.Used())
		if r.settled || g.Has(Done) || p.phase > PhaseNoncombat {
			left = 0
		}
		if int(p.home[g.At()]) <= left || p.phase == PhaseMove && !g.Has(Moved) && !r.reaches(g.At(), left) {
			continue
		}
		for range g.N {
			if r.nFight < maxNeedy {
				r.fighters[r.nFight] = needy{g.At(), uint8(left)}
				r.nFight++
			}
		}
	}
}

func (r *rescue) reaches(s Space, left int) bool {
	for z := range r.zones.Each {
		if r.p.sc.AirDistance(s, z) <= left {
			return true
		}
	}
	return false
}

// solve is the most fighters that can be saved together.
func (r *rescue) solve() int {
	r.best, r.nodes = 0, 0
	r.place(0, 0)
	return r.best
}

func (r *rescue) place(i, saved int) {
	r.best = max(r.best, saved)
	if r.nodes++; i == r.nFight || r.best == r.nFight || saved+r.nFight-i <= r.best || r.nodes > maxNodes {
		return
	}
	f := r.fighters[i]
	for z := range r.zones.Each {
		if r.p.sc.AirDistance(f.at, z) > int(f.left) {
			continue
		}
		if r.open[z] > 0 {
			r.open[z]--
			r.place(i+1, saved+1)
			r.open[z]++
		} else {
			r.bring(i, saved, z)
		}
		if r.best == r.nFight {
			return
		}
	}
	r.place(i+1, saved)
}

// bring sends a carrier to a zone for a fighter.
func (r *rescue) bring(i, saved int, z Space) {
	var tried berth
	for b := range r.berths[:r.nBerths] {
		t := &r.berths[b]
		if t.used || !t.zones.Has(z) || t.places == 0 || *t == tried {
			continue
		}
		tried = *t
		if t.port >= 0 && (r.ports[t.port] <= 0 || r.launched() >= int(r.p.pool[r.w][Carrier])) {
			continue
		}
		t.used = true
		if t.port >= 0 {
			r.ports[t.port]--
		}
		r.open[z] += int8(t.places) - 1
		r.place(i+1, saved+1)
		r.open[z] -= int8(t.places) - 1
		if t.port >= 0 {
			r.ports[t.port]++
		}
		t.used = false
		if r.best == r.nFight {
			return
		}
	}
}

// launched is how many new carriers the search has used.
func (r *rescue) launched() int {
	n := 0
	for i := range r.berths[:r.nBerths] {
		if r.berths[i].used && r.berths[i].port >= 0 {
			n++
		}
	}
	return n
}

// saved is how many fighters of a power can be saved together: those that need no carrier and the most of the others. Settled: if nobody moves any more.
func (p *Position) saved(w Power, list []change, settled bool) int {
	if w == China || !p.anyNeedy(w) && len(list) == 0 {
		return 0
	}
	var r rescue
	r.settled = settled
	r.gather(p, w, list)
	r.begin(NoSpace)
	r.collect()
	return r.solve() + r.total - r.nFight
}

// rescued is how many can be saved as things are; 0 if none needs to be.
func (p *Position) rescued(w Power) int {
	if !p.anyNeedy(w) {
		return 0
	}
	return p.saved(w, nil, false)
}

// spoils reports whether changes cost a fighter that could be saved now.
func (p *Position) spoils(w Power, list []change) bool {
	return w != China && p.saved(w, list, false) < p.savedNow(w)
}

// savedNow is the same as things are, fighters on land included.
func (p *Position) savedNow(w Power) int {
	var r rescue
	r.gather(p, w, nil)
	r.begin(NoSpace)
	r.collect()
	return r.solve() + r.total - r.nFight
}

// landed is how many are saved if nobody moves any more.
func (p *Position) landed(w Power) int {
	if !p.anyNeedy(w) {
		return 0
	}
	return p.saved(w, nil, true)
}

// anyNeedy reports whether a fighter is at sea or over territory that was not friendly.
func (p *Position) anyNeedy(w Power) bool {
	for i := range p.groups {
		g := p.groups[i]
		if g.Unit() == Fighter && g.Power() == w && (p.sc.IsSea(g.At()) || !p.wasFriendly(g.At())) {
			return true
		}
	}
	return false
}

// proven reports how many air units that attack can't land if all want to (AA 8.3.4, AA 8.3.11); 0 is the proof.
func (p *Position) proven(w Power) (short int) {
	if w == China || !p.anyNeedy(w) {
		return 0
	}
	var r rescue
	r.gather(p, w, nil)
	r.begin(NoSpace)
	r.collect()
	return r.nFight - r.solve()
}
