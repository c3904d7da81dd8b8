package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Chapter 7: command points (CP). What is not spent is lost (DF 7.1): each player turn begins with a number of its own.

// giveJapan gives Japan its CP in its CP Determination Phase (DF 5.2-IIB): a fixed number on turn 1 (DF 7.2-a, D-16),
// later a d6 and the kamikaze bonus (DF 7.2-b).
func (p *Position) giveJapan(x *exec) {
	if p.turn == 1 {
		bonus := 0
		if p.on(BonusTurn1) {
			bonus = int(p.jpCP)
		}
		x.Emit(eventPoints(Japan, 0, bonus, 0, p.sc.Chart.CP.JPTurn1+bonus))
		return
	}
	die := x.Roll(6, "japan-cp")
	x.Emit(eventPoints(Japan, die, int(p.jpCP), 0, die+int(p.jpCP)))
}

// giveUS gives the US in its CP Determination Phase (DF 5.2-IIIC) the CP of the kamikaze row (DF 7.3), less what air
// supply cost (D-41).
func (p *Position) giveUS(x *exec) {
	paid := 0
	if p.airPlaced {
		paid = p.sc.Chart.CP.AirSupply
	}
	x.Emit(eventPoints(US, 0, 0, paid, max(int(p.usCP)-paid, 0)))
}

// afford refuses what costs more CP than are left (DF 7.4-d).
func (p *Position) afford(cost int) *rules.Refusal {
	if cost <= int(p.cp) {
		return nil
	}
	return p.refuse("DF 7.4-d", "refuse.cp", "need", cost, "left", int(p.cp))
}

// free refuses a unit that can't act any more this turn: it moves once or attacks once (DF 7.6-a), rests after a
// replacement (DF 7.6-b), and suffers from bombs (DF 6.10-a, DF 6.10-b). Reinforcements have arrived and that is all
// (DF 8.4-d, DF 8.2-c).
func (p *Position) free(u Unit, attack bool) *rules.Refusal {
	switch {
	case p.refitted.Has(u):
		return p.refuseUnit("DF 7.6-b", "refuse.refitted", u)
	case p.arrived.Has(u) && !p.mayFightOnEntry(u, attack):
		return p.refuseUnit(p.arrivalRule(u), "refuse.arrived", u)
	case p.acted.Has(u):
		return p.refuseUnit("DF 7.6-a", "refuse.acted", u)
	case p.bombed.Has(u) && p.tab.us.Has(u):
		return p.refuseUnit("DF 6.10-b", "refuse.bombed", u)
	case p.bombed.Has(u) && !attack: // a Japanese unit may still attack (D-14)
		return p.refuseUnit("DF 6.10-a", "refuse.bombed", u)
	}
	return nil
}

// mayFightOnEntry is the switch of D-23. It does not serve rebuilt units (DF 8.9-g) nor those that landed or
// dropped, which have acted.
func (p *Position) mayFightOnEntry(u Unit, attack bool) bool {
	return attack && p.on(FightOnEntry) && !p.rebuilt.Has(u) && !p.acted.Has(u)
}

func (p *Position) arrivalRule(u Unit) string {
	switch {
	case p.tab.japan.Has(u):
		return "DF 8.2-c"
	case u == p.sc.Airborne11 && !p.rebuilt.Has(u):
		return "DF 15.6-g"
	case p.rebuilt.Has(u):
		return "DF 8.9-g"
	}
	return "DF 8.4-d"
}

// mayMove are the units on the map that free lets move, 6/ASCO (DF 8.8-c) and coastal divisions (DF 12.3) apart.
func (p *Position) mayMove(seat rules.Seat) UnitSet {
	return p.onMap & p.tab.side(seat) &^ (p.acted | p.arrived | p.refitted | p.bombed | p.tab.coastal | p.tab.asco)
}

// mayAttack are the units on the map that free lets attack.
func (p *Position) mayAttack(seat rules.Seat) UnitSet {
	s := p.onMap & p.tab.side(seat) &^ (p.acted | p.refitted | p.tab.asco)
	if seat == Japan {
		return s
	}
	if p.on(FightOnEntry) {
		return s &^ (p.bombed | p.arrived&p.rebuilt)
	}
	return s &^ (p.bombed | p.arrived)
}

// Consecutive attacks (DF 7.8, DF 7.9). They are declared attack by attack, nothing being paid or fought before the
// declaration is complete.

// checkConsecutive checks the beginning of a declaration.
func (p *Position) checkConsecutive(seat rules.Seat, c Command) *rules.Refusal {
	cost := 2 * p.sc.Chart.CP.Attack
	switch {
	case p.consecutiveUsed:
		return p.refuse("DF 7.8-e", "refuse.consecutive-used")
	case cost > int(p.cp):
		return p.refuse("DF 7.8-c", "refuse.cp", "need", cost, "left", int(p.cp))
	}
	if r := p.checkAttackTarget(seat, c.Hex); r != nil {
		return r
	}
	if r := p.checkEntry(seat, c.Hex, c.From, c.Units); r != nil {
		return r
	}
	if !p.another(seat, c.Hex, []Hex{c.From}) {
		return p.refuse("DF 7.8-a", "refuse.one-hex", "hex", c.Hex)
	}
	return nil
}

