package ocs

// seaCommand are the commands of ships.
func seaCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindSail:
		return commandRule{(*Position).checkSail, (*Position).playSail, listSail}, true
	case KindPlaceShip:
		return commandRule{(*Position).checkPlaceShip, (*Position).playPlaceShip, listPlaceShip}, true
	case KindNavalBarrage:
		return commandRule{(*Position).checkNavalBarrage, (*Position).playNavalBarrage, listNavalBarrage}, true
	case KindAim:
		return commandRule{(*Position).checkAim, (*Position).playAim, listAim}, true
	case KindRefitAboard:
		return commandRule{(*Position).checkRefitAboard, (*Position).playRefitAboard, listRefitAboard}, true
	}
	return commandRule{}, false
}
