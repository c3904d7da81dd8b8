package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateWorks tells the facts of specialised units.
func narrateWorks(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_TableRolled:
		f := k.TableRolled
		key := "told.table"
		if f.GetRoll() == 0 {
			key = "told.table-fixed" // nobody rolled
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "roll", int(f.GetRoll()), "supply", int(f.GetTokens()),
			"pax", int(f.GetPax()),
			"eq", int(f.GetEq()), "trucks", int(f.GetTrucksT())), true
	case *ocsv1.Event_ReinforcementsDue:
		f := k.ReinforcementsDue
		if f.GetWaits() {
			return rules.Say("told.waits", "units", sc.namesOf(f.GetUnits())), true
		}
		return rules.Say("told.due", "units", sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_UnitsArrived:
		f := k.UnitsArrived
		return rules.Say("told.arrived", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_UnitsForfeited:
		return rules.Say("told.forfeited", "units", sc.namesOf(k.UnitsForfeited.GetUnits())), true
	case *ocsv1.Event_SupplyArrived:
		f := k.SupplyArrived
		if f.GetPointsT() > 0 {
			return rules.Say("told.trucks", "n", int(f.GetPointsT()), "at", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.supply-arrived", "n", int(f.GetTokens()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_ArrivalsEnded:
		return rules.Text{}, true
	case *ocsv1.Event_UnitsWithdrawn:
		return rules.Say("told.withdrawn", "units", sc.namesOf(k.UnitsWithdrawn.GetUnits())), true
	}
	return narrateBuilding(sc, e)
}

// narrateBuilding tells the facts of rail, rebuilding and construction.
func narrateBuilding(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_Railed:
		f := k.Railed
		from, at := sc.placeName(f.GetFrom()), sc.placeName(f.GetAt())
		if f.GetTokens() > 0 {
			return rules.Say("told.railed-supply", "n", int(f.GetTokens()), "from", from, "at", at), true
		}
		return rules.Say("told.railed", "units", sc.namesOf(f.GetUnits()), "from", from, "at", at), true
	case *ocsv1.Event_GaugeConverted:
		return rules.Say("told.converted", "seat", seatText(k.GaugeConverted.GetSeat()), "hex",
			sc.placeName(k.GaugeConverted.GetHex())), true
	case *ocsv1.Event_UnitsRebuilt:
		f := k.UnitsRebuilt
		return rules.Say("told.rebuilt", "units", sc.namesOf(f.GetUnits()), "spent", sc.namesOf(f.GetSpent())), true
	case *ocsv1.Event_UnitsConsolidated:
		f := k.UnitsConsolidated
		if f.GetExchanged() {
			return rules.Say("told.exchanged", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
		}
		return rules.Say("told.consolidated", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
	case *ocsv1.Event_Constructed:
		f := k.Constructed
		switch f.GetJob() {
		case ocsv1.Job_JOB_RAISE_AIR_BASE, ocsv1.Job_JOB_LOWER_AIR_BASE:
			return rules.Say("told.base-built", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "n",
				int(f.GetLevel())), true
		case ocsv1.Job_JOB_BUILD_AIRSTRIP:
			return rules.Say("told.strip-built", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex())), true
		case ocsv1.Job_JOB_REPAIR_PORT:
			return rules.Say("told.port-repaired", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "n",
				int(f.GetLevel())), true
		case ocsv1.Job_JOB_DAMAGE_PORT:
			return rules.Say("told.port-damaged", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "n",
				int(f.GetLevel())), true
		}
		if f.GetLevel() == 0 {
			return rules.Say("told.razed", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex())), true
		}
		return rules.Say("told.hedgehog", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "n",
			int(f.GetLevel())), true
	case *ocsv1.Event_BreakdownChanged:
		f := k.BreakdownChanged
		if f.GetAbsorbed() {
			return rules.Say("told.absorbed", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
		}
		return rules.Say("told.detached", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
	case *ocsv1.Event_UnitsGrouped:
		f := k.UnitsGrouped
		key := "told.grouped"
		if f.GetLeft() {
			key = "told.ungrouped"
		}
		return rules.Say(key, "formation", sc.formationName(f.GetFormation()), "units", sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_MarkerSighted:
		return narrateMarker(sc, k.MarkerSighted), true
	case *ocsv1.Event_ReleaseRolled:
		f := k.ReleaseRolled
		if f.GetBarred() {
			return rules.Say("told.release-barred", "hex", sc.placeName(f.GetHex()), "die", int(f.GetDie())), true
		}
		return rules.Say("told.release-free", "hex", sc.placeName(f.GetHex()), "die", int(f.GetDie())), true
	}
	return rules.Text{}, false
}

// narrateMarker tells what is seen of a formation marker.
func narrateMarker(sc *Scenario, f *ocsv1.MarkerSighted) rules.Text {
	formation, at := sc.formationName(f.GetFormation()), sc.placeName(f.GetAt())
	if f.GetGone() {
		return rules.Say("told.marker-gone", "formation", formation, "at", at)
	}
	mode, fuel := "@mode.mixed", "@fuel.no"
	if f.GetMarker() != ocsv1.Marker_MARKER_UNSPECIFIED {
		mode = modeText(Marker(f.GetMarker()), Face(f.GetFace()))
	}
	if f.GetFuelled() {
		fuel = "@fuel.yes"
	}
	return rules.Say("told.marker", "formation", formation, "at", at, "mode", mode, "fuel", fuel)
}
