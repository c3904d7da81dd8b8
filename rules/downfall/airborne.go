package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// The 11th Division with option 15.6. Its orders are secret. So that their giving tells nothing, the question is put
// before play and at the end of every III.D while orders could still matter by what is open, and every answer is one
// record with one event for the US alone.

// Modes of arrival.
const (
	modeInfantry = uint8(downfallv1.Mode_MODE_INFANTRY)
	modeAirborne = uint8(downfallv1.Mode_MODE_AIRBORNE)
)

// airborne reports whether the option is on and the scenario has both counters.
func (p *Position) airborne() bool {
	return p.on(Airborne11) && p.sc.Airborne11 != NoUnit && p.sc.Infantry11 != NoUnit
}

// ordersDue reports whether orders are asked for at the end of III.D: the division has not appeared, and there is time
// to change the mode or to plan a drop. All of that is open to Japan.
func (p *Position) ordersDue() bool {
	return p.airborne() && p.place[p.sc.Infantry11] == Holding && !p.rebuilt.Has(p.sc.Infantry11) &&
		(int(p.turn)+p.sc.Chart.PlanAhead <= p.sc.Chart.LastTurn() || p.mayChangeMode())
}

// mayChangeMode: until the end of turn 21 (DF 15.6-a).
func (p *Position) mayChangeMode() bool { return int(p.turn) < p.sc.Chart.DropTurn }

// onlyByAir reports whether a unit waits for its drop and can't come by sea (DF 15.6-a).
func (p *Position) onlyByAir(u Unit) bool {
	return u == p.sc.Infantry11 && p.airborne() && p.mode == modeAirborne && !p.rebuilt.Has(u)
}

// earliestDrop is the earliest turn of a drop planned now: 22, and four turns ahead (DF 15.6-b).
func (p *Position) earliestDrop() int {
	return max(p.sc.Chart.DropTurn, int(p.turn)+p.sc.Chart.PlanAhead)
}

// checkOrders checks orders: a mode before play, changes of it until turn 21, a drop plan in a fit hex
// and far enough ahead.
func (p *Position) checkOrders(c Command) *rules.Refusal {
	mode, plan := c.Count, c.Hex != NoHex
	if plan {
		if mode == modeInfantry {
			return p.refuse("DF 15.6-b", "refuse.drop-infantry")
		}
		mode = modeAirborne
	}
	switch {
	case mode > modeAirborne:
		return rules.Malformed("mode %d, expected 0 to %d", mode, modeAirborne)
	case mode == 0 && p.mode == 0:
		return p.refuse("DF 15.6-a", "refuse.no-mode")
	case mode != 0 && mode != p.mode && p.mode != 0 && !p.mayChangeMode():
		return p.refuse("DF 15.6-a", "refuse.mode-late", "turn", p.sc.Chart.DropTurn-1)
	case !plan:
		return nil
	case c.turn() < p.earliestDrop() || c.turn() > p.sc.Chart.LastTurn():
		return p.refuse("DF 15.6-b", "refuse.plan-turn", "turn", c.turn(), "min", p.earliestDrop(),
			"max", p.sc.Chart.LastTurn())
	case !p.sc.Terrains[p.terrain(c.Hex)].Drop:
		return p.refuseHex("DF 15.6-c", "refuse.terrain", c.Hex)
	}
	return nil
}

// playOrders records the orders. A plan whose turn has passed lapses (D-62); one that stands is kept unless a new one
// takes its place or the mode changes.
func (p *Position) playOrders(x *exec, c Command) {
	e := &downfallv1.OrdersGiven{Mode: downfallv1.Mode(p.mode)}
	if p.dropTurn > p.turn {
		e.DropHex, e.DropTurn = p.num(p.dropHex), uint32(p.dropTurn)
	}
	switch {
	case c.Hex != NoHex:
		e.Mode, e.DropHex, e.DropTurn = downfallv1.Mode_MODE_AIRBORNE, p.num(c.Hex), uint32(c.turn())
	case c.Count == modeInfantry:
		e.Mode, e.DropHex, e.DropTurn = downfallv1.Mode_MODE_INFANTRY, 0, 0
	case c.Count == modeAirborne:
		e.Mode = downfallv1.Mode_MODE_AIRBORNE
	}
	e.Changed = uint8(e.Mode) != p.mode || e.DropHex != p.num(p.dropHex) || e.DropTurn != uint32(p.dropTurn)
	x.EmitTo(usOnly, fact(e))
}

