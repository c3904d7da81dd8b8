package ocs

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Limits of a scenario document. Nothing that a game could need comes near them; they bound the time and memory that a
// document from outside can cost.
const (
	maxDocument   = 8 << 20 // bytes
	maxHexes      = 20_000
	maxCounters   = 2000 //
	maxTerrains   = 31   // of hexes, and of hexsides
	maxRoads      = 7    // classes
	maxBoxes      = 64   //
	maxTurns      = 500  //
	maxNations    = 31   //
	maxFormations = 400  //
	maxRows       = 2000 // of any other list, but for those of hexes, hexsides and lines
	maxAmount     = 9999 // tokens of a dump or transport, strengths, allowances
)

var docID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// LoadScenario reads a scenario document: JSON of warledger.ocs.v1.Scenario. It reports everything that a game
// could trip over at once, each fault with its path in the document; the scenario is nil if any is fatal.
// Unknown fields are refused.
func LoadScenario(doc []byte) (*Scenario, rules.Faults) {
	l, msg := kit.Loader{Limit: maxDocument}, &ocsv1.Scenario{}
	if !l.Read(doc, msg) {
		return nil, l.Faults
	}
	return loadMessage(msg)
}

// loadMessage is LoadScenario for a document that is decoded already. The scenario keeps msg.
func loadMessage(msg *ocsv1.Scenario) (*Scenario, rules.Faults) {
	l := &loader{doc: msg, sc: &Scenario{
		Doc: msg, Frozen: -1, names: map[string]Place{}, kinds: map[string]uint16{}, form: map[string]int16{},
	}}
	if l.lengths(msg.ProtoReflect(), "", maxRows) {
		return nil, l.Faults // rows may be compared with each other, so that nothing else is looked at
	}
	l.header()
	l.terrain()
	l.mapOf()
	l.boxes()
	l.charts()
	l.nations()
	l.counters()
	l.sides()
	l.turns()
	l.setup()
	l.airBases()
	l.airSides()
	l.seaSides()
	l.victory()
	l.vocabulary()
	l.specials()
	l.landings()
	if !l.Done() {
		return nil, l.Faults
	}
	l.sc.tab = newTables(l.sc)
	l.sc.Drawn = kit.Draw(func(lang rules.Lang) *boardv1.Map { return drawMap(l.sc, lang) }, newTensors(l.sc))
	return l.sc, l.Faults
}

// loader reads one document. Each step checks its part and fills in what it can, so that later
// steps find further faults.
type loader struct {
	kit.Loader
	doc    *ocsv1.Scenario
	sc     *Scenario
	used   map[string]string // units that were put somewhere, with the path
	flying map[Place]int     // air units that are set up

	terrain1, feature1, road1, ground1 map[string]int
}

// seat reads a seat; ok is false for anything else than blue and red.
func (l *loader) seat(path, id string) rules.Seat {
	switch id {
	case seatIDs[Blue]:
		return Blue
	case seatIDs[Red]:
		return Red
	}
	l.Fault(path, "%.40q is no seat, expected blue or red", id)
	return Blue
}

// place reads the id of a hex or box.
func (l *loader) place(path, id string) Place {
	at, ok := l.sc.names[id]
	if !ok || !at.onMap() {
		l.Fault(path, "%.40q is no hex or box in play", id)
		return 0
	}
	return at
}

// hex reads the id of a hex in play.
func (l *loader) hex(path, id string) Hex {
	at := l.place(path, id)
	if at.Hex() == NoHex {
		l.Fault(path, "%.40q is a box, expected a hex", id)
		return 0
	}
	return at.Hex()
}

func (l *loader) header() {
	d := l.doc
	if !docID.MatchString(d.GetId()) {
		l.Fault("id", "%.40q, expected 1 to 64 lower-case letters, digits and dashes", d.GetId())
	}
	if d.GetTitle().GetEn() == "" {
		l.Fault("title.en", "empty")
	}
	if len(d.GetSides()) != int(numSeats) {
		l.Fault("sides", "%d sides, expected 2, blue first", len(d.GetSides()))
	}
	c := d.GetConstants()
	if c == nil {
		c = &ocsv1.Constants{}
	}
	full := &ocsv1.Constants{
		StackingRe: c.GetStackingRe(), DrawMp: c.GetDrawMp(), ConversionNegatable: c.GetConversionNegatable(),
		PortTraceNotNegatable: c.GetPortTraceNotNegatable(), ConversionContiguous: c.GetConversionContiguous(),
		TrainbustingOnSupply: c.GetTrainbustingOnSupply(), Airstrips: c.GetAirstrips(),
		HitsWithoutDg: c.GetHitsWithoutDg(),
	}
	if full.StackingRe == 0 {
		full.StackingRe = 10 // OCS 4.8
	}
	if full.DrawMp == 0 {
		full.DrawMp = 5 // OCS 12.3a
	}
	if full.StackingRe > maxAmount || full.DrawMp > 100 {
		l.Fault("constants", "a number is out of range")
	}
	l.sc.Constants = full
}

