package ocs

import (
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// With the option a formation marker lies in its stack and shows only if what is on top is under it.
func TestFormationFog(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.7b")
	red := rules.SeatViewer(Red)
	start := func(options ...string) *table {
		return onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").with(options...).
			put("09.02", "bl-31-tk/move bl-33-mech/move x-1").put("12.07", "rd-101-tk").segment(SegMovement, Blue)
	}
	tells := func(g *table, command string) string {
		var list []rules.Emitted
		for _, e := range g.do(command).Events {
			if red.MaySee(e.Audience) {
				list = append(list, e)
			}
		}
		return g.told(&rules.Outcome{Events: list})
	}
	pieces := func(g *table, v rules.Viewer) int {
		n := 0
		for _, piece := range g.p.Board(v, rules.English).GetPieces() {
			if piece.GetKind() == "formation-marker" {
				n++
			}
		}
		return n
	}
	g := start()
	if got := tells(g, "group bl-31-tk,bl-33-mech"); !strings.Contains(got, "Formation marker") ||
		g.marker(red, "bl-3-arm", "09.02") == "" {
		t.Errorf("without the option red is told %q", got)
	}
	g = start(optFormationFog)
	out := g.p.Clone()
	if got := tells(g, "group bl-31-tk,bl-33-mech"); got != "" || g.marker(red, "bl-3-arm", "09.02") != "" ||
		pieces(g, red) != 0 {
		t.Errorf("red is told %q, and sees %q", got, g.marker(red, "bl-3-arm", "09.02"))
	}
	if got := g.marker(rules.SeatViewer(Blue), "bl-3-arm", "09.02"); got == "" ||
		pieces(g, rules.SeatViewer(Blue)) != 1 {
		t.Error("its owner does not see it")
	}
	g.refused("OCS 4.8b-C", "top bl-31-tk") // the infantry has the ZOC
	if got := tells(g, "move x-1 09.03"); !strings.Contains(got,
		"Formation marker of 3 Armoured Division in 09.02: Move mode") {
		t.Errorf("what covered it is gone, and red is told %q", got)
	}
	// and a unit of it is shown
	if g.marker(red, "bl-3-arm", "09.02") != "move" || seen(g.p.view(red), "09.02") != "bl-31-tk" {
		t.Errorf("red sees %q and %s", g.marker(red, "bl-3-arm", "09.02"), seen(g.p.view(red), "09.02"))
	}
	if got := tells(g, "move x-1 09.02"); !strings.Contains(got,
		"No formation marker of 3 Armoured Division is left in 09.02.") {
		t.Errorf("it is covered again, and red is told %q", got)
	}
	g.p = out
	c := g.p.changed() // the only attack-capable units in Combat mode are in the formation
	c.unit(g.unit("bl-33-mech")).Face = 1
	c.unit(g.unit("x-1")).Face = 2
	g.change(c)
	if got := tells(g, "group bl-33-mech"); !strings.Contains(got, "Formation marker") ||
		seen(g.p.view(red), "09.02") != "bl-33-mech" {
		t.Errorf("red is told %q and sees %s", got, seen(g.p.view(red), "09.02"))
	}
	g.refused("OCS 4.8b-C", "top x-1")
	// What hide changes of it in the battery is seen by nobody else.
	g = start(optFormationFog)
	p := g.p.Clone()
	if !otherMarkers(p, Blue) || slices.Equal(strings.Fields(p.format()), strings.Fields(g.p.format())) {
		t.Fatal("nothing was hidden")
	}
	if a, b := g.p.view(red).String(), p.view(red).String(); a != b {
		t.Errorf("red sees %s and %s", a, b)
	}
}
