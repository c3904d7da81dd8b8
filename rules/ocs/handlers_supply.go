package ocs

// supplyCommand are the commands of supply and transports (OCS 12, OCS 13.2).
func supplyCommand(Kind) (commandRule, bool) { return commandRule{}, false }

// supplyFrame are the procedures of these chapters.
func supplyFrame(FrameKind) (frameRule, bool) { return frameRule{}, false }
