package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// turns tells rounds, turns and phases (AA 4).
func (t teller) turns(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_RoundBegan:
		return rules.Say("told.round", "n", k.RoundBegan.GetRound()), true
	case *anniversaryv1.Event_TurnBegan:
		return rules.Say("told.turn", "power", toldPower(k.TurnBegan.GetPower())), true
	case *anniversaryv1.Event_PhaseBegan:
		return rules.Say("told.phase", "power", toldPower(k.PhaseBegan.GetActing()), "phase", phaseName(Phase(k.PhaseBegan.GetPhase()))), true
	case *anniversaryv1.Event_PhaseEnded:
		return rules.Say("told.phase-over", "phase", phaseName(Phase(k.PhaseEnded.GetPhase()))), true
	case *anniversaryv1.Event_TurnEnded:
		return rules.Say("told.turn-over", "power", toldPower(k.TurnEnded.GetPower())), true
	case *anniversaryv1.Event_OrderChosen:
		if k.OrderChosen.GetChinaFirst() {
			return rules.Say("told.china-first"), true
		}
		return rules.Say("told.china-second"), true
	case *anniversaryv1.Event_ConsentsChanged:
		c := k.ConsentsChanged
		return rules.Say("told.consents", "power", toldPower(c.GetPower()), "carriers", toldConsent(c.GetCarriers()), "transports", toldConsent(c.GetTransports())), true
	case *anniversaryv1.Event_OrdersGiven:
		return rules.Say("told.orders", "power", toldPower(k.OrdersGiven.GetPower())), true
	}
	return rules.Text{}, false
}

// economy tells research, purchase, mobilization and income (AA 5.2, AA 6, AA 7, AA 13, AA 14).
func (t teller) economy(e *anniversaryv1.Event) (rules.Text, bool) {
	switch k := e.GetKind().(type) {
	case *anniversaryv1.Event_ResearchersBought:
		b := k.ResearchersBought
		if b.GetCount() == 0 {
			return rules.Say("told.no-researchers", "power", toldPower(b.GetPower())), true
		}
		return rules.Say("told.researchers", "power", toldPower(b.GetPower()), "n", b.GetCount(), "paid", b.GetPaid()), true
	case *anniversaryv1.Event_ResearchRolled:
		return t.research(k.ResearchRolled), true
	case *anniversaryv1.Event_TechnologyGained:
		g := k.TechnologyGained
		return rules.Say("told.technology", "power", toldPower(g.GetPower()), "tech", techName(Tech(g.GetTechnology()-1)), "chart", g.GetChart(),
			"dice", numbers(g.GetDice())), true
	case *anniversaryv1.Event_UnitsBought:
		b := k.UnitsBought
		return rules.Say("told.bought", lines(b.GetUnits()).with("power", toldPower(b.GetPower()), "paid", b.GetPaid())...), true
	case *anniversaryv1.Event_DamageRepaired:
		r := k.DamageRepaired
		return rules.Say("told.repaired", "power", toldPower(r.GetPower()), "space", t.space(r.GetTerritory()), "n", r.GetMarkers(), "paid", r.GetPaid()), true
	case *anniversaryv1.Event_RecruitsRaised:
		return rules.Say("told.recruits", "n", k.RecruitsRaised.GetCount(), "territories", k.RecruitsRaised.GetTerritories()), true
	case *anniversaryv1.Event_UnitsMobilized:
		return t.mobilized(k.UnitsMobilized), true
	case *anniversaryv1.Event_IncomeCollected:
		return t.income(k.IncomeCollected), true
	}
	return rules.Text{}, false
}

func (t teller) research(e *anniversaryv1.ResearchRolled) rules.Text {
	power := toldPower(e.GetPower())
	switch {
	case len(e.GetDice()) == 0:
		return rules.Text{}
	case e.GetSuccess():
		return rules.Say("told.breakthrough", "power", power, "dice", numbers(e.GetDice()))
	}
	return rules.Say("told.no-breakthrough", "power", power, "dice", numbers(e.GetDice()), "n", len(e.GetDice()))
}

func (t teller) mobilized(e *anniversaryv1.UnitsMobilized) rules.Text {
	key := "told.mobilized"
	if e.GetThrough() != "" && e.GetThrough() != e.GetSpace() {
		key = "told.mobilized-through"
	}
	return rules.Say(key, lines(e.GetUnits()).with("power", toldPower(e.GetPower()), "space", t.space(e.GetSpace()), "through", t.space(e.GetThrough()))...)
}

func (t teller) income(e *anniversaryv1.IncomeCollected) rules.Text {
	if e.GetTotal() == 0 {
		return rules.Say("told.income-none", "power", toldPower(e.GetPower()))
	}
	return rules.Say("told.income", "power", toldPower(e.GetPower()), "total", e.GetTotal(), "production", e.GetProduction(),
		"objectives", part(len(e.GetObjectives()) > 0, "told.income-objectives"), "n", len(e.GetObjectives()), "bonus", e.GetBonus(),
		"bonds", part(len(e.GetBonds()) > 0, "told.income-bonds"), "dice", numbers(e.GetBonds()))
}

// toldConsent is a reference to the word for a consent of an event.
func toldConsent(c anniversaryv1.Consent) string {
	if c < 0 || int(c) >= len(policyIDs) {
		return "?"
	}
	return "@consent." + policyIDs[c]
}
