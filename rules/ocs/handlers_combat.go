package ocs

// combatCommand are the commands of combat and barrage (OCS 9, OCS 10, OCS 13.4, OCS 16).
func combatCommand(Kind) (commandRule, bool) { return commandRule{}, false }

// combatFrame are the procedures of these chapters.
func combatFrame(FrameKind) (frameRule, bool) { return frameRule{}, false }
