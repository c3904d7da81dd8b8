// Package flower makes the small scenario on which most tests of Downfall are played.
package flower

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

//go:embed flower.json
var document []byte

// Flower is the map of 19 hexes on which most cases are played: centre C, ring N1 to N6 clockwise, outer ring K1 to
// K6 straight beyond them and E1 to E6 between Ki and Ki+1. All of it is land, Clear, inland, without rivers or
// sea. Far away from it lies the depot, where set-up, entry and landing hexes and the units that a case does not
// need are out of the way.
//
// Units are called by their corps or by a letter: I/25 to R/11A of the US, J1 to J3 of two steps, B1 to B3 of one, CD
// the coastal division, A1 to A8 and F1 to F8 the two armies. P1 to P6 are nobody's: they make up the numbers.
type Flower struct {
	// Doc may be changed in any way before it is loaded.
	Doc *downfallv1.Scenario
}

// New is the fixture; loading it gives warnings, no faults.
func New() *Flower {
	f := &Flower{Doc: &downfallv1.Scenario{}}
	if err := protojson.Unmarshal(document, f.Doc); err != nil {
		panic(fmt.Sprintf("flower.json: %v", err))
	}
	return f
}

// Hexes of the depot, none adjacent to another but those of the Japanese.
const (
	DepotI, DepotV, DepotXI = "4010", "4012", "4014" // beachheads
	DepotLanding            = "4016"                 // the one hex in which IX Corps may land
	DepotEntry              = "4018"                 // the one entry hex
	DepotJapan              = "50"                   // 5010 to 5014: three Japanese units in each
)

// names are those of the hexes of the flower in their order, ids the printed numbers by name.
var names, ids = func() (names []string, ids map[string]string) {
	ids = map[string]string{}
	for _, p := range New().Doc.Places {
		names, ids[p.Name.En] = append(names, p.Name.En), p.Hex
	}
	return names, ids
}()

// Names are the hexes of the flower in the order C, N, K, E.
func Names() []string { return slices.Clone(names) }

// ID is the printed number of a hex of the flower by its name; other ids stay as they are.
func ID(name string) string { return cmp.Or(ids[name], name) }

// English are words in English alone.
func English(s string) *downfallv1.Words { return &downfallv1.Words{En: s} }

// Hex is the hex of a name, to be changed.
func (f *Flower) Hex(name string) *downfallv1.LandHex {
	return f.Doc.Land[slices.IndexFunc(f.Doc.Land, func(h *downfallv1.LandHex) bool { return h.Id == ID(name) })]
}

// Unit is the unit of an id, to be changed.
func (f *Flower) Unit(id string) *downfallv1.ScenarioUnit {
	return f.Doc.Units[slices.IndexFunc(f.Doc.Units, func(u *downfallv1.ScenarioUnit) bool { return u.Id == id })]
}

// Terrain is the row of a terrain, to be changed.
func (f *Flower) Terrain(id string) *downfallv1.TerrainRow {
	return f.Doc.Terrains[slices.IndexFunc(f.Doc.Terrains, func(t *downfallv1.TerrainRow) bool { return t.Id == id })]
}

// Coast makes hexes coastal and puts them into a zone.
func (f *Flower) Coast(zone string, names ...string) {
	for _, name := range names {
		h := f.Hex(name)
		h.Coastal, h.Zone = true, zone
	}
}

// Ground gives hexes a terrain.
func (f *Flower) Ground(terrain string, names ...string) {
	for _, name := range names {
		f.Hex(name).Terrain = terrain
	}
}

// River puts a river between two hexes.
func (f *Flower) River(a, b string) { f.Between(downfallv1.HexsideKind_HEXSIDE_KIND_RIVER, a, b) }

// Sea makes the side between two hexes a sea hexside.
func (f *Flower) Sea(a, b string) { f.Between(downfallv1.HexsideKind_HEXSIDE_KIND_SEA, a, b) }

// Between puts something between two hexes.
func (f *Flower) Between(kind downfallv1.HexsideKind, a, b string) {
	f.Doc.Hexsides = append(f.Doc.Hexsides,
		&downfallv1.Hexsides{Kind: kind, Sides: []*downfallv1.HexPair{{A: ID(a), B: ID(b)}}})
}

// Award adds an award for hexes of the flower.
func (f *Flower) Award(id, rule string, kind downfallv1.AwardKind, from, to uint32, names ...string) {
	a := &downfallv1.Award{Id: id, Rule: rule, Name: English(id), Kind: kind, From: from, To: to, Points: 1}
	for _, name := range names {
		a.Hexes = append(a.Hexes, ID(name))
	}
	f.Doc.Awards = append(f.Doc.Awards, a)
}
