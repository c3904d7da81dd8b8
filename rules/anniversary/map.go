package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// boxMobilization and the id of a power make the box of units that it bought; China's holds its recruits
// (AA 7.1.4, AA 5.2.5).
const boxMobilization = "mobilization-"

// Terrains and features of the map.
const (
	terrainLand    = "land"
	terrainSea     = "sea"
	terrainNeutral = "neutral"
	featureCity    = "victory-city"
	featureCapital = "capital"
	featureIsland  = "island"
	edgeCanal      = "canal"
)

// decorKinds are the kinds of what is drawn beside spaces, on the board.
var decorKinds = map[anniversaryv1.DecorKind]string{
	anniversaryv1.DecorKind_DECOR_KIND_ICE: "ice", anniversaryv1.DecorKind_DECOR_KIND_LAKE: "lake",
}

// gridStep is how far spaces are from each other in the picture of a scenario without a drawing.
const gridStep = 100

// draw makes the map in both languages. They share the outlines.
func (s *Scenario) draw(lang rules.Lang) *boardv1.Map {
	m := &boardv1.Map{
		Width: float64(s.Art.GetWidth()), Height: float64(s.Art.GetHeight()), Wraps: s.Art.GetWraps(),
		Regions: s.regions(lang), Legend: legend(s, lang),
		Kinds: typeWords(lang), Marks: kit.Legend(catalogue, lang, "mark", markLooks, nil),
		Numbers: kit.Legend(catalogue, lang, "number", numberLooks, nil),
	}
	if s.Art == nil {
		m.Width, m.Height = gridWidth*gridStep, float64((len(s.Spaces)+gridWidth-1)/gridWidth*gridStep)
	}
	for sp := range s.Spaces {
		m.Spaces = append(m.Spaces, s.space(Space(sp), lang))
	}
	for c := range s.Canals {
		canal := &s.Canals[c]
		m.Edges = append(m.Edges,
			&boardv1.Edge{A: s.SpaceID(canal.A), B: s.SpaceID(canal.B), Kind: edgeCanal,
				Points: s.Picture.Canals[c]})
	}
	for w := range NumPowers {
		m.Boxes = append(m.Boxes, &boardv1.Box{
			Id: boxMobilization + w.ID(), Owner: scenario.PowerIDs[w.Seat()],
			Name: mapWord("mobilization", lang) + kit.InLang(s.Powers[w].Name, lang),
		})
	}
	for i, rings := range s.Picture.Decor {
		d := s.Art.GetDecor()[i]
		m.Decor = append(m.Decor,
			&boardv1.Decor{Kind: decorKinds[d.GetKind()], Name: kit.InLang(d.GetName(), lang),
				Covers:  d.GetCovers(),
				Outline: rings})
	}
	readings.ReadMap(m, lang)
	m.Digest = rules.MapDigest(m)
	return m
}

// gridWidth is how many spaces stand side by side where there is no drawing.
const gridWidth = 15

func (s *Scenario) space(sp Space, lang rules.Lang) *boardv1.Space {
	info := &s.Spaces[sp]
	m := &boardv1.Space{
		Id: info.ID, Name: kit.InLang(info.Name, lang), Terrain: terrainLand, Outline: s.Picture.Outlines[sp],
		Features: s.features(sp), Value: int32(info.IPC),
	}
	switch {
	case info.Sea:
		m.Terrain = terrainSea
	case info.Impassable:
		m.Terrain = terrainNeutral
	}
	for other := range s.Adjacent[sp].Each {
		m.Neighbors = append(m.Neighbors, s.Spaces[other].ID)
	}
	if shape := s.Picture.Shapes[sp]; shape != nil {
		m.Label, m.Centre = point(shape.GetLabel()), point(shape.GetStack())
		if shape.GetName() != nil {
			m.Label = point(shape.GetName())
		}
		if shape.GetCity() != nil {
			m.City = point(shape.GetCity())
		}
		m.LabelSize, m.Room = float64(shape.GetSize()), float64(shape.GetRoom())
		return m
	}
	x, y := float64(int(sp)%gridWidth*gridStep+gridStep/2), float64(int(sp)/gridWidth*gridStep+gridStep/2)
	if s.Art != nil { // a drawing that lacks this space: anywhere on its canvas
		x, y = min(x, float64(s.Art.GetWidth())), min(y, float64(s.Art.GetHeight()))
	}
	m.Label, m.Centre = &boardv1.Point{X: x, Y: y}, &boardv1.Point{X: x, Y: y}
	return m
}

func point(p *anniversaryv1.Spot) *boardv1.Point {
	return &boardv1.Point{X: float64(p.GetX()), Y: float64(p.GetY())}
}

func (s *Scenario) features(sp Space) []string {
	var f []string
	info := &s.Spaces[sp]
	for _, x := range [...]struct {
		on  bool
		key string
	}{
		{info.Capital != NoPower, featureCapital},
		{info.City != nil, featureCity},
		{info.Island != NoSpace, featureIsland},
	} {
		if x.on {
			f = append(f, x.key)
		}
	}
	return f
}

// regions are the victory cities, what belonged to whom, where China may go, and the national objectives.
func (s *Scenario) regions(lang rules.Lang) []*boardv1.Region {
	var all []*boardv1.Region
	add := func(id, kind, name string, spaces []Space) {
		r := &boardv1.Region{Id: id, Kind: kind, Name: name}
		for _, sp := range spaces {
			r.Spaces = append(r.Spaces, s.Spaces[sp].ID)
		}
		all = append(all, r)
	}
	for _, sp := range s.Cities {
		add("city-"+s.Spaces[sp].ID, featureCity, kit.InLang(s.Spaces[sp].City, lang), []Space{sp})
	}
	for w := range NumPowers {
		var own []Space
		for sp, o := range s.Original {
			if o == w {
				own = append(own, Space(sp))
			}
		}
		add("original-"+w.ID(), "original", kit.InLang(s.Powers[w].Name, lang), own)
	}
	var reach []Space
	for sp := range s.ChinaRules.Range.Each {
		reach = append(reach, sp)
	}
	add("china-range", "range", mapWord("china-range", lang), reach)
	for i := range s.Objectives {
		o := &s.Objectives[i]
		add("objective-"+o.ID, "objective", kit.InLang(o.Title, lang),
			append(o.Territories[:len(o.Territories):len(o.Territories)], o.NoWarships...))
	}
	return all
}
