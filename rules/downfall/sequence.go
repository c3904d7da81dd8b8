package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// exec carries out a command of this ruleset.
type exec = rules.Exec[*Position, *downfallv1.Event]

// Ask is a question that the game waits for an answer to.
type Ask uint8

// The questions.
const (
	AskNothing   Ask = iota
	AskPlace36       // DF 3.2-b
	AskMagic         // DF 15.4
	AskOrders        // DF 15.6-a, DF 15.6-b
	AskPlan          // DF 8.6-a
	AskZones         // DF 6.3-a
	AskRemove        // DF 6.7-a
	AskBombs         // DF 6.8-b
	AskTarget        // DF 6.8-c
	AskBomb          // DF 6.8-d
	AskLosses        // DF 6.9-b
	AskAirSupply     // DF 9.7-a
	AskActions       // DF 5.2-IIC, DF 5.2-IIID
	AskDeclare       // DF 7.8-b
	AskSupport       // DF 13.2-1, DF 7.9-c
	AskBombard       // DF 13.3-2
	AskFire          // DF 13.4-1
	AskBreak         // DF 13.2-4, DF 13.3-4
	AskWithdraw      // DF 13.10
	AskAdvance       // DF 13.9
	AskExcess        // DF 10.3-b, DF 10.8
)

// ask is what the game waits for and from whom; AskNothing when the next step is the engine's. It is a look at the
// position: nobody's answer and no hidden fact changes who is asked (Part 3).
func (p *Position) ask() (Ask, rules.Seat) {
	switch {
	case p.over():
		return AskNothing, rules.NoSeat
	case p.excess != NoHex:
		if p.at[p.excess]&p.tab.us != 0 {
			return AskExcess, US
		}
		return AskExcess, Japan
	case p.fight.on:
		return p.askFight()
	case p.decl.on:
		if p.decl.declared {
			return AskNothing, rules.NoSeat
		}
		return AskDeclare, rules.Seat(p.decl.seat)
	}
	return p.askPhase()
}

func (p *Position) askPhase() (Ask, rules.Seat) {
	switch p.phase {
	case SetupJapan, SetupOrders, SetupPlan, SetupMagic:
		return p.askSetup()
	case Deployment:
		if p.step == 0 && p.navalHere != 0 {
			return AskZones, US
		}
	case Kamikaze:
		if p.kamikaze && p.navalExcess() > 0 && p.navalChoice() {
			return AskRemove, Japan
		}
	case Nuclear:
		return p.askNuclear()
	case JapanActions:
		if !p.ended && (p.cp > 0 || p.canFollow()) {
			return AskActions, Japan
		}
	case SupplyCheck:
		if p.step == 1 && p.mayAirSupply() {
			return AskAirSupply, US
		}
	case USActions:
		switch {
		case p.replan:
			return AskPlan, US
		case !p.ended:
			return AskActions, US
		case p.ixTurn != p.turn && p.ordersDue() && !p.ordersGiven:
			return AskOrders, US
		}
	}
	return AskNothing, rules.NoSeat
}

// step takes the next step that no one decides (Part 2).
func (p *Position) stepOn(x *exec) {
	switch {
	case p.fight.on:
		p.stepFight(x)
	case p.decl.on:
		p.stepConsecutive(x)
	case p.phase == Kamikaze:
		p.stepKamikaze(x)
	case p.phase == Nuclear && (p.bombCount > 0 || p.bombStage != bombNone):
		p.stepBomb(x)
	case p.phase == SupplyCheck && p.step < 4:
		p.stepSupply(x)
	case p.phase == USActions && p.ixTurn == p.turn:
		p.cancelLanding(x, true) // DF 8.6-d, D-27
	case p.phase == VictoryCheck:
		p.stepVictory(x)
	case p.step == 0 && p.rollPhase(x):
	default:
		p.nextPhase(x)
	}
}

// rollPhase does what a phase does once by itself; false if there is nothing.
func (p *Position) rollPhase(x *exec) bool {
	switch p.phase {
	case PhaseNone:
		p.deployJapan(x)
	case SetupJapan:
		p.deployUS(x)
	case SetupMagic:
		die := x.Roll(6, "magic") // DF 15.4
		emit(x, &downfallv1.MagicRolled{Die: uint32(die), Units: uint32(magicUnits(die))})
	case FleetStatus:
		p.rollFleet(x)
	case ArmyCheck:
		return p.rollArmy(x)
	case JapanPoints:
		p.giveJapan(x)
	case USPoints:
		p.giveUS(x)
	default:
		return false
	}
	return true
}

// nextPhase begins what comes after the phase (DF 5.1-a, DF 5.2).
func (p *Position) nextPhase(x *exec) {
	turn, next := p.turn, p.phase+1
	switch {
	case p.phase == PhaseNone:
		next = SetupJapan
	case p.phase == SetupJapan && !p.on(Airborne11):
		next = SetupPlan
	case p.phase == SetupPlan && p.on(Magic36):
		next = SetupMagic
	case p.phase == SetupPlan || p.phase == SetupMagic:
		turn, next = 1, FleetStatus
	case p.phase == Kamikaze && p.on(NoAtomicBombs):
		next = ArmyCheck // DF 15.2
	case p.phase == VictoryCheck:
		turn, next = turn+1, FleetStatus // DF 5.3
	}
	emit(x, &downfallv1.PhaseBegan{Turn: uint32(turn), Phase: downfallv1.Phase(next)})
}

// endPhase carries out `end`. A phase that has ended stays so (DF 5.1-b).
func (p *Position) endPhase(x *exec) {
	emit(x, &downfallv1.PhaseEnded{Phase: downfallv1.Phase(p.phase)})
}

// active is the seat whose player turn it is; NoSeat outside them.
func (p *Position) active() rules.Seat {
	switch {
	case p.phase >= ArmyCheck && p.phase <= JapanActions:
		return Japan
	case p.phase >= Reinforcements && p.phase <= USActions:
		return US
	}
	return rules.NoSeat
}
