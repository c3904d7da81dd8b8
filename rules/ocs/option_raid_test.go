package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// A side proposes Godzilla for what it sees out of supply; its owner agrees if all of the stack is, far from
// every HQ, or refuses.
func TestGodzilla(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.10", "OCS 21.10a")
	start := func(options ...string) *table {
		return onGround(t, "y-1 red regiment other infantry 4-3-3leg 2-2-8leg",
			"y-2 red regiment other infantry 4-3-3leg 2-2-8leg",
			"y-hq red corps other headquarters 5-0-2truck/t3truck 1-0-12truck/t3truck hq").with(options...).
			put("09.05", "y-1/oos y-2/move,oos truck-red/points_t=4").put("19.09", "y-hq").segment(SegMovement, Blue)
	}
	start().refused("OCS 21.10a", "godzilla 09.05")
	g := start(optGodzilla)
	g.refused("OCS 21.10a", "godzilla 09.06") // nobody is there
	if got := g.lists("godzilla"); len(got) != 1 || got[0] != "godzilla at=09.05" {
		t.Errorf("it lists %v", got)
	}
	out := g.do("godzilla 09.05")
	g.want("asks", "godzilla", "hexmark 09.05 godzilla", true)
	if g.asked() != Red || out.Revealed {
		t.Error("the owner is asked, and nothing is told")
	}
	g.refusedTo(Blue, "OCS 2.1", "godzilla-answer yes")
	if got := g.lists("godzilla-answer"); len(got) != 2 {
		t.Errorf("it lists %v", got)
	}
	refused := g.p.Clone()
	out = g.do("godzilla-answer yes")
	if f := factOf[*ocsv1.Event_GodzillaAnswered](t, out).GodzillaAnswered; !f.Yes || len(f.Units) != 2 ||
		!out.Revealed {
		t.Errorf("told %v, revealing %v", f, out.Revealed)
	}
	g.want("place y-1", "dead", "place y-2", "dead", "at 09.05", "truck-red.1", "asks", "move", "frame", "")
	g.p = refused
	out = g.do("godzilla-answer no")
	if got := g.told(out); !strings.Contains(got, "keeps Godzilla away from") || out.Revealed {
		t.Errorf("told %q", got)
	}
	g.want("place y-1", "09.05", "asks", "move")
	g.refused("OCS 21.10a", "godzilla 09.05") // once in a phase
	g.phase().do("godzilla 09.05")
	// Only the owner finds that the stack is not fit for it: one of it is in supply, or an HQ is near.
	g = start(optGodzilla).put("09.05", "y-2/unset=out-of-supply")
	g.do("godzilla 09.05")
	g.refused("OCS 21.10a", "godzilla-answer yes")
	if got := g.lists("godzilla-answer"); len(got) != 1 || got[0] != "godzilla-answer no" {
		t.Errorf("it lists %v", got)
	}
	g = start(optGodzilla).put("10.05", "y-hq")
	g.do("godzilla 09.05")
	g.refused("OCS 21.10a", "godzilla-answer yes")
	g = start(optGodzilla).put("10.05", "y-hq/strat") // it can't throw: no range
	g.all("godzilla 09.05", "godzilla-answer yes")
	g = start(optGodzilla).put("09.05", "y-1/unset=out-of-supply")
	g.refused("OCS 21.10a", "godzilla 09.05") // what lies on top is in supply
}

