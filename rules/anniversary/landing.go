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

// rescue is the search for the most needy fighters that can be saved together.
type rescue struct {
	p        *Position
	w        Power
	fighters []needy
	open     [MaxSpaces]int8
	zones    SpaceSet // that have or can get places
	berths   []berth
	ports    []int8 // capacity left of the complexes
	settled  bool   // nobody moves any more
	best     int
	nodes    int

	fighterBuf [24]needy
	berthBuf   [24]berth
	portBuf    [16]int8
}

// maxNodes bounds the search; what it has found by then counts. Real positions need a few dozen.
const maxNodes = 20000

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
	if u != Fighter {
		return false
	}
	var r rescue
	r.begin(p, w, s)
	for z := range r.zones.Each {
		if p.sc.AirDistance(s, z) <= left {
			return true
		}
	}
	return false
}

// begin collects the places of a power. The zone extra counts as cleared: it is about to be attacked.
func (r *rescue) begin(p *Position, w Power, extra Space) {
	r.p, r.w = p, w
	r.fighters, r.berths, r.ports = r.fighterBuf[:0], r.berthBuf[:0], r.portBuf[:0]
	for i := range p.groups {
		g := p.groups[i]
		if g.Unit() != Carrier || g.Power().Side() != w.Side() {
			continue
		}
		z := g.At()
		if g.Power() != w {
			if free := p.decksAt(w, z, true).allied; free > 0 {
				r.open[z] = int8(max(int(r.open[z]), min(free, 100))) // once for all allies there
				r.zones.Add(z)
			}
			continue
		}
		places := uint8(deckSize - guests(g.Key))
		if r.settled || !p.mayMoveLater(g.Key) {
			r.open[z] += int8(min(int(places)*int(g.N), 100))
			r.zones.Add(z)
			continue
		}
		zones := p.carrierReach(z, extra)
		r.zones = r.zones.Union(zones)
		for range g.N {
			r.berths = append(r.berths, berth{zones: zones, places: places, port: -1})
		}
	}
	r.newCarriers()
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
		r.ports = append(r.ports, int8(min(room, 100)))
		r.zones = r.zones.Union(zones)
		for range min(n, room, 8) {
			r.berths = append(r.berths, berth{zones: zones, places: deckSize, port: int8(len(r.ports) - 1)})
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
	var o plan
	o.quiet = true
	for _, l := range p.sc.Lanes[from] {
		if p.lane(from, l.To, &o) != nil || !p.willBeFriendly(l.To, extra) {
			continue
		}
		reach.Add(l.To)
		for _, m := range p.sc.Lanes[l.To] {
			if !reach.Has(m.To) && p.willBeFriendly(m.To, extra) && p.lane(l.To, m.To, &o) == nil {
				reach.Add(m.To)
			}
		}
	}
	return reach
}

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

// collect finds the needy fighters; in Combat Move those without an attack count only if they can be saved at all. Others is the number of fighters
// that nothing can save.
func (r *rescue) collect() (lost int) {
	p := r.p
	if r.w == China {
		return 0
	}
	for i := range p.groups {
		g := p.groups[i]
		if g.Power() != r.w || g.Unit() != Fighter || !p.sc.IsSea(g.At()) && p.wasFriendly(g.At()) {
			continue
		}
		left := p.moves(r.w, Fighter) - int(g.Used())
		if r.settled || g.Has(Done) || p.phase > PhaseNoncombat {
			left = 0
		}
		if int(p.home[g.At()]) <= left {
			continue
		}
		for range g.N {
			if p.phase == PhaseMove && !g.Has(Moved) && !r.reaches(g.At(), left) {
				lost++
				continue
			}
			r.fighters = append(r.fighters, needy{g.At(), uint8(left)})
		}
	}
	return lost
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
	if r.nodes++; i == len(r.fighters) || r.best == len(r.fighters) || saved+len(r.fighters)-i <= r.best || r.nodes > maxNodes {
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
		if r.best == len(r.fighters) {
			return
		}
	}
	r.place(i+1, saved)
}

// bring sends a carrier to a zone for a fighter.
func (r *rescue) bring(i, saved int, z Space) {
	var tried berth
	for b := range r.berths {
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
		if r.best == len(r.fighters) {
			return
		}
	}
}

// launched is how many new carriers the search has used.
func (r *rescue) launched() int {
	n := 0
	for i := range r.berths {
		if r.berths[i].used && r.berths[i].port >= 0 {
			n++
		}
	}
	return n
}

// landed is how many needy fighters are saved if nobody moves any more.
func (p *Position) landed(w Power) int {
	if w == China || !p.anyNeedy(w) {
		return 0
	}
	r := rescue{settled: true}
	r.begin(p, w, NoSpace)
	r.collect()
	return r.solve() + r.homely()
}

// anyNeedy reports whether the search is needed at all.
func (p *Position) anyNeedy(w Power) bool {
	for i := range p.groups {
		g := p.groups[i]
		if g.Power() == w && g.Unit() == Fighter && (p.sc.IsSea(g.At()) || !p.wasFriendly(g.At())) {
			return true
		}
	}
	return false
}

// rescued is how many needy fighters of a power can be saved together.
func (p *Position) rescued(w Power) int {
	if w == China || !p.anyNeedy(w) {
		return 0
	}
	var r rescue
	r.begin(p, w, NoSpace)
	r.collect()
	return r.solve() + r.homely()
}

// homely is how many fighters at sea or over hostile territory need no carrier: so that a move that makes one needy counts against it.
func (r *rescue) homely() int {
	n := 0
	for i := range r.p.groups {
		if g := r.p.groups[i]; g.Power() == r.w && g.Unit() == Fighter {
			n += int(g.N)
		}
	}
	return n - len(r.fighters)
}

// rescuedAfter is the same after changes.
func (p *Position) rescuedAfter(w Power, list []change) int {
	q := p.Clone()
	for _, c := range list {
		if q.take(c.before, c.n) && c.after != 0 {
			q.put(c.after, c.n)
		}
	}
	return q.rescued(w)
}

// proven reports whether all air units that attack can land together, and if not, how many can't (AA 8.3.4, AA 8.3.11).
func (p *Position) proven(w Power) (short int) {
	if w == China || !p.anyNeedy(w) {
		return 0
	}
	var r rescue
	r.begin(p, w, NoSpace)
	r.collect()
	return len(r.fighters) - r.solve()
}
