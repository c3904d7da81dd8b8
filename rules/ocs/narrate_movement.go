package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateMovement tells the facts of movement, modes and reserves.
func narrateMovement(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_UnitsMoved:
		f := k.UnitsMoved
		from, to := "", ""
		if n := len(f.GetPath()); n > 0 {
			from, to = f.GetPath()[0], f.GetPath()[n-1]
		}
		return rules.Say("told.moved", "units", sc.namesOf(f.GetUnits()), "from", sc.placeName(from), "to",
			sc.placeName(to)), true
	case *ocsv1.Event_ModeChosen:
		f := k.ModeChosen
		return rules.Say("told.mode", "units", sc.namesOf(f.GetUnits()), "mode",
			modeText(Marker(f.GetMarker()), Face(f.GetFace()))), true
	case *ocsv1.Event_StackExceeded:
		f := k.StackExceeded
		if f.GetStrat() {
			return rules.Say("told.excess-strat", "hex", sc.placeName(f.GetHex()), "seat", seatText(f.GetSeat())), true
		}
		return rules.Say("told.excess", "hex", sc.placeName(f.GetHex()), "seat", seatText(f.GetSeat())), true
	case *ocsv1.Event_UnitsRemoved:
		f := k.UnitsRemoved
		return rules.Say("told.removed", "units", sc.namesOf(f.GetUnits()), "hex", sc.placeName(f.GetHex())), true
	case *ocsv1.Event_OverrunDeclared:
		f := k.OverrunDeclared
		return rules.Say("told.overrun", "units", sc.namesOf(f.GetUnits()), "hex", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_OverrunEnded:
		f := k.OverrunEnded
		if len(f.GetUnits()) == 0 {
			return rules.Say("told.overrun-over", "hex", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.overrun-enters", "units", sc.namesOf(f.GetUnits()), "hex", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_UnitsReleased:
		f := k.UnitsReleased
		return rules.Say("told.released", "units", sc.namesOf(f.GetUnits()), "hex", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_UnitCommitted:
		f := k.UnitCommitted
		return rules.Say("told.committed", "units", sc.namesOf([]string{f.GetUnit()}), "hex", sc.placeName(f.GetHex())),
			true
	}
	return rules.Text{}, false
}
