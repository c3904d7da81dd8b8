package ocs

import ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"

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

// supplyFrame are the procedures of these chapters.
func supplyFrame(k FrameKind) (frameRule, bool) {
	switch ocsv1.FrameKind(k) {
	case ocsv1.FrameKind_FRAME_KIND_RESTOCK:
		return frameRule{(*Position).askRestock, (*Position).idleFrame}, true
	case ocsv1.FrameKind_FRAME_KIND_FEEDING:
		return frameRule{(*Position).askFeed, (*Position).idleFrame}, true
	case ocsv1.FrameKind_FRAME_KIND_ATTRITION:
		return frameRule{(*Position).askAttrition, (*Position).idleFrame}, true
	case ocsv1.FrameKind_FRAME_KIND_DISPLACEMENT:
		return frameRule{(*Position).askCapture, (*Position).stepCapture}, true
	}
	return frameRule{}, false
}
