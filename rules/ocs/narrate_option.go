package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateOption tells the facts of the optional rules.
func narrateOption(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_Scouted:
		f := k.Scouted
		return rules.Say("told.scouted", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()),
			"n", int(f.GetSteps()),
			"armor", yesText(f.GetArmor()), "mech", yesText(f.GetMechanized()), "at_effect",
			yesText(f.GetAntiTank())), true
	case *ocsv1.Event_IndependentsFuelled:
		f := k.IndependentsFuelled
		return rules.Say("told.fuelled-independents", "units", sc.namesOf(f.GetUnits()), "tokens", int(f.GetTokens())),
			true
	case *ocsv1.Event_GodzillaProposed:
		f := k.GodzillaProposed
		return rules.Say("told.godzilla", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_GodzillaAnswered:
		f := k.GodzillaAnswered
		if !f.GetYes() {
			return rules.Say("told.godzilla-refused", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())),
				true
		}
		return rules.Say("told.godzilla-fed", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "units",
			sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_RaidChecked:
		f := k.RaidChecked
		path := f.GetPath()
		if len(path) == 0 {
			return rules.Text{}, true
		}
		return rules.Say("told.raid", "seat", seatText(f.GetSeat()), "hq", sc.placeName(f.GetFrom()),
			"from", sc.placeName(path[0]),
			"at", sc.placeName(path[len(path)-1])), true
	case *ocsv1.Event_UnitEvaded:
		f := k.UnitEvaded
		return rules.Say("told.evaded", "unit", sc.nameOf(f.GetUnit()), "from", sc.placeName(f.GetFrom()), "at",
			sc.placeName(f.GetAt())), true
	}
	return rules.Text{}, false
}
