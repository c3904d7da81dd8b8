package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestExcess(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8", "OCS 4.8a")
	g :=
		onGround(t, "x-1 blue division other infantry 9-3-3leg 3-3-8leg",
			"x-2 blue division other infantry 9-3-3leg 3-3-8leg",
			"x-3 blue division other infantry 9-3-3leg 3-3-8leg", "x-4 blue regiment other infantry 9-3-3leg 3-3-8leg",
			"x-5 blue battalion other infantry 2-3-3leg 1-3-8leg").
			put("09.02", "x-1 x-2 x-3 x-4 truck-blue/points_t=8").put("09.03", "x-5").segment(SegMovement, Blue)
	g.all("move x-5 09.02", "end") // 9 + 1 + 1/2 REs: half a RE too many
	g.want("asks", "excess", "frame", "excess", "at 09.02", "x-1 x-2 x-3 x-4 x-5 truck-blue.1")
	g.refused("OCS 4.8a", "remove truck-blue.1")
	g.refused("OCS 4.8a", "remove x-4,x-5")
	if got := g.lists("remove"); len(got) != 5 {
		t.Errorf("it lists %v", got)
	}
	g.all("remove x-5", "done", "done")
	g.want("place x-5", "dead", "segment", "reaction-movement", "frame", "")
}

// Every hex of the map has the limit, also the first and the last of the document; the first is asked first.
func TestExcessInSeveralHexes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8", "OCS 4.8a")
	const division = " blue division other infantry 9-3-3leg 3-3-8leg"
	var counters []string
	for _, id := range []string{"x-1", "x-2", "x-3", "x-4", "x-5", "x-6", "x-7", "x-8"} {
		counters = append(counters, id+division)
	}
	g := onGround(t, counters...)
	first, last := g.sc.PlaceID(0), g.sc.PlaceID(Place(len(g.sc.Hexes)-1))
	g.put(last, "x-1 x-2 x-3 x-4").put(first, "x-5 x-6 x-7 x-8").segment(SegMovement, Blue).do("end")
	g.want("asks", "excess", "frame", "excess", "at "+first, "x-5 x-6 x-7 x-8")
	if got := g.lists("remove"); len(got) != 4 {
		t.Errorf("it lists %v, want the four of %s", got, first)
	}
	g.do("remove x-5")
	g.want("at "+last, "x-1 x-2 x-3 x-4")
	g.do("remove x-1")
	g.want("place x-5", "dead", "place x-1", "dead", "place x-6", first)
}
