package ocs

import (
	"strconv"
	"strings"

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
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "from",
			sc.placeNames(f.GetFrom())), true
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
		return rules.Say("told.attack-on", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "from",
			sc.placeNames(f.GetFrom())), true
	case *ocsv1.Event_LeaderNamed:
		f := k.LeaderNamed
		return rules.Say("told.leader", "seat", seatText(f.GetSeat()), "n", int(f.GetRating())), true
	case *ocsv1.Event_TerrainChosen:
		return narrateTerrain(sc, k.TerrainChosen), true
	case *ocsv1.Event_CombatResolved:
		return narrateResult(sc, k.CombatResolved), true
	case *ocsv1.Event_CombatEnded:
		f := k.CombatEnded
		if f.GetSeat() == "" {
			return rules.Say("told.combat-over-empty", "at", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.combat-over", "at", sc.placeName(f.GetAt()), "seat", seatText(f.GetSeat())), true
	case *ocsv1.Event_LossesTaken:
		f := k.LossesTaken
		key := "told.losses"
		if f.GetIgnored() {
			key = "told.ignored"
		}
		gone := ""
		if len(f.GetEliminated()) > 0 {
			gone = "@told.gone-units"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "n", int(f.GetSteps()), "hexes", int(f.GetHexes()),
			"gone", gone, "units", sc.namesOf(f.GetEliminated())), true
	}
	return narrateAfter(sc, e)
}

// narrateResult tells a combat so that a reader can add the rolls up. Older programs did not record the dice.
func narrateResult(sc *Scenario, f *ocsv1.CombatResolved) rules.Text {
	text := rules.Say("told.combat", "at", sc.placeName(f.GetAt()), "attack", f.GetAttack(), "defence", f.GetDefence(),
		"odds", f.GetOdds(), "effect", "@anti-tank."+f.GetAntiTank(), "modifier", int(f.GetModifier()),
		"surprise", int(f.GetSurprise()), "shift", int(f.GetShift()), "column", f.GetColumn(), "roll", int(f.GetRoll()),
		"result", f.GetResult())
	if len(f.GetDice()) == 0 {
		return text
	}
	text.Key = "told.combat-sums"
	dug, modifier := int(f.GetHedgehog()), int(f.GetModifier())
	if dug > 0 {
		text.Key = "told.combat-hedgehog"
	}
	row, read := total(f.GetDice())+modifier-dug, "@told.row"
	if row != int(f.GetRoll()) {
		read = "@told.row-end"
	}
	more := rules.Say("", "dice1", sum(f.GetSurpriseDice()), "dice2", sum(f.GetDice()), "ar", signed(modifier),
		"level", dug, "row", row, "read", read, "moved", moved(int(f.GetShift())), "n", abs(int(f.GetShift())))
	text.Args = append(text.Args, more.Args...)
	return text
}

// moved is a reference to how a combat shifts by surprise.
func moved(shift int) string {
	switch {
	case shift > 0:
		return "@told.shift-right"
	case shift < 0:
		return "@told.shift-left"
	}
	return "@told.no-shift"
}

// sum writes dice that are added.
func sum(dice []uint32) rules.Words {
	list := make([]string, len(dice))
	for i, d := range dice {
		list[i] = strconv.Itoa(int(d))
	}
	return rules.Words{En: strings.Join(list, " + ")}
}

func total(dice []uint32) (n int) {
	for _, d := range dice {
		n += int(d)
	}
	return n
}

// signed writes what is added or taken away.
func signed(n int) rules.Words {
	if n < 0 {
		return rules.Words{En: "− " + strconv.Itoa(-n)}
	}
	return rules.Words{En: "+ " + strconv.Itoa(n)}
}

func abs(n int) int { return max(n, -n) }

// narrateAfter tells retreats, advances and barrages.
func narrateAfter(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_UnitsRetreated:
		f := k.UnitsRetreated
		return rules.Say("told.retreated", "units", sc.namesOf(f.GetUnits()), "count", len(f.GetUnits()),
			"path", sc.placeNames(f.GetPath()), "n", int(f.GetSteps())), true
	case *ocsv1.Event_RetreatFailed:
		f := k.RetreatFailed
		return rules.Say("told.trapped", "units", sc.namesOf(f.GetUnits()), "count", len(f.GetUnits()),
			"at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_ExploitationGained:
		f := k.ExploitationGained
		return rules.Say("told.exploitation", "units", sc.namesOf(f.GetUnits()), "n", int(f.GetRating())), true
	case *ocsv1.Event_UnitsAdvanced:
		f := k.UnitsAdvanced
		return rules.Say("told.advanced", "units", sc.namesOf(f.GetUnits()), "count", len(f.GetUnits()),
			"at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_BarrageFired:
		f := k.BarrageFired
		key := "told.barrage"
		if f.GetTarget() == ocsv1.BarrageTarget_BARRAGE_TARGET_PORT {
			key = "told.barrage-port"
		}
		return rules.Say(key, "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "n", int(f.GetStrength())),
			true
	case *ocsv1.Event_BarrageResolved:
		f := k.BarrageResolved
		key, half := "told.barraged-sums", ""
		if f.GetColumn() == "" {
			key = "told.barraged"
		}
		if f.GetDie() > 0 {
			half = "@told.half"
		}
		return sumOf(key, "told.barraged", int(f.GetShift()), f.GetModifiers(), "at", sc.placeName(f.GetAt()),
			"shift", int(f.GetShift()), "roll", int(f.GetRoll()), "result", rules.Words{En: f.GetResult()},
			"column", rules.Words{En: f.GetColumn()}, "half", half, "die", int(f.GetDie()),
			"n", int(f.GetSteps()), "dg", yesText(f.GetDisorganised())), true
	case *ocsv1.Event_PortBarraged:
		f := k.PortBarraged
		return rules.Say("told.port-hit", "at", sc.placeName(f.GetAt()), "die", int(f.GetDie()), "n", int(f.GetHits()),
			"m", int(f.GetTotal())), true
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
