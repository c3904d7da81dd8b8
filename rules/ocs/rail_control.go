package ocs

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Rail control (OCS 13.3h): a side may use the rail lines that lead from a supply source of its own to its combat units
// without passing an enemy combat unit. A hex is controlled if it lies on a path without repetition from a source to a
// hex where a combat unit's trace meets the railway: on the block of the graph that holds the edge between a vertex
// joined to all sources and one joined to all such hexes.

// railways is the railways of a side at a moment.
type railways struct {
	p          *Position
	s          *survey
	controlled hexSet
}

// railways works out what a side controls.
func (p *Position) railways(seat rules.Seat) *railways {
	if p.found != nil && p.found.rails[seat] != nil {
		return p.found.rails[seat]
	}
	r := &railways{p: p, s: p.survey(seat)}
	if p.found != nil {
		p.found.rails[seat] = r
	}
	r.controlled = r.s.newSet()
	var g blocks
	g.index = make([]int, p.sc.Map.Len())
	g.hexes = []Hex{NoHex, NoHex}
	g.edges = [][]int{fromUnits: {fromSources}, fromSources: {fromUnits}}
	for i := range p.sc.Hexes {
		if r.usable(Hex(i)) {
			g.index[i] = len(g.hexes)
			g.hexes, g.edges = append(g.hexes, Hex(i)), append(g.edges, nil)
		}
	}
	for v := numEnds; v < len(g.hexes); v++ {
		h := g.hexes[v]
		for d, n := range p.sc.Map.Neighbors(h) {
			if n != NoHex && p.sc.Hexes[h].Tracks[hex.Dir(d)] > 0 && g.index[n] > 0 {
				g.edges[v] = append(g.edges[v], g.index[n])
			}
		}
	}
	for _, h := range r.s.railSources() {
		g.join(fromSources, h)
	}
	for _, h := range r.met() {
		g.join(fromUnits, h)
	}
	for _, h := range g.between() {
		r.controlled.add(h)
	}
	return r
}

// usable reports whether a hex belongs to the railways that the side could use: its gauge (OCS 13.3f), no enemy combat
// unit. Enemy ZOC does not matter here.
func (r *railways) usable(h Hex) bool {
	p := r.p
	if !p.sc.Hexes[h].Rail || p.combatIn(enemy(r.s.seat), Place(h)) {
		return false
	}
	gauge := p.sc.Seats[r.s.seat].Gauge
	return gauge == 0 || p.cells[h].gauge == gauge
}

// railSources are the sources of the side that function, and its entries on railways.
func (s *survey) railSources() (list []Hex) {
	side := &s.p.sc.Seats[s.seat]
	for _, src := range side.Sources {
		if s.works(src.At, src.Port) {
			list = append(list, src.At)
		}
	}
	for _, e := range side.Entries {
		if h := e.At.Hex(); e.Rail && h != NoHex && s.works(h, false) {
			list = append(list, h)
		}
	}
	return list
}

// met are the rail hexes in which combat units stand, or at which their traces meet the railway.
func (r *railways) met() (list []Hex) {
	seen := r.s.newSet()
	ends := r.s.network().ends
	for u := range r.p.all(r.s.seat) {
		at := r.p.units[u].place.Hex()
		if !r.p.isCombat(u) || at == NoHex {
			continue
		}
		seen.add(at)
		for i, covered := range r.s.drawn(u) {
			seen[i] |= covered & ends[i]
		}
	}
	for i := range r.p.sc.Hexes {
		if seen.has(Hex(i)) && r.usable(Hex(i)) {
			list = append(list, Hex(i))
		}
	}
	return list
}

// The two vertices that are no hexes.
const (
	fromUnits   = 0
	fromSources = 1
	numEnds     = 2
)

// blocks finds a biconnected component of a graph, after Tarjan.
type blocks struct {
	index []int // vertex of a hex, 0 for none
	hexes []Hex // by vertex
	edges [][]int
	num   []int
	low   []int
	count int
	open  []int // vertices that belong to no finished block
}

// join joins a hex to one of the two vertices.
func (g *blocks) join(end int, h Hex) {
	if v := g.index[h]; v > 0 {
		g.edges[end] = append(g.edges[end], v)
		g.edges[v] = append(g.edges[v], end)
	}
}

// between are the hexes of the block that holds the edge between the two vertices.
func (g *blocks) between() (list []Hex) {
	g.num, g.low = make([]int, len(g.hexes)), make([]int, len(g.hexes))
	g.count++
	g.num[fromUnits], g.low[fromUnits] = g.count, g.count
	g.visit(fromSources, fromUnits)
	for _, v := range g.open {
		if v >= numEnds {
			list = append(list, g.hexes[v])
		}
	}
	return list
}

// visit searches from a vertex. What hangs on it by this vertex alone is a finished block and dropped.
func (g *blocks) visit(v, parent int) {
	g.count++
	g.num[v], g.low[v] = g.count, g.count
	g.open = append(g.open, v)
	for _, w := range g.edges[v] {
		switch {
		case w == parent:
		case g.num[w] > 0:
			g.low[v] = min(g.low[v], g.num[w])
		default:
			before := len(g.open)
			g.visit(w, v)
			if g.low[w] >= g.num[v] {
				g.open = g.open[:before]
			}
			g.low[v] = min(g.low[v], g.low[w])
		}
	}
}
