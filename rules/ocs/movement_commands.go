package ocs

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
