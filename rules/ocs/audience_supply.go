package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// supplyAudience is who may see the facts of supply. What units and amounts are in a stack is its owner's secret (OCS
// 4.9); what is captured both sides know.
func (p *Position) supplyAudience(e *event) rules.Audience {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_UnitFuelled:
		return p.only(k.UnitFuelled.GetSeat())
	case *ocsv1.Event_FormationFuelled:
		return p.only(k.FormationFuelled.GetSeat())
	case *ocsv1.Event_Restocked:
		return p.only(k.Restocked.GetSeat())
	case *ocsv1.Event_RestockingEnded:
		return p.only(k.RestockingEnded.GetSeat())
	case *ocsv1.Event_UnitsFed:
		return p.only(k.UnitsFed.GetSeat())
	case *ocsv1.Event_ProviderChosen:
		return p.only(k.ProviderChosen.GetSeat())
	case *ocsv1.Event_SupplyChecked:
		return p.only(k.SupplyChecked.GetSeat())
	case *ocsv1.Event_AttritionSuffered:
		return p.only(k.AttritionSuffered.GetSeat())
	}
	return p.transportAudience(e)
}

func (p *Position) transportAudience(e *event) rules.Audience {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_BreakoutTried:
		return p.only(k.BreakoutTried.GetSeat())
	case *ocsv1.Event_SupplyLoaded:
		return p.only(k.SupplyLoaded.GetSeat())
	case *ocsv1.Event_TransportsFormed:
		return p.only(k.TransportsFormed.GetSeat())
	case *ocsv1.Event_ExtenderTurned:
		return p.only(k.ExtenderTurned.GetSeat())
	case *ocsv1.Event_Displaced:
		return p.only(k.Displaced.GetSeat())
	case *ocsv1.Event_DumpDestroyed:
		if k.DumpDestroyed.GetTokens() > 0 {
			return p.only(k.DumpDestroyed.GetSeat())
		}
	case *ocsv1.Event_Captured:
		return rules.OnlySeats(Blue, Red)
	}
	return rules.Everyone
}
