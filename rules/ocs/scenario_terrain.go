package ocs

import (
	"fmt"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// terrain reads the Terrain Effects Chart (OCS 6.2, OCS 9.3, OCS 9.4).
func (l *loader) terrain() {
	t, sc := l.doc.GetTerrain(), l.sc
	l.terrain1, l.feature1, l.road1, l.ground1 = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	if n := len(t.GetGrounds()); n == 0 || n > 8 {
		l.Fault("terrain.grounds", "%d ground conditions, expected 1 to 8", n)
		return
	}
	for i, g := range t.GetGrounds() {
		l.ground1[g] = i
		if g == t.GetFrozen() {
			sc.Frozen = i
		}
	}
	sc.Grounds = t.GetGrounds()
	if t.GetFrozen() != "" && sc.Frozen < 0 {
		l.Fault("terrain.frozen", "%.40q is no ground condition", t.GetFrozen())
	}
	if len(t.GetHexes()) > maxTerrains || len(t.GetHexsides()) > maxTerrains || len(t.GetRoads()) > maxRoads {
		l.Fault("terrain", "more than %d terrains or %d classes of road", maxTerrains, maxRoads)
		return
	}
	for i, h := range t.GetHexes() {
		l.hexTerrain(fmt.Sprintf("terrain.hexes[%d]", i), h)
	}
	for i, h := range t.GetHexsides() {
		l.feature1[h.GetId()] = i
	}
	for i, h := range t.GetHexsides() {
		l.sideTerrain(fmt.Sprintf("terrain.hexsides[%d]", i), h)
	}
	for i, r := range t.GetRoads() {
		path := fmt.Sprintf("terrain.roads[%d]", i)
		if _, twice := l.road1[r.GetId()]; twice || r.GetId() == "" {
			l.Fault(path+".id", "%.40q is given twice or empty", r.GetId())
		}
		l.road1[r.GetId()] = i
		sc.roads = append(sc.roads,
			roadInfo{id: r.GetId(), name: l.sc.words(r.GetName()), costs: l.costs(path, r.GetCosts())})
	}
}

func (l *loader) hexTerrain(path string, h *ocsv1.HexTerrain) {
	if _, twice := l.terrain1[h.GetId()]; twice || h.GetId() == "" {
		l.Fault(path+".id", "%.40q is given twice or empty", h.GetId())
	}
	l.terrain1[h.GetId()] = len(l.sc.Terrains)
	t := TerrainInfo{ID: h.GetId(), Name: l.sc.words(h.GetName()), Detrainable: h.GetDetrainable(),
		Clear: h.GetAirDrop() == dropClear, costs: l.costs(path, h.GetCosts())}
	t.Category[0] = l.category(path+".category", h.GetCategory())
	t.Category[1] = t.Category[0]
	if h.GetFrozenCategory() != "" {
		t.Category[1] = l.category(path+".frozen_category", h.GetFrozenCategory())
	}
	if t.Category[0] != noCategory {
		t.Attack[0] = l.multipliers(path+".attack", h.GetAttack())
		t.Defend[0] = l.multipliers(path+".defend", h.GetDefend())
		t.Attack[1], t.Defend[1] = t.Attack[0], t.Defend[0]
		if h.GetFrozenAttack() != nil {
			t.Attack[1] = l.multipliers(path+".frozen_attack", h.GetFrozenAttack())
		}
		if h.GetFrozenDefend() != nil {
			t.Defend[1] = l.multipliers(path+".frozen_defend", h.GetFrozenDefend())
		}
	}
	l.sc.Terrains = append(l.sc.Terrains, t)
}

func (l *loader) sideTerrain(path string, h *ocsv1.SideTerrain) {
	f := FeatureInfo{
		ID: h.GetId(), Name: l.sc.words(h.GetName()), Covers: h.GetCovers(), Land: h.GetLand(), Sea: h.GetSea(),
		Bridged: -2,
		costs:   l.costs(path, h.GetCosts()),
	}
	if h.GetAttack() != nil {
		f.Attack[0], f.Fought[0] = l.multipliers(path+".attack", h.GetAttack()), true
		f.Attack[1], f.Fought[1] = f.Attack[0], true
	}
	if h.GetFrozenAttack() != nil {
		f.Attack[1], f.Fought[1] = l.multipliers(path+".frozen_attack", h.GetFrozenAttack()), true
	}
	switch b := h.GetBridged(); b {
	case "":
	case "none":
		f.Bridged = -1
	default:
		n, ok := l.feature1[b]
		if !ok {
			l.Fault(path+".bridged", "no hexside %.40q", b)
		}
		f.Bridged = int8(n)
	}
	for _, id := range h.GetAsterisk() {
		f.Asterisk |= 1 << l.class(path+".asterisk", id)
	}
	l.sc.Features = append(l.sc.Features, f)
}

// costs reads the costs of a terrain by ground condition and type of MP.
func (l *loader) costs(path string, list []*ocsv1.Costs) [][numMoveTypes]Cost {
	out := make([][numMoveTypes]Cost, len(l.sc.Grounds))
	seen := make([]bool, len(l.sc.Grounds))
	for i, c := range list {
		at := fmt.Sprintf("%s.costs[%d]", path, i)
		g, ok := l.ground1[c.GetGround()]
		if !ok || seen[g] {
			l.Fault(at+".ground", "%.40q is no ground condition, or given twice", c.GetGround())
			continue
		}
		seen[g] = true
		out[g] = [numMoveTypes]Cost{
			Leg: l.cost(at+".leg", c.GetLeg()), Track: l.cost(at+".track", c.GetTrack()),
			Truck: l.cost(at+".truck", c.GetTruck()),
		}
	}
	for g, ok := range seen {
		if !ok {
			l.Fault(path+".costs", "no costs for %s", l.sc.Grounds[g])
		}
	}
	return out
}

func (l *loader) multipliers(path string, m *ocsv1.Multipliers) (out [numClasses]Fraction) {
	for c, s := range [numClasses]string{Armor: m.GetArmor(), Mech: m.GetMech(), Other: m.GetOther()} {
		f, ok := parseFraction(s)
		if !ok {
			l.Fault(path, "%.20q, expected a multiplier such as 1/2", s)
		}
		out[c] = f
	}
	return out
}

func (l *loader) category(path, id string) Category {
	for c, name := range categoryIDs {
		if id == name {
			return Category(c)
		}
	}
	if id != "" {
		l.Fault(path, "%.40q is no row of the CRT", id)
	}
	return noCategory
}

func (l *loader) class(path, id string) Class {
	for c, name := range classIDs {
		if id == name {
			return Class(c)
		}
	}
	l.Fault(path, "%.40q is no class, expected armor, mech or other", id)
	return Other
}

// Words of documents.
var (
	categoryIDs = [numCategories]string{Open: "open", Close: "close", VeryClose: "very_close",
		ExtremeClose: "extreme_close"}
	classIDs = [numClasses]string{Armor: "armor", Mech: "mech", Other: "other"}
	moveIDs  = [numMoveTypes + 1]string{Leg: "leg", Track: "track", Truck: "truck", Immobile: ""}
	seatIDs  = [numSeats]string{Blue: "blue", Red: "red"}
)