// checkEntry checks one attack of a consecutive attack: the units can attack from there (DF 7.8-b), and US units are of
// one corps (DF 7.9-d).
func (p *Position) checkEntry(seat rules.Seat, target, from Hex, units UnitSet) *rules.Refusal {
	if r := p.checkAttackers(seat, from, target, units); r != nil {
		return r
	}
	if seat == US && p.mixed(from) {
		return p.refuseHex("DF 7.9-d", "refuse.mixed", from)
	}
	return nil
}

// another reports whether a further hex could attack the target.
func (p *Position) another(seat rules.Seat, target Hex, used []Hex) bool {
	may := p.mayAttack(seat)
	for _, n := range p.sc.Ground[target] {
		if n != NoHex && !contains(used, n) && p.mayEnter(seat, may, n) {
			return true
		}
	}
	return false
}

// mayEnter reports whether some units of a hex could make one attack of a consecutive attack.
func (p *Position) mayEnter(seat rules.Seat, may UnitSet, h Hex) bool {
	return may&p.at[h]&p.tab.line != 0 && !(seat == US && p.mixed(h))
}

func contains(s []Hex, h Hex) bool {
	for _, x := range s {
		if x == h {
			return true
		}
	}
	return false
}

func (p *Position) playConsecutive(x *exec, seat rules.Seat, c Command) {
	emit(x, &downfallv1.ConsecutiveBegun{
		Seat: seatIDs[seat], Target: p.num(c.Hex), From: p.num(c.From), Units: p.ids(c.Units),
	})
}

// checkAlso checks a further attack of the declaration: another hex (DF 7.8-a), and CP for all of them (DF 7.8-c).
func (p *Position) checkAlso(seat rules.Seat, c Command) *rules.Refusal {
	d := &p.decl
	if contains(d.from[:d.count], c.From) {
		return p.refuseHex("DF 7.8-a", "refuse.hex-twice", c.From)
	}
	if r := p.checkEntry(seat, d.target, c.From, c.Units); r != nil {
		return r
	}
	if cost := (int(d.count) + 1) * p.sc.Chart.CP.Attack; cost > int(p.cp) {
		return p.refuse("DF 7.8-c", "refuse.cp", "need", cost, "left", int(p.cp))
	}
	return nil
}

func (p *Position) playAlso(x *exec, c Command) {
	emit(x, &downfallv1.AttackAdded{From: p.num(c.From), Units: p.ids(c.Units)})
}

// checkDeclare checks the end of the declaration: two attacks at least (DF 7.8-a), and markers that
// can serve (DF 7.9-c).
func (p *Position) checkDeclare(seat rules.Seat, c Command) *rules.Refusal {
	d := &p.decl
	switch {
	case d.count < 2:
		return p.refuse("DF 7.8-a", "refuse.one-hex", "hex", d.target)
	case seat == Japan && (c.Count > 0 || c.Detail != 0):
		return p.refuse("DF 7.9-c", "refuse.japan-support")
	case c.Count > p.air || c.Count > d.count:
		return p.refuse("DF 7.9-c", "refuse.air", "given", int(c.Count), "max", int(min(p.air, d.count)))
	case c.Detail&^uint64(p.declNaval()) != 0, bits.OnesCount64(c.Detail) > int(d.count):
		return p.refuse("DF 7.9-c", "refuse.naval")
	}
	return nil
}

// declNaval are the ready markers that serve one of the attacking hexes (DF 14.6-b).
func (p *Position) declNaval() uint32 {
	var s uint32
	for _, from := range p.decl.from[:p.decl.count] {
		s |= p.serving(p.navalReady, from)
	}
	return s
}

func (p *Position) playDeclare(x *exec, c Command) {
	emit(x, &downfallv1.ConsecutiveDeclared{
		Attacks: uint32(p.decl.count), Cp: uint32(int(p.decl.count) * p.sc.Chart.CP.Attack), Air: uint32(c.Count),
		Naval: markerNumbers(uint32(c.Detail)),
	})
}

// stepConsecutive begins the next attack, or ends it all: when none is left, or the target is empty of defenders (DF
// 7.8-f). A beachhead or 6/ASCO left alone is still attacked (DF 8.5-f). Nothing comes between the attacks (DF 7.8-d).
func (p *Position) stepConsecutive(x *exec) {
	d := &p.decl
	seat := rules.Seat(d.seat)
	if d.begun == d.count || !p.defended(enemy(seat), d.target) {
		emit(x, &downfallv1.ConsecutiveEnded{Skipped: uint32(d.count - d.begun)})
		return
	}
	p.beginAttack(x, seat, d.from[d.begun], d.target, d.units[d.begun], 0)
}

// defended reports whether there is something of a side in a hex to attack.
func (p *Position) defended(seat rules.Seat, h Hex) bool {
	if p.groundOf(seat, h) != 0 {
		return true
	}
	_, beachhead := p.beachheadIn(h)
	return seat == US && beachhead
}
