package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// combatMoves lists the moves of Combat Move: one unit at a time.
func (l *lister) combatMoves() {
	p := l.p
	if l.wants(KindMove) || l.wants(KindRaid) || l.wants(KindDrop) || l.wants(KindJoin) {
		for i := 0; i < len(p.groups) && !l.done; i++ {
			g := p.groups[i]
			if g.Power() != p.acting || !p.ready(g.Key) {
				continue
			}
			variant, first := l.variant(i)
			if l.knows(g.Key, variant, first) {
				continue
			}
			switch u := g.Unit(); {
			case u.In(scenario.AirUnits):
				l.strikes(g.Key, variant, first)
			case u.In(scenario.SeaUnits):
				l.sails(g.Key, variant)
			case u != AAGun:
				l.marches(g)
			}
			l.learn()
		}
	}
	if l.wants(KindShip) {
		l.eachPort(l.assaults)
	}
	if l.ends() == nil {
		l.give(only(KindEnd))
		return
	}
	l.recalls()
}

// recalls are the moves that can be taken back.
func (l *lister) recalls() {
	last := -1
	for _, m := range l.p.plan {
		if int(m.entry) != last && l.p.checkRecall(m.entry) == nil {
			l.give(counting(KindRecall, m.entry))
		}
		last = int(m.entry)
	}
}

// aims finds the spaces where there is something to attack from the air: enemy units, or a complex to raid, which may
// stand in a territory without units (AA 8.9.1).
func (l *lister) aims() []Space {
	if l.aimed {
		return l.targets
	}
	p := l.p
	l.targets, l.aimed = l.targets[:0], true
	for s := range Space(p.sc.Len()) {
		if p.enemies(s) && p.sc.IsSea(s) || (p.enemies(s) || p.startComplex.Has(s)) && p.wasHostile(s) {
			l.targets = append(l.targets, s)
		}
	}
	return l.targets
}

// variant is the number of a ready group on the board, 0 if it is the only one of its power and type in its space that
// is ready; first tells whether it is the first of those.
func (p *Position) variant(i int) (n uint8, first bool) {
	k := p.groups[i].Key >> shiftType
	only := true
	n, first = 1, true
	for j := i - 1; j >= 0 && p.groups[j].Key>>shiftType == k; j-- {
		n++
		first = first && !p.ready(p.groups[j].Key)
	}
	for j := i + 1; j < len(p.groups) && p.groups[j].Key>>shiftType == k; j++ {
		only = only && !p.ready(p.groups[j].Key)
	}
	if first && only {
		n = 0
	}
	return n, first
}

// variant is that of a group whose moves name it; land units that are ready are all alike.
func (l *lister) variant(i int) (n uint8, first bool) {
	if l.p.groups[i].Unit().In(scenario.LandUnits) {
		return 0, true
	}
	return l.p.variant(i)
}

// going makes a move of one unit of a group.
func going(k Key, variant uint8, via, to Space) Command {
	c := Command{Kind: KindMove, Power: NoPower, From: k.At(), Via: via, To: to, Target: NoSpace, Len: 1}
	c.Items[0] = Item{Unit: k.Unit(), N: 1, Power: NoPower, At: NoSpace, Variant: variant}
	return c
}

// strikes lists what an air unit can attack, raid or drop on.
func (l *lister) strikes(k Key, variant uint8, first bool) {
	p := l.p
	most := p.moves(p.acting, k.Unit())
	for _, s := range l.aims() {
		d := p.flight(p.acting, k.At(), s)
		if d > most || s == k.At() || !p.canReturn(p.acting, k.Unit(), s, most-d, &l.o.proof) {
			continue
		}
		if p.enemies(s) {
			l.give(going(k, variant, NoSpace, s))
		}
		if k.Unit() == Bomber && first && p.startComplex.Has(s) && !p.sc.IsSea(s) {
			l.offer(pair(KindRaid, k.At(), s))
		}
	}
	if k.Unit() == Bomber && first && p.has(p.acting, scenario.Paratroopers) &&
		p.ready(keyOf(k.At(), p.acting, Infantry)) {
		for s := range p.sc.Land {
			if p.wasHostile(s) && p.sc.AirDistance(k.At(), s) < most {
				l.offer(pair(KindDrop, k.At(), s))
			}
		}
	}
	if k.Unit() == Fighter && first && p.sc.IsSea(k.At()) && p.enemies(k.At()) {
		c := at(KindJoin, k.At())
		c.N = 1
		l.offer(c)
	}
}

// pair makes a command of one bomber from here to there.
func pair(k Kind, from, to Space) Command {
	c := at(k, to)
	c.From, c.N = from, 1
	return c
}

