package toy

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

//go:embed scenarios
var scenarioFiles embed.FS

// shipped are the ids of the scenarios that come with the ruleset, in the order in which they are offered.
var shipped = []string{"ridge", "ford"}

// Bounds of a scenario.
const (
	maxTurns    = 20
	maxSupply   = 20
	maxHexes    = 400
	maxUnits    = 100
	maxStrength = 9
	maxSteps    = 4
)

// Scenario is a loaded document. It never changes.
type Scenario struct {
	doc           *toyv1.Scenario
	turns, supply uint8
	board         *hex.Map
	terrain       []terrain   // by hex
	names         []string    // by hex
	outposts      []hex.Index // by Outpost
	units         []unitInfo  // by Unit
	maps          map[rules.Lang]*boardv1.Map
}

// unitInfo is what does not change of a unit.
type unitInfo struct {
	id, name        string
	seat            rules.Seat
	at              hex.Index // where it begins
	strength, steps uint8
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

// ScenarioDocuments are the documents that come with the ruleset.
func (Referee) ScenarioDocuments() []rules.Document {
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

// LoadScenario reads a document and reports everything that a game could trip over.
func (Referee) LoadScenario(data []byte) (rules.Scenario, rules.Faults) {
	l := loader{sc: &Scenario{doc: &toyv1.Scenario{}}}
	if err := protojson.Unmarshal(data, l.sc.doc); err != nil {
		l.faults.Add("", "not a scenario of Outpost: %s", strings.ReplaceAll(err.Error(), "\u00a0", " "))
		return nil, l.faults
	}
	l.load(l.sc.doc)
	if l.faults.Fatal() {
		return nil, l.faults
	}
	l.sc.maps = drawMaps(l.sc)
	return l.sc, l.faults
}

type loader struct {
	sc     *Scenario
	faults rules.Faults
}

var (
	scenarioID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	unitID     = regexp.MustCompile(`^[a-z0-9]{1,20}$`)
)

func (l *loader) load(doc *toyv1.Scenario) {
	if !scenarioID.MatchString(doc.GetId()) {
		l.faults.Add("id", "expected 1 to 40 lower-case letters, digits and dashes, not %.60q", doc.GetId())
	}
	if doc.GetTitle().GetEn() == "" {
		l.faults.Add("title.en", "expected a name")
	}
	if doc.GetTitle().GetJa() == "" {
		l.faults.Warn("title.ja", "missing: English is shown instead")
	}
	l.sc.turns = l.number("turns", doc.GetTurns(), 1, maxTurns)
	l.sc.supply = l.number("supply", doc.GetSupply(), 0, maxSupply)
	l.hexes(doc.GetHexes())
	if l.sc.board != nil {
		l.units(doc.GetUnits())
	}
}

func (l *loader) number(path string, n, lo, hi uint32) uint8 {
	if n < lo || n > hi {
		l.faults.Add(path, "expected %d to %d, not %d", lo, hi, n)
		return 0
	}
	return uint8(n)
}

// hexes builds the map if every hex can be read.
func (l *loader) hexes(list []*toyv1.ScenarioHex) {
	if len(list) < 2 || len(list) > maxHexes {
		l.faults.Add("hexes", "expected 2 to %d, not %d", maxHexes, len(list))
		return
	}
	coords := make([]hex.Coord, len(list))
	seen := make(map[hex.Coord]bool, len(list))
	whole := true
	for i, h := range list {
		c, err := geometry.Parse(h.GetId())
		switch {
		case err != nil:
			l.faults.Add(fmt.Sprintf("hexes[%d].id", i), "%v", err)
			whole = false
		case seen[c]:
			l.faults.Add(fmt.Sprintf("hexes[%d].id", i), "%s is there twice", h.GetId())
			whole = false
		}
		coords[i], seen[c] = c, true
	}
	if !whole {
		return
	}
	board, err := hex.NewMap(geometry, coords)
	if err != nil {
		l.faults.Add("hexes", "%v", err)
		return
	}
	l.sc.board = board
	l.terrain(list, coords)
}

func (l *loader) terrain(list []*toyv1.ScenarioHex, coords []hex.Coord) {
	sc := l.sc
	sc.terrain, sc.names = make([]terrain, sc.board.Len()), make([]string, sc.board.Len())
	outpost := make([]bool, sc.board.Len())
	for i, h := range list {
		at := sc.board.At(coords[i])
		sc.names[at], outpost[at] = h.GetName(), h.GetOutpost()
		l.name(fmt.Sprintf("hexes[%d].name", i), h.GetName())
		switch h.GetTerrain() {
		case "clear":
		case "rough":
			sc.terrain[at] = rough
		case "water":
			sc.terrain[at] = water
			if outpost[at] {
				l.faults.Add(fmt.Sprintf("hexes[%d].outpost", i), "%s is water", h.GetId())
			}
		default:
			l.faults.Add(fmt.Sprintf("hexes[%d].terrain", i), "expected clear, rough or water, not %.40q", h.GetTerrain())
		}
	}
	for at, is := range outpost {
		if is {
			sc.outposts = append(sc.outposts, hex.Index(at))
		}
	}
	if len(sc.outposts) == 0 {
		l.faults.Add("hexes", "expected an outpost")
	}
}

// name checks a name of the document. An @ at its beginning would be read as a reference to a message.
func (l *loader) name(path, name string) {
	if strings.HasPrefix(name, "@") || len(name) > 60 || strings.ContainsAny(name, "\t\r\n") {
		l.faults.Add(path, "expected up to 60 bytes without line breaks that do not begin with @")
	}
}

func (l *loader) units(list []*toyv1.ScenarioUnit) {
	if len(list) > maxUnits {
		l.faults.Add("units", "expected up to %d, not %d", maxUnits, len(list))
		return
	}
	ids, taken := map[string]bool{}, map[hex.Index]bool{}
	var count [numSeats]int
	for i, u := range list {
		path := fmt.Sprintf("units[%d]", i)
		info := unitInfo{id: u.GetId(), name: u.GetName()}
		if !unitID.MatchString(info.id) || ids[info.id] {
			l.faults.Add(path+".id", "expected 1 to 20 lower-case letters and digits that no other unit has, not %.40q", info.id)
		}
		ids[info.id] = true
		if info.name == "" {
			info.name = info.id
		}
		l.name(path+".name", info.name)
		info.strength = l.number(path+".strength", u.GetStrength(), 1, maxStrength)
		info.steps = l.number(path+".steps", u.GetSteps(), 1, maxSteps)
		var known bool
		if info.seat, known = about.SeatByID(u.GetSeat()); known {
			count[info.seat]++
		} else {
			l.faults.Add(path+".seat", "expected red or blue, not %.40q", u.GetSeat())
		}
		info.at = l.start(path+".hex", u.GetHex(), taken)
		l.sc.units = append(l.sc.units, info)
	}
	for seat, n := range count {
		if n == 0 {
			l.faults.Add("units", "expected a unit of %s", about.Seats[seat].ID)
		}
	}
}

// start is the hex that a unit begins in: land, and of this unit alone.
func (l *loader) start(path, id string, taken map[hex.Index]bool) hex.Index {
	at, err := l.sc.board.ByID(id)
	switch {
	case err != nil:
		l.faults.Add(path, "%v", err)
		return hex.None
	case l.sc.terrain[at] == water:
		l.faults.Add(path, "%s is water", id)
	case taken[at]:
		l.faults.Add(path, "%s holds another unit", id)
	}
	taken[at] = true
	return at
}

// ScenarioID is the id in the document.
func (sc *Scenario) ScenarioID() string { return sc.doc.GetId() }

// ScenarioTitle is its name in a language.
func (sc *Scenario) ScenarioTitle(lang rules.Lang) string { return local(sc.doc.GetTitle(), lang) }

// ScenarioAbout describes it in a language.
func (sc *Scenario) ScenarioAbout(lang rules.Lang) string { return local(sc.doc.GetAbout(), lang) }

func local(t *toyv1.LocalText, lang rules.Lang) string {
	if lang == rules.Japanese && t.GetJa() != "" {
		return t.GetJa()
	}
	return t.GetEn()
}

// hexID is the id of a hex; empty for None.
func (sc *Scenario) hexID(at hex.Index) string {
	if at == hex.None {
		return ""
	}
	return sc.board.ID(at)
}

func (sc *Scenario) unitID(u Unit) string   { return sc.units[u].id }
func (sc *Scenario) unitName(u Unit) string { return sc.units[u].name }

// unitByID finds a unit. Scenarios are small; a larger game keeps an index.
func (sc *Scenario) unitByID(id string) (Unit, bool) {
	for u := range sc.units {
		if sc.units[u].id == id {
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
