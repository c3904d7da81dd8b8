package ocs

// supplyCommand are the commands of supply and transports (OCS 12, OCS 13.2).
func supplyCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindFuel:
		return commandRule{(*Position).checkFuelUnit, (*Position).playFuelUnit, listFuelUnit}, true
	case KindFuelHQ:
		return commandRule{(*Position).checkFuelHQ, (*Position).playFuelHQ, listFuelHQ}, true
	case KindFuelFormation:
		return commandRule{(*Position).checkFuelFormation, (*Position).playFuelFormation, listFuelFormation}, true
	case KindRestock:
		return commandRule{(*Position).checkRestock, (*Position).playRestock, listRestock}, true
	case KindFeed:
		return commandRule{(*Position).checkFeed, (*Position).playFeed, listFeed}, true
	case KindProvide:
		return commandRule{(*Position).checkProvide, (*Position).playProvide, listProvide}, true
	case KindDone:
		return commandRule{(*Position).checkDone, (*Position).playDone, listDone}, true
	case KindSuffer:
		return commandRule{(*Position).checkSuffer, (*Position).playSuffer, listSuffer}, true
	case KindBreakout:
		return commandRule{(*Position).checkBreakout, (*Position).playBreakout, listBreakout}, true
	}
	return transportCommand(k)
}
