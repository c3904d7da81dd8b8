package ocs

import (
	"fmt"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// rowZero is the number in the column of hex 0 of a row.
const rowZero = 6

// at is the id of hex q of a row.
func at(q int) string { return fmt.Sprintf("01.%02d", rowZero+q) }

// onRow is a straight row of open hexes, from -5 on, with nothing beside it: what the examples of chapter 12 are laid
// out on. Villages make hexes detrainable; rails are pairs of ends; sources are blue's.
func onRow(t testing.TB, length int, sources, villages []int, rails [][2]int, counters ...string) *table {
	t.Helper()
	doc := document(t, "proving-ground")
	m := &ocsv1.Map{Id: "row", Title: &ocsv1.Words{En: "Row"}, Gauges: []string{"standard", "broad"}}
	for q := 1 - rowZero; q <= length; q++ {
		h := &ocsv1.MapHex{Id: at(q), Terrain: []string{"open"}}
		for _, v := range villages {
			if v == q {
				h.Terrain = append(h.Terrain, "village")
			}
		}
		m.Hexes = append(m.Hexes, h)
	}
	for _, r := range rails {
		for q := r[0]; q < r[1]; q++ {
			m.Rails = append(m.Rails, &ocsv1.MapRail{A: at(q), B: at(q + 1), Gauge: 1})
		}
	}
	doc.Map, doc.Setup, doc.ControlledByOther, doc.Control, doc.Victory.Hexes = m, nil, nil, "blue", nil
	doc.Victory.EarlyControls = nil
	for _, s := range doc.Sides {
		s.Entries, s.Sources, s.Supply, s.Arrivals, s.BreakoutReturn, s.Replacements = nil, nil, nil, nil, nil, nil
	}
	for _, q := range sources {
		doc.Sides[0].Sources = append(doc.Sides[0].Sources, &ocsv1.Source{Hex: at(q)})
	}
	for _, k := range doc.Counters.Transports {
		if k.Id == "truck" {
			k.BlueExtender = 10
		}
	}
	for _, line := range counters {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	sc := load(t, doc)
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(1)
}

// traces expects that a unit can trace, or not.
func (g *table) traces(id string, want bool) {
	g.t.Helper()
	if got := g.p.canTrace(g.unit(id)); got != want {
		g.t.Errorf("%s traces: %t, want %t", id, got, want)
	}
}

// given expects how many tokens a unit can be given.
func (g *table) given(id string, want int) {
	g.t.Helper()
	if got := g.p.reachableTokens(g.unit(id)); got != want {
		g.t.Errorf("%s can be given %dT, want %dT", id, got, want)
	}
}

// to puts a unit into another hex.
func (g *table) to(id string, where string) *table {
	g.t.Helper()
	c := g.p.changed()
	c.move(g.unit(id), g.place(where))
	return g.change(c)
}
