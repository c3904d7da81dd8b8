package downfall

import "github.com/warledger/warledger/rules"

// play carries out a command that passed check, as far as the command itself reaches.
func (p *Position) play(x *exec, seat rules.Seat, c Command) {
	switch c.Kind {
	case KindMove:
		p.playMove(x, c, p.sc.Chart.CP.Move)
	case KindFollow:
		p.playMove(x, c, 0)
	case KindEnter:
		p.playEnter(x, seat, c)
	case KindAttack:
		p.playAttack(x, seat, c)
	case KindConsecutive:
		p.playConsecutive(x, seat, c)
	case KindAlso:
		p.playAlso(x, c)
	case KindDeclare:
		p.playDeclare(x, c)
	case KindLand:
		p.playLand(x, c)
	case KindCancel:
		p.cancelLanding(x, false)
	case KindRecover:
		p.playRecover(x, c)
	case KindRebuild:
		p.playRebuild(x, c)
	case KindStepUp:
		p.playStepUp(x, c)
	case KindDrop:
		p.playDrop(x)
	case KindEnd:
		p.endPhase(x)
	case KindStanding:
		p.playStanding(x, seat, c)
	case KindConcede, KindAccept, KindDecline:
		p.playOffer(x, seat, c)
	default:
		p.playAnswer(x, c)
	}
}

// playAnswer carries out what is no action for CP.
func (p *Position) playAnswer(x *exec, c Command) {
	switch c.Kind {
	case KindPlace:
		p.playPlace(x, c)
	case KindOrders:
		p.playOrders(x, c)
	case KindPlan:
		p.playPlan(x, c)
	case KindZones:
		p.playZones(x, c)
	case KindRemove:
		p.removeNaval(x, uint32(c.Detail))
	case KindBombs:
		p.playBombs(x, c)
	case KindTarget:
		p.playTarget(x, c)
	case KindBomb:
		p.explode(x, target(c))
	case KindLosses:
		p.loseToBomb(x, c)
	case KindSupply:
		p.playAirSupply(x, c.Hex)
	case KindSupport:
		p.giveSupport(x, c)
	case KindBombard:
		p.playBombard(x, c)
	case KindShot:
		p.playShot(x, c)
	case KindHold:
		p.playHold(x)
	case KindRetreat, KindStay, KindAbort, KindPress:
		p.playBreak(x, c)
	case KindWithdraw:
		p.playWithdraw(x, c)
	case KindAdvance:
		p.playAdvance(x, c)
	case KindEliminate:
		p.playEliminate(x, c)
	}
}
