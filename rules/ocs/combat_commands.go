package ocs

// combatCommand are the commands of combat and barrage (OCS 9, OCS 10, OCS 13.4, OCS 16).
func combatCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindAttack:
		return commandRule{(*Position).checkAttack, (*Position).playAttack, listAttack}, true
	case KindPay:
		return commandRule{(*Position).checkPay, (*Position).playPay, listPay}, true
	case KindStocks:
		return commandRule{(*Position).checkUseStocks, (*Position).playUseStocks, listUseStocks}, true
	case KindReady:
		return commandRule{free, (*Position).playReady, listReady}, true
	case KindLead:
		return commandRule{(*Position).checkLead, (*Position).playLead, listLead}, true
	case KindTerrain:
		return commandRule{(*Position).checkTerrain, (*Position).playTerrain, listTerrain}, true
	case KindLosses:
		return commandRule{(*Position).checkLosses, (*Position).playLosses, listLosses}, true
	case KindRetreat:
		return commandRule{(*Position).checkRetreat, (*Position).playRetreat, listRetreat}, true
	case KindAdvance:
		return commandRule{(*Position).checkAdvance, (*Position).playAdvance, listAdvance}, true
	case KindBarrage:
		return commandRule{(*Position).checkBarrage, (*Position).playBarrage, listBarrage}, true
	}
	return commandRule{}, false
}
