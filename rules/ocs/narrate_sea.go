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
	}
	return rules.Text{}, false
}
