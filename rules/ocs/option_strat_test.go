package ocs

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// At the end of a segment 3 REs in Strat mode may be in a hex, or a single unit of several steps, or a single
// formation; the owner removes the rest.
func TestStratModeSpace(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.12", "OCS 21.12c")
	counters :=
		[]string{"x-big blue division other infantry 9-3-3leg 3-3-8leg re=4 steps=4",
			"x-1 blue regiment other infantry 5-3-3leg 3-3-8leg",
			"x-2 blue regiment other infantry 5-3-3leg 3-3-8leg", "x-3 blue regiment other infantry 5-3-3leg 3-3-8leg",
			"x-4 blue regiment other infantry 5-3-3leg 3-3-8leg",
			"f-1 blue brigade other infantry 5-3-3leg 3-3-8leg formation=bl-3-arm",
			"f-2 blue brigade other infantry 5-3-3leg 3-3-8leg formation=bl-3-arm",
			"f-3 blue brigade other infantry 5-3-3leg 3-3-8leg formation=bl-3-arm",
			"f-4 blue brigade other infantry 5-3-3leg 3-3-8leg formation=bl-3-arm"}
	for _, c := range []struct {
		units string
		many  bool
	}{
		{"x-1/strat x-2/strat x-3/strat", false}, {"x-1/strat x-2/strat x-3/strat x-4/strat", true},
		{"x-1/strat x-2/strat x-3/strat x-4/move f-1", false}, // the rest of the stack has 10 REs
		{"x-big/strat", false}, {"x-big/strat x-1/strat", true}, {"x-big/strat,lost=2 x-1/strat", false},
		{"f-1/strat f-2/strat f-3/strat f-4/strat", false}, {"f-1/strat f-2/strat f-3/strat x-4/strat", true},
	} {
		g := onGround(t, counters...).with(optStratModeSpace).put("09.02", c.units).segment(SegReactionMove, Red)
		g.do("end")
		if got := g.fact("asks") == "excess"; got != c.many {
			t.Errorf("%s: too many: %t", c.units, got)
		}
	}
	g := onGround(t, counters...).put("09.02", "x-1/strat x-2/strat x-3/strat x-4/strat").segment(SegReactionMove, Red)
	g.do("end")
	g.want("segment", "reaction-barrage") // without the rule
	g = onGround(t, counters...).with(optStratModeSpace).put("09.02", "x-1/strat x-2/strat x-3/strat x-4/strat x-big").
		segment(SegReactionMove, Red)
	out := g.do("end")
	if got := g.told(out); !strings.Contains(got, "too many REs of Blue in Strat mode") {
		t.Errorf("told %q", got)
	}
	g.refused("OCS 21.12c", "remove x-big")
	g.refused("OCS 21.12c", "remove x-1,x-2")
	if got := g.lists("remove"); len(got) != 4 {
		t.Errorf("it lists %v", got)
	}
	g.do("remove x-3")
	g.want("place x-3", "dead", "segment", "reaction-barrage", "frame", "")
	// Both limits: the hex is over 10 REs too.
	g = onGround(t, append(counters, "x-5 blue division other infantry 9-3-3leg 3-3-8leg re=4 steps=4")...).
		with(optStratModeSpace).
		put("09.02", "x-1/strat x-2/strat x-3/strat x-4/strat x-big x-5").segment(SegReactionMove, Red)
	g.all("end", "remove x-5").want("asks", "excess")
	g.all("remove x-1").want("segment", "reaction-barrage", "at 09.02", "x-big x-2 x-3 x-4")
}

// Units in Strat mode stop where they trace by direct draw, not through an HQ.
func TestStratModeDirectDraw(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.12d")
	start := func(options ...string) *table {
		return onRow(t, 30, []int{-5}, nil, [][2]int{{-5, 0}}, hq57, division, guard).with(options...).
			put(at(0), "x-57").put(at(3), "x-div/strat").
			put(at(8), "x-guard/move").segment(SegMovement, Blue)
	}
	g := start()
	g.do("move x-div " + at(4) + ">" + at(5) + ">" + at(6) + ">" + at(7))
	g = start(optStratModeDirectDraw)
	g.refused("OCS 21.12d", "move x-div "+at(4)+">"+at(5)+">"+at(6)+">"+at(7)) // the HQ throws that far
	far := "move x-div " + at(4) + ">" + at(5) + ">" + at(6)
	for _, c := range g.lists("move") {
		if strings.HasPrefix(c, "move x-div") && strings.HasSuffix(c, at(7)) {
			t.Errorf("it lists %s", c)
		}
	}
	g.do(far) // 5 MP and one hex from a station
	g = start()
	g.do("mode x-guard marker=strat")
	g.do("end")
	g = start(optStratModeDirectDraw)
	g.do("mode x-guard marker=strat")
	g.refused("OCS 21.12d", "end") // it took Strat mode where it can't
	g.all("leave x-guard").do("end")
}
