package anniversary

import "github.com/warledger/warledger/rules"

// lister yields legal commands until told to stop.
type lister struct {
	p     *Position
	seat  rules.Seat
	f     rules.Filter
	yield func(Command) bool
	done  bool
	o     plan
}

// Legal lists what passes Check, in a fixed order; kinds that are generating as their notes say.
func (Referee) Legal(p *Position, seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	if seat >= rules.Seat(NumSeats) || p.over() {
		return
	}
	l := &lister{p: p, seat: seat, f: f, yield: yield}
	if a, seats := p.ask(); seats.Has(seat) {
		l.answers(a)
	}
	if p.conceded.Has(seat) {
		l.give(only(KindFightOn))
	} else {
		l.give(only(KindConcede))
	}
}

// wants reports whether a kind passes the filter.
func (l *lister) wants(k Kind) bool { return !l.done && (l.f.Kind == "" || l.f.Kind == kinds[k].id) }

// give yields a command that is legal, if it passes the filter.
func (l *lister) give(c Command) {
	if !l.wants(c.Kind) {
		return
	}
	if (l.f.Piece != "" || l.f.Space != "") && !l.f.Fits(l.p.describe(l.seat, c)) {
		return
	}
	l.done = !l.yield(c)
}

// offer yields a movement command if its plan passes.
func (l *lister) offer(c Command) {
	if l.wants(c.Kind) && l.passes(&c) {
		l.give(c)
	}
}

func (l *lister) passes(c *Command) bool {
	l.o.n, l.o.steps, l.o.blitzed, l.o.quiet, l.o.ask, l.o.asked = 0, 0, NoSpace, true, NoPower, change{}
	return l.p.planFor(c, &l.o) == nil
}

// checked yields a command if Check passes it.
func (l *lister) checked(c Command) {
	if l.wants(c.Kind) && (Referee{}).Check(l.p, l.seat, c) == nil {
		l.give(c)
	}
}

func (l *lister) answers(a Ask) {
	switch a {
	case AskResearch:
		for n := range int(l.p.ipc[l.p.power])/l.p.sc.Numbers.ResearcherCost + 1 {
			l.give(counting(KindResearch, uint8(min(n, 255))))
		}
	case AskChart:
		l.checked(counting(KindChart, 1))
		l.checked(counting(KindChart, 2))
	case AskPurchase:
		l.purchases()
	case AskOrder:
		l.yesOrNo(KindOrder)
	case AskMove:
		l.combatMoves()
	case AskCombat:
		l.combats()
	case AskNoncombat:
		l.noncombatMoves()
	case AskMobilize:
		l.placements()
	default:
		l.replies(a)
	}
}

// counting makes a command that is a number.
func counting(k Kind, n uint8) Command {
	c := only(k)
	c.N = n
	return c
}

func (l *lister) yesOrNo(k Kind) {
	yes, no := only(k), only(k)
	yes.Yes = true
	l.give(yes)
	l.give(no)
}

func (l *lister) purchases() {
	p := l.p
	for u := range NumUnits {
		if p.cost(p.power, u) <= int(p.ipc[p.power]) {
			l.give(only(KindBuy).with(line(u, 1)))
		}
	}
	for s := range p.complexes.Each {
		if p.owner[s] != p.power || p.damage[s] == 0 || p.sc.Numbers.RepairCost > int(p.ipc[p.power]) {
			continue
		}
		c := at(KindRepair, s)
		if c.N = 1; p.repairCost(2) == p.repairCost(1) && p.damage[s] > 1 {
			c.N = 2
		}
		l.give(c)
	}
	l.give(only(KindEnd))
}

// combats are the combats to choose from, rockets, and the end of the step.
func (l *lister) combats() {
	p := l.p
	a := p.agenda()
	if p.step == combatBombing {
		for s := range a.must.Each {
			l.give(at(KindBomb, s))
		}
		for s := range a.may.Each {
			for t := range p.complexes.Each {
				if p.inRange(s, t) {
					c := at(KindRocket, t)
					c.From = s
					l.give(c)
				}
			}
		}
	} else {
		for s := range a.must.Union(a.may).Each {
			l.give(at(KindFight, s))
		}
	}
	if a.must.Empty() {
		l.give(only(KindEnd))
	}
}

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
	variant, last := uint8(0), Key(0)
	for i, g := range groups {
		if !p.eligible(g.Key, p.battle.stage) {
			continue
		}
		kind := g.Key >> shiftType
		if kind != last {
			variant, last = 0, kind
		}
		variant++
		if !m.allows(targetOf(g.Unit()), 1) {
			continue
		}
		it := Item{Unit: g.Unit(), N: 1, Power: g.Power(), At: NoSpace}
		if variant > 1 || p.another(groups[i+1:], kind) {
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
			l.checked(c)
		}
	}
	l.checked(only(KindEnd))
}

func (l *lister) placeUnit(u Unit) {
	p := l.p
	if u == Complex {
		for s := range p.sc.Land {
			if p.owner[s] == p.power && p.startOwner[s] == p.power && !p.complexes.Has(s) {
				l.checked(at(KindPlace, s).with(line(u, 1)))
			}
		}
		return
	}
	for s := range p.startComplex.Each {
		if p.roomAt(p.power, s) == 0 {
			continue
		}
		if !u.in(seaUnits) {
			c := at(KindPlace, s).with(line(u, 1))
			c.From = s
			l.checked(c)
		}
		if u == Fighter || u.in(seaUnits) {
			for _, z := range p.sc.SeaNear[s] {
				c := at(KindPlace, z).with(line(u, 1))
				c.From = s
				l.checked(c)
			}
		}
	}
}
