package ocs

// worksCommand are the commands of HQs, engineers, rail, replacements, reinforcements and breakdown regiments
// (OCS 13, OCS 16, OCS 20).
func worksCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindArrive:
		return commandRule{(*Position).checkArrive, (*Position).playArrive, listArrive}, true
	case KindForfeit:
		return commandRule{(*Position).checkForfeit, (*Position).playForfeit, listForfeit}, true
	case KindPlaceSupply:
		return commandRule{(*Position).checkPlaceSupply, (*Position).playPlaceSupply, listPlaceSupply}, true
	case KindPlaceRepl:
		return commandRule{(*Position).checkPlaceReplacement, (*Position).playPlaceReplacement, listPlaceReplacement},
			true
	case KindPlaceTrucks:
		return commandRule{(*Position).checkPlaceTrucks, (*Position).playPlaceTrucks, listPlaceTrucks}, true
	case KindWaive:
		return commandRule{free, (*Position).playWaive, listWaive}, true
	case KindRail:
		return commandRule{(*Position).checkRail, (*Position).playRail, listRail}, true
	case KindConvert:
		return commandRule{(*Position).checkConvert, (*Position).playConvert, listConvert}, true
	case KindConstruct:
		return commandRule{(*Position).checkConstruct, (*Position).playConstruct, listConstruct}, true
	case KindDetach:
		return commandRule{(*Position).checkDetach, (*Position).playDetach, listDetach}, true
	case KindAbsorb:
		return commandRule{(*Position).checkAbsorb, (*Position).playAbsorb, listAbsorb}, true
	case KindGroup:
		return commandRule{(*Position).checkGroup, (*Position).playGroup, listGroup}, true
	case KindUngroup:
		return commandRule{(*Position).checkUngroup, (*Position).playUngroup, listUngroup}, true
	}
	return replacementCommand(k)
}

// replacementCommand are the commands of rebuilding and consolidation (OCS 13.5, OCS 13.9).
func replacementCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindRebuild:
		return commandRule{(*Position).checkRebuild, (*Position).playRebuild, listRebuild}, true
	case KindRestore:
		return commandRule{(*Position).checkRestore, (*Position).playRestore, listRestore}, true
	case KindRebuildTrucks:
		return commandRule{(*Position).checkRebuildTrucks, (*Position).playRebuildTrucks, listRebuildTrucks}, true
	case KindConsolidate:
		return commandRule{(*Position).checkConsolidate, (*Position).playConsolidate, listConsolidate}, true
	case KindExchange:
		return commandRule{(*Position).checkExchange, (*Position).playExchange, listExchange}, true
	}
	return commandRule{}, false
}