// mapOf reads hexes, hexsides, roads and railways (OCS Intro-I).
func (l *loader) mapOf() {
	m, sc := l.doc.GetMap(), l.sc
	g := hex.Geometry{
		Orientation: hex.FlatTop, Order: hex.ColumnRow, Shifted: hex.Even, Shift: hex.North,
		Columns: hex.East, Rows: hex.North, Format: hex.Format{First: 2, Second: 2, Separator: "."},
	}
	if m.GetOddColumnsNorth() {
		g.Shifted = hex.Odd
	}
	if len(m.GetHexes()) > maxHexes {
		l.Fault("map.hexes", "%d hexes, expected at most %d", len(m.GetHexes()), maxHexes)
		return
	}
	area := map[string]bool{}
	for _, id := range l.doc.GetArea() {
		area[id] = true
	}
	whole := len(area) == 0
	var coords []hex.Coord
	var list []*ocsv1.MapHex
	for i, h := range m.GetHexes() {
		c, err := g.Parse(h.GetId())
		switch {
		case err != nil:
			l.Fault(fmt.Sprintf("map.hexes[%d].id", i), "%v", err)
		case whole || area[h.GetId()]:
			coords, list = append(coords, c), append(list, h)
		}
		delete(area, h.GetId())
	}
	for i, id := range l.doc.GetArea() {
		if area[id] {
			l.Fault(fmt.Sprintf("area[%d]", i), "the map has no hex %.20q", id)
		}
	}
	board, err := hex.NewMap(g, coords)
	if err != nil {
		l.Fault("map.hexes", "%v", err)
		return
	}
	sc.Map, sc.Hexes = board, make([]HexInfo, board.Len())
	for i := range board.Len() {
		sc.names[board.ID(Hex(i))] = Place(i)
	}
	for i, h := range list {
		l.oneHex(fmt.Sprintf("map.hexes[%s]", h.GetId()), h, board.At(coords[i]))
	}
	l.edges()
}

func (l *loader) oneHex(path string, h *ocsv1.MapHex, at Hex) {
	info := &l.sc.Hexes[at]
	info.Land = true
	for _, id := range h.GetTerrain() {
		t, ok := l.terrain1[id]
		if !ok {
			l.Fault(path+".terrain", "the terrain chart has no %.40q", id)
			continue
		}
		info.Terrains = append(info.Terrains, uint8(t))
		if l.sc.Terrains[t].Category[0] == noCategory {
			info.Land = false
		}
		info.Detrainable = info.Detrainable || l.sc.Terrains[t].Detrainable
	}
	if len(info.Terrains) == 0 {
		l.Fault(path+".terrain", "no terrain")
	}
	info.Name, info.Coastal = l.sc.words(h.GetName()), info.Land && h.GetCoastal()
	info.Landing = info.Coastal && h.GetLanding()
	if port := h.GetPort(); port != nil {
		info.Port, info.PortName, info.Detrainable = l.amount(path+".port.capacity_t", port.GetCapacityT()),
			l.sc.words(port.GetName()), true
		info.PortTrack = l.portTrack(path+".port.track_t", port)
	}
	if h.GetHedgehog() > 4 {
		l.Fault(path+".hedgehog", "level %d, expected at most 4", h.GetHedgehog()) // OCS 16.0a
	}
	info.Hedgehog, info.Flak = uint8(h.GetHedgehog()&7), uint8(min(h.GetFlak(), 100))
}

// amount checks a number against the largest that there may be.
func (l *loader) amount(path string, n uint32) uint16 {
	if n > maxAmount {
		l.Fault(path, "%d, expected at most %d", n, maxAmount)
		return 0
	}
	return uint16(n)
}

