package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// The points of a scenario: hexes, units in the dead pile, control in time; and the end at once.
func TestVictoryPoints(t *testing.T) {
	t.Parallel()
	g := onMap(t, "crimea-trappenjagd")
	if got := g.p.victoryPoints(); got != 0 {
		t.Fatalf("it begins with %d points", got)
	}
	g.hex("47.15", "owner=blue").hex("37.14", "owner=blue")
	if got := g.p.victoryPoints(); got != 6 {
		t.Errorf("Kerch and Ak-Monai are %d points, want 6", got)
	}
	var soviet, german []string
	for u := range g.sc.Fixed {
		switch c := &g.sc.Counters[u]; {
		case c.Division && g.sc.Nations[c.Nation].ID == "so" && len(soviet) < 5:
			soviet = append(soviet, c.ID)
		case c.Division && g.sc.Nations[c.Nation].ID == "ge" && len(german) < 1:
			german = append(german, c.ID)
		}
	}
	g.dead(soviet...).dead(german...)
	if got := g.p.victoryPoints(); got != 6+1-2 {
		t.Errorf("with 5 Soviet divisions and 1 German one dead it is %d points, want 5", got)
	}
	g.segment(SegMovement, Blue).do("end")
	if got := g.p.victoryPoints(); got != 5+2 {
		t.Errorf("with Kerch in time it is %d points, want 7", got)
	}
	g.hex("47.15", "owner=red").hex("47.15", "owner=blue").inTurn(4)
	if got := g.p.victoryPoints(); got != 7 {
		t.Errorf("what was done in time is forgotten: %d points", got)
	}
}

// Sevastopol falls and the game ends at once.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	g := onMap(t, "crimea-sevastopol")
	g.hex("14.05", "owner=blue")
	if g.p.wonEarly() {
		t.Fatal("one hex of two is enough")
	}
	g.hex("13.05", "owner=blue")
	g.segment(SegMovement, Blue)
	if !g.p.over() || g.p.ending() == nil {
		t.Error("the game goes on")
	}
}

// A hex of the surprised side rolls before it releases units from Reserve, once in the turn.
func TestSurprisedFront(t *testing.T) {
	t.Parallel()
	units := func() *table {
		g := onMap(t, "crimea-trappenjagd", "x-1 red regiment other infantry 3-3-3leg 2-3-8leg nationality=so", "x-2 red regiment other infantry 3-3-3leg 2-3-8leg nationality=so")
		return g.put("39.15", "x-1/reserve x-2/reserve")
	}
	g := units().segment(SegReactionMove, Blue)
	g.as(Red, "release x-1", 3)
	g.want("mode x-1", "reserve", "hexmark 39.15 release-barred", true)
	g.refusedTo(Red, "OCS 5.7b", "release x-1")
	g = units().segment(SegReactionMove, Blue)
	g.as(Red, "release x-1", 4)
	g.as(Red, "release x-2")
	g.want("mode x-1", "combat", "mode x-2", "combat")
	g = units().inTurn(2).segment(SegReactionMove, Blue)
	g.as(Red, "release x-1")
}

// A hex is taken for the first time once.
func TestFirstControl(t *testing.T) {
	t.Parallel()
	list := []*ocsv1.VictoryTest{{Kind: "first_control", Hex: "01.01"}, {Kind: "first_control", Hex: "01.01"}}
	if !takenBefore(list, 1, 1) || takenBefore(list, 1, 0) {
		t.Error("a hex is taken for the first time twice")
	}
	if got := column("A48.15"); got != 48 {
		t.Errorf("the column is %d", got)
	}
}
