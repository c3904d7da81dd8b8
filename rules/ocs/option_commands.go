package ocs

// optionCommand are the commands that only optional rules have (OCS 21, and those of games).
func optionCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindScout:
		return commandRule{(*Position).checkScout, (*Position).playScout, listScout}, true
	case KindFuelIndependents:
		return commandRule{(*Position).checkFuelIndependents, (*Position).playFuelIndependents, listFuelIndependents},
			true
	case KindGodzilla:
		return commandRule{(*Position).checkGodzilla, (*Position).playGodzilla, listGodzilla}, true
	case KindGodzillaAnswer:
		return commandRule{(*Position).checkGodzillaAnswer, (*Position).playGodzillaAnswer,
			listYesNo(KindGodzillaAnswer)}, true
	case KindRaid:
		return commandRule{(*Position).checkRaid, (*Position).playRaid, listRaid}, true
	case KindFlyOn:
		return commandRule{(*Position).checkFlyOn, (*Position).playFlyOn, listFlyOn}, true
	case KindEvade:
		return commandRule{(*Position).checkEvade, (*Position).playEvade, listEvade}, true
	case KindCross:
		return commandRule{(*Position).checkCross, (*Position).playCross, listCross}, true
	}
	return commandRule{}, false
}
