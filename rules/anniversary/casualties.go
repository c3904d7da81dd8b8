package anniversary

import (
	"math/bits"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Casualties (AA 9.8). All hits of a step are assigned together, so that as many as possible find a unit (AA 9.8.3); transports come last (AA 9.8.5).

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
	case u.in(airUnits):
		return targetAir
	case u == Transport:
		return targetCarrier
	}
	return targetOther
}

// menu is what can be chosen as casualties of a step.
type menu struct {
	hits  [numClasses]int
	slots [numTargets]int // places that hits can go to; an undamaged battleship has two (AA 9.8.4)
	taken [numTargets]int // by picks
	most  int             // hits that find a unit
	ships int             // of them on transports
	kinds [numTargets]int // kinds of place to choose from
}

// reach is the most hits that find a place: the least cut between classes of hits and kinds of target.
func reach(h *[numClasses]int, s *[numTargets]int) int {
	sub, air, other := s[targetSub], s[targetAir], s[targetOther]+s[targetCarrier]
	all := sub + air + other
	return min(
		h[bySubmarine]+h[byAir]+h[byAny],
		h[byAir]+h[byAny]+sub+other,
		h[bySubmarine]+h[byAny]+air+other,
		h[byAny]+all, h[byAir]+all, h[bySubmarine]+all, all,
	)
}

// suffers reports whether a stage's casualties are the defender's.
func defenderSuffers(s Stage) bool {
	return s == StageBombardLosses || s == StageDefenderStruck || s == StageDefenderLosses
}

// eligible reports whether units can be chosen in a stage: not cargo, guns or what is hit already; of a bombardment land units only (AA 9.3.9).
func (p *Position) eligible(k Key, s Stage) bool {
	if k.Has(Hit | Struck) {
		return false
	}
	if defenderSuffers(s) {
		return p.defends(k) && (s != StageBombardLosses || k.Unit().in(capturing))
	}
	return p.attacks(k)
}

// slotsOf is how many hits a unit takes from now on.
func (p *Position) slotsOf(k Key) int {
	if n := p.sc.Units[k.Unit()].Hits; n > 1 && !k.Has(Damaged) {
		return n
	}
	return 1
}

