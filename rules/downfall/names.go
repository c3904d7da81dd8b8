package downfall

import (
	"fmt"
	"strconv"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Ids of phases, states and boxes: in the notation, on the board, and as ends of catalogue keys.

// nobody stands for no name.
var nobody = rules.Words{En: "-"}

// words are the words of a scenario as messages take them.
func words(w *downfallv1.Words) rules.Words { return kit.Words(w) }

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
	return kit.Enumerate(names, func(w rules.Words) rules.Words { return w })
}

// phaseIDs are the ids of the phases, by number.
var phaseIDs = [...]string{
	PhaseNone: "start", SetupJapan: "setup-japan", SetupOrders: "setup-orders", SetupPlan: "setup-plan",
	SetupMagic:  "setup-magic",
	FleetStatus: "fleet-status", Deployment: "deployment", Kamikaze: "kamikaze", Nuclear: "nuclear",
	ArmyCheck:   "army-check",
	JapanPoints: "japan-points", JapanActions: "japan-actions", Reinforcements: "reinforcements",
	SupplyCheck: "supply-check",
	USPoints:    "us-points", USActions: "us-actions", VictoryCheck: "victory-check",
}

// turnPhases are the ids of the phases of a turn in order (DF 5.2).
func turnPhases() []string { return append([]string(nil), phaseIDs[FleetStatus:]...) }

// textOf is a reference to one of a list of names in the catalogue, for texts.
func textOf[T ~uint8](kind string, ids []string, n T) string {
	if int(n) < len(ids) {
		return "@" + kind + "." + ids[n]
	}
	return "?"
}

func phaseText(p Phase) string   { return textOf("phase", phaseIDs[:], p) }
func supplyText(s Supply) string { return textOf("supply", supplyIDs, s) }
func stageText(s Stage) string   { return textOf("stage", stageIDs, s) }

// Names by the numbers of the contract: boxes in the order of their places, levels as the ways in which a game ends.
var (
	supplyIDs = kit.EnumWords(downfallv1.Supply(0), "none")
	stageIDs  = kit.EnumWords(downfallv1.Stage(0), "open")
	boxIDs    = kit.EnumWords(downfallv1.Box(0), "")
	modeIDs   = kit.EnumWords(downfallv1.Mode(0), "-")
	levelIDs  = kit.EnumWords(downfallv1.EndLevel(0), "-")
)

var bombStageIDs = [...]string{bombNone: "-", bombRolled: "rolled", bombSettled: "settled"}

// digits is the printed number of a hex with its leading zeros and without what separates them, "-" for NoHex. The
// number alone identifies the hex.
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
