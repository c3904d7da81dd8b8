package downfall

import "github.com/warledger/warledger/rules"

// Legal yields the commands of a seat that pass check, in a fixed order: answers to the question that is open, then
// offers. The lists are made of the same predicates as the checks; a test plays what is listed.
func (p *Position) Legal(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	p.legalTo(seat, f, &lister{yield: yield})
}

// legalTo is legal for a lister.
func (p *Position) legalTo(seat rules.Seat, f rules.Filter, out *lister) {
	if f != (rules.Filter{}) {
		out = &lister{yield: p.filtered(seat, f, out.yield), reach: out.reach}
	}
	if ask, who := p.ask(); who == seat && !p.legalAnswers(ask, seat, wanted(f.Kind), out) {
		return
	}
	if f.Kind != "" && wanted(f.Kind) == KindStanding && !p.over() && !p.legalStanding(seat, out.yield) {
		return
	}
	p.legalOffers(seat, out.yield)
}

// wanted is the kind that a filter names, numKinds for all.
func wanted(id string) Kind {
	if id == "" {
		return numKinds
	}
	return Kind(kinds.Find(id))
}

// filtered narrows a list by what a command says about itself.
func (p *Position) filtered(seat rules.Seat, f rules.Filter, yield func(Command) bool) func(Command) bool {
	want := wanted(f.Kind)
	return func(c Command) bool {
		if want != numKinds && c.Kind != want {
			return true
		}
		if f.Piece == "" && f.Space == "" {
			return yield(c)
		}
		return !f.Fits(p.Describe(seat, c)) || yield(c)
	}
}

func (p *Position) legalAnswers(ask Ask, seat rules.Seat, want Kind, out *lister) bool {
	yield := out.yield
	switch ask {
	case AskPlace36, AskMagic:
		return p.legalPlace(yield)
	case AskOrders:
		return p.legalOrders(yield)
	case AskPlan:
		return p.legalPlan(out)
	case AskZones:
		return p.legalZones(yield)
	case AskRemove:
		return p.legalRemove(yield)
	case AskBombs:
		return p.legalBombs(yield)
	case AskTarget:
		return p.legalTarget(out)
	case AskBomb:
		return p.legalBomb(yield)
	case AskLosses:
		return p.legalLosses(yield)
	case AskAirSupply:
		return p.legalAirSupply(yield)
	case AskActions:
		return p.legalActions(seat, want, out)
	case AskDeclare:
		return p.legalDeclare(seat, yield)
	}
	return p.legalCombat(ask, yield)
}

func (p *Position) legalCombat(ask Ask, yield func(Command) bool) bool {
	switch ask {
	case AskSupport:
		air, naval := p.markers()
		return p.eachSupport(only(KindSupport), p.fight.usHex(), air, naval, yield)
	case AskBombard:
		return p.legalBombard(yield)
	case AskFire:
		return p.legalFire(yield)
	case AskBreak:
		return p.legalBreak(yield)
	case AskWithdraw:
		return p.eachWithdrawal(yield)
	case AskAdvance:
		return p.legalAdvance(yield)
	case AskExcess:
		for u := range p.excessUnits().Each {
			if !yield(naming(KindEliminate, u)) {
				return false
			}
		}
	}
	return true
}

func (p *Position) legalBombs(yield func(Command) bool) bool {
	for n := range p.mostBombs() + 1 {
		c := only(KindBombs)
		c.Count = uint8(n)
		if !yield(c) {
			return false
		}
	}
	return true
}

// legalActions lists what can be done for CP, and the end of the phase.
func (p *Position) legalActions(seat rules.Seat, want Kind, out *lister) bool {
	any, yield := want == numKinds, out.yield
	if (any || want == KindFollow) && !p.legalFollow(out) ||
		(any || want == KindMove) && !p.legalMoves(seat, out) ||
		(any || want == KindEnter) && !p.legalEnter(seat, out) ||
		(any || want == KindAttack) && !p.legalAttacks(seat, yield) ||
		(any || want == KindConsecutive) && !p.legalConsecutive(seat, yield) {
		return false
	}
	if seat == US && !p.legalUSActions(yield) {
		return false
	}
	return !(any || want == KindEnd) || yield(only(KindEnd))
}

func (p *Position) legalUSActions(yield func(Command) bool) bool {
	if !p.legalLand(yield) || !p.legalReplacements(yield) {
		return false
	}
	if c := only(KindCancel); p.planned() && !yield(c) {
		return false
	}
	c := only(KindDrop)
	return !p.airborne() || p.checkDrop() != nil || yield(c)
}
