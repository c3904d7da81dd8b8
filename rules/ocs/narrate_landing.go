package ocs

import (
	"strconv"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateLandings tells the facts of ports, landing craft and landings.
func narrateLandings(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_SeaShipped:
		f := k.SeaShipped
		from, at := sc.placeName(f.GetFrom()), sc.placeName(f.GetAt())
		if f.GetTokens() > 0 {
			return rules.Say("told.shipped-supply", "n", int(f.GetTokens()), "from", from, "at", at), true
		}
		return rules.Say("told.shipped", "units", sc.namesOf(f.GetUnits()), "from", from, "at", at), true
	case *ocsv1.Event_CargoHandled:
		f := k.CargoHandled
		key := "told.embarked"
		if f.GetUnloaded() {
			key = "told.disembarked"
		}
		return rules.Say(key, "unit", sc.nameOf(f.GetUnit()), "cargo", sc.cargoText(f.GetUnits(), f.GetTokens()),
			"at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_CraftFormed:
		f := k.CraftFormed
		if f.GetSplit() {
			return rules.Say("told.craft-split", "units", sc.namesOf(f.GetUnits())), true
		}
		return rules.Say("told.craft-merged", "units", sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_DukwSwitched:
		f := k.DukwSwitched
		return rules.Say("told.dukw", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
	}
	return narrateBeaches(sc, e)
}

// narrateBeaches tells what everyone sees of landings.
func narrateBeaches(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_LandingRolled:
		f := k.LandingRolled
		return sumOf("told.landing-sums", "told.landing", int(f.GetModifier()), f.GetModifiers(),
			"seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "dice", int(f.GetDice()),
			"modifier", int(f.GetModifier()), "total", int(f.GetDice())+int(f.GetModifier()), "result", "@landing."+
				strconv.Itoa(int(f.GetResult())), "steps", int(f.GetSteps()), "points", int(f.GetPointsT())), true
	case *ocsv1.Event_UnitsLanded:
		f := k.UnitsLanded
		return rules.Say("told.landed", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_BeachAssaulted:
		f := k.BeachAssaulted
		return rules.Say("told.beach", "seat", seatText(f.GetSeat()), "from", sc.placeName(f.GetFrom()), "at",
			sc.placeName(f.GetAt())), true
	case *ocsv1.Event_BeachChosen:
		f := k.BeachChosen
		key := "told.beach-table"
		if f.GetCombat() {
			key = "told.beach-combat"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_BeachEnded:
		f := k.BeachEnded
		key := "told.beach-lost"
		if f.GetTaken() {
			key = "told.beach-taken"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_LstPortMade:
		f := k.LstPortMade
		return rules.Say("told.lst-port", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_LstPortLost:
		f := k.LstPortLost
		return rules.Say("told.lst-port-lost", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
	}
	return rules.Text{}, false
}
