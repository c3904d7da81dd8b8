package ocs

// airCommand are the commands of the air war (OCS 14, OCS 15).
func airCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindSweep:
		return commandRule{(*Position).checkSweep, (*Position).playSweep, listSweep}, true
	case KindAirBarrage:
		return commandRule{(*Position).checkAirBarrage, (*Position).playAirBarrage, listAirBarrage}, true
	case KindHipShoot:
		return commandRule{(*Position).checkHipShoot, (*Position).playHipShoot, listHipShoot}, true
	case KindTrainbust:
		return commandRule{(*Position).checkTrainbust, (*Position).playTrainbust, listTrainbust}, true
	case KindTransfer:
		return commandRule{(*Position).checkTransfer, (*Position).playTransfer, listTransfer}, true
	case KindAirlift:
		return commandRule{(*Position).checkAirlift, (*Position).playAirlift, listAirlift}, true
	case KindAirdrop:
		return commandRule{(*Position).checkAirdrop, (*Position).playAirdrop, listAirdrop}, true
	case KindPlanDrop:
		return commandRule{(*Position).checkPlanDrop, (*Position).playPlanDrop, listPlanDrop}, true
	case KindDelayDrop:
		return commandRule{(*Position).checkDelayDrop, (*Position).playDelayDrop, listPlanned(KindDelayDrop)}, true
	case KindCancelDrop:
		return commandRule{(*Position).checkPlanned, (*Position).playCancelDrop, listPlanned(KindCancelDrop)}, true
	case KindRefit:
		return commandRule{(*Position).checkRefit, (*Position).playRefit, listRefit}, true
	}
	return airAnswer(k)
}

// airAnswer are the answers to questions of a mission.
func airAnswer(k Kind) (commandRule, bool) {
	switch k {
	case KindIntercept:
		return commandRule{(*Position).checkIntercept, (*Position).playIntercept, listIntercept}, true
	case KindStandDown:
		return commandRule{(*Position).checkStandDown, (*Position).playStandDown, listStandDown}, true
	case KindEngage:
		return commandRule{(*Position).checkEngage, (*Position).playEngage, listEngage}, true
	case KindFlyBack:
		return commandRule{(*Position).checkFlyBack, (*Position).playFlyBack, listFlyBack}, true
	case KindTakeHit:
		return commandRule{(*Position).checkTakeHit, (*Position).playTakeHit, listTakeHit}, true
	case KindJettison:
		return commandRule{(*Position).checkJettison, (*Position).playJettison, listJettison}, true
	case KindRestoreAir:
		return commandRule{(*Position).checkRestoreAir, (*Position).playRestoreAir, listRestoreAir}, true
	case KindCombineAir:
		return commandRule{(*Position).checkCombineAir, (*Position).playCombineAir, listCombineAir}, true
	case KindPlaceAir:
		return commandRule{(*Position).checkPlaceAir, (*Position).playPlaceAir, listPlaceAir}, true
	}
	return commandRule{}, false
}
