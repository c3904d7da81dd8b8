package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// worksAudience is who may see a fact of specialised units: rolls, works and conversions are open, which units are
// where is not (OCS 4.9).
func (p *Position) worksAudience(e *event) rules.Audience {
	switch k := e.Fact.(type) {
	case *ocsv1.Event_ReinforcementsDue:
		return p.only(k.ReinforcementsDue.GetSeat())
	case *ocsv1.Event_UnitsArrived:
		return p.only(k.UnitsArrived.GetSeat())
	case *ocsv1.Event_UnitsForfeited:
		return p.only(k.UnitsForfeited.GetSeat())
	case *ocsv1.Event_SupplyArrived:
		return p.only(k.SupplyArrived.GetSeat())
	case *ocsv1.Event_UnitsWithdrawn:
		return p.only(k.UnitsWithdrawn.GetSeat())
	case *ocsv1.Event_Railed:
		return p.only(k.Railed.GetSeat())
	case *ocsv1.Event_UnitsRebuilt:
		return p.only(k.UnitsRebuilt.GetSeat())
	case *ocsv1.Event_UnitsConsolidated:
		return p.only(k.UnitsConsolidated.GetSeat())
	case *ocsv1.Event_BreakdownChanged:
		return p.only(k.BreakdownChanged.GetSeat())
	case *ocsv1.Event_UnitsGrouped:
		return p.only(k.UnitsGrouped.GetSeat())
	}
	return rules.Everyone
}
