package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// The IX Corps landing (DF 8.6, DF 8.7). The plan is secret until the landing begins or is cancelled.

// earliestPlan is the earliest turn that a plan made now may name: 4 before play (DF 8.6-b), later four
// turns ahead (DF 8.6-e).
func (p *Position) earliestPlan() int {
	if p.phase == SetupPlan {
		return p.sc.Chart.IXTurn
	}
	return max(p.sc.Chart.IXTurn, int(p.turn)+p.sc.Chart.PlanAhead)
}

func (p *Position) checkPlan(c Command) *rules.Refusal {
	early, last := p.earliestPlan(), p.sc.Chart.LastTurn()
	switch {
	case c.turn() < early || c.turn() > last:
		rule := "DF 8.6-b"
		if p.phase != SetupPlan {
			rule = "DF 8.6-e"
		}
		return p.refuse(rule, "refuse.plan-turn", "turn", c.turn(), "min", early, "max", last)
	case !p.sc.LandingHex(c.Hex, p.terrain(c.Hex)):
		return p.refuseHex("DF 8.6-b", "refuse.plan-hex", c.Hex)
	}
	return nil
}

// playPlan records the plan; that there is one is open, what it says is not (DF 8.6-a). Before play the secret number
// of bombs is rolled with it (DF 15.7), void with option 15.2.
func (p *Position) playPlan(x *exec, c Command) {
	x.EmitTo(usOnly, fact(&downfallv1.PlanRecorded{Hex: p.num(c.Hex), Turn: uint32(c.turn())}))
	emit(x, &downfallv1.PlanMade{Turn: uint32(p.turn)})
	if p.phase == SetupPlan && p.on(SecretBombs) && !p.on(NoAtomicBombs) {
		die := x.RollTo(usOnly, 6, "bomb-count")
		x.EmitTo(usOnly, fact(&downfallv1.BombCountRolled{
			Die: uint32(die), Bombs: uint32(bombCount(die)),
		}))
	}
}

func (p *Position) legalPlan(out *lister) bool {
	early, last := p.earliestPlan(), p.sc.Chart.LastTurn()
	for _, h := range p.tab.beaches {
		if p.exploded.Has(h) && !p.sc.LandingHex(h, p.terrain(h)) {
			continue
		}
		if !out.turns(aiming(KindPlan, NoUnit, h), early, last) {
			return false
		}
	}
	return true
}

// planPossible reports whether any new plan could be made now (DF 8.6-e).
func (p *Position) planPossible() bool {
	found := false
	p.legalPlan(&lister{yield: func(Command) bool { found = true; return false }})
	return found
}

// planned reports whether there is a plan.
func (p *Position) planned() bool { return p.ixTurn != 0 }

func (p *Position) checkCancel() *rules.Refusal {
	if !p.planned() {
		return p.refuse("DF 8.6-d", "refuse.no-plan")
	}
	return nil
}

// cancelLanding shows the plan and asks for a new one if there is time for it (DF 8.6-d, DF 8.6-e). It costs no CP.
func (p *Position) cancelLanding(x *exec, lapsed bool) {
	x.RevealOf(US)
	emit(x, &downfallv1.LandingCancelled{
		Hex: p.num(p.ixHex), Turn: uint32(p.ixTurn), Replan: p.planPossible(), Lapsed: lapsed,
	})
}

// checkLand checks the landing on its turn (DF 8.6-c): not under the ban (DF 6.5-6), the hex still fit (DF 8.6-b) and
// with room (DF 10.4), and a defended hex not attacked before in this turn (DF 8.7-d).
func (p *Position) checkLand(c Command) *rules.Refusal {
	h := p.ixHex
	if !p.planned() || p.ixTurn != p.turn {
		return p.refuse("DF 8.6-c", "refuse.not-planned")
	}
	defended := p.groundOf(Japan, h) != 0
	switch {
	case p.ban:
		return p.refuse("DF 6.5-6", "refuse.ban")
	case p.sc.Chart.CP.Landing > int(p.cp):
		return p.afford(p.sc.Chart.CP.Landing)
	case !p.sc.LandingHex(h, p.terrain(h)):
		return p.refuseHex("DF 8.6-b", "refuse.plan-hex", h)
	case !p.fitAll(p.tab.landing, h):
		return p.refuseHex("DF 10.4", "refuse.stack", h, "max", scenario.USStack)
	case defended && p.attacked.Has(h) && !p.on(RepeatAttacks):
		return p.refuseHex("DF 8.7-d", "refuse.attacked", h)
	case !defended && (c.Count > 0 || c.Detail != 0):
		return p.refuse("DF 14.5-a", "refuse.no-combat")
	}
	return p.checkSupportOf(c, h, p.air, p.navalReady)
}

// playLand lands the two divisions and the beachhead as one stack, for 3 CP in all (DF 8.6-c). Against defenders a US
// attack follows at once, its naval support as if from the landing hex (DF 8.7-a, D-28).
func (p *Position) playLand(x *exec, c Command) {
	h, opposed := p.ixHex, p.groundOf(Japan, p.ixHex) != 0
	x.RevealOf(US)
	emit(x, &downfallv1.LandingBegan{
		Hex: p.num(h), Units: p.ids(p.tab.landing), Opposed: opposed, Cp: uint32(p.sc.Chart.CP.Landing),
	})
	if !opposed {
		p.land(x, h, p.tab.landing)
		return
	}
	emit(x, &downfallv1.AttackBegan{
		Seat: seatIDs[US], From: p.num(h), Target: p.num(h), Units: p.ids(p.tab.landing),
		Defenders: p.ids(p.groundOf(Japan, h)), Landing: true,
	})
	p.giveSupport(x, c)
}

func (p *Position) land(x *exec, h Hex, units UnitSet) {
	emit(x, &downfallv1.CorpsLanded{
		Hex: p.num(h), Units: p.ids(units), Beachhead: p.sc.Beachheads[scenario.CorpsIX].ID,
	})
}

// endLanding puts the landing force ashore if no defender is left, and destroys it with its beachhead otherwise (DF
// 8.7-c). That costs no points (D-30) but by the switch.
func (p *Position) endLanding(x *exec) {
	f := &p.fight
	left := p.standing(f.attackers)
	if left != 0 && p.groundOf(Japan, f.target) == 0 {
		p.land(x, f.target, left)
		x.Emit(p.eventStage(StageDone, 0))
		return
	}
	before := p.vp
	emit(x, &downfallv1.LandingFailed{
		Hex: p.num(f.target), Beachhead: p.sc.Beachheads[scenario.CorpsIX].ID, Units: p.ids(left),
	})
	if p.on(LandingVP) {
		p.lose(x, p.sc.Chart.Scoring.Beachhead, "DF 8.7-c")
		p.checkDefeat(x, before)
	}
	if !p.over() {
		x.Emit(p.eventStage(StageDone, 0))
	}
}

// legalLand lists the landing with its support.
func (p *Position) legalLand(yield func(Command) bool) bool {
	c := only(KindLand)
	if !p.planned() || p.ixTurn != p.turn || p.checkLand(c) != nil { // mostly not its turn, said without words
		return true
	}
	if p.groundOf(Japan, p.ixHex) == 0 {
		return yield(c)
	}
	return p.eachSupport(c, p.ixHex, p.air, p.navalReady, yield)
}
