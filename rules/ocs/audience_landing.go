package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// landingAudience is who may see a fact of ports, landing craft and landings: cargo and where it goes are hidden (OCS
// 4.9), dice and losses are open.
func (p *Position) landingAudience(e *event) rules.Audience {
	switch k := e.Fact.(type) {
	case *ocsv1.Event_SeaShipped:
		return p.only(k.SeaShipped.GetSeat())
	case *ocsv1.Event_CargoHandled:
		return p.only(k.CargoHandled.GetSeat())
	case *ocsv1.Event_CraftFormed:
		return p.only(k.CraftFormed.GetSeat())
	case *ocsv1.Event_UnitsLanded:
		return p.only(k.UnitsLanded.GetSeat())
	case *ocsv1.Event_DukwSwitched:
		return p.only(k.DukwSwitched.GetSeat())
	}
	return rules.Everyone
}
