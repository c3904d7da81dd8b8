package ocs

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// An HQ throws as far as the face says that is up, DG or not, and not at all in Strat mode; it is 1 RE, and gives a
// trace.
func TestHeadquarters(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.1", "OCS 13.1a", "OCS 13.1b", "OCS 13.1b-i")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("07.07", "bl-corps").put("09.13", "x-1")
	hq, u := g.unit("bl-corps"), g.unit("x-1")
	if g.p.re(hq) != oneRE {
		t.Errorf("an HQ is %s RE", formatRE(g.p.re(hq)))
	}
	for _, size := range []string{"company", "battalion", "division re=3 steps=1"} {
		kind, extra, _ := strings.Cut(size, " ")
		const faces = " other headquarters 5-0-2truck/t8truck 1-0-12truck/t6truck hq "
		o := onGround(t, "x-hq blue "+kind+faces+extra).put("07.07", "x-hq")
		if got := o.p.re(o.unit("x-hq")); got != oneRE {
			t.Errorf("an HQ of a %s is %s RE", kind, formatRE(got))
		}
	}
	far := g.p.counter(hq).Faces[CombatFace].Throw
	near := g.p.counter(hq).Faces[MoveFace].Throw
	if far <= near {
		t.Fatalf("the Combat face throws %s, the Move face %s", formatCost(far), formatCost(near))
	}
	hexes := func() (n int) {
		s := g.p.survey(Blue)
		for i := range g.sc.Hexes {
			if s.thrown(hq).has(Hex(i)) {
				n++
			}
		}
		return n
	}
	found := false
	for i := range g.sc.Hexes {
		if !found && g.sc.Hexes[i].Land {
			g.put(g.sc.Map.ID(Hex(i)), "x-1")
			found = g.p.canTrace(u) && !g.p.survey(Blue).direct(u)
		}
	}
	if !found {
		t.Fatal("there is no hex in which the HQ gives a trace that is needed")
	}
	combat := hexes()
	g.put("07.07", "bl-corps/dg,face=combat")
	if hexes() != combat || !g.p.canTrace(u) {
		t.Error("DG shortens the throw range")
	}
	g.put("07.07", "bl-corps/move")
	if hexes() >= combat {
		t.Error("the Move face throws as far")
	}
	g.put("07.07", "bl-corps/strat")
	if g.p.canTrace(u) {
		t.Error("an HQ in Strat mode gives a trace")
	}
}

// Weather raises the costs of movement as the tables say, of both sides, and never those of supply lines.
func TestWeatherCosts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 17.0a", "OCS 17.0b", "OCS 17.0c")
	g := onGround(t)
	raised := 0
	for i := range g.sc.Hexes {
		for d := range g.p.around(Hex(i)) {
			g.weather("dry")
			move, line := g.p.way(byRoad, Truck, Hex(i), d), g.p.lineCost(Truck, Hex(i), d)
			g.weather("mud")
			if g.p.way(byRoad, Truck, Hex(i), d) > move {
				raised++
			}
			if got := g.p.lineCost(Truck, Hex(i), d); got > line {
				t.Fatalf("in mud a line from %s costs %s, not %s",
					g.sc.Map.ID(Hex(i)), formatCost(got), formatCost(line))
			}
		}
	}
	if raised == 0 {
		t.Error("mud raises no cost")
	}
}

// Nothing starts fuelled.
func TestUnfuelledAtStart(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-J")
	g := begun(t, "crimea-ishun")
	for u := range g.p.units {
		if g.p.units[u].fuel != noFuel {
			t.Errorf("%s starts fuelled", g.p.id(Unit(u)))
		}
	}
}
