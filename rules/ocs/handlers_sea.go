package ocs

import ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"

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

// seaFrame are the procedures of ships.
func seaFrame(k FrameKind) (frameRule, bool) {
	switch ocsv1.FrameKind(k) {
	case ocsv1.FrameKind_FRAME_KIND_SHIP_ARRIVAL:
		return frameRule{(*Position).askShipArrival, (*Position).stepShipArrival}, true
	case ocsv1.FrameKind_FRAME_KIND_NAVAL_BARRAGE:
		return frameRule{(*Position).askNaval, (*Position).stepNaval}, true
	}
	return frameRule{}, false
}
