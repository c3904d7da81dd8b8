package ocs

import ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"

// seaCommand are the commands of ships.
func seaCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindSail:
		return commandRule{(*Position).checkSail, (*Position).playSail, listSail}, true
	case KindPlaceShip:
		return commandRule{(*Position).checkPlaceShip, (*Position).playPlaceShip, listPlaceShip}, true
	}
	return commandRule{}, false
}

// seaFrame are the procedures of ships.
func seaFrame(k FrameKind) (frameRule, bool) {
	switch ocsv1.FrameKind(k) {
	case ocsv1.FrameKind_FRAME_KIND_SHIP_ARRIVAL:
		return frameRule{(*Position).askShipArrival, (*Position).stepShipArrival}, true
	}
	return frameRule{}, false
}
