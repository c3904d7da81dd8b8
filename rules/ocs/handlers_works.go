package ocs

// worksCommand are the commands of HQs, engineers, rail, replacements, reinforcements and breakdown regiments (OCS 13, OCS 16, OCS 20).
func worksCommand(Kind) (commandRule, bool) { return commandRule{}, false }

// worksFrame are the procedures of these chapters.
func worksFrame(FrameKind) (frameRule, bool) { return frameRule{}, false }
