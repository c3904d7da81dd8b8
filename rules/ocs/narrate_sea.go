package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateSea tells the facts of ships.
func narrateSea(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_ShipsSailed:
		f := k.ShipsSailed
		to := ""
		if n := len(f.GetPath()); n > 0 {
			to = f.GetPath()[n-1]
		}
		return rules.Say("told.sailed", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(to)), true
	case *ocsv1.Event_ShipsSunk:
		f := k.ShipsSunk
		return rules.Say("told.sunk", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_ShipsArrived:
		f := k.ShipsArrived
		return rules.Say("told.ships-arrived", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_StackShown:
		f := k.StackShown
		return rules.Say("told.stack-shown", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "units",
			sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_ShipBarraged:
		f := k.ShipBarraged
		half := ""
		if f.GetDie() > 0 {
			half = "@told.half"
		}
		return sumOf("told.ship-barraged-sums", "told.ship-barraged", int(f.GetShift()), f.GetModifiers(),
			"unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()), "strength", int(f.GetStrength()),
			"n", int(f.GetDefence()), "shift", int(f.GetShift()), "roll", int(f.GetRoll()),
			"result", rules.Words{En: f.GetResult()}, "half", half, "die", int(f.GetDie()), "hits", int(f.GetHits()),
			"yes", yesText(f.GetDisorganised())), true
	case *ocsv1.Event_CraftHit:
		f := k.CraftHit
		return rules.Say("told.craft-hit", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()), "n",
			tokens(int(f.GetPointsT()))), true
	}
	return rules.Text{}, false
}
