package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 6: Mobilize New Units.

// capacity is how many units a complex brings in a turn: the value of its territory minus damage (AA 7.1.6, AA 9.2.5,
// AA 13.2.2, AA 15.5.3), two more with Increased Factory Production (AA 6.3.12), by the correction from a value of 3
// on (AA 16.3.3).
func (p *Position) capacityOf(w Power, s Space) int {
	n := p.sc.Spaces[s].IPC
	if p.has(w, scenario.IncreasedProduction) && (!p.opt.has(optBigFactories) || n >= 3) {
		n += p.sc.Effects.Capacity
	}
	return max(0, n-int(p.damage[s]))
}

// eligibleComplex: controlled since the turn began (AA 13.2.1, AA 10.1.7, AA 15.5.2), and by the power itself (AA
// 13.2.4). One goes with its territory, and is the captor's to use from its next turn on (AA 15.5.4); in Chinese hands
// it serves nobody (AA 5.5.2).
func (p *Position) eligibleComplex(w Power, s Space) bool {
	return s < p.sc.Land && p.complexes.Has(s) && p.startComplex.Has(s) && p.owner[s] == w && p.startOwner[s] == w
}

// roomAt is how many more units can come in through a complex this turn.
func (p *Position) roomAt(w Power, s Space) int {
	if !p.eligibleComplex(w, s) {
		return 0
	}
	room := p.capacityOf(w, s) - int(p.placed[s])
	if w == p.power && p.anyUnnamed() {
		e := p.entrances(w)
		room -= e.bound(s)
	}
	return max(0, room)
}

// canMobilize reports whether anything waits in the mobilization zone.
func (p *Position) canMobilize() bool {
	waiting := func(w Power) bool { return p.pool[w] != [NumUnits]uint16{} }
	return waiting(p.power) && !p.capitalLost(p.power) || p.chinaPlays() && waiting(China)
}

// checkPlace checks `place`.
func (p *Position) checkPlace(c *Command, o *plan) *rules.Refusal {
	n := Space(p.sc.Len())
	if c.Len == 0 || c.To >= n || c.From != NoSpace && c.From >= n {
		return rules.Malformed("a placement needs units and their space")
	}
	w := p.placer(c)
	total, land, sea := 0, false, false
	var want [NumUnits]int
	for _, it := range c.items() {
		if it.Unit >= NumUnits || it.N == 0 {
			return rules.Malformed("a line needs a unit and a number from 1")
		}
		want[it.Unit] += int(it.N)
		if want[it.Unit] > int(p.pool[w][it.Unit]) {
			return p.no(o, "AA 7.1.4", "refuse.not-waiting", NoSpace, "unit", unitName(it.Unit), "n", want[it.Unit],
				"waiting", int(p.pool[w][it.Unit]))
		}
		total += int(it.N)
		land = land || it.Unit.In(scenario.LandUnits|1<<Bomber) || it.Unit == Complex
		sea = sea || it.Unit.In(scenario.SeaUnits)
	}
	switch {
	case w == China:
		return p.checkRecruit(c.To, uint8(min(total, 255)), o)
	case p.capitalLost(w):
		return p.no(o, "AA 10.3.3", "refuse.no-capital", NoSpace, "power", powerName(w))
	case want[Complex] > 0:
		return p.checkNewComplex(c, o, total)
	case p.sc.IsSea(c.To) && land:
		return p.no(o, "AA 13.1.2", "refuse.place-land", c.To)
	case !p.sc.IsSea(c.To) && sea:
		return p.no(o, "AA 13.1.3", "refuse.place-sea", c.To)
	}
	if r := p.checkThrough(c, w, o, total); r != nil {
		return r
	}
	return p.checkDecks(c, w, o, want[Fighter], want[Carrier])
}

// placer is whose units a placement puts on the map.
func (p *Position) placer(c *Command) Power {
	if c.Power == China && p.chinaPlays() {
		return China
	}
	return p.power
}

// checkNewComplex: in territory of some value that the power has controlled since the turn began and that has none (AA
// 13.1.5, AA 13.2.5); one at a time.
func (p *Position) checkNewComplex(c *Command, o *plan, total int) *rules.Refusal {
	s := c.To
	switch {
	case total != 1:
		return p.no(o, "AA 13.2.5", "refuse.one-complex", s)
	case s >= p.sc.Land || p.owner[s] != p.power || p.startOwner[s] != p.power:
		return p.no(o, "AA 13.1.5", "refuse.complex-place", s)
	case p.sc.Spaces[s].IPC < p.sc.Numbers.ComplexValue:
		return p.no(o, "AA 13.1.5", "refuse.complex-value", s, "value", p.sc.Spaces[s].IPC,
			"least", p.sc.Numbers.ComplexValue)
	case p.complexes.Has(s):
		return p.no(o, "AA 13.2.5", "refuse.complex-there", s)
	}
	return nil
}

