package ocs

// landingCommand are the commands of ports, landing craft and landings (OCS 18.4 to OCS 19.0).
func landingCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindSeaTrip:
		return commandRule{(*Position).checkSeaTrip, (*Position).playSeaTrip, listSeaTrip}, true
	case KindEmbark:
		return commandRule{(*Position).checkEmbark, (*Position).playEmbark, listEmbark}, true
	case KindDisembark:
		return commandRule{(*Position).checkDisembark, (*Position).playDisembark, listDisembark}, true
	case KindMergeCraft:
		return commandRule{(*Position).checkMergeCraft, (*Position).playMergeCraft, listMergeCraft}, true
	case KindSplitCraft:
		return commandRule{(*Position).checkSplitCraft, (*Position).playSplitCraft, listSplitCraft}, true
	case KindLand:
		return commandRule{(*Position).checkLand, (*Position).playLand, listLand}, true
	case KindBeachAssault:
		return commandRule{(*Position).checkAssault, (*Position).playAssault, listAssault}, true
	case KindChooseBeach:
		return commandRule{free, (*Position).playChooseBeach, listChooseBeach}, true
	case KindMakePort:
		return commandRule{(*Position).checkMakePort, (*Position).playMakePort, listMakePort}, true
	case KindGoAshore:
		return commandRule{(*Position).checkGoAshore, (*Position).playGoAshore, listGoAshore}, true
	case KindGoAfloat:
		return commandRule{(*Position).checkGoAfloat, (*Position).playGoAfloat, listGoAfloat}, true
	}
	return commandRule{}, false
}
