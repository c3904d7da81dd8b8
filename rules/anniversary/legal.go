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
	// ships are the plans listed of transports in port, if several groups lie there: those that differ may
	// have plans in common.
	ships []Command
	mixed bool
	// targets are those of air units, if aimed says that they were looked for.
	targets []Space
	aimed   bool
	// memo has what earlier lists found, and takes what this one finds; nil for a list that is not remembered.
	memo *memo
}

// Legal lists what passes Check, in a fixed order; kinds that are generating as their notes say.
func (p *Position) Legal(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	(&lister{p: p, seat: seat, f: f, yield: yield}).all()
}

// all lists everything.
func (l *lister) all() {
	p, seat := l.p, l.seat
	if seat >= rules.Seat(NumSeats) || p.over() {
		return
	}
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
func (l *lister) wants(k Kind) bool { return !l.done && (l.f.Kind == "" || l.f.Kind == kinds[k].ID) }

// give yields a command that is legal, if it passes the filter.
func (l *lister) give(c Command) {
	if !l.wants(c.Kind) {
		return
	}
	if (l.f.Piece != "" || l.f.Space != "") && !l.f.Fits(l.p.Describe(l.seat, c)) {
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
	if l.wants(c.Kind) && l.p.check(l.seat, &c) == nil {
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