// checkThrough: through a complex of the territory itself (AA 13.1.2), or one next to the sea zone (AA 13.1.3, AA
// 13.2.3), with room (AA 13.2.2).
func (p *Position) checkThrough(c *Command, w Power, o *plan, total int) *rules.Refusal {
	through := p.through(c, w)
	switch {
	case through == NoSpace:
		return p.no(o, "AA 13.2.1", "refuse.no-entry", c.To)
	case through >= p.sc.Land || p.sc.IsSea(c.To) && !p.sc.Around[c.To].Has(through) ||
		!p.sc.IsSea(c.To) && through != c.To:
		return p.no(o, "AA 13.1.3", "refuse.entry-elsewhere", c.To, "through", p.name(through))
	case p.complexes.Has(through) && p.owner[through] != w && p.owner[through].Side() == w.Side():
		return p.no(o, "AA 13.2.4", "refuse.not-your-complex", through)
	case !p.eligibleComplex(w, through):
		return p.no(o, "AA 13.2.1", "refuse.no-entry", through)
	}
	if room := p.roomFor(w, p.entryOf(c, w)); room < total {
		return p.no(o, "AA 13.2.2", "refuse.capacity", through, "n", total, "room", room,
			"capacity", p.capacityOf(w, through))
	}
	return nil
}

// through is the complex that a placement names or, if it names none, the one with most room; NoSpace if none exists.
func (p *Position) through(c *Command, w Power) Space {
	if c.From != NoSpace {
		return c.From
	}
	if !p.sc.IsSea(c.To) {
		return c.To
	}
	best := NoSpace
	for _, s := range p.sc.LandNear[c.To] {
		if p.eligibleComplex(w, s) && (best == NoSpace || p.roomAt(w, s) > p.roomAt(w, best)) {
			best = s
		}
	}
	if best == NoSpace {
		for _, s := range p.sc.LandNear[c.To] {
			if p.complexes.Has(s) && p.owner[s].Side() == w.Side() {
				return s
			}
		}
	}
	return best
}

// checkDecks: new fighters at sea need an own carrier with room (AA 13.1.4, AA 5.3.6); fighters that wait for a carrier
// are served first (AA 12.3.5, AA 12.5.3).
func (p *Position) checkDecks(c *Command, w Power, o *plan, fighters, carriers int) *rules.Refusal {
	if p.sc.IsSea(c.To) && fighters > 0 {
		room := -p.count(keyOf(c.To, w, Fighter)) + carriers*deckSize
		for _, g := range p.at(c.To) {
			if g.Power() == w && g.Unit() == Carrier {
				room += int(g.N) * (deckSize - guests(g.Key))
			} else if g.Power() == w && g.Unit() == Fighter && g.Marks() != 0 {
				room -= int(g.N)
			}
		}
		if room < fighters {
			return p.no(o, "AA 13.1.4", "refuse.no-deck", c.To)
		}
	}
	if p.pool[w][Carrier] == 0 || !o.proof.waiting(p, w) || p.leavesRoom(c, w, fighters+carriers) {
		return nil
	}
	if p.rescuedAfter(c, w)-fighters < p.savedNow(w, &o.proof) {
		return p.no(o, "AA 12.5.3", "refuse.carrier-needed", c.To)
	}
	return nil
}

func (p *Position) anyWaiting(w Power) bool {
	for _, g := range p.groups {
		if g.Power() == w && g.Has(Waiting) {
			return true
		}
	}
	return false
}

// leavesRoom reports whether a placement without fighters and carriers leaves room in its complex for all
// the carriers that wait.
func (p *Position) leavesRoom(c *Command, w Power, decks int) bool {
	if decks > 0 || p.anyUnnamed() {
		return false
	}
	through := p.through(c, w)
	return through == NoSpace || p.roomAt(w, through)-c.units() >= int(p.pool[w][Carrier])
}

// rescuedAfter is how many fighters can be saved together after a placement.
func (p *Position) rescuedAfter(c *Command, w Power) int {
	r := rescue{placed: p.entryOf(c, w)}
	var list [MaxItems]change
	for i, it := range c.items() {
		switch it.Unit {
		case Complex:
			continue
		case Carrier:
			r.built += int(it.N)
		}
		list[i] = change{after: keyOf(c.To, w, it.Unit).mark(Done), n: uint16(it.N)}
	}
	r.gather(p, w, list[:c.Len])
	r.begin(NoSpace)
	r.collect()
	return r.solve() + r.total - r.nFight
}

// place puts units on the map (AA 13.1.1); they do nothing else this turn (AA 13.1.7).
func (p *Position) place(x *exec, c *Command) {
	w := p.placer(c)
	e := &anniversaryv1.UnitsMobilized{Power: protoPower(w), Space: p.sc.SpaceID(c.To)}
	if w != China && c.Items[0].Unit != Complex {
		e.Through = p.sc.SpaceID(p.entryOf(c, w).through)
	}
	for _, it := range c.items() {
		e.Units = append(e.Units, &anniversaryv1.Line{Unit: protoUnit(it.Unit), Count: uint32(it.N)})
	}
	emit(x, e)
}

// checkEndMobilize: a carrier that fighters wait for must be placed (AA 12.5.3); everything else may be kept
// (AA 13.1.6, AA 5.2.5).
func (p *Position) checkEndMobilize() *rules.Refusal {
	if !p.anyWaiting(p.power) {
		return nil
	}
	if could, are := p.rescued(p.power), p.landed(p.power); could > are {
		return rules.Refuse("AA 12.5.3", "refuse.carrier-must-come", "n", could-are)
	}
	return nil
}
