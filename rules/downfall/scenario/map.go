package scenario

import (
	"fmt"
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// SeaKind is what the map calls the terrain of open water, and the kind of sea hexsides.
const SeaKind = "sea"

func (l *loader) terrains() {
	rows := l.doc.GetTerrains()
	l.terrainBy = make(map[string]Terrain, len(rows))
	if !l.Count("terrains", len(rows), 1, maxTerrains) {
		return
	}
	varying := 0
	columns := l.doc.GetChemicalColumns()
	for i, r := range rows {
		path := fmt.Sprintf("terrains[%d]", i)
		var t TerrainInfo
		if l.Fill(path, r, &t); t.ID == SeaKind {
			l.Fault(path+".id", "%q is what the map calls open water", SeaKind)
		}
		l.terrainBy[t.ID] = Terrain(i)
		if c := r.GetColor(); c != "" && !hexColor.MatchString(c) {
			l.Fault(path+".color", "%.20q, expected a colour like %q", c, "#aabbcc")
		}
		switch n := len(r.GetUsAttack()); {
		case n > 1 && n != len(columns):
			l.Fault(path+".us_attack", "%d values, expected 1, or one for each of the %d chemical columns",
				n, len(columns))
		case n > 1:
			t.Variable = true
			varying++
		}
		l.sc.Terrains = append(l.sc.Terrains, t)
	}
	l.chemical(varying)
	var ok bool
	if l.sc.Bombed, ok = l.terrainBy[l.doc.GetBombedTerrain()]; !ok {
		l.Fault("bombed_terrain", "%.40q is not a terrain of the chart", l.doc.GetBombedTerrain())
	}
	l.Fill("river", l.doc.GetRiver(), &l.sc.River)
}

// chemical spreads the columns of the chemical die over its faces (DF 14.3).
func (l *loader) chemical(varying int) {
	columns := l.doc.GetChemicalColumns()
	at := make([]int, 7)
	if len(columns) > 0 || varying > 0 {
		at = kit.Cover(&l.Loader, "chemical_columns", columns, 6)
	}
	for i, r := range l.doc.GetTerrains() {
		t := &l.sc.Terrains[i]
		for face := range t.USAttack {
			column := 0
			if t.Variable && face > 0 {
				column = at[face]
			}
			if column >= 0 && column < len(r.GetUsAttack()) {
				t.USAttack[face] = l.Modifier(fmt.Sprintf("terrains[%d].us_attack[%d]", i, column),
					r.GetUsAttack()[column], 9)
			}
		}
	}
	if varying != 6 {
		l.Warn("terrains", "%d terrains vary by the chemical die, the rulebook has 6 (DF 14.3)", varying)
	}
}

func (l *loader) zones() {
	zones := l.doc.GetZones()
	l.zoneBy = make(map[string]Zone, len(zones))
	if !l.Count("zones", len(zones), 1, maxZones) {
		return
	}
	for i, z := range zones {
		var info ZoneInfo
		l.Fill(fmt.Sprintf("zones[%d]", i), z, &info)
		l.zoneBy[info.ID] = Zone(i)
		l.sc.Zones = append(l.sc.Zones, info)
	}
	if len(zones) != 4 {
		l.Warn("zones", "%d zones, the rulebook has 4 (DF 6.3)", len(zones))
	}
}

// geometry is the numbering of a document's grid; which values are valid is the business of package hex.
func geometry(g *downfallv1.Grid) hex.Geometry {
	ways := [...]hex.Way{0, hex.North, hex.East, hex.South, hex.West}
	way := func(c downfallv1.Compass) hex.Way {
		if c < 0 || int(c) >= len(ways) {
			return 0
		}
		return ways[c]
	}
	digits := func(n uint32) uint8 { return uint8(min(n, 255)) }
	// the enums of hex have the same order and numbers
	pick := func(n int32) uint8 { return uint8(min(uint32(n), 255)) }
	return hex.Geometry{
		Orientation: hex.Orientation(pick(int32(g.GetOrientation()))), Order: hex.Order(pick(int32(g.GetOrder()))),
		Shifted: hex.Parity(pick(int32(g.GetShifted()))), Shift: way(g.GetShift()), Columns: way(g.GetColumns()),
		Rows: way(g.GetRows()),
		Format: hex.Format{First: digits(g.GetFirstDigits()), Second: digits(g.GetSecondDigits()),
			Separator: g.GetSeparator()},
	}
}

// land builds the map and what is known of each hex.
func (l *loader) land() {
	sized := l.Count("land", len(l.doc.GetLand()), 1, maxLand)
	sized = l.Count("sea", len(l.doc.GetSea()), 0, maxSea) && sized
	g := geometry(l.doc.GetGrid())
	if err := g.Validate(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			l.Fault("grid", "%s", strings.TrimPrefix(line, "hex geometry: "))
		}
		return
	}
	if !sized {
		return
	}
	row := make(map[hex.Coord]int, len(l.doc.GetLand()))
	coords := make([]hex.Coord, 0, len(l.doc.GetLand()))
	for i, h := range l.doc.GetLand() {
		path := fmt.Sprintf("land[%d].id", i)
		c, err := g.Parse(h.GetId())
		if err != nil {
			l.Fault(path, "%v", err)
		} else if j, twice := row[c]; twice {
			l.Fault(path, "hex %s is given twice, by land[%d] as well", h.GetId(), j)
		} else {
			row[c] = i
			coords = append(coords, c)
		}
	}
	l.water(g, row)
	if len(coords) == 0 {
		return
	}
	m, err := hex.NewMap(g, coords)
	if err != nil {
		l.Fault("land", "%v", err)
		return
	}
	l.sc.Map = m
	for i := range Hex(m.Len()) {
		l.rowOf = append(l.rowOf, row[m.Coord(i)])
	}
	l.fillHexes()
}

