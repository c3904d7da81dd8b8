package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateLandings tells the facts of ports, landing craft and landings.
func narrateLandings(sc *Scenario, e *event) (rules.Text, bool) {
	if k, ok := e.GetFact().(*ocsv1.Event_SeaShipped); ok {
		f := k.SeaShipped
		from, at := sc.placeName(f.GetFrom()), sc.placeName(f.GetAt())
		if f.GetTokens() > 0 {
			return rules.Say("told.shipped-supply", "n", int(f.GetTokens()), "from", from, "at", at), true
		}
		return rules.Say("told.shipped", "units", sc.namesOf(f.GetUnits()), "from", from, "at", at), true
	}
	return rules.Text{}, false
}
