package scenario

import (
	"fmt"
	"regexp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Limits of a scenario document. Nothing that the map of the game could need comes near them; they bound the time and
// memory that a document from outside can cost.
const (
	maxLand       = 4096  // land hexes
	maxSea        = 16384 // sea hexes
	maxSides      = 16384 // hexsides with a river or sea, and of the line
	maxZones      = 8     // fits Zones
	maxTerrains   = 32    //
	MaxTurns      = 99    //
	maxAwards     = 32    //
	maxProvenance = 1000  //
	maxName       = 100   // characters of a name
)

// Stacking limits, which the setup has to keep like any position (DF 10.3, DF 10.4).
const (
	JapaneseStack  = 3 // units in a hex
	USStack        = 3 // units in a hex besides corps artillery
	ArtilleryStack = 1 // corps artillery in a hex
)

var (
	pieceID  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9/-]{0,31}$`)
	hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)
)

// Read reads a scenario document: JSON of warledger.downfall.v1.Scenario. It reports everything that a game
// could trip over at once, each fault with its path in the document; the scenario is nil if any is fatal. Unknown
// fields are refused. A document may have 4 MiB, 4096 land hexes and 64 units.
func Read(doc []byte) (*Scenario, rules.Faults) {
	l, msg := &loader{}, &downfallv1.Scenario{}
	if !l.Read(doc, msg) {
		return nil, l.Faults
	}
	return ReadMessage(msg)
}

// ReadMessage is Read for a document that is decoded already. The scenario keeps msg.
func ReadMessage(msg *downfallv1.Scenario) (*Scenario, rules.Faults) {
	l := &loader{doc: msg, sc: &Scenario{Doc: msg, Service: NoUnit, Infantry11: NoUnit, Airborne11: NoUnit}}
	l.Bounds = map[string]int{"last": 1}
	for c := range l.sc.Beachheads {
		l.sc.Beachheads[c].Hex = NoHex
	}
	l.sc.Chart.Centre = NoHex
	l.header()
	l.terrains()
	l.zones()
	l.land()
	l.hexsides()
	l.places()
	l.turns()
	l.units()
	l.beachheads()
	l.stacks()
	l.charts()
	l.awards()
	l.Fill("limits", l.doc.GetLimits(), &l.sc.Chart)
	l.derive()
	if !l.Done() {
		return nil, l.Faults
	}
	return l.sc, l.Faults
}

// loader reads one document. Each step checks its part and fills in what it can, so that later steps find further
// faults; what is built of a document with faults is thrown away in the end.
type loader struct {
	kit.Loader
	doc *downfallv1.Scenario
	sc  *Scenario

	terrainBy map[string]Terrain
	zoneBy    map[string]Zone
	rowOf     []int           // place in doc.Land of each hex
	ids       map[string]bool // of units and beachheads
}

func (l *loader) header() {
	d := l.doc
	l.Fill("", d, l.sc)
	if n := len(d.GetProvenance()); n > maxProvenance {
		l.Fault("provenance", "%d entries, expected at most %d", n, maxProvenance)
	}
	for i, p := range d.GetProvenance() {
		if _, ok := downfallv1.Source_name[int32(p.GetSource())]; !ok || p.GetSource() == 0 {
			l.Fault(fmt.Sprintf("provenance[%d].source", i), "%s, expected one of the sources", p.GetSource())
		}
	}
}

// hex looks up a land hex. It reports an empty id and a hex that is not there; without a map it keeps silent,
// for that was reported.
func (l *loader) hex(path, id string) Hex {
	if l.sc.Map == nil {
		return NoHex
	}
	h, err := l.sc.Map.ByID(id)
	if err != nil {
		l.Fault(path, "%.40q is not a land hex of the map", id)
		return NoHex
	}
	return h
}