// legalOrders lists no change, the modes, and every drop plan.
func (p *Position) legalOrders(yield func(Command) bool) bool {
	for mode := range modeAirborne + 1 {
		c := only(KindOrders)
		c.Count = mode
		if (mode != p.mode || mode == 0) && p.checkOrders(c) == nil && !yield(c) {
			return false
		}
	}
	if p.mode == modeInfantry && !p.mayChangeMode() {
		return true
	}
	for h := range Hex(len(p.at)) {
		if !p.sc.Terrains[p.terrain(h)].Drop {
			continue
		}
		c := aiming(KindOrders, NoUnit, h)
		c.Count = modeAirborne
		for t := p.earliestDrop(); t <= p.sc.Chart.LastTurn(); t++ {
			c.Detail = uint64(t)
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// checkDrop checks the drop on its planned turn (DF 15.6-e): no air supply placed (DF 9.7-b), CP, no Japanese unit in
// the hex, fit terrain (DF 15.6-c), stacking (DF 10.4). Neither the ban nor Japanese ZOC forbids it (D-12). It never
// drops again (DF 15.6-h).
func (p *Position) checkDrop() *rules.Refusal {
	switch {
	case !p.airborne():
		return p.refuse("DF 15.6-a", "refuse.no-option")
	case p.place[p.sc.Infantry11] != Holding || p.rebuilt.Has(p.sc.Infantry11):
		return p.refuse("DF 15.6-h", "refuse.no-drop")
	case p.mode != modeAirborne:
		return p.refuse("DF 15.6-a", "refuse.no-drop")
	case p.dropTurn != p.turn:
		return p.refuse("DF 15.6-e", "refuse.not-planned")
	case p.airPlaced:
		return p.refuse("DF 9.7-b", "refuse.air-placed")
	}
	if r := p.afford(p.sc.Chart.CP.Drop); r != nil {
		return r
	}
	h := p.dropHex
	switch {
	case p.groundOf(Japan, h) != 0:
		return p.refuseHex("DF 15.6-e", "refuse.enemy", h)
	case !p.sc.Terrains[p.terrain(h)].Drop:
		return p.refuseHex("DF 15.6-c", "refuse.terrain", h)
	}
	return p.checkStack(p.sc.Airborne11, h)
}

// playDrop drops the division with the air supply unit. In Japanese ZOC a d10 says what it loses, whoever else is there
// (DF 15.6-f, D-63); each step costs points and elimination is for good (D-64).
func (p *Position) playDrop(x *exec) {
	u, before := p.sc.Airborne11, p.vp
	e := &downfallv1.DivisionDropped{
		Unit: p.id(u), Replaces: p.id(p.sc.Infantry11), Hex: p.num(p.dropHex), Steps: uint32(p.sc.Units[u].Steps),
		Cp: uint32(p.sc.Chart.CP.Drop),
	}
	x.RevealOf(US)
	if p.inZOC(Japan, p.dropHex) {
		die := p.d10(x, "drop")
		lost := min(p.sc.Chart.Drop[die], p.sc.Units[u].Steps)
		e.Die, e.Lost = uint32(die), uint32(lost)
		e.Steps -= uint32(lost)
	}
	emit(x, e)
	p.lose(x, int(e.Lost)*p.sc.Chart.Scoring.Step, "DF 15.6-f")
	p.checkDefeat(x, before)
}
