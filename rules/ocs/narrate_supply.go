package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateSupply tells the facts of supply.
func narrateSupply(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_UnitFuelled:
		f := k.UnitFuelled
		key := "told.fuelled"
		if f.GetFuel() == ocsv1.Fuel_FUEL_LASTING {
			key = "told.fuelled-hq"
		}
		return rules.Say(key, "unit", sc.nameOf(f.GetUnit()), "tokens", int(f.GetTokens())), true
	case *ocsv1.Event_FormationFuelled:
		f := k.FormationFuelled
		return rules.Say("told.fuelled-formation", "formation", sc.formationName(f.GetFormation()),
			"units", sc.namesOf(f.GetUnits()),
			"tokens", int(f.GetTokens())), true
	case *ocsv1.Event_SupplyPhaseBegan:
		return rules.Say("told.supply", "seat", seatText(k.SupplyPhaseBegan.GetSeat())), true
	case *ocsv1.Event_Restocked:
		f := k.Restocked
		return rules.Say("told.restocked", "unit", sc.nameOf(f.GetUnit()), "stocks", stocksText(f.GetStocks()),
			"tokens", int(f.GetTokens())), true
	case *ocsv1.Event_RestockingEnded:
		return rules.Say("told.restocking-ended", "seat", seatText(k.RestockingEnded.GetSeat()), "tokens",
			int(k.RestockingEnded.GetWasted())), true
	case *ocsv1.Event_UnitsFed:
		f := k.UnitsFed
		return rules.Say("told.fed", "units", sc.namesOf(f.GetUnits()), "tokens", int(f.GetTokens())), true
	case *ocsv1.Event_ProviderChosen:
		f := k.ProviderChosen
		by := sc.placeName(f.GetAt())
		if f.GetUnit() != "" {
			by = sc.nameOf(f.GetUnit())
		}
		return rules.Say("told.provider", "formation", sc.formationName(f.GetFormation()), "by", by), true
	case *ocsv1.Event_SupplyChecked:
		f := k.SupplyChecked
		return rules.Say("told.checked", "seat", seatText(f.GetSeat()), "traced", int(f.GetTraced()), "fed",
			int(f.GetFed()), "out", len(f.GetOut())), true
	}
	if t, ok := narrateLosses(sc, e); ok {
		return t, true
	}
	return narrateTransport(sc, e)
}

// narrateLosses tells the facts of attrition and breakout.
func narrateLosses(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_AttritionRolled:
		f := k.AttritionRolled
		return rules.Say("told.attrition", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "dice",
			int(f.GetDice()), "n", int(f.GetSteps())), true
	case *ocsv1.Event_AttritionSuffered:
		f := k.AttritionSuffered
		return rules.Say("told.starved", "units", sc.namesOf(f.GetUnits()), "hex", sc.placeName(f.GetHex())), true
	case *ocsv1.Event_BreakoutTried:
		return narrateBreakout(sc, k.BreakoutTried), true
	}
	return rules.Text{}, false
}

// narrateBreakout tells the die of a breakout with what is added, and that for the turn of its return.
func narrateBreakout(sc *Scenario, f *ocsv1.BreakoutTried) rules.Text {
	key, rolled := "told.breakout", "@told.breakout-die"
	if f.GetImmediate() {
		rolled = "@told.breakout-now"
	}
	switch {
	case f.GetReturns() == 0:
		key = "told.breakout-failed"
	case f.GetDelay() > 0:
		key = "told.breakout-delay"
	}
	return rules.Say(key, "unit", sc.nameOf(f.GetUnit()), "rolled", rolled, "die", int(f.GetDie()),
		"sum", int(f.GetDie())+immediateBonus, "turn", int(f.GetReturns()), "delay", int(f.GetDelay()))
}

// narrateTransport tells the facts of transports, dumps and captures.
func narrateTransport(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_SupplyLoaded:
		f := k.SupplyLoaded
		key := "told.loaded"
		if f.GetUnloaded() {
			key = "told.unloaded"
		}
		return rules.Say(key, "unit", sc.nameOf(f.GetUnit()), "tokens", int(f.GetTokens())), true
	case *ocsv1.Event_TransportsFormed:
		f := k.TransportsFormed
		key := "told.merged"
		if f.GetSplit() {
			key = "told.split"
		}
		return rules.Say(key, "units", sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_ExtenderTurned:
		f := k.ExtenderTurned
		key := "told.disbanded"
		if f.GetActive() {
			key = "told.extended"
		}
		return rules.Say(key, "unit", sc.nameOf(f.GetUnit())), true
	case *ocsv1.Event_DumpDestroyed:
		f := k.DumpDestroyed
		key := "told.destroying"
		if f.GetTokens() > 0 {
			key = "told.destroyed"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "die", int(f.GetDie()),
			"tokens", int(f.GetTokens())), true
	case *ocsv1.Event_CaptureRolled:
		f := k.CaptureRolled
		return rules.Say("told.capture", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex()), "die",
			int(f.GetDie()), "percent", int(f.GetPercent())), true
	case *ocsv1.Event_Captured:
		f := k.Captured
		// How much it was the fact says; a forecast tells the same sentence whatever lies there.
		return rules.Say("told.captured", "seat", seatText(f.GetSeat()), "hex", sc.placeName(f.GetHex())), true
	case *ocsv1.Event_Displaced:
		f := k.Displaced
		return rules.Say("told.displaced", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt())), true
	}
	return rules.Text{}, false
}

// formationName is the name of a formation by its id.
func (s *Scenario) formationName(id string) rules.Words {
	if f, ok := s.form[id]; ok {
		return s.Formations[f].Name
	}
	return rules.Words{En: id}
}

// stocksText is a reference to the name of a level of internal stocks.
func stocksText(s ocsv1.Stocks) string {
	switch s {
	case ocsv1.Stocks_STOCKS_LOW:
		return "@stocks.low"
	case ocsv1.Stocks_STOCKS_EXHAUSTED:
		return "@stocks.exhausted"
	}
	return "@stocks.full"
}
