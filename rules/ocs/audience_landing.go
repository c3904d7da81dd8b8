package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// landingAudience is who may see a fact of ports, landing craft and landings: cargo and where it goes are hidden (OCS 4.9), dice and losses are open.
func (p *Position) landingAudience(e *event) rules.Audience {
	if k, ok := e.GetFact().(*ocsv1.Event_SeaShipped); ok {
		return p.only(k.SeaShipped.GetSeat())
	}
	return rules.Everyone
}
