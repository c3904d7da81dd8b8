package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// replies are the answers within procedures.
func (l *lister) replies(a Ask) {
	p := l.p
	switch a {
	case AskBombard:
		l.bombardments()
	case AskSubmerge:
		for n := range p.subsOf(p.diver()) + 1 {
			l.give(counting(KindSubmerge, uint8(min(n, 255))))
		}
	case AskLosses:
		l.losses()
	case AskAgree, AskConsent:
		l.yesOrNo(KindAnswer)
	case AskPress:
		l.give(only(KindPress))
		e := p.exits()
		for s := range e.to.Each {
			l.give(at(KindRetreat, s))
		}
		if e.air {
			l.give(only(KindRetreat))
		}
	case AskDivert:
		w := p.homelessPower()
		z := p.homelessZone(w)
		for s := range p.refuges(w, z).Each {
			c := at(KindDivert, s)
			c.Power, c.From, c.N = w, z, 1
			l.give(c)
		}
	}
}

// bombardments are all ships, each number of one kind of ship of a zone, and none.
func (l *lister) bombardments() {
	p := l.p
	all := p.bombardAll()
	l.give(all)
	for _, z := range p.sc.SeaNear[p.battle.at] {
		for _, u := range [2]Unit{Battleship, Cruiser} {
			n := 0
			p.batteries(p.battle.at, func(k Key, m uint16) {
				if k.At() == z && k.Unit() == u {
					n += int(m)
				}
			})
			for i := 1; i <= min(n, int(p.battle.landed)); i++ {
				it := line(u, uint8(i))
				it.At = z
				if c := only(KindBombard).with(it); c != all {
					l.give(c)
				}
			}
		}
	}
	l.give(only(KindBombard))
}

// losses are single casualties.
func (l *lister) losses() {
	p := l.p
	m := p.menu()
	groups := p.at(p.battle.at)
	variant, last, chosen := uint8(0), Key(0), false
	for i, g := range groups {
		kind := g.Key >> shiftType
		if kind != last {
			variant, last, chosen = 0, kind, false
		}
		variant++
		if !p.eligible(g.Key, p.battle.stage) {
			continue
		}
		alone := !chosen && !p.another(groups[i+1:], kind)
		chosen = true
		if !m.allows(targetOf(g.Unit()), 1) {
			continue
		}
		it := Item{Unit: g.Unit(), N: 1, Power: g.Power(), At: NoSpace}
		if !alone {
			it.Variant = variant
		}
		if p.free(g.Key, false, nil) > 0 {
			l.give(only(KindLose).with(it))
		}
		if p.slotsOf(g.Key) > 1 && p.free(g.Key, true, nil) > 0 {
			it.Unit = Hull
			l.give(only(KindLose).with(it))
		}
	}
}

// another reports whether one more kind of the same type can be chosen.
func (p *Position) another(groups []Group, kind Key) bool {
	for _, g := range groups {
		if g.Key>>shiftType != kind {
			return false
		}
		if p.eligible(g.Key, p.battle.stage) {
			return true
		}
	}
	return false
}

// placements are single units with every place and complex.
func (l *lister) placements() {
	p := l.p
	if !p.capitalLost(p.power) {
		for u := range NumUnits {
			if p.pool[p.power][u] > 0 {
				l.placeUnit(u)
			}
		}
	}
	if p.chinaPlays() && p.pool[China][Infantry] > 0 {
		for s := range p.sc.ChinaRules.Territories.Each {
			c := at(KindPlace, s).with(line(Infantry, 1))
			c.Power = China
			l.place(c)
		}
	}
	l.checked(only(KindEnd))
}

// place yields a placement if it passes.
func (l *lister) place(c Command) {
	if l.o.quiet = true; l.wants(KindPlace) && l.p.checkPlace(&c, &l.o) == nil {
		l.give(c)
	}
}

func (l *lister) placeUnit(u Unit) {
	p := l.p
	if u == Complex {
		for s := range p.sc.Land {
			if p.owner[s] == p.power && p.startOwner[s] == p.power && !p.complexes.Has(s) {
				l.place(at(KindPlace, s).with(line(u, 1)))
			}
		}
		return
	}
	for s := range p.startComplex.Each {
		if p.roomAt(p.power, s) == 0 {
			continue
		}
		if !u.In(scenario.SeaUnits) {
			c := at(KindPlace, s).with(line(u, 1))
			c.From = s
			l.place(c)
		}
		if u == Fighter || u.In(scenario.SeaUnits) {
			for _, z := range p.sc.SeaNear[s] {
				c := at(KindPlace, z).with(line(u, 1))
				c.From = s
				l.place(c)
			}
		}
	}
}
