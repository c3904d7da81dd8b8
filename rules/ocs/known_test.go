package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// What a side is taken to know of the other is what it sees, whatever lies hidden.
func TestKnown(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a")
	g :=
		onGround(t, "x-1 red regiment armor armor 5-3-6track 3-3-12track",
			"x-2 red regiment other infantry 6-2-3leg 3-2-6leg").
			put("09.02", "x-1/dg,stocks=low x-2 truck-red/points_t=8,load_t=4").dump("09.02", Red, 6).
			dump("11.09", Red, 20).put("05.02", "bl-12-rr").dump("05.02", Blue, 9)
	top := g.p.topOf(Red, g.place("09.02"))
	k, assumed := referee{}.Known(g.p, rules.SeatViewer(Blue))
	h := &table{t: t, p: k, sc: g.sc}
	under := map[Unit]string{g.unit("x-1"): "x-1", g.unit("x-2"): "x-2"}
	delete(under, top)
	for _, id := range under {
		h.want("place "+id, "waiting")
	}
	h.want("place "+g.p.id(top), "09.02", "place truck-red.1", "gone", "ground 09.02 red", 0, "ground 11.09 red", oneSP,
		"ground 05.02 blue", 9)
	if len(assumed) != 2 {
		t.Errorf("%d assumptions", len(assumed))
	}
	// Nor does it tell how many pieces lie hidden.
	bare := onGround(t, "x-1 red regiment armor armor 5-3-6track 3-3-12track",
		"x-2 red regiment other infantry 6-2-3leg 3-2-6leg").
		put("09.02", "x-1/dg,stocks=low x-2").dump("11.09", Red, 20).put("05.02", "bl-12-rr").dump("05.02", Blue, 9)
	without, _ := referee{}.Known(bare.p, rules.SeatViewer(Blue))
	if diff := cmp.Diff(without.format(), k.format()); diff != "" {
		t.Errorf("a truck under a stack is told (-without it +with it):\n%s", diff)
	}
	all, assumed := referee{}.Known(g.p, rules.Auditor)
	if all.format() != g.p.format() || assumed != nil {
		t.Error("the auditor does not know all")
	}
}

// Positions that differ only in what a viewer does not see are the same to it, in every segment.
func TestKnownHidesAll(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"crimea-ishun", "proving-ground"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			hidden := 0
			random(t, id, 11, 150, func(g *table) {
				for seat := range numSeats {
					v := rules.SeatViewer(seat)
					game, err := ruleset.ParsePosition(g.sc, g.p.format())
					if err != nil {
						t.Fatal(err)
					}
					want, _ := referee{}.Known(g.p, v)
					for _, other := range hide(game, v) {
						p, err := parsePosition(g.sc, other.Notation())
						if err != nil {
							t.Fatal(err)
						}
						hidden++
						if got, _ := (referee{}).Known(p, v); got.format() != want.format() {
							t.Fatalf("%s is told apart:\n%s", seatIDs[seat], cmp.Diff(want.format(), got.format()))
						}
					}
				}
			})
			if hidden == 0 {
				t.Error("nothing was ever hidden")
			}
		})
	}
}
