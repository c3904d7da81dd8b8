package greedy

import (
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// ground is what the map of Downfall says, in the form that a commander needs.
type ground struct {
	of *boardv1.Map
	// index numbers the hexes of land, and links are their neighbours over land by number.
	index map[string]int
	links [][]int
	// from has the distances from single hexes, each once it was asked for.
	from map[string][]int
	// near are the land neighbours of each hex.
	near map[string][]string
	// towns are the coastal towns, coast all coastal hexes, and south those of them that must be clear in the end.
	towns        []string
	coast, south map[string]bool
	// hard is what terrain takes from an attack, roughly, and rivers are the hexsides that take one more.
	hard   map[string]float64
	rivers map[[2]string]bool
}

// terrainHard is about the mean of what the die for chemical weapons gives.
var terrainHard = map[string]float64{"broken": 0.3, "forest": 1, "rough": 1.7, "town": 0.7, "city": 2,
	"fortification": 2.3}

func survey(m *boardv1.Map) *ground {
	g := &ground{
		of: m, index: map[string]int{}, near: map[string][]string{}, coast: map[string]bool{}, south: map[string]bool{},
		hard:   map[string]float64{},
		rivers: map[[2]string]bool{}, from: map[string][]int{},
	}
	bay := map[[2]string]bool{}
	for _, e := range m.Edges {
		both := [...][2]string{{e.A, e.B}, {e.B, e.A}}
		for _, side := range both {
			bay[side] = bay[side] || e.Kind == "sea"
			g.rivers[side] = g.rivers[side] || e.Kind == "river"
		}
	}
	for _, s := range m.Spaces {
		if s.Terrain == "sea" {
			continue
		}
		g.index[s.Id] = len(g.index)
		g.hard[s.Id] = terrainHard[s.Terrain]
		g.coast[s.Id] = slices.Contains(s.Features, "coastal")
		if g.coast[s.Id] && s.Terrain == "town" {
			g.towns = append(g.towns, s.Id)
		}
	}
	g.links = make([][]int, len(g.index))
	for _, s := range m.Spaces {
		for _, n := range s.Neighbors {
			a, here := g.index[s.Id]
			b, there := g.index[n]
			if here && there && !bay[[2]string{s.Id, n}] {
				g.links[a] = append(g.links[a], b)
				g.near[s.Id] = append(g.near[s.Id], n)
			}
		}
	}
	for _, r := range m.Regions {
		for _, h := range r.Spaces {
			g.south[h] = g.south[h] || r.Id == "south-of-line" && g.coast[h]
		}
	}
	return g
}

// longWay stands for a place that can't be reached over land.
const longWay = 40

// distances over land from every hex to the nearest of some hexes, each with a start of its own, by
// the number of the hex.
func (g *ground) distances(from map[string]int) []int {
	d := make([]int, len(g.links))
	for i := range d {
		d[i] = longWay
	}
	for h, n := range from {
		if i, ok := g.index[h]; ok {
			d[i] = n
		}
	}
	// In waves: the hexes that are n away, those that begin there and those that the wave before came to.
	var wave, next []int
	for n := range longWay {
		begun := false
		for h, start := range from { // order-free: a wave is a set
			i, ok := g.index[h]
			begun = begun || ok && start > n
			if ok && start == n && d[i] == n {
				wave = append(wave, i)
			}
		}
		if len(wave) == 0 && !begun {
			break
		}
		next = next[:0]
		for _, i := range wave {
			for _, near := range g.links[i] {
				if d[near] > n+1 {
					d[near] = n + 1
					next = append(next, near)
				}
			}
		}
		wave, next = next, wave
	}
	return d
}

// away are the distances over land from a hex.
func (g *ground) away(h string) []int {
	d := g.from[h]
	if d == nil {
		d = g.distances(map[string]int{h: 0})
		g.from[h] = d
	}
	return d
}

// far is a distance; a long way from what is no hex.
func (g *ground) far(d []int, h string) float64 {
	if i, ok := g.index[h]; ok {
		return float64(d[i])
	}
	return longWay
}
