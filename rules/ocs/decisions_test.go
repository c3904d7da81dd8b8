package ocs

import "testing"

// A question whose answer at once could tell a secret is discreet; fuel is idle where nothing moves.
func TestDiscreetQuestions(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		segment        Segment
		discreet, idle bool
	}{
		{SegBreakout, false, true}, {SegMovement, false, false}, {SegArtilleryBarrage, false, true},
		{SegCombat, false, true}, {SegReactionMove, true, false},
		{SegReactionBarrage, true, true}, {SegExploitMove, false, false},
	} {
		g := onGround(t, "x-pz blue battalion armor armor 6-4-8track 3-4-14track",
			"y-tk red brigade mech armor 7-3-7track 4-3-12track").
			put("12.06", "x-pz").put("12.04", "y-tk").dump("12.06", Blue, 20).dump("12.04", Red, 20).
			segment(x.segment, Blue)
		d := g.p.Decisions()
		if len(d) != 1 || d[0].Discreet != x.discreet {
			t.Errorf("segment %d asks %+v; want discreet %v", x.segment, d, x.discreet)
		}
		if got := g.p.Describe(g.asked(), only(KindFuel)).Idle; got != x.idle {
			t.Errorf("fuel in segment %d is idle: %v, want %v", x.segment, got, x.idle)
		}
		if g.p.Describe(g.asked(), only(KindEnd)).Idle {
			t.Errorf("to end segment %d is idle", x.segment)
		}
	}
}

// All questions of a combat about what a side has are discreet; those about places are not.
func TestDiscreetCombat(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue regiment other infantry 4-4-3leg 1-4-8leg",
		"y-1 red battalion other infantry 8-4-3leg 3-3-8leg").
		put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 5).segment(SegCombat, Blue)
	asked := func() string {
		all := g.p.Decisions()
		if len(all) != 1 {
			t.Fatalf("asked is %+v", all)
		}
		if all[0].Discreet {
			return all[0].Kind + " discreetly"
		}
		return all[0].Kind
	}
	g.do("attack x-1 12.05")
	for _, step := range []struct{ want, answer string }{
		{"combat-supply discreetly", "pay x-1 lines=[at=12.04;count=1]"}, {"combat-supply discreetly", "ready"},
		{"combat-supply discreetly", "ready"}, {"lead discreetly", "lead x-1"},
	} {
		if got := asked(); got != step.want {
			t.Errorf("asked is %q, want %q", got, step.want)
		}
		g.do(step.answer)
	}
	if got := asked(); got != "lead discreetly" {
		t.Errorf("asked is %q", got)
	}
	g.do("lead y-1", 4, 3, 1, 1) // no surprise, and losses of the attacker
	if got := asked(); got != "losses discreetly" {
		t.Errorf("asked is %q", got)
	}
}