// water checks the sea hexes, which have no index.
func (l *loader) water(g hex.Geometry, row map[hex.Coord]int) {
	seen := make(map[hex.Coord]bool, len(l.doc.GetSea()))
	for i, id := range l.doc.GetSea() {
		path := fmt.Sprintf("sea[%d]", i)
		c, err := g.Parse(id)
		if err != nil {
			l.Fault(path, "%v", err)
			continue
		}
		if j, land := row[c]; land {
			l.Fault(path, "hex %s is land by land[%d]", id, j)
		}
		if seen[c] {
			l.Fault(path, "hex %s is given twice", id)
		}
		seen[c] = true
	}
}

func (l *loader) fillHexes() {
	s, n := l.sc, l.sc.Map.Len()
	s.Near, s.Ground = make([][hex.NumDirs]Hex, n), make([][hex.NumDirs]Hex, n)
	s.Rivers, s.Seas = make([]Sides, n), make([]Sides, n)
	s.Flags, s.Terrain = make([]HexFlags, n), make([]Terrain, n)
	s.Zone, s.Served = make([]Zone, n), make([]Zones, n)
	for i := range Hex(n) {
		s.Near[i] = s.Map.Neighbors(i)
		s.Ground[i] = s.Near[i]
		l.fillHex(i, l.doc.GetLand()[l.rowOf[i]], fmt.Sprintf("land[%d]", l.rowOf[i]))
	}
}

func (l *loader) fillHex(i Hex, h *downfallv1.LandHex, path string) {
	s := l.sc
	t, ok := l.terrainBy[h.GetTerrain()]
	if !ok {
		l.Fault(path+".terrain", "%.40q is not a terrain of the chart", h.GetTerrain())
	}
	s.Terrain[i] = t
	if h.GetGround() != "" {
		if _, ok := l.terrainBy[h.GetGround()]; !ok {
			l.Fault(path+".ground", "%.40q is not a terrain of the chart", h.GetGround())
		}
	}
	for _, f := range [...]struct {
		on   bool
		flag HexFlags
	}{{h.GetCoastal(), Coastal}, {h.GetSouth(), South}, {h.GetEntry(), Entry}, {h.GetAirBase(), AirBase}} {
		if f.on {
			s.Flags[i] |= f.flag
		}
	}
	s.Zone[i] = NoZone
	z, known := l.zoneBy[h.GetZone()]
	switch {
	case h.GetCoastal() && h.GetZone() == "":
		l.Fault(path+".zone", "the coastal hex %s has no zone (DF 6.3)", h.GetId())
	case !h.GetCoastal() && h.GetZone() != "":
		l.Fault(path+".zone", "hex %s has a zone and is not coastal", h.GetId())
	case h.GetCoastal() && !known:
		l.Fault(path+".zone", "%.40q is not a zone of the scenario", h.GetZone())
	case h.GetCoastal() && int(z) < len(s.Zones):
		s.Zone[i] = z
		s.Zones[z].Hexes = append(s.Zones[z].Hexes, i)
	}
}
