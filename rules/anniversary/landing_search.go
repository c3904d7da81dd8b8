package anniversary

import (
	"slices"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// newCarriers adds the carriers in the mobilization zone, next to eligible complexes with capacity (AA
// 8.3.11 d, AA 12.3.5).
func (r *rescue) newCarriers() {
	p := r.p
	n := r.unbuilt()
	if n == 0 || p.capitalLost(r.w) {
		return
	}
	if r.w == p.power && (p.anyUnnamed() || r.placed.through == NoSpace) {
		e := p.entrances(r.w)
		e.enter(r.placed)
		r.ways = &e
	}
	for s := range p.startComplex.Each {
		room := p.roomAt(r.w, s)
		if s == r.placed.through {
			room -= r.placed.n
		}
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
		r.ports[r.nPorts], r.portAt[r.nPorts] = int8(min(room, 100)), s
		r.nPorts++
		r.zones = r.zones.Union(zones)
		for range min(n, room, 8) {
			r.berth(berth{zones: zones, places: deckSize, port: int8(r.nPorts - 1)})
		}
	}
}

// unbuilt is how many carriers are in the mobilization zone.
func (r *rescue) unbuilt() int { return int(r.p.pool[r.w][Carrier]) - r.built }

// mayMoveLater reports whether a carrier can still make a noncombat move: it has made none, and does not fight where it
// is (AA 8.3.7, AA 12.5.1).
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

// carrierReach are the zones that a carrier can end in by a noncombat move: over zones that are friendly or that combat
// will clear (AA 8.3.5).
func (p *Position) carrierReach(from, extra Space) SpaceSet {
	reach := scenario.SpacesOf(from)
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

// open reports whether sea units may take a lane: open water, or a canal that was the side's when the
// turn began (AA 2.4.3).
func (p *Position) open(l scenario.Lane) bool {
	return l.Canal == scenario.NoCanal || p.canals&(1<<l.Canal) != 0
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
		if p.clears(g.Key) && !p.fought.Has(z) {
			return true
		}
	}
	return false
}

// clears reports whether units may clear the zone that they are in of warships this turn.
func (p *Position) clears(k Key) bool {
	return k.Power() == p.acting && (k.Unit().In(scenario.Warships) || k.Unit().In(scenario.AirUnits) && k.Has(Moved))
}

// collect finds the needy fighters; in Combat Move those without an attack count only if they can be saved at all.
func (r *rescue) collect() {
	p := r.p
	for _, g := range r.units[:r.nUnits] {
		if g.Power() != r.w || g.Unit() != Fighter {
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
	return r.p.within(s, r.zones, left)
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
		if t.port >= 0 && (r.ports[t.port] <= 0 || r.launched() >= r.unbuilt() || !r.enters(t.port)) {
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

// enters reports whether one more new carrier can come in through a complex, beside those that the search has used and
// units that may come in through several.
func (r *rescue) enters(port int8) bool {
	if r.ways == nil {
		return true
	}
	e := *r.ways
	e.room = slices.Clone(e.room)
	e.take(r.portAt[port], 1)
	for _, b := range r.berths[:r.nBerths] {
		if b.used && b.port >= 0 {
			e.take(r.portAt[b.port], 1)
		}
	}
	return e.fits()
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

// saved is how many fighters of a power can be saved together: those that need no carrier and the most of the others.
// Settled: if nobody moves any more.
func (p *Position) saved(w Power, list []change, settled bool) int {
	if w == China || len(list) == 0 && !p.anyNeedy(w) {
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

// proof is what was found out about landing by power, by bit: it holds as long as the position is the same, so that a
// list finds it out once.
type proof struct {
	asked                    bool // since it was last set to false
	counted, looked, expects uint8
	waits                    uint8 // powers with units that wait for a carrier, if expects has them
	saved                    [NumPowers]int
	needy                    [NumPowers]bool // a fighter needs a carrier
	decks                    [NumPowers]SpaceSet
	carrier                  Key // whose absence was looked at last, and whether it costs nobody
	spared                   bool
}

// waiting reports whether a power has units that wait for a carrier.
func (known *proof) waiting(p *Position, w Power) bool {
	if known.expects&(1<<w) == 0 {
		known.expects |= 1 << w
		if p.anyWaiting(w) {
			known.waits |= 1 << w
		}
	}
	return known.waits&(1<<w) != 0
}

// spoils reports whether changes cost a fighter that could be saved now.
func (p *Position) spoils(w Power, list []change, known *proof) bool {
	if known.asked = true; w == China {
		return false
	}
	return p.saved(w, list, false) < p.savedNow(w, known)
}

// decks are the zones where a power's fighters might find places; a zone that is about to be
// attacked counts as cleared.
func (p *Position) decks(w Power, attacked Space, known *proof) SpaceSet {
	known.asked = true
	same := attacked == NoSpace || !p.hostileSea(attacked) // for the carriers of the power
	if same && known.looked&(1<<w) != 0 {
		return known.decks[w]
	}
	var r rescue
	if p.anyDeck(w) {
		r.gather(p, w, nil)
		r.begin(attacked)
	}
	if same {
		known.decks[w] = r.zones
		known.looked |= 1 << w
	}
	return r.zones
}

// savedNow is how many can be saved as things are, fighters on land included.
func (p *Position) savedNow(w Power, known *proof) int {
	if known.counted&(1<<w) == 0 {
		r := p.search(w)
		r.collect()
		known.saved[w], known.needy[w] = r.solve()+r.total-r.nFight, r.nFight > 0
		known.counted |= 1 << w
	}
	return known.saved[w]
}

// search looks at things as they are.
func (p *Position) search(w Power) (r rescue) {
	r.gather(p, w, nil)
	r.begin(NoSpace)
	return r
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
	for _, g := range p.groups {
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
	r := p.search(w)
	r.collect()
	return r.nFight - r.solve()
}
