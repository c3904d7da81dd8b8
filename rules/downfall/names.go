package downfall

import (
	"fmt"
	"strconv"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Ids of phases, states and boxes: in the notation, on the board, and as ends of catalogue keys.

// nobody stands for no name.
var nobody = rules.Words{En: "-"}

// words are the words of a scenario as messages take them.
func words(w *downfallv1.Words) rules.Words { return rules.Words{En: w.GetEn(), Ja: w.GetJa()} }

// plain are words that are the same in every language: numbers, and ids of what a scenario does not have.
func plain(s string) rules.Words { return rules.Words{En: s} }

// counted is a name with a number.
func counted(w rules.Words, n int) rules.Words {
	return rules.Words{En: fmt.Sprintf("%s %d", w.En, n), Ja: fmt.Sprintf("%s %d", w.In(rules.Japanese), n)}
}

// going is a name with where it goes.
func going(w, to rules.Words) rules.Words { return rules.Join([]rules.Words{w, to}, " → ", "→") }

// enumerate puts names into a list; nobody for none.
func enumerate(names []rules.Words) rules.Words {
	if len(names) == 0 {
		return nobody
	}
	return rules.Join(names, ", ", "、")
}

// phaseIDs are the ids of the phases, by number.
var phaseIDs = [...]string{
	PhaseNone: "start", SetupJapan: "setup-japan", SetupOrders: "setup-orders", SetupPlan: "setup-plan", SetupMagic: "setup-magic",
	FleetStatus: "fleet-status", Deployment: "deployment", Kamikaze: "kamikaze", Nuclear: "nuclear", ArmyCheck: "army-check",
	JapanPoints: "japan-points", JapanActions: "japan-actions", Reinforcements: "reinforcements", SupplyCheck: "supply-check",
	USPoints: "us-points", USActions: "us-actions", VictoryCheck: "victory-check",
}

// turnPhases are the ids of the phases of a turn in order (DF 5.2).
func turnPhases() []string { return append([]string(nil), phaseIDs[FleetStatus:]...) }

// phaseText is a reference to the name of a phase, for texts.
func phaseText(p Phase) string {
	if int(p) < len(phaseIDs) {
		return "@phase." + phaseIDs[p]
	}
	return "?"
}

var supplyIDs = [...]string{NoSupply: "none", Line: "line", Air: "air", Coast: "coast", OOS: "oos"}

// supplyText is a reference to the name of a supply state, for texts.
func supplyText(s Supply) string {
	if int(s) < len(supplyIDs) {
		return "@supply." + supplyIDs[s]
	}
	return "?"
}

var stageIDs = [...]string{
	StageOpen: "open", StageSupport: "support", StageBombard: "bombard", StageUSFire: "us-fire", StageJapanFire: "japan-fire",
	StageBreak: "break", StageSettle: "settle", StageWithdraw: "withdraw", StageAdvance: "advance", StageDone: "done",
}

// stageText is a reference to the name of a step of a combat, for texts.
func stageText(s Stage) string {
	if int(s) < len(stageIDs) {
		return "@stage." + stageIDs[s]
	}
	return "?"
}

// boxIDs are the boxes in the order of their places.
var boxIDs = [...]string{
	Unplaced - boxes: boxUnplaced, Holding - boxes: boxHolding, NotAvailable - boxes: boxNA, Available - boxes: boxAV,
	LandingForce - boxes: boxLanding, Fallen - boxes: boxFallen, Eliminated - boxes: boxEliminated, Removed - boxes: boxRemoved, Out - boxes: boxOut,
}

var modeIDs = [...]string{"-", "infantry", "airborne"}

var bombStageIDs = [...]string{bombNone: "-", bombRolled: "rolled", bombSettled: "settled"}

// levelIDs are the ways in which a game ends, by the numbers of the contract.
var levelIDs = [...]string{"-", "final", "sudden", "conceded"}

// digits is the printed number of a hex with its leading zeros and without what separates them, "-" for NoHex. The number alone identifies the hex.
func (p *Position) digits(h Hex) string {
	if h == NoHex {
		return "-"
	}
	return onlyDigits(p.sc.Map.ID(h))
}

func onlyDigits(s string) string {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			b := make([]byte, 0, len(s))
			for _, c := range []byte(s) {
				if c >= '0' && c <= '9' {
					b = append(b, c)
				}
			}
			return string(b)
		}
	}
	return s
}

// where is the number of a hex or the id of a box.
func (p *Position) where(at Place) string {
	if h := at.Hex(); h != NoHex && int(h) < len(p.at) {
		return p.digits(h)
	}
	if i := int(at) - int(boxes); i > 0 && i < len(boxIDs) {
		return boxIDs[i]
	}
	if at >= bombUnit && int(at-bombUnit) < len(p.sc.Units) {
		return p.sc.Units[at-bombUnit].ID
	}
	return "?" + strconv.Itoa(int(at))
}
