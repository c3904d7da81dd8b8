package downfall

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Boxes off the map, as places of pieces on the board.
const (
	boxUnplaced   = "unplaced"      // not set up yet
	boxHolding    = "holding"       // US Reinforcements Holding Box (DF 3.3-b)
	boxNA         = "not-available" // Japanese 56th Army Not Available (DF 3.2-c)
	boxAV         = "available"     // Japanese 56th Army Available (DF 8.2)
	boxLanding    = "landing"       // at sea off the landing hex (DF 8.7)
	boxFallen     = "fallen"        // eliminated in the combat that is going on
	boxEliminated = "eliminated"    // may come back if it is American (DF 8.9)
	boxRemoved    = "removed"       // gone for good (DF 8.10)
	boxOut        = "out"           // counters that an option leaves out (DF 3.4)
	boxAir        = "air"           // air markers that can still be used (DF 6.3-b)
	boxNaval      = "naval"         // naval markers without a zone
	zoneBox       = "zone-"         // and the zone's id: naval markers placed in the zone (DF 6.3-a)
)

// Kinds of the map that no terrain row names.
const (
	riverKind = "river"
	lineKind  = "line" // the Linked Beachheads Line
)

// unitWidth is the points between opposite sides of a hex.
const unitWidth = 100

// drawMap draws the map, which never changes, in a language. Equal scenarios give equal bytes.
func drawMap(sc *Scenario, lang rules.Lang) *boardv1.Map {
	d := newDrawing(sc, lang)
	m := &boardv1.Map{
		Width: d.Width, Height: d.Height, Regions: d.regions(), Legend: d.legend(), Boxes: d.boxes(),
		Kinds:   kit.Legend(catalogue, lang, "kind", kindLooks, kindShapes),
		Marks:   kit.Legend(catalogue, lang, "mark", markLooks, nil),
		Numbers: kit.Legend(catalogue, lang, "number", numberLooks, nil),
	}
	for i := range Hex(d.Map.Len()) {
		m.Spaces = append(m.Spaces, d.space(i))
	}
	m.Edges = d.edges()
	readings.ReadMap(m, lang)
	m.Digest = rules.MapDigest(m)
	return m
}

// drawing is the map with open water, which the game does without.
type drawing struct {
	*kit.Canvas
	sc        *Scenario
	lang      rules.Lang
	names     map[Hex]*downfallv1.Place // by index in sc.Map
	objective map[Hex]bool
}

func newDrawing(sc *Scenario, lang rules.Lang) *drawing {
	d := &drawing{sc: sc, lang: lang, names: map[Hex]*downfallv1.Place{}, objective: map[Hex]bool{}}
	g := sc.Map.Geometry()
	coords := make([]hex.Coord, 0, sc.Map.Len()+len(sc.Doc.GetSea()))
	for h := range Hex(sc.Map.Len()) {
		coords = append(coords, sc.Map.Coord(h))
	}
	for _, id := range sc.Doc.GetSea() {
		if c, err := g.Parse(id); err == nil {
			coords = append(coords, c)
		}
	}
	all, err := hex.NewMap(g, coords)
	if err != nil { // too wide a rectangle is drawn without its water
		all = sc.Map
	}
	d.Canvas = kit.NewCanvas(all, unitWidth)
	for _, p := range sc.Doc.GetPlaces() {
		if h, ok := sc.HexByID(p.GetHex()); ok {
			d.names[h] = p
		}
	}
	for _, a := range sc.Chart.Awards {
		if a.Kind == downfallv1.AwardKind_AWARD_KIND_TOWNS {
			continue
		}
		for _, h := range a.Hexes {
			d.objective[h] = true
		}
	}
	return d
}

func (d *drawing) space(i Hex) *boardv1.Space {
	s := d.Space(i)
	s.Terrain = scenario.SeaKind
	h := d.sc.Map.At(d.Map.Coord(i))
	if h == NoHex {
		return s
	}
	s.Terrain = d.sc.Terrains[d.sc.Terrain[h]].ID
	if p := d.names[h]; p != nil {
		s.Name = kit.InLang(p.GetName(), d.lang)
	}
	s.Features = d.features(h)
	return s
}

