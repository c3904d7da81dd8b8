package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Ids of phases, steps, marks and questions: in the notation, on the board, and as ends of catalogue keys.

// phaseIDs are the ids of the phases, by number.
var phaseIDs = [...]string{
	PhaseNone: "start", PhaseResearch: "research", PhasePurchase: "purchase", PhaseMove: "combat-move",
	PhaseCombat:    "combat",
	PhaseNoncombat: "noncombat-move", PhaseMobilize: "mobilize", PhaseIncome: "income",
}

// turnPhases are the ids of the phases of a turn in order (AA 4.2.1).
func turnPhases() []string { return append([]string(nil), phaseIDs[PhaseResearch:]...) }

// stageIDs are the ids of the steps of a combat, by number.
var stageIDs = [...]string{
	StageNone: "none", StageBombard: "bombard", StageBombardLosses: "bombard-losses", StageAntiaircraft: "antiaircraft",
	StageOpen:          "open",
	StageAttackingSubs: "attacking-submarines", StageDefenderStruck: "defender-struck",
	StageDefendingSubs:  "defending-submarines",
	StageAttackerStruck: "attacker-struck", StageStruckRemoved: "struck-removed", StageAttack: "attack",
	StageDefenderLosses: "defender-losses",
	StageDefence:        "defence", StageAttackerLosses: "attacker-losses", StageRemoved: "removed",
	StagePress: "press", StageConclude: "conclude",
}

// combatIDs are the ids of the steps of Conduct Combat.
var combatIDs = [...]string{combatBombing: "bombing", combatAssault: "assault", combatGeneral: "general"}

// markIDs are the ids of the marks, by bit.
var markIDs = [numMarks]string{
	"moved", "done", "attack", "raid", "dropped", "seaborne", "hit", "damaged", "submerged", "bombarded", "struck",
	"captured", "waiting",
}

// Words of standing orders in the notation.
var (
	policyIDs = [...]string{Always: "always", Never: "never", AskFirst: "ask"}
	subsIDs   = [...]string{subsAsk: "ask", subsStrike: "strike", subsSubmerge: "submerge"}
)

// sideIDs are the ids of the sides; levelIDs the ways in which a game ends.
var (
	sideIDs  = [...]string{Axis: "axis", Allies: "allies", NoSide: "-"}
	levelIDs = [...]string{levelNone: "none", levelCities: "cities", levelConcession: "concession"}
)

// unitName is a reference to the name of one unit of a type, for texts.
func unitName(u Unit) string {
	if id := u.ID(); id != "" {
		return "@unit." + id
	}
	return "?"
}

// unitsName is a reference to the name of so many units of a type, for texts.
func unitsName(u Unit, n int) string {
	if id := u.ID(); id != "" && n != 1 {
		return "@units." + id
	}
	return unitName(u)
}

// powerName is a reference to the name of a power, for texts.
func powerName(w Power) string {
	if w >= NumPowers {
		return "@power.none"
	}
	return nameIn("power", scenario.PowerIDs[:], w)
}

// nameIn is a reference to a name of a kind, by its place in the list of ids; "?" for what has no place there.
func nameIn[T ~uint8 | ~uint32](kind string, ids []string, i T) string {
	if id := scenario.IDIn(ids, i); id != "" {
		return "@" + kind + "." + id
	}
	return "?"
}

// techName is a reference to the name of a technology, for texts.
func techName(t Tech) string { return nameIn("tech", scenario.TechIDs[:], t) }

// phaseName is a reference to the name of a phase, for texts.
func phaseName(ph Phase) string { return nameIn("phase", phaseIDs[:], ph) }

// stageName is a reference to the name of a step of a combat, for texts.
func stageName(s Stage) string { return nameIn("stage", stageIDs[:], s) }

// sideName is a reference to the name of a side, for texts.
func sideName(s Side) string { return nameIn("side", sideIDs[:NoSide], s) }

// spaceName is a reference to the name of a space, for texts: the catalogue has the names of the map that comes with
// the ruleset. A space of another map has its names.
func spaceName(sc *Scenario, s Space) any {
	if int(s) >= len(sc.Spaces) {
		return "-"
	}
	name := sc.SpaceName(s, rules.English)
	key := "space." + sc.SpaceID(s)
	if catalogue.Has(key) && catalogue.Format(rules.English, rules.Text{Key: key}) == name {
		return "@" + key
	}
	return wordsOf(sc.Spaces[s].Name)
}

// wordsOf are words of a scenario, for texts.
func wordsOf(w *anniversaryv1.Words) rules.Words { return rules.Words{En: w.GetEn(), Ja: w.GetJa()} }
