package ocs

import ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"

// movementCommand are the commands of movement, modes, ZOC, stacking, overruns and reserves (OCS 4 to 8, OCS 11).
func movementCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindMove:
		return commandRule{(*Position).checkMove, (*Position).playMove, listMoves}, true
	case KindMode:
		return commandRule{(*Position).checkMode, (*Position).playMode, listModes}, true
	case KindRemove:
		return commandRule{(*Position).checkRemove, (*Position).playRemove, listRemove}, true
	case KindOverrun:
		return commandRule{(*Position).checkOverrun, (*Position).playOverrun, listOverrun}, true
	case KindRelease:
		return commandRule{(*Position).checkRelease, (*Position).playRelease, listRelease}, true
	case KindCommit:
		return commandRule{(*Position).checkCommit, (*Position).playCommit, listCommit}, true
	case KindLeave:
		return commandRule{(*Position).checkLeave, (*Position).playLeave, listLeave}, true
	}
	return commandRule{}, false
}

// movementFrame are the procedures of these chapters.
func movementFrame(k FrameKind) (frameRule, bool) {
	switch ocsv1.FrameKind(k) {
	case ocsv1.FrameKind_FRAME_KIND_EXCESS:
		return frameRule{(*Position).askExcess, (*Position).stepExcess}, true
	case ocsv1.FrameKind_FRAME_KIND_OVERRUN:
		return frameRule{(*Position).askOverrun, (*Position).stepOverrun}, true
	}
	return frameRule{}, false
}