// marches lists the combat moves of a land unit; tanks, and infantry with them, go two spaces over every way
// that makes a difference.
func (l *lister) marches(g Group) {
	p := l.p
	from := g.At()
	for _, s := range p.sc.LandNear[from] {
		if p.wasHostile(s) && p.inRangeOf(g.Power(), s) {
			l.give(going(g.Key, 0, NoSpace, s))
		}
	}
	if g.Unit() != Tank {
		return
	}
	with := p.has(g.Power(), scenario.MechanizedInfantry) && p.count(keyOf(from, g.Power(), Infantry)) > 0
	for _, via := range p.sc.LandNear[from] {
		blitz := p.wasHostile(via)
		if blitz && (p.enemies(via) || p.startComplex.Has(via)) || !p.inRangeOf(g.Power(), via) {
			continue
		}
		for _, to := range p.sc.LandNear[via] {
			if !p.inRangeOf(g.Power(), to) || !blitz && (!p.wasHostile(to) || p.sc.Around[from].Has(to)) {
				continue
			}
			c := going(g.Key, 0, via, to)
			l.give(c)
			if with {
				l.give(c.with(line(Infantry, 1)))
			}
		}
	}
}

// inRangeOf reports whether a power's units may enter a space at all (AA 5.3.1).
func (p *Position) inRangeOf(w Power, s Space) bool {
	return w != China || p.sc.ChinaRules.Range.Has(s)
}

// sails lists the moves of a ship to every zone within two steps.
func (l *lister) sails(k Key, variant uint8) {
	p := l.p
	if k.Target() != NoSpace || !l.wants(KindMove) {
		return
	}
	left := p.moves(k.Power(), k.Unit()) - int(k.Used())
	if left <= 0 {
		return
	}
	seen := scenario.SpacesOf(k.At())
	for _, a := range p.sc.Lanes[k.At()] {
		if !seen.Has(a.To) {
			seen.Add(a.To)
			l.offer(going(k, variant, NoSpace, a.To))
		}
	}
	if left < 2 {
		return
	}
	for _, a := range p.sc.Lanes[k.At()] {
		for _, b := range p.sc.Lanes[a.To] {
			if !seen.Has(b.To) {
				seen.Add(b.To)
				l.offer(going(k, variant, NoSpace, b.To))
			}
		}
	}
}

// noncombatMoves lists the moves of Noncombat Move: one unit at a time, transports one step at a time.
func (l *lister) noncombatMoves() {
	p := l.p
	for i := 0; i < len(p.groups) && l.wants(KindMove); i++ {
		g := p.groups[i]
		if w := g.Power(); w != p.power && !(w == China && p.chinaPlays()) || !p.ready(g.Key) || g.Has(Captured) {
			continue
		}
		variant, first := l.variant(i)
		if l.knows(g.Key, variant, first) {
			continue
		}
		switch u := g.Unit(); {
		case u.In(scenario.AirUnits):
			l.landings(g.Key, variant)
		case u.In(scenario.SeaUnits):
			l.sails(g.Key, variant)
		default:
			l.walks(g)
		}
		l.learn()
	}
	if l.wants(KindShip) {
		l.eachPort(l.ferries)
	}
	if l.wants(KindEnd) && l.ends() == nil {
		l.give(only(KindEnd))
	}
}

// walks lists the noncombat moves of a land unit.
func (l *lister) walks(g Group) {
	p := l.p
	from, w := g.At(), g.Power()
	with := g.Unit() == Tank && p.has(w, scenario.MechanizedInfantry) && p.count(keyOf(from, w, Infantry)) > 0
	for _, s := range p.sc.LandNear[from] {
		if p.friendly(s) && p.inRangeOf(w, s) {
			l.give(l.of(w, going(g.Key, 0, NoSpace, s)))
		}
	}
	if p.moves(w, g.Unit()) < 2 {
		return
	}
	seen := scenario.SpacesOf(from)
	for _, via := range p.sc.LandNear[from] {
		if !p.friendly(via) || !p.inRangeOf(w, via) {
			continue
		}
		for _, to := range p.sc.LandNear[via] {
			if seen.Has(to) || p.sc.Around[from].Has(to) || !p.friendly(to) || !p.inRangeOf(w, to) {
				continue
			}
			seen.Add(to)
			c := going(g.Key, 0, via, to)
			l.give(l.of(w, c))
			if with {
				l.give(l.of(w, c.with(line(Infantry, 1))))
			}
		}
	}
}

// of names the power where two may move.
func (l *lister) of(w Power, c Command) Command {
	if w == China {
		c.Power = China
	}
	return c
}

// landings lists where an air unit can land.
func (l *lister) landings(k Key, variant uint8) {
	p := l.p
	w := k.Power()
	left := p.moves(w, k.Unit()) - int(k.Used())
	for s := range p.sc.Land {
		if s != k.At() && p.wasFriendly(s) && p.flight(w, k.At(), s) <= left {
			l.give(l.of(w, going(k, variant, NoSpace, s)))
		}
	}
	if k.Unit() != Fighter || w == China {
		return
	}
	for z := range p.decks(w, NoSpace, &l.o.proof).Each {
		if z != k.At() && p.sc.AirDistance(k.At(), z) <= left {
			l.offer(going(k, variant, NoSpace, z))
		}
	}
}

// anyDeck reports whether a power's fighters might find a carrier at all.
func (p *Position) anyDeck(w Power) bool {
	if p.pool[w][Carrier] > 0 {
		return true
	}
	for _, z := range p.sc.Zones {
		if p.tallies[z][w.Side()].carriers > 0 {
			return true
		}
	}
	return false
}
