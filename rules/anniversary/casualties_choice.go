package anniversary

import (
	"math/bits"
	"slices"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// choose fills a menu by an order of loss: again and again with the first type that can take a hit; units that it does
// not name come in the order of their price.
func (p *Position) choose(order *standing) []pick {
	var list []pick
	var named []Unit
	if order != nil {
		named = order.losses[:order.n]
	}
	m, units := p.menu(), odds.OrderOf(named)
	for i := 0; i < len(units) && m.left() > 0; {
		n := 0
		x, ok := p.candidate(units[i], list)
		if ok {
			n = m.fit(targetOf(x.Unit()), int(x.n))
		}
		if n == 0 {
			i++
			continue
		}
		if units[i] == Hull && slices.Contains(units[:i], Battleship) {
			n, i = 1, 0 // a battleship, named before, can be lost now
		}
		x.n = uint16(n)
		m.taken[targetOf(x.Unit())] += n
		list = join(list, x)
	}
	return list
}

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

// free is how many units of a kind can still be picked beside those of the position and of a list: to be
// damaged, or to be lost.
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

// candidate is the group that loses a type first: what can do least otherwise, which is the last one of the type, in
// the order of the position.
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

// variants yields the groups of a power's type that can be chosen, with their numbers on the board.
func (p *Position) variants(w Power, u Unit, visit func(k Key, variant int) bool) {
	if u == Hull {
		u = Battleship
	}
	variant := 0
	for _, g := range p.at(p.battle.at) {
		if g.Power() != w || g.Unit() != u {
			continue
		}
		if variant++; p.eligible(g.Key, p.battle.stage) && !visit(g.Key, variant) {
			return
		}
	}
}

// lossLot is a casualty as a part of all those that the hits ask for. Suggested are those that the seat's standing
// orders would choose, or the cheapest.
func (p *Position) lossLot(it Item) rules.Lot {
	m, loser := p.menu(), p.usualLoser()
	lot := rules.Lot{
		Verb: kinds.ID(int(KindLose)), Thing: it.word(loser), Name: rules.Text{Key: "unit." + it.Unit.ID()},
		Price: 1, Purse: m.left(), Kinds: MaxItems, Due: true,
	}
	free := 0
	p.variants(it.Power, it.Unit, func(k Key, variant int) bool {
		if it.Variant == 0 || int(it.Variant) == variant {
			free += max(0, p.free(k, it.Unit == Hull, nil))
		}
		return true
	})
	if lot.Most = m.fit(targetOf(it.Unit), free); it.Power < NumPowers && it.Power != loser {
		lot.Name = rules.Say("piece.unit", "power", powerName(it.Power), "unit", unitsName(it.Unit, 1))
	}
	var orders *standing
	if loser < NumPowers {
		orders = p.ordersOf(loser)
	}
	for _, x := range p.choose(orders) {
		if x.Power() == it.Power && x.damage == (it.Unit == Hull) && (x.damage || x.Unit() == it.Unit) &&
			(it.Variant == 0 || p.variantOf(x.Key) == int(it.Variant)) {
			lot.Suggested += int(x.n)
		}
	}
	return lot
}

// variantOf is the number of a group among those of its power and type on the board.
func (p *Position) variantOf(k Key) int {
	found := 0
	p.eachPiece(k.At(), func(g Group, variant int) {
		if g.Key == k {
			found = variant
		}
	})
	return found
}

// planLosses works out what `lose` picks.
func (p *Position) planLosses(c *Command, quiet bool) ([]pick, *rules.Refusal) {
	m := p.menu()
	var list []pick
	for _, it := range c.items() {
		if it.N == 0 || it.Power >= NumPowers || it.Unit > Hull || it.Unit == Complex {
			return nil, rules.Malformed("a casualty needs a unit, its power and a number from 1")
		}
		left, have := int(it.N), 0
		var short bool
		p.variants(it.Power, it.Unit, func(k Key, variant int) bool {
			if it.Variant > 0 && int(it.Variant) != variant {
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
			return nil,
				rules.Refuse("AA 9.8.2", "refuse.no-casualty", "unit", unitName(it.Unit), "power", powerName(it.Power),
					"n", int(it.N), "have", have)
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
	case target == targetSub && m.hits[odds.BySubmarine]+m.hits[odds.ByAny] == 0:
		rule = "AA 9.7.9"
	case target == targetAir && m.hits[odds.ByAir]+m.hits[odds.ByAny] == 0:
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
	emit(x, e)
}

// answer agrees to a joint list, or has the attacker choose (AA 9.8.7).
func (p *Position) answer(x *exec, yes bool) {
	set := p.doubters()
	if set == 0 { // a forecast takes everyone's agreement for granted
		set = p.partners() &^ p.battle.agreed
	}
	w := Power(bits.TrailingZeros8(set))
	emit(x, &anniversaryv1.CasualtiesAnswered{
		Power: protoPower(w), Agreed: yes, Chooser: protoPower(p.acting),
	})
}

// takeLosses carries the picks out: the defender's go to the casualty zone and still fire (AA 9.5.5), the attacker's
// leave at once (AA 9.5.7), those of surprise strikes wait for each other (AA 9.7.4).
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
			list = append(list, change{k.Key, k.mark(Damaged), k.n - lost},
				change{k.Key, p.gone(k.mark(Damaged), s, mark), lost})
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
		if _, def := p.forces(); def.Subs > 0 && !p.battle.attackerDestroyer {
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