func (d *drawing) features(h Hex) []string {
	var f []string
	for _, x := range [...]struct {
		on  bool
		key string
	}{
		{d.sc.Is(h, scenario.Coastal), "coastal"}, {d.sc.Is(h, scenario.AirBase), "airbase"},
		{d.sc.Is(h, scenario.Entry), "entry"},
		{d.objective[h], "objective"},
		{d.names[h].GetKind() == downfallv1.PlaceKind_PLACE_KIND_MOUNTAIN, "mountain"},
		{d.names[h].GetKind() == downfallv1.PlaceKind_PLACE_KIND_BEACH, "beach"},
	} {
		if x.on {
			f = append(f, x.key)
		}
	}
	return f
}

// edges are rivers and sea hexsides, in the order of the hexes, and then the line.
func (d *drawing) edges() []*boardv1.Edge {
	var edges []*boardv1.Edge
	add := func(h Hex, dir hex.Dir, kind string) {
		edges = append(edges, &boardv1.Edge{
			A: d.sc.Map.ID(h), B: d.sc.Map.ID(d.sc.Near[h][dir]), Kind: kind,
			Points: d.Side(d.Map.At(d.sc.Map.Coord(h)), dir),
		})
	}
	for h := range Hex(d.sc.Map.Len()) {
		for dir, to := range d.sc.Near[h] {
			if to == NoHex || to < h {
				continue
			}
			if d.sc.Rivers[h].Has(hex.Dir(dir)) {
				add(h, hex.Dir(dir), riverKind)
			}
			if d.sc.Seas[h].Has(hex.Dir(dir)) {
				add(h, hex.Dir(dir), scenario.SeaKind)
			}
		}
	}
	for _, p := range d.sc.Doc.GetBeachheadsLine() {
		a, _ := d.sc.HexByID(p.GetA())
		b, _ := d.sc.HexByID(p.GetB())
		if dir, ok := d.sc.Map.DirTo(a, b); ok {
			add(a, dir, lineKind)
		}
	}
	return edges
}

func (d *drawing) regions() []*boardv1.Region {
	ids := func(hexes []Hex) []string {
		var s []string
		for _, h := range hexes {
			s = append(s, d.sc.Map.ID(h))
		}
		return s
	}
	var all []*boardv1.Region
	for i := range d.sc.Zones {
		z := &d.sc.Zones[i]
		all = append(all,
			&boardv1.Region{Id: zoneBox + z.ID, Name: kit.InLang(z.Name, d.lang), Kind: "zone",
				Spaces: ids(z.Hexes)})
	}
	var south []Hex
	for h := range Hex(d.sc.Map.Len()) {
		if d.sc.Is(h, scenario.South) {
			south = append(south, h)
		}
	}
	return append(all,
		&boardv1.Region{Id: "south-of-line", Name: mapWord("south-of-line", d.lang), Kind: lineKind,
			Spaces: ids(south)},
		&boardv1.Region{Id: "setup-36", Name: mapWord("setup-36", d.lang), Kind: "formation-area",
			Spaces: ids(d.sc.SetupArea)},
		&boardv1.Region{Id: "entry-56", Name: mapWord("entry-56", d.lang), Kind: "formation-area",
			Spaces: ids(d.sc.Entries)},
	)
}

// mapBoxes are the boxes beside the map with their owners.
var mapBoxes = [...]struct{ id, owner string }{
	{boxUnplaced, ""}, {boxHolding, "us"}, {boxNA, "japan"}, {boxAV, "japan"}, {boxLanding, "us"}, {boxFallen, ""},
	{boxEliminated, ""}, {boxRemoved, ""}, {boxOut, ""}, {boxAir, "us"}, {boxNaval, "us"},
}

func (d *drawing) boxes() []*boardv1.Box {
	var all []*boardv1.Box
	for _, b := range mapBoxes {
		all = append(all, &boardv1.Box{Id: b.id, Name: mapWord(b.id, d.lang), Owner: b.owner})
	}
	for i := range d.sc.Zones {
		z := &d.sc.Zones[i]
		all = append(all, &boardv1.Box{Id: zoneBox + z.ID, Name: kit.InLang(z.Name, d.lang), Owner: "us"})
	}
	return all
}
