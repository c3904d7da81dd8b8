package ocs

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// hexWidth is the points between opposite sides of a hex.
const hexWidth = 100

// drawMap draws what does not change of the board.
func drawMap(sc *Scenario, lang rules.Lang) *boardv1.Map {
	canvas := kit.NewCanvas(sc.Map, hexWidth)
	m := &boardv1.Map{Width: canvas.Width, Height: canvas.Height}
	for i := range sc.Hexes {
		h, info := Hex(i), &sc.Hexes[i]
		s := canvas.Space(h)
		s.Name, s.Terrain = info.Name.In(lang), sc.Terrains[info.Terrains[0]].ID
		for _, t := range info.Terrains[1:] {
			s.Features = append(s.Features, sc.Terrains[t].ID)
		}
		for _, v := range sc.Doc.GetVictory().GetHexes() {
			if v.GetHex() == s.Id {
				s.Value += v.GetPoints()
			}
		}
		if info.Port > 0 {
			s.Features = append(s.Features, "port")
		}
		m.Spaces = append(m.Spaces, s)
		m.Edges = append(m.Edges, edgesOf(sc, h)...)
		m.Links = append(m.Links, linksOf(sc, h)...)
	}
	for i := range sc.Boxes {
		b := &sc.Boxes[i]
		m.Boxes = append(m.Boxes, &boardv1.Box{Id: b.ID, Name: b.Name.In(lang), Owner: seatID(b.Seat)})
	}
	for _, id := range [...]string{"waiting", "dead", "returning"} {
		m.Boxes = append(m.Boxes, &boardv1.Box{Id: id, Name: catalogue.Format(lang, rules.Text{Key: "box." + id})})
	}
	m.Legend = append(m.Legend, legend(sc, lang)...)
	wordsOf(m, lang)
	readings.ReadMap(m, lang)
	m.Digest = rules.MapDigest(m)
	return m
}

// legend names terrains, hexsides, roads and ports.
func legend(sc *Scenario, lang rules.Lang) []*boardv1.Legend {
	var all []*boardv1.Legend
	for i := range sc.Terrains {
		t := &sc.Terrains[i]
		all = append(all,
			&boardv1.Legend{Key: t.ID, Name: t.Name.In(lang), Color: look(t.ID, terrainColors[t.Category[0]])})
	}
	for i := range sc.Features {
		f := &sc.Features[i]
		l := sideLook(f)
		all = append(all, &boardv1.Legend{Key: f.ID, Name: f.Name.In(lang), Color: l.color, Width: l.width})
	}
	for i := range sc.roads {
		all = append(all,
			&boardv1.Legend{Key: sc.roads[i].id, Name: sc.roads[i].name.In(lang),
				Color: look(sc.roads[i].id, "#6b5b4b")})
	}
	return append(all,
		&boardv1.Legend{Key: "port", Name: catalogue.Format(lang, rules.Say("piece.port")), Color: "#2b4f7a",
			Glyph: "⚓"})
}

// terrainColors are colours by CRT row; the last is that of the sea.
var terrainColors = [numCategories + 1]string{"#e8e4d0", "#cfd8ae", "#b3bf8c", "#a39a86", "#b9d3e6"}

// edgesOf are the features on the hexsides of a hex that lead to a higher one.
func edgesOf(sc *Scenario, h Hex) []*boardv1.Edge {
	var all []*boardv1.Edge
	for d, n := range sc.Map.Neighbors(h) {
		if n == NoHex || n < h {
			continue
		}
		for set := sc.Hexes[h].Sides[d]; set != 0; set &= set - 1 {
			all = append(all, &boardv1.Edge{A: sc.Map.ID(h), B: sc.Map.ID(n), Kind: sc.Features[bit(set)].ID})
		}
	}
	return all
}

// linksOf are the roads and railways from a hex to higher ones.
func linksOf(sc *Scenario, h Hex) []*boardv1.Link {
	var all []*boardv1.Link
	for d, n := range sc.Map.Neighbors(h) {
		if n == NoHex || n < h {
			continue
		}
		for set := uint32(sc.Hexes[h].Roads[d]); set != 0; set &= set - 1 {
			all = append(all, &boardv1.Link{Kind: sc.roads[bit(set)].id, Spaces: []string{sc.Map.ID(h), sc.Map.ID(n)}})
		}
	}
	return all
}
