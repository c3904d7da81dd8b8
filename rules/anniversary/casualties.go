package anniversary

import (
	"math/bits"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Casualties (AA 9.8). All hits of a step are assigned together, so that as many as possible find a unit (AA 9.8.3);
// transports come last (AA 9.8.5).

// Kinds of target, by what can hit them (AA 9.8.2).
const (
	targetSub     = iota // not aircraft without a destroyer
	targetAir            // not submarines
	targetOther          // anything
	targetCarrier        // transports: anything, but last
	numTargets
)

func targetOf(u Unit) int {
	switch {
	case u == Submarine:
		return targetSub
	case u.In(scenario.AirUnits):
		return targetAir
	case u == Transport:
		return targetCarrier
	}
	return targetOther
}

// menu is what can be chosen as casualties of a step.
type menu struct {
	hits  [odds.NumClasses]int
	slots [numTargets]int // places that hits can go to; an undamaged battleship has two (AA 9.8.4)
	taken [numTargets]int // by picks
	most  int             // hits that find a unit
	ships int             // of them on transports
	kinds [numTargets]int // kinds of place to choose from
}

// reach is the most hits that find a place: the least cut between classes of hits and kinds of target.
func reach(h *[odds.NumClasses]int, s *[numTargets]int) int {
	sub, air, other := s[targetSub], s[targetAir], s[targetOther]+s[targetCarrier]
	all := sub + air + other
	return min(
		h[odds.BySubmarine]+h[odds.ByAir]+h[odds.ByAny],
		h[odds.ByAir]+h[odds.ByAny]+sub+other,
		h[odds.BySubmarine]+h[odds.ByAny]+air+other,
		h[odds.ByAny]+all, h[odds.ByAir]+all, h[odds.BySubmarine]+all, all,
	)
}

// suffers reports whether a stage's casualties are the defender's.
func defenderSuffers(s Stage) bool {
	return s == StageBombardLosses || s == StageDefenderStruck || s == StageDefenderLosses
}

// eligible reports whether units can be chosen in a stage: not cargo, guns or what is hit already; of a bombardment
// land units only (AA 9.3.9).
func (p *Position) eligible(k Key, s Stage) bool {
	if k.Has(Hit | Struck) {
		return false
	}
	if defenderSuffers(s) {
		return p.defends(k) && (s != StageBombardLosses || k.Unit().In(scenario.Capturing))
	}
	return p.attacks(k)
}

// slotsOf is how many hits a unit takes from now on: one, as a carrier (AA 15.11.3), or two, as a battleship that is
// not damaged yet. Damage lasts for the whole combat, that of a surprise strike too (AA 9.7.11).
func (p *Position) slotsOf(k Key) int {
	if n := p.sc.Units[k.Unit()].Hits; n > 1 && !k.Has(Damaged) {
		return n
	}
	return 1
}

// menuAt works out the choice of a stage for hits.
func (p *Position) menuAt(s Stage, hits [odds.NumClasses]uint16) menu {
	var m menu
	for c := range hits {
		m.hits[c] = int(hits[c])
	}
	for _, g := range p.at(p.battle.at) {
		if p.eligible(g.Key, s) {
			target := targetOf(g.Unit())
			m.slots[target] += int(g.N) * p.slotsOf(g.Key)
			m.kinds[target] += p.slotsOf(g.Key)
		}
	}
	m.most = reach(&m.hits, &m.slots)
	dry := m.slots
	dry[targetCarrier] = 0
	m.ships = m.most - reach(&m.hits, &dry)
	return m
}

// forced reports whether there is nothing to choose: no hit finds a unit, all that can be hit are, or
// there is one kind of them.
func (m *menu) forced() bool {
	all, kinds := 0, 0
	for target, n := range m.slots {
		if n > 0 && m.allows(target, 1) {
			all += n
			kinds += m.kinds[target]
		}
	}
	return m.most == 0 || m.most == all || kinds == 1
}

// menu is the choice of the current stage with the picks so far.
func (p *Position) menu() menu {
	m := p.menuAt(p.battle.stage, p.battle.hits)
	for _, x := range p.battle.picks {
		m.taken[targetOf(x.Unit())] += int(x.n)
	}
	return m
}

// left is how many hits are still to be assigned.
func (m *menu) left() int {
	n := m.most
	for _, t := range m.taken {
		n -= t
	}
	return n
}

// allows reports whether n more units of a kind can be picked: all picks together must find hits, and transports only
// those that nothing else can take.
func (m *menu) allows(target, n int) bool {
	taken := m.taken
	taken[target] += n
	total := 0
	for _, t := range taken {
		total += t
	}
	return total <= m.most && taken[targetCarrier] <= m.ships && reach(&m.hits, &taken) == total
}

// chooser is the power that chooses a stage's casualties (AA 9.8.1): the attacker; or of the defenders the one that
// controls the territory, or has most units, and the others are asked to agree (AA 9.8.7).
func (p *Position) chooser(s Stage) Power {
	if !defenderSuffers(s) {
		return p.acting
	}
	var units [NumPowers + 1]int
	for _, g := range p.at(p.battle.at) {
		if p.defends(g.Key) {
			units[g.Power()] += int(g.N)
		}
	}
	best := NoPower
	if o := p.owner[p.battle.at]; o != NoPower && units[o] > 0 {
		return o
	}
	for w := range NumPowers {
		if units[w] > 0 && (best == NoPower || units[w] > units[best]) {
			best = w
		}
	}
	return best
}

// partners are the other powers that defend, by bit, one for each seat.
func (p *Position) partners() uint8 {
	var set uint8
	if !defenderSuffers(p.battle.stage) || p.battle.chooser == NoPower || p.battle.chooser == p.acting {
		return 0
	}
	seats := seatOf(p.battle.chooser)
	for _, g := range p.at(p.battle.at) {
		if w := g.Power(); p.defends(g.Key) && !seats.Has(w.Seat()) {
			seats |= seatOf(w)
			set |= 1 << w
		}
	}
	return set
}

// doubters are the partners that have not agreed to the list, nor in advance.
func (p *Position) doubters() uint8 {
	set := p.partners() &^ p.battle.agreed
	for w := range NumPowers {
		if set&(1<<w) != 0 && p.ordersOf(w).agree {
			set &^= 1 << w
		}
	}
	return set
}

// askLosses is the question of a stage of casualties.
func (p *Position) askLosses() (Ask, rules.Seats) {
	b := &p.battle
	if b.chooser == NoPower {
		return AskNothing, 0
	}
	m := p.menu()
	if m.left() > 0 {
		if p.preset() != nil {
			return AskNothing, 0
		}
		return AskLosses, seatOf(b.chooser)
	}
	if d := p.doubters(); d != 0 {
		return AskAgree, seatOf(Power(bits.TrailingZeros8(d)))
	}
	return AskNothing, 0
}

// preset is the order of loss that the chooser gave in advance, for its own side's losses; nil if none exists.
func (p *Position) preset() *standing {
	w := p.battle.chooser
	if w == NoPower || defenderSuffers(p.battle.stage) && w == p.acting {
		return nil
	}
	if o := p.ordersOf(w); o.n > 0 {
		return o
	}
	return nil
}

// stepLosses takes casualties that nobody needs to be asked about: forced ones, those of a standing
// order, and complete lists.
func (p *Position) stepLosses(x *exec) {
	b := &p.battle
	if m := p.menu(); m.left() > 0 {
		order := p.preset()
		if order != nil {
			x.Reveal()
		}
		p.emitChosen(x, b.chooser, p.choose(order))
		return
	}
	if b.chooser != NoPower && p.partners()&^b.agreed != 0 {
		x.Reveal() // that somebody has agreed in advance
	}
	p.takeLosses(x)
}
