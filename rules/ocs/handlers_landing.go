package ocs

// landingCommand are the commands of ports, landing craft and landings (OCS 18.4 to OCS 19.0).
func landingCommand(k Kind) (commandRule, bool) {
	if k == KindSeaTrip {
		return commandRule{(*Position).checkSeaTrip, (*Position).playSeaTrip, listSeaTrip}, true
	}
	return commandRule{}, false
}
