package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Attacks as commands (DF 7.5, DF 13.1). No attack is ever compulsory (DF 13.1-a), and only a declared consecutive
// attack repeats one (DF 13.5).

// checkAttack checks one attack: 2 CP pay for it, however many units take part (DF 7.5-a).
func (p *Position) checkAttack(seat rules.Seat, c Command) *rules.Refusal {
	if r := p.afford(p.sc.Chart.CP.Attack); r != nil {
		return r
	}
	if r := p.checkAttackTarget(seat, c.Hex); r != nil {
		return r
	}
	if r := p.checkAttackers(seat, c.From, c.Hex, c.Units); r != nil {
		return r
	}
	if seat == Japan {
		if c.Count > 0 || c.Detail != 0 {
			return p.refuse("DF 14.5-a", "refuse.japan-support")
		}
		return nil
	}
	return p.checkSupportOf(c, c.From, p.air, p.navalReady)
}

// checkAttackTarget refuses a hex with nothing to attack, and one that was attacked in this player
// turn (DF 7.8-a, D-18).
func (p *Position) checkAttackTarget(seat rules.Seat, h Hex) *rules.Refusal {
	switch {
	case h == NoHex || !p.defended(enemy(seat), h):
		return p.refuseHex("DF 13.1-a", "refuse.nothing", h)
	case p.spent(seat, h):
		return p.refuseHex("DF 7.8-a", "refuse.attacked", h)
	}
	return nil
}

// spent reports whether a hex can't be attacked again: a beachhead or 6/ASCO left alone there can (DF 8.5-f).
func (p *Position) spent(seat rules.Seat, h Hex) bool {
	return p.attacked.Has(h) && !p.on(RepeatAttacks) && p.groundOf(enemy(seat), h)&^p.tab.asco != 0
}

// checkAttackers checks the units of an attack: of one hex (DF 7.5-b), adjacent to the target without a sea
// hexside (DF 13.1-c), free to act, and with a US line unit among them (DF 13.6-c, D-52). The rest of the stack
// may be left out (DF 7.5-c).
func (p *Position) checkAttackers(seat rules.Seat, from, target Hex, units UnitSet) *rules.Refusal {
	if from == NoHex || units == 0 {
		return p.refuse("DF 7.5-b", "refuse.no-units")
	}
	dir, adjacent := p.sc.Map.DirTo(from, target)
	switch {
	case !adjacent:
		return p.refuseHex("DF 7.5-b", "refuse.not-adjacent", target, "from", from)
	case p.sc.Ground[from][dir] == NoHex:
		return p.refuseHex("DF 13.1-c", "refuse.sea", target, "from", from)
	}
	for u := range units.Each {
		if r := p.checkAttacker(seat, from, u); r != nil {
			return r
		}
	}
	if seat == US && units&p.tab.line == 0 {
		return p.refuse("DF 13.6-c", "refuse.artillery-alone").About(p.ids(units)...)
	}
	return nil
}

func (p *Position) checkAttacker(seat rules.Seat, from Hex, u Unit) *rules.Refusal {
	switch {
	case !p.tab.side(seat).Has(u):
		return p.notYours(u)
	case !p.at[from].Has(u):
		return p.refuseUnit("DF 7.5-b", "refuse.other-hex", u, "hex", from)
	case u == p.sc.Service:
		return p.refuseUnit("DF 8.8-d", "refuse.no-strength", u)
	}
	return p.free(u, true)
}

func (p *Position) playAttack(x *exec, seat rules.Seat, c Command) {
	p.beginAttack(x, seat, c.From, c.Hex, c.Units, p.sc.Chart.CP.Attack)
	if seat == US {
		p.giveSupport(x, c)
	}
}

// beginAttack deploys both sides: all enemy units of the hex but 6/ASCO defend (DF 13.1-b, DF 13.2-1, DF 13.3-1),
// those that have retreated there too (DF 13.10-9). Whether corps are mixed is judged now, on the whole hex of the US
// units (DF 10.5-b).
func (p *Position) beginAttack(x *exec, seat rules.Seat, from, target Hex, units UnitSet, cp int) {
	usHex := from
	if seat == Japan {
		usHex = target
	}
	emit(x, &downfallv1.AttackBegan{
		Seat: seatIDs[seat], From: p.num(from), Target: p.num(target), Units: p.ids(units),
		Defenders: p.ids(p.groundOf(enemy(seat), target) &^ p.tab.asco), Cp: uint32(cp), Mixed: p.mixed(usHex),
	})
}

// legalAttacks lists every attack, with every support of a US one.
func (p *Position) legalAttacks(seat rules.Seat, yield func(Command) bool) bool {
	if p.sc.Chart.CP.Attack > int(p.cp) {
		return true
	}
	return p.eachAttack(seat, func(c Command) bool {
		c.Kind = KindAttack
		if seat == US {
			return p.eachSupport(c, c.From, p.air, p.navalReady, yield)
		}
		return yield(c)
	})
}