// edge reads two neighbouring hexes; false if one of them is out of play or they are no neighbours.
func (l *loader) edge(path, a, b string) (x, y Hex, d hex.Dir, ok bool) {
	x, errA := l.sc.Map.ByID(a)
	y, errB := l.sc.Map.ByID(b)
	if errA != nil || errB != nil {
		if len(l.doc.GetArea()) == 0 {
			l.Fault(path, "%.20q and %.20q: no such hexes", a, b)
		}
		return 0, 0, 0, false
	}
	d, ok = l.sc.Map.DirTo(x, y)
	if !ok {
		l.Fault(path, "%s and %s are no neighbours", a, b)
	}
	return x, y, d, ok
}

func (l *loader) edges() {
	m, hexes := l.doc.GetMap(), l.sc.Hexes
	for i, s := range m.GetHexsides() {
		path := fmt.Sprintf("map.hexsides[%d]", i)
		x, y, d, ok := l.edge(path, s.GetA(), s.GetB())
		for _, id := range s.GetTypes() {
			f, known := l.feature1[id]
			if !known {
				l.Fault(path+".types", "the terrain chart has no hexside %.40q", id)
			} else if ok {
				hexes[x].Sides[d] |= 1 << f
				hexes[y].Sides[d.Opposite()] |= 1 << f
			}
		}
	}
	for i, s := range m.GetRoads() {
		path := fmt.Sprintf("map.roads[%d]", i)
		x, y, d, ok := l.edge(path, s.GetA(), s.GetB())
		r, known := l.road1[s.GetClass()]
		if !known {
			l.Fault(path+".class", "the terrain chart has no road %.40q", s.GetClass())
		} else if ok {
			hexes[x].Roads[d] |= 1 << r
			hexes[y].Roads[d.Opposite()] |= 1 << r
		}
	}
	for i, s := range m.GetRails() {
		l.rail(fmt.Sprintf("map.rails[%d]", i), s)
	}
	for i, s := range m.GetBridges() {
		x, y, d, ok := l.edge(fmt.Sprintf("map.bridges[%d]", i), s.GetA(), s.GetB())
		if ok {
			hexes[x].Bridged[d], hexes[y].Bridged[d.Opposite()] = true, true
		}
	}
}

func (l *loader) rail(path string, s *ocsv1.MapRail) {
	hexes := l.sc.Hexes
	x, y, d, ok := l.edge(path, s.GetA(), s.GetB())
	if s.GetGauge() == 0 || int(s.GetGauge()) > len(l.doc.GetMap().GetGauges()) {
		l.Fault(path+".gauge", "%d, expected 1 to %d", s.GetGauge(), len(l.doc.GetMap().GetGauges()))
		return
	}
	r, known := l.road1["rail"]
	if !known {
		l.Fault("terrain.roads", "no class rail, by which units move along railways (OCS 6.2)")
		return
	}
	if !ok {
		return
	}
	tracks := uint8(1)
	if s.GetDoubleTrack() {
		tracks = 2
	}
	for _, side := range [2]struct {
		h Hex
		d hex.Dir
	}{{x, d}, {y, d.Opposite()}} {
		info := &hexes[side.h]
		info.Roads[side.d] |= 1 << r
		info.Tracks[side.d] = max(info.Tracks[side.d], tracks)
		info.Rail = true
		if info.Gauge == 0 {
			info.Gauge = uint8(s.GetGauge())
		}
	}
}

// cost reads movement points: "1", "1/2", "All", "P".
func (l *loader) cost(path, s string) Cost {
	switch s {
	case "All":
		return costAll
	case "P":
		return costNever
	}
	f, ok := parseFraction(s)
	twelfths := f.Times(whole(oneMP))
	if !ok || twelfths.den != 1 || twelfths.num < 0 || twelfths.num > 1200 {
		l.Fault(path, "%.20q, expected MP such as 1, 1/2 or 1/3, or All, or P", s)
		return costNever
	}
	return Cost(twelfths.num)
}

// parseFraction reads "2" or "1/2".
func parseFraction(s string) (Fraction, bool) {
	num, den, split := strings.Cut(s, "/")
	n, err := strconv.Atoi(num)
	if err != nil || n < 0 || n > maxAmount {
		return whole(0), false
	}
	d := 1
	if split {
		if d, err = strconv.Atoi(den); err != nil || d < 1 || d > maxAmount {
			return whole(0), false
		}
	}
	return fraction(int64(n), int64(d)), true
}

// bit is the place of the lowest bit of a set, -1 for an empty one.
func bit(set uint32) int {
	if set == 0 {
		return -1
	}
	return bits.TrailingZeros32(set)
}
