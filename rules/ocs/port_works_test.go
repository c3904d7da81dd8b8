package ocs

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// An engineer repairs a hit of a port for 1 SP, once in a turn; an RE of combat units gives it one.
func TestPortWorks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 19.0c", "OCS 19.0d", "OCS 13.8d-i", "OCS 13.8d-iii")
	start := func(hits string) *table {
		return onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
			"x-2 blue regiment other infantry 3-3-3leg 2-3-8leg").
			put("05.07", "bl-9-eng x-1 x-2/move").dump("05.07", Blue, 20).hex("05.07", "port_hits="+hits+" owner=blue").
			phase()
	}
	g := start("2")
	const repair = "construct bl-9-eng job=repair-port at=05.07 lines=[at=05.07;count=4]"
	g.refused("OCS 19.0d", "construct x-1 job=repair-port at=05.07 lines=[at=05.07;count=4]")
	g.refused("OCS 19.0d", "construct bl-9-eng,x-1 job=repair-port at=05.07 lines=[at=05.07;count=4]")
	g.refused("OCS 19.0d", "construct bl-9-eng job=repair-port at=05.07 lines=[at=05.07;count=3]")
	g.refused("OCS 19.0d", "construct bl-9-eng job=repair-port at=06.06 lines=[at=05.07;count=4]")
	if got := g.lists("construct"); !strings.Contains(strings.Join(got, "\n"), repair) {
		t.Errorf("it lists %v", got)
	}
	out := g.do(repair)
	if got := g.told(out); !strings.Contains(got, "repairs the port in Bigport 05.07; hits left: 1") {
		t.Errorf("told %q", got)
	}
	g.want("hits 05.07", 1, "ground 05.07 blue", 16, "mark bl-9-eng built", true, "hexmark 05.07 port-changed", true)
	g.refused("OCS 19.0d", repair)
	g.refused("OCS 19.0c", "construct x-1 job=damage-port at=05.07") // once
	g = start("0")
	g.refused("OCS 19.0d", repair)
	g.refused("OCS 16.0b", "construct x-2 job=damage-port at=05.07") // in Move mode
	out = g.do("construct x-1 job=damage-port at=05.07")
	if got := g.told(out); !strings.Contains(got, "hits: 1") {
		t.Errorf("told %q", got)
	}
	g.want("hits 05.07", 1, "ground 05.07 blue", 20, "mark x-1 done", true)
	g = onGround(t, "x-eng blue regiment other combat_engineer 3-3-3leg 2-3-8leg engineer").put("05.07", "x-eng").
		dump("05.07", Blue, 20).phase()
	g.do("construct x-eng job=raise-hedgehog at=05.07 lines=[at=05.07;count=8]")
	g.refused("OCS 13.8d-ii", "construct x-eng job=damage-port at=05.07") // one job, also as an RE of combat units
	start("4").refused("OCS 19.0c", "construct x-1 job=damage-port at=05.07")
	g = start("2").hex("05.07", "owner=red")
	g.refused("OCS 19.0d", repair)
}

// With revised construction a port of 1 SP or less is repaired for what it can handle now (EX-21-03).
func TestSmallPorts(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 21.11b")
	for _, c := range []struct {
		hits      string
		off, on   string // tokens
		left, big int    // capacity of the small port, and of one of 6 SP
	}{{"1", "4", "2", 2, 19}, {"2", "4", "1", 1, 14}, {"4", "4", "1", 0, 5}} { // 2 T less 20, 40 and 80 percent
		for _, on := range []bool{false, true} {
			g := onGround(t).put("07.01", "bl-9-eng").dump("07.01", Blue, 20).
				hex("07.01", "port_hits="+c.hits+" owner=blue").hex("05.07", "port_hits="+c.hits).phase()
			price, other := c.off, c.on
			if on {
				g.with(optRevisedConstruction)
				price, other = c.on, c.off
			}
			if small, big := g.p.portLeft(g.place("07.01")), g.p.portLeft(g.place("05.07")); small != c.left ||
				big != c.big {
				t.Errorf("%s hits leave %d and %d", c.hits, small, big)
			}
			g.refused("OCS 19.0d", "construct bl-9-eng job=repair-port at=07.01 lines=[at=07.01;count="+other+"]")
			g.do("construct bl-9-eng job=repair-port at=07.01 lines=[at=07.01;count=" + price + "]")
		}
	}
	g := onGround(t).with(optRevisedConstruction).put("05.07", "bl-9-eng").dump("05.07", Blue, 20).
		hex("05.07", "port_hits=4 owner=blue").phase()
	g.do("construct bl-9-eng job=repair-port at=05.07 lines=[at=05.07;count=4]") // 5 T are more than 1 SP
}
