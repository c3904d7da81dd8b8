package anniversary

import (
	"slices"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Ask is a question that the game waits for an answer to.
type Ask uint8

// The questions.
const (
	AskNothing   Ask = iota
	AskResearch      // AA 6.2.1
	AskChart         // AA 6.2.5
	AskPurchase      // AA 7.1.1
	AskOrder         // AA 5.4.1
	AskMove          // AA 8.1.1
	AskCombat        // AA 9.1.2
	AskBombard       // AA 9.3.6
	AskSubmerge      // AA 9.7.2, AA 9.7.3
	AskLosses        // AA 9.8.1
	AskAgree         // AA 9.8.7
	AskPress         // AA 9.9.3
	AskDivert        // AA 9.12.1
	AskConsent       // AA 8.1.12
	AskNoncombat     // AA 12.1.1
	AskMobilize      // AA 13.1.1
)

// ask is what the game waits for and from whom; AskNothing when the next step is the engine's. Others than the power
// that acts are asked for consents, and within a combat for casualties, submarines and landing places (AA 4.2.5).
func (p *Position) ask() (Ask, rules.Seats) {
	switch {
	case p.over() || p.power == NoPower:
		return AskNothing, 0
	case p.request.on():
		return AskConsent, seatOf(p.request.ally)
	case p.battle.on():
		return p.askBattle()
	}
	switch p.phase {
	case PhaseResearch:
		return p.askResearch()
	case PhasePurchase:
		return p.askPurchase()
	case PhaseMove:
		if p.step == 0 {
			return AskMove, seatOf(p.acting)
		}
	case PhaseCombat:
		return p.askCombat()
	case PhaseNoncombat:
		return p.askNoncombat()
	case PhaseMobilize:
		if p.step == 0 {
			return AskMobilize, seatOf(p.power)
		}
	}
	return AskNothing, 0
}

func seatOf(w Power) rules.Seats { return rules.SeatsOf(w.Seat()) }

// stepOn takes the next step that no one decides (AA 4.2.1).
func (p *Position) stepOn(x *exec) {
	switch {
	case p.power == NoPower:
		p.nextTurn(x)
	case p.battle.on():
		p.stepBattle(x)
	case p.phase == PhaseResearch && p.step > 0 && p.step < 3:
		p.stepResearch(x)
	case p.phase == PhasePurchase && p.chinaPlays() && p.step < 3:
		p.stepChina(x)
	case p.phase == PhaseCombat && p.step < combatOver:
		p.stepCombat(x)
	case p.phase == PhaseNoncombat && p.step == 0:
		p.stepDivert(x)
	case p.phase == PhaseNoncombat && p.step == 1 && p.strand(x):
	case p.phase == PhaseMobilize && p.step == 1 && p.drown(x):
	case p.phase == PhaseIncome && p.step == 0:
		p.collect(x)
	default:
		p.nextPhase(x)
	}
}

// chinaPlays reports whether China acts in this turn (AA 5.4).
func (p *Position) chinaPlays() bool { return p.power == p.sc.ChinaRules.PlayedBy }

// nextTurn begins a round (AA 4.1.1), ends the game after one (AA 3.2.2), or begins a turn (AA 4.2.3).
func (p *Position) nextTurn(x *exec) {
	switch {
	case p.round == 0:
		p.beginRound(x)
	case int(p.turn) < len(p.sc.Order):
		p.beginTurn(x, p.sc.Order[p.turn])
	default:
		if !p.checkVictory(x) {
			p.beginRound(x) // AA 3.2.4
		}
	}
}

func (p *Position) beginRound(x *exec) {
	emit(x, &anniversaryv1.RoundBegan{Round: uint32(p.round) + 1})
}

// beginTurn takes the start-of-turn state (AA 4.2.6) and puts guests aboard the power's carriers (AA 8.5.2).
func (p *Position) beginTurn(x *exec, w Power) {
	e := &anniversaryv1.TurnBegan{Power: protoPower(w), Place: uint32(p.turn)}
	for z := range p.hostileNow(w.Side()).Each {
		e.Hostile = append(e.Hostile, p.sc.SpaceID(z))
	}
	open := p.canalsOf(&p.owner, w.Side())
	for i := range p.sc.Canals {
		if open&(1<<i) != 0 {
			e.Canals = append(e.Canals, p.sc.Canals[i].ID)
		}
	}
	e.Changes = p.changes(p.boardGuests(w))
	emit(x, e)
}

// canalsOf are the canals that a side controls, by bit: it has all their territories, by any of its powers (AA 2.4.4,
// AA 2.4.5, AA 2.4.6).
func (p *Position) canalsOf(owner *[MaxSpaces]Power, side Side) (set uint8) {
	for i := range p.sc.Canals {
		if !slices.ContainsFunc(p.sc.Canals[i].Control, func(t Space) bool { return owner[t].Side() != side }) {
			set |= 1 << i
		}
	}
	return set
}

// nextPhase begins what comes after the phase (AA 4.2.1), leaving out what a power without its capital may not do (AA
// 4.2.4, AA 10.3.3) and phases in which nothing can be done.
func (p *Position) nextPhase(x *exec) {
	next, acting, second := p.phase+1, p.power, p.swapped
	switch {
	case p.phase == PhaseCombat && p.chinaPlays() && !p.swapped && (p.acting == China || p.chinaStands()):
		next, second, acting = PhaseMove, true, p.otherActor() // AA 5.4.1
	case p.phase == PhaseMove:
		acting = p.acting
	case p.phase == PhasePurchase && p.chinaPlays() && p.chinaFirst:
		acting = China
	case p.phase == PhaseIncome:
		p.endTurn(x)
		return
	}
	for p.idle(next) {
		next++
	}
	if next > PhaseIncome {
		p.endTurn(x)
		return
	}
	x.Emit(eventPhase(next, acting, second))
}

// otherActor is the second of the United States and China to move and fight.
func (p *Position) otherActor() Power {
	if p.acting == China {
		return p.power
	}
	return China
}

// idle reports whether a phase is left out.
func (p *Position) idle(ph Phase) bool {
	lost := p.capitalLost(p.power)
	switch ph {
	case PhaseResearch: // AA 6.1.1, AA 6.1.2
		return lost || !p.opt.has(optResearch) || p.tech[p.power] == 1<<NumTechs-1 ||
			p.tokens[p.power] == 0 && int(p.ipc[p.power]) < p.sc.Numbers.ResearcherCost
	case PhasePurchase:
		return !p.chinaPlays() && (lost || !p.canBuy())
	case PhaseMobilize:
		return !p.chinaPlays() && lost || !p.canMobilize()
	case PhaseIncome:
		return lost
	}
	return false
}

// endTurn ends a turn; guests are no longer cargo.
func (p *Position) endTurn(x *exec) {
	emit(x, &anniversaryv1.TurnEnded{
		Power: protoPower(p.power), Changes: p.changes(p.leaveGuests()),
	})
}

// endPhase carries out `end`: a phase may be passed, but income is collected without being asked (AA 4.2.2). A phase
// that has ended stays so (AA 4.2.1).
func (p *Position) endPhase(x *exec) {
	if p.phase == PhaseCombat {
		x.Emit(eventCombatStep(p.step + 1))
		return
	}
	x.Emit(eventPhaseEnded(p.phase))
}