// raid is a line of blue from 05.07 to an HQ in the east, over land without roads, with red units on it that came there
// in this turn; others cut the line from 05.12.
func raid(t testing.TB, state string, flags ...string) *table {
	doc := document(t, "proving-ground")
	doc.Map.Roads = nil
	for _, line := range []string{"x-hq blue corps other headquarters 5-0-2truck/t8truck 1-0-12truck/t6truck hq",
		"x-inf blue regiment other infantry 4-3-3leg 2-2-8leg", "y-1 red battalion other cavalry 4-3-3leg 2-2-8leg",
		"y-2 red battalion other cavalry 4-3-3leg 2-2-8leg",
		"y-art red battalion other artillery_towed (1)-1-3truck/b8r2 (1)-1-14truck/b4r2 artillery"} {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	g := &table{t: t, sc: load(t, doc)}
	g.p = newPosition(g.sc, options{})
	return g.with(flags...).inTurn(1).put("12.08", "x-hq").put("07.07", "y-1"+state).
		put("07.11", "y-2/move,set=marched").segment(SegExploitCombat, Red)
}

// At the end of the Exploitation Phase the other side names rail lines that raiders cut, and they shift off them.
func TestRaidEvasion(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.10b")
	const line = "raid unit=x-hq 12.08>11.08>10.07>09.07>08.06>07.07>06.06>05.07"
	g := raid(t, "/move,set=marched")
	g.do("end", 3, 6, 6, 1, 1) // weather and initiative of the next turn
	g.want("asks", "order")
	cut := func(state string) *table {
		g := raid(t, state, optRaidEvasion)
		g.do("end")
		return g
	}
	g = cut("/move,set=marched")
	g.want("asks", "raid", "frame", "raid-check")
	if g.asked() != Blue {
		t.Fatal("the side that is not phasing is asked")
	}
	if got := g.lists("raid"); len(got) != 1 || got[0] != "raid 07.11>06.11>05.12 unit=x-hq" {
		t.Errorf("it lists %v", got)
	}
	g.put("09.03", "x-inf")
	for _, c := range []string{
		"raid unit=x-inf 07.11>06.11>05.12", "raid unit=y-1 07.11>06.11>05.12", // no HQ of the side
		// nobody on it
		"raid unit=x-hq 12.08>11.08>10.07>09.07",
		// a gap; no source
		"raid unit=x-hq 12.08>11.08>09.07>08.06>07.07>06.06>05.07",
		"raid unit=x-hq 12.08>11.08>10.07>09.07>08.06>07.07>06.06",
		// no station; twice
		"raid unit=x-hq 11.08>10.07>09.07>08.06>07.07>06.06>05.07", "raid unit=x-hq 06.06>07.07>06.06>05.07",
	} {
		rule := "OCS 21.10b"
		if strings.Contains(c, "unit=y-1") {
			rule = "OCS 6.3a"
		}
		g.refused(rule, c)
	}
	out := g.do(line)
	if got := g.told(out); !strings.Contains(got, "cut for its HQ in Junction City 12.08") || !out.Revealed {
		t.Errorf("told %q", got)
	}
	g.want("asks", "evade", "frame", "evasion")
	if g.asked() != Red {
		t.Fatal("the owner of the raiders is asked")
	}
	g.refused("OCS 21.10b", "evade unit=y-2 at=08.11") // not on this line
	g.refused("OCS 21.10b", "evade unit=y-1 at=06.06") // still on it
	g.refused("OCS 21.10b", "evade unit=y-1 at=10.06") // 3 hexes
	list := g.lists("evade")
	for _, c := range list {
		h := g.place(c[strings.Index(c, "at=")+3:]).Hex()
		if n := g.p.distance(g.place("07.07").Hex(), h); n < 1 || n > 2 || strings.Contains(line, g.sc.Map.ID(h)) {
			t.Errorf("it lists %s", c)
		}
	}
	out = g.do("evade unit=y-1 at=07.08")
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).GetFact().(*ocsv1.Event_UnitEvaded); ok && e.Audience != rules.OnlySeats(Red) {
			t.Errorf("%v is for %v", k, e.Audience)
		}
	}
	g.want("place y-1", "07.08", "spent y-1", "0", "asks", "raid", "owner 07.08", "red")
	g.traces("x-hq", true)
	g.refused("OCS 21.10b", "raid unit=x-hq 07.11>06.11>05.12") // it traces again
	g.do("done", 3, 6, 6, 1, 1)
	g.want("asks", "order", "mark y-2 marched", false)

	// What stands next to a line closes it, though it looks as if it would evade: the list has a line that opens.
	g = cut("/move,set=marched")
	g.put("06.10", "rd-corps/move,set=top rd-1-inf/combat")
	if !g.p.raiders(Blue, g.place("06.10")) {
		t.Fatal("they do not look like raiders")
	}
	if w, got := strings.Fields(line), g.lists("raid"); len(got) != 1 || got[0] != "raid "+w[2]+" "+w[1] {
		t.Errorf("it lists %v", got)
	}
	g = cut("/combat,set=marched") // in Combat mode it need not
	g.refused("OCS 21.10b", line)
	g = cut("/move") // it has not moved: it is named and stays, and is not named again
	g.do(line)
	g.want("asks", "raid", "place y-1", "07.07")
	g.refused("OCS 21.10b", line)
	g.all("raid unit=x-hq 07.11>06.11>05.12").want("asks", "evade")
	g = cut("/strat,set=marched") // Strat mode does not evade into an enemy ZOC
	if got := g.put("08.08", "x-inf").do(line); got == nil || len(g.lists("evade")) == 0 ||
		slices.Contains(g.lists("evade"), "evade unit=y-1 at=07.08") {
		t.Errorf("it lists %v", g.lists("evade"))
	}
	g = cut("/move,set=marched")
	g.put("07.07", "y-art/combat").do(line) // a gun in Combat mode under it holds the line: no hex restores the trace
	g.want("asks", "raid", "place y-1", "07.07")
}

// What moves in a phase of the player turn is noted until the end of the turn, with the rule only.
func TestMarches(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.10b")
	for _, on := range []bool{false, true} {
		g := onGround(t, "x-1 blue regiment other infantry 6-4-3leg 3-2-8leg",
			"x-2 blue regiment other infantry 6-4-3leg 3-2-8leg").put("12.04", "x-1 x-2")
		if on {
			g.with(optRaidEvasion)
		}
		g.segment(SegMovement, Blue).all("move x-1 12.05", "end", "done", "done")
		g.want("segment", "reaction-movement", "mark x-1 moved", false, "mark x-1 marched", on,
			"mark x-2 marched", false)
	}
}