// eachAttack yields target, hex and units of every attack that could be made.
func (p *Position) eachAttack(seat rules.Seat, yield func(Command) bool) bool {
	may := p.mayAttack(seat)
	foe, alone := p.sides[enemy(seat)].zone, p.alone(seat)
	for rest := may; rest != 0; {
		from := p.place[rest.First()].Hex()
		stack := rest & p.at[from]
		rest &^= stack
		if !foe.Has(from) && !alone {
			continue // most stacks: next to units there is ZOC
		}
		for _, to := range p.sc.Ground[from] {
			if to == NoHex || !p.defended(enemy(seat), to) || p.spent(seat, to) {
				continue
			}
			if !p.eachSubset(seat, from, to, stack, yield) {
				return false
			}
		}
	}
	return true
}

// alone reports whether something could be attacked that has no ZOC: 6/ASCO or a beachhead.
func (p *Position) alone(seat rules.Seat) bool {
	if seat == US {
		return false
	}
	if p.onMap&p.tab.asco != 0 {
		return true
	}
	for _, place := range p.beachhead {
		if h := place.Hex(); h != NoHex && p.at[h]&p.tab.us&p.tab.zoc == 0 {
			return true
		}
	}
	return false
}

// assailable are the hexes with something for a seat to attack, in the memory given if the map is of ordinary size.
func (p *Position) assailable(seat rules.Seat, memory []uint64) hex.Set {
	s := append(hex.Set(memory), p.sides[enemy(seat)].held...)
	if seat == US {
		return s
	}
	if u := p.sc.Service; p.onMap&p.tab.asco != 0 {
		s.Add(p.place[u].Hex())
	}
	for _, place := range p.beachhead {
		if h := place.Hex(); h != NoHex {
			s.Add(h)
		}
	}
	return s
}

// near reports whether ground units could go from a hex to one of a set.
func (p *Position) near(from Hex, to hex.Set) bool {
	marks := p.tab.around.of(from)
	for i := range marks {
		w := &marks[i]
		if to[w.word]&w.bits[0]|to[w.word+1]&w.bits[1] != 0 {
			return true
		}
	}
	return false
}

func (p *Position) eachSubset(seat rules.Seat, from, target Hex, stack UnitSet, yield func(Command) bool) bool {
	c := aiming(KindAttack, NoUnit, target)
	c.From = from
	for sub := stack.next(0); sub != 0; sub = stack.next(sub) {
		if seat == US && sub&p.tab.line == 0 {
			continue
		}
		if c.Units = sub; !yield(c) {
			return false
		}
	}
	return true
}

// legalConsecutive lists the beginnings of consecutive attacks.
func (p *Position) legalConsecutive(seat rules.Seat, yield func(Command) bool) bool {
	if p.consecutiveUsed || 2*p.sc.Chart.CP.Attack > int(p.cp) {
		return true
	}
	return p.eachAttack(seat, func(c Command) bool {
		if seat == US && p.mixed(c.From) || !p.another(seat, c.Hex, []Hex{c.From}) {
			return true
		}
		c.Kind = KindConsecutive
		return yield(c)
	})
}

// legalDeclare lists further attacks and the end of the declaration.
func (p *Position) legalDeclare(seat rules.Seat, yield func(Command) bool) bool {
	d := &p.decl
	if d.count >= 2 && !p.eachCommitment(seat, yield) {
		return false
	}
	if (int(d.count)+1)*p.sc.Chart.CP.Attack > int(p.cp) {
		return true
	}
	may := p.mayAttack(seat)
	for _, from := range p.sc.Ground[d.target] {
		if from == NoHex || contains(d.from[:d.count], from) || !p.mayEnter(seat, may, from) {
			continue
		}
		if !p.eachSubset(seat, from, NoHex, may&p.at[from], func(c Command) bool {
			c.Kind = KindAlso
			return yield(c)
		}) {
			return false
		}
	}
	return true
}

// eachCommitment lists the markers that the US can commit: how many air markers, and how many naval ones of each zone.
func (p *Position) eachCommitment(seat rules.Seat, yield func(Command) bool) bool {
	c := only(KindDeclare)
	if seat == Japan {
		return yield(c)
	}
	for n := range min(p.air, p.decl.count) + 1 {
		c.Count, c.Detail = n, 0
		if !p.commitFrom(&c, 0, p.declNaval(), yield) {
			return false
		}
	}
	return true
}

func (p *Position) commitFrom(c *Command, z Zone, serving uint32, yield func(Command) bool) bool {
	if bits.OnesCount64(c.Detail) > int(p.decl.count) {
		return true // one marker serves one attack
	}
	if int(z) == len(p.sc.Zones) {
		return yield(*c)
	}
	here, before := p.readyIn(z)&serving, c.Detail
	for n := 0; ; n++ {
		set := p.lowest(here, n)
		c.Detail = before | uint64(set)
		if !p.commitFrom(c, z+1, serving, yield) {
			return false
		}
		if set == here {
			break
		}
	}
	c.Detail = before
	return true
}