// menuAt works out the choice of a stage for hits.
func (p *Position) menuAt(s Stage, hits [numClasses]uint16) menu {
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

// forced reports whether there is nothing to choose: no hit finds a unit, all that can be hit are, or there is one kind of them.
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

// allows reports whether n more units of a kind can be picked: all picks together must find hits, and transports only those that nothing else can take.
func (m *menu) allows(target, n int) bool {
	taken := m.taken
	taken[target] += n
	total := 0
	for _, t := range taken {
		total += t
	}
	return total <= m.most && taken[targetCarrier] <= m.ships && reach(&m.hits, &taken) == total
}

// chooser is the power that chooses a stage's casualties (AA 9.8.1): the attacker; or of the defenders the one that controls the territory, or has most
// units, and the others are asked to agree (AA 9.8.7).
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
	for w := Germany; w < NumPowers; w++ {
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
	for w := Germany; w < NumPowers; w++ {
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

// preset is the order of loss that the chooser gave in advance, for its own side's losses; nil if there is none.
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

// stepLosses takes casualties that nobody needs to be asked about: forced ones, those of a standing order, and complete lists.
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
	p.takeLosses(x)
}

// choose fills a menu by an order of loss; units that it does not name come in the order of their price.
func (p *Position) choose(order *standing) []pick {
	var list []pick
	m := p.menu()
	try := func(u Unit) {
		for m.left() > 0 {
			x, ok := p.candidate(u, list)
			n := 0
			if ok {
				n = m.fit(targetOf(x.Unit()), int(x.n))
			}
			if n == 0 {
				return
			}
			x.n = uint16(n)
			m.taken[targetOf(x.Unit())] += n
			list = join(list, x)
		}
	}
	if order != nil {
		for _, u := range order.losses[:order.n] {
			try(u)
		}
	}
	for _, u := range defaultLosses {
		try(u)
	}
	return list
}

// defaultLosses is the order in which units are lost when nobody says otherwise.
var defaultLosses = [...]Unit{Hull, Infantry, Artillery, Tank, Submarine, Destroyer, Fighter, Cruiser, Bomber, Carrier, Battleship, Transport}

// fit is how many of n units of a kind can be picked.
func (m *menu) fit(target, n int) int {
	n = min(n, m.left())
	for n > 0 && !m.allows(target, n) {
		n--
	}
	return n
}

func join(list []pick, x pick) []pick {
	for i := range list {
		if list[i].Key == x.Key && list[i].damage == x.damage {
			list[i].n += x.n
			return list
		}
	}
	return append(list, x)
}

// free is how many units of a kind can still be picked beside those of the position and of a list: to be damaged, or to be lost.
func (p *Position) free(k Key, damage bool, list []pick) int {
	hurt, lost := 0, 0
	for _, picks := range [2][]pick{p.battle.picks, list} {
		for _, x := range picks {
			if x.Key == k {
				if x.damage {
					hurt += int(x.n)
				} else {
					lost += int(x.n)
				}
			}
		}
	}
	if p.slotsOf(k) == 1 {
		if damage {
			return 0
		}
		return p.count(k) - lost
	}
	if damage {
		return p.count(k) - hurt
	}
	return hurt - lost // a battleship is hit before it is lost (AA 15.10.2)
}

// candidate is the group that loses a type first: what can do least otherwise, which is the last one of the type, in the order of the position.
func (p *Position) candidate(u Unit, list []pick) (pick, bool) {
	damage := u == Hull
	if damage {
		u = Battleship
	}
	groups := p.at(p.battle.at)
	for i := len(groups) - 1; i >= 0; i-- {
		g := groups[i]
		if g.Unit() != u || !p.eligible(g.Key, p.battle.stage) {
			continue
		}
		if n := p.free(g.Key, damage, list); n > 0 {
			return pick{g.Key, uint16(n), damage}, true
		}
	}
	return pick{}, false
}

// variants yields the groups of a power's type that can be chosen, in the order of the position.
func (p *Position) variants(w Power, u Unit, visit func(k Key) bool) {
	if u == Hull {
		u = Battleship
	}
	for _, g := range p.at(p.battle.at) {
		if g.Power() == w && g.Unit() == u && p.eligible(g.Key, p.battle.stage) && !visit(g.Key) {
			return
		}
	}
}

// planLosses works out what `lose` picks.
func (p *Position) planLosses(c *Command, quiet bool) ([]pick, *rules.Refusal) {
	m := p.menu()
	var list []pick
	for _, it := range c.items() {
		if it.N == 0 || it.Power >= NumPowers || it.Unit > Hull || it.Unit == Complex {
			return nil, rules.Malformed("a casualty needs a unit, its power and a number from 1")
		}
		left, i, have := int(it.N), 0, 0
		var short bool
		p.variants(it.Power, it.Unit, func(k Key) bool {
			if i++; it.Variant > 0 && int(it.Variant) != i {
				return true
			}
			n := min(left, p.free(k, it.Unit == Hull, list))
			have += n
			if n <= 0 {
				return true
			}
			if !m.allows(targetOf(k.Unit()), n) {
				short = true
				return false
			}
			m.taken[targetOf(k.Unit())] += n
			list = join(list, pick{k, uint16(n), it.Unit == Hull})
			left -= n
			return left > 0
		})
		switch {
		case quiet && (short || left > 0):
			return nil, silent
		case short:
			return nil, p.refuseLoss(&m, it)
		case left > 0:
			return nil, rules.Refuse("AA 9.8.2", "refuse.no-casualty", "unit", unitName(it.Unit), "power", powerName(it.Power), "n", int(it.N), "have", have)
		}
	}
	if len(list) == 0 {
		return nil, rules.Malformed("no casualties")
	}
	return list, nil
}

// refuseLoss says why hits can't go to a unit.
func (p *Position) refuseLoss(m *menu, it Item) *rules.Refusal {
	rule := "AA 9.8.3"
	switch target := targetOf(it.Unit); {
	case target == targetCarrier:
		rule = "AA 9.8.5" // AA 15.13.3
	case int(it.N) > m.left():
		rule = "AA 9.5.5"
		if !defenderSuffers(p.battle.stage) {
			rule = "AA 9.5.7"
		}
	case target == targetSub && m.hits[bySubmarine]+m.hits[byAny] == 0:
		rule = "AA 9.7.9"
	case target == targetAir && m.hits[byAir]+m.hits[byAny] == 0:
		rule = "AA 9.7.8"
	}
	return rules.Refuse(rule, "refuse.casualty", "unit", unitName(it.Unit), "n", int(it.N), "left", m.left())
}

// lose records picks.
func (p *Position) lose(x *exec, c *Command) {
	list, _ := p.planLosses(c, true)
	p.emitChosen(x, p.battle.chooser, list)
}

func (p *Position) emitChosen(x *exec, w Power, list []pick) {
	e := &anniversaryv1.CasualtiesChosen{Power: protoPower(w)}
	for _, k := range list {
		e.Losses = append(e.Losses, &anniversaryv1.Loss{Stack: p.stack(k.Key), Count: uint32(k.n), Damage: k.damage})
	}
	x.Emit(&event{Kind: &anniversaryv1.Event_CasualtiesChosen{CasualtiesChosen: e}})
}

// answer agrees to a joint list, or has the attacker choose (AA 9.8.7).
func (p *Position) answer(x *exec, yes bool) {
	w := Power(bits.TrailingZeros8(p.doubters()))
	x.Emit(&event{Kind: &anniversaryv1.Event_CasualtiesAnswered{CasualtiesAnswered: &anniversaryv1.CasualtiesAnswered{
		Power: protoPower(w), Agreed: yes, Chooser: protoPower(p.acting),
	}}})
}

// takeLosses carries the picks out: the defender's go to the casualty zone and still fire (AA 9.5.5), the attacker's leave at once (AA 9.5.7), those of
// surprise strikes wait for each other (AA 9.7.4).
func (p *Position) takeLosses(x *exec) {
	s := p.battle.stage
	mark := Hit
	if s == StageDefenderStruck || s == StageAttackerStruck {
		mark = Struck
	}
	var list []change
	for _, k := range p.battle.picks {
		if k.damage {
			lost := p.lostWith(k.Key)
			list = append(list, change{k.Key, k.mark(Damaged), k.n - lost}, change{k.Key, p.gone(k.mark(Damaged), s, mark), lost})
			continue
		}
		if p.slotsOf(k.Key) > 1 {
			continue // counted with its first hit
		}
		list = append(list, change{k.Key, p.gone(k.Key, s, mark), k.n})
	}
	x.Emit(p.eventTaken(list, p.afterLosses(s)))
}

// lostWith is how many battleships of a kind take both hits now.
func (p *Position) lostWith(k Key) uint16 {
	for _, x := range p.battle.picks {
		if x.Key == k && !x.damage {
			return x.n
		}
	}
	return 0
}

// gone is what a casualty becomes.
func (p *Position) gone(k Key, s Stage, m Mark) Key {
	if s == StageAttackerLosses {
		return 0
	}
	return k.mark(m)
}

// afterLosses is the step after casualties.
func (p *Position) afterLosses(s Stage) Stage {
	switch s {
	case StageBombardLosses:
		return StageAntiaircraft
	case StageDefenderStruck:
		if _, def := p.forces(); def.subs > 0 && !p.battle.attackerDestroyer {
			return StageDefendingSubs
		}
		return StageStruckRemoved
	case StageAttackerStruck:
		return StageStruckRemoved
	case StageDefenderLosses:
		return StageDefence
	}
	return StageRemoved
}
