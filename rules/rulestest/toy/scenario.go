package toy

import (
	"embed"
	"fmt"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

//go:embed scenarios
var scenarioFiles embed.FS

// shipped are the ids of the scenarios that come with the ruleset, in the order in which they are offered.
var shipped = []string{"ridge", "ford"}

// Bounds of a scenario.
const (
	maxHexes = 400
	maxUnits = 100
	maxSteps = 4
)

// Scenario is a loaded document. It never changes.
type Scenario struct {
	doc *toyv1.Scenario
	// ID and Title of the document.
	ID    string           `doc:"id,40"`
	Title *toyv1.LocalText `doc:"title,100"`
	// Turns of the game, and Supply that each seat begins with.
	Turns  uint8 `doc:"turns,1,20"`
	Supply uint8 `doc:"supply,0,20"`

	board    *hex.Map
	terrain  []terrain   // by hex
	names    []string    // by hex
	outposts []hex.Index // by Outpost
	units    []unitInfo  // by Unit
	kit.Drawn
}

// unitInfo is what does not change of a unit.
type unitInfo struct {
	ID       string `doc:"id,20"`
	Name     string `doc:"name"`
	Strength uint8  `doc:"strength,1,9"`
	Steps    uint8  `doc:"steps,1,4"`
	seat     rules.Seat
	at       hex.Index // where it begins
}

type terrain uint8

const (
	open terrain = iota
	rough
	water
)

var terrainNames = [...]string{open: "clear", rough: "rough", water: "water"}

// geometry is how all maps of Outpost are numbered: columns of flat-topped hexes, the even ones half a hex lower.
var geometry = hex.Geometry{
	Orientation: hex.FlatTop, Order: hex.ColumnRow, Shifted: hex.Even, Shift: hex.South,
	Columns: hex.East, Rows: hex.South, Format: hex.Format{First: 2, Second: 2},
}

// documents are those that come with the ruleset, in order.
func documents() []rules.Document {
	var docs []rules.Document
	for _, id := range shipped {
		data, err := scenarioFiles.ReadFile("scenarios/" + id + ".json")
		if err != nil {
			panic(fmt.Sprintf("toy: the program was built without scenario %s: %v", id, err))
		}
		docs = append(docs, rules.Document{ID: id, Data: data})
	}
	return docs
}

// loadScenario reads a document; the scenario is nil if a fault is fatal.
func loadScenario(data []byte) (*Scenario, rules.Faults) {
	l := loader{sc: &Scenario{doc: &toyv1.Scenario{}}}
	if l.Read(data, l.sc.doc) {
		l.load(l.sc.doc)
	}
	if !l.Done() {
		return nil, l.Faults
	}
	l.sc.Drawn = kit.Draw(l.sc.draw, newTensors(l.sc))
	return l.sc, l.Faults
}

// ScenarioID is the id in the document.
func (sc *Scenario) ScenarioID() string { return sc.ID }

// ScenarioTitle is its name in a language.
func (sc *Scenario) ScenarioTitle(lang rules.Lang) string { return kit.InLang(sc.Title, lang) }

// ScenarioAbout describes it in a language.
func (sc *Scenario) ScenarioAbout(lang rules.Lang) string { return kit.InLang(sc.doc.GetAbout(), lang) }

// ScenarioTurns is the number of turns.
func (sc *Scenario) ScenarioTurns() int { return int(sc.Turns) }

// unitByID finds a unit. Scenarios are small; a larger game keeps an index.
func (sc *Scenario) unitByID(id string) (Unit, bool) {
	for u := range sc.units {
		if sc.units[u].ID == id {
			return Unit(u), true
		}
	}
	return noUnit, false
}

// outpostAt is the outpost in a hex.
func (sc *Scenario) outpostAt(at hex.Index) (Outpost, bool) {
	for o := range sc.outposts {
		if sc.outposts[o] == at {
			return Outpost(o), true
		}
	}
	return 0, false
}
