package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// supplies tells the supply check (DF 9).
func (t teller) supplies(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_SupplyTraced:
		return rules.Say("told.traced", "n", len(k.SupplyTraced.GetLine())), true
	case *downfallv1.Event_AirSupplyPlaced:
		a := k.AirSupplyPlaced
		switch {
		case a.GetHex() == 0:
			return rules.Say("told.air-supply-none"), true
		case len(a.GetUnits()) == 0:
			return rules.Say("told.air-supply-idle", "hex", t.hex(a.GetHex())), true
		}
		return rules.Say("told.air-supply", "hex", t.hex(a.GetHex()), "units", t.units(a.GetUnits())), true
	case *downfallv1.Event_SupplySettled:
		return t.settled(k.SupplySettled), true
	case *downfallv1.Event_SupplyChanged:
		return rules.Say("told.supply", "unit", t.unit(k.SupplyChanged.GetUnit()), "supply", supplyText(Supply(k.SupplyChanged.GetSupply()))), true
	}
	return rules.Text{}, false
}

func (t teller) settled(e *downfallv1.SupplySettled) rules.Text {
	coast, oos := e.GetCoast(), e.GetOos()
	switch {
	case len(coast) > 0 && len(oos) > 0:
		return rules.Say("told.settled-both", "coast", t.units(coast), "oos", t.units(oos))
	case len(coast) > 0:
		return rules.Say("told.settled-coast", "coast", t.units(coast))
	case len(oos) > 0:
		return rules.Say("told.settled-oos", "oos", t.units(oos))
	}
	return rules.Say("told.settled-all")
}

// arrivals tells movement, reinforcements and replacements (DF 8, DF 12, DF 15.6).
func (t teller) arrivals(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_UnitMoved:
		return t.moved(k.UnitMoved.GetUnit(), k.UnitMoved.GetPath()), true
	case *downfallv1.Event_UnitEntered:
		return t.entered(k.UnitEntered.GetUnit(), k.UnitEntered.GetPath()), true
	case *downfallv1.Event_StepRecovered:
		return rules.Say("told.recovered", "unit", t.unit(k.StepRecovered.GetUnit())), true
	case *downfallv1.Event_UnitRebuilt:
		return rules.Say("told.rebuilt", "unit", t.unit(k.UnitRebuilt.GetUnit()), "steps", k.UnitRebuilt.GetSteps()), true
	case *downfallv1.Event_SteppedUp:
		return rules.Say("told.stepped-up", "unit", t.unit(k.SteppedUp.GetUnit())), true
	case *downfallv1.Event_DivisionDropped:
		return t.dropped(k.DivisionDropped), true
	}
	return t.landing(e)
}

// moved names the hexes on the way, if there are any.
func (t teller) moved(unit string, path []uint32) rules.Text {
	switch n := len(path); {
	case n < 2:
		return rules.Say("told.moved-not", "unit", t.unit(unit))
	case n == 2:
		return rules.Say("told.moved", "unit", t.unit(unit), "from", t.hex(path[0]), "to", t.hex(path[1]))
	default:
		return rules.Say("told.moved-by", "unit", t.unit(unit), "from", t.hex(path[0]), "to", t.hex(path[n-1]), "way", t.way(path[1:n-1]))
	}
}

func (t teller) entered(unit string, path []uint32) rules.Text {
	switch n := len(path); {
	case n == 0:
		return rules.Text{}
	case n == 1:
		return rules.Say("told.entered", "unit", t.unit(unit), "hex", t.hex(path[0]))
	default:
		return rules.Say("told.entered-on", "unit", t.unit(unit), "hex", t.hex(path[0]), "to", t.hex(path[n-1]))
	}
}

func (t teller) way(path []uint32) rules.Words {
	names := make([]rules.Words, len(path))
	for i, n := range path {
		names[i] = plain(t.hex(n))
	}
	return enumerate(names)
}

func (t teller) dropped(e *downfallv1.DivisionDropped) rules.Text {
	unit, hex := t.unit(e.GetUnit()), t.hex(e.GetHex())
	switch {
	case e.GetDie() == 0:
		return rules.Say("told.dropped", "unit", unit, "hex", hex)
	case e.GetSteps() == 0:
		return rules.Say("told.dropped-dead", "unit", unit, "hex", hex, "die", e.GetDie())
	case e.GetLost() == 0:
		return rules.Say("told.dropped-whole", "unit", unit, "hex", hex, "die", e.GetDie())
	}
	return rules.Say("told.dropped-hurt", "unit", unit, "hex", hex, "die", e.GetDie(), "lost", e.GetLost())
}

// landing tells the IX Corps landing (DF 8.6, DF 8.7).
func (t teller) landing(e *downfallv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *downfallv1.Event_LandingBegan:
		l := k.LandingBegan
		if l.GetOpposed() {
			return rules.Say("told.landing-opposed", "hex", t.hex(l.GetHex()), "units", t.units(l.GetUnits())), true
		}
		return rules.Say("told.landing", "hex", t.hex(l.GetHex()), "units", t.units(l.GetUnits())), true
	case *downfallv1.Event_CorpsLanded:
		l := k.CorpsLanded
		return rules.Say("told.landed", "hex", t.hex(l.GetHex()), "units", t.units(l.GetUnits()), "beachhead", t.beachhead(l.GetBeachhead()),
			"n", len(l.GetUnits())), true
	case *downfallv1.Event_LandingFailed:
		l := k.LandingFailed
		return rules.Say("told.landing-failed", "hex", t.hex(l.GetHex()), "beachhead", t.beachhead(l.GetBeachhead()),
			"also", part(len(l.GetUnits()) > 0, "told.landing-dead"), "units", t.units(l.GetUnits())), true
	case *downfallv1.Event_LandingCancelled:
		l := k.LandingCancelled
		key := "told.landing-cancelled"
		if l.GetLapsed() {
			key = "told.landing-lapsed"
		}
		return rules.Say(key, "hex", t.hex(l.GetHex()), "turn", l.GetTurn(), "replan", part(l.GetReplan(), "told.landing-replan")), true
	}
	return rules.Text{}, false
}
