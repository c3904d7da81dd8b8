package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateCombat tells the facts of combat and barrage.
func narrateCombat(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_AttackDeclared:
		f := k.AttackDeclared
		key := "told.attack"
		if f.GetOverrun() {
			key = "told.overrun-fight"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "from", sc.placeNames(f.GetFrom())), true
	case *ocsv1.Event_CombatPaid:
		f := k.CombatPaid
		key := "told.combat-paid"
		if f.GetStocks() {
			key = "told.combat-stocks"
		}
		return rules.Say(key, "units", sc.namesOf(f.GetUnits()), "n", int(f.GetTokens())), true
	case *ocsv1.Event_AttackJoined:
		f := k.AttackJoined
		if len(f.GetFrom()) == 0 {
			return rules.Say("told.attack-off", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.attack-on", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "from", sc.placeNames(f.GetFrom())), true
	case *ocsv1.Event_LeaderNamed:
		f := k.LeaderNamed
		return rules.Say("told.leader", "seat", seatText(f.GetSeat()), "n", int(f.GetRating())), true
	case *ocsv1.Event_TerrainChosen:
		return narrateTerrain(sc, k.TerrainChosen), true
	case *ocsv1.Event_CombatResolved:
		f := k.CombatResolved
		return rules.Say("told.combat", "at", sc.placeName(f.GetAt()), "attack", f.GetAttack(), "defence", f.GetDefence(), "odds", f.GetOdds(),
			"effect", "@anti-tank."+f.GetAntiTank(), "modifier", int(f.GetModifier()), "surprise", int(f.GetSurprise()), "shift", int(f.GetShift()),
			"column", f.GetColumn(), "roll", int(f.GetRoll()), "result", f.GetResult()), true
	case *ocsv1.Event_LossesTaken:
		f := k.LossesTaken
		key := "told.losses"
		if f.GetIgnored() {
			key = "told.ignored"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "n", int(f.GetSteps()), "hexes", int(f.GetHexes())), true
	}
	return narrateAfter(sc, e)
}

// narrateAfter tells retreats, advances and barrages.
func narrateAfter(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_UnitsRetreated:
		f := k.UnitsRetreated
		return rules.Say("told.retreated", "units", sc.namesOf(f.GetUnits()), "path", sc.placeNames(f.GetPath()), "n", int(f.GetSteps())), true
	case *ocsv1.Event_RetreatFailed:
		f := k.RetreatFailed
		return rules.Say("told.trapped", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_ExploitationGained:
		f := k.ExploitationGained
		return rules.Say("told.exploitation", "units", sc.namesOf(f.GetUnits()), "n", int(f.GetRating())), true
	case *ocsv1.Event_UnitsAdvanced:
		f := k.UnitsAdvanced
		return rules.Say("told.advanced", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_BarrageFired:
		f := k.BarrageFired
		key := "told.barrage"
		if f.GetTarget() == ocsv1.BarrageTarget_BARRAGE_TARGET_PORT {
			key = "told.barrage-port"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "n", int(f.GetStrength())), true
	case *ocsv1.Event_BarrageResolved:
		f := k.BarrageResolved
		return rules.Say("told.barraged", "at", sc.placeName(f.GetAt()), "shift", int(f.GetShift()), "roll", int(f.GetRoll()), "result", f.GetResult(),
			"n", int(f.GetSteps()), "dg", yesText(f.GetDisorganised())), true
	case *ocsv1.Event_PortBarraged:
		f := k.PortBarraged
		return rules.Say("told.port-hit", "at", sc.placeName(f.GetAt()), "die", int(f.GetDie()), "n", int(f.GetHits()), "m", int(f.GetTotal())), true
	}
	return rules.Text{}, false
}

// narrateTerrain tells a choice of terrains.
func narrateTerrain(sc *Scenario, f *ocsv1.TerrainChosen) rules.Text {
	var list []rules.Words
	for _, l := range f.GetLines() {
		at, name := sc.placeName(l.GetAt()), sc.terrainNamed(l.GetTerrain())
		list = append(list, rules.Join([]rules.Words{at, name}, ": ", "："))
	}
	return rules.Say("told.terrain", "seat", seatText(f.GetSeat()), "list", rules.Join(list, ", ", "、"))
}

// terrainNamed is the name of a terrain by its id.
func (s *Scenario) terrainNamed(id string) rules.Words {
	for i := range s.Terrains {
		if s.Terrains[i].ID == id {
			return s.Terrains[i].Name
		}
	}
	for i := range s.Features {
		if s.Features[i].ID == id {
			return s.Features[i].Name
		}
	}
	return rules.Words{En: id}
}

// placeNames are the names of places by their ids.
func (s *Scenario) placeNames(ids []string) rules.Words {
	list := make([]rules.Words, len(ids))
	for i, id := range ids {
		list[i] = s.placeName(id)
	}
	return rules.Join(list, ", ", "、")
}
