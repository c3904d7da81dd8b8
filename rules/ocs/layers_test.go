package ocs

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// layersOf are the layers that a viewer is given, by key.
func layersOf(g *table, v rules.Viewer) map[string]*boardv1.Layer {
	known, _ := g.p.Known(v)
	all := map[string]*boardv1.Layer{}
	for _, l := range (referee{}).Layers(known, v, rules.English) {
		all[l.GetKey()] = l
	}
	return all
}

// A side is told where its own supply reaches and what it sees threaten, and nobody where the enemy's supply is.
func TestLayersFollowFromWhatIsSeen(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 12.3a", "OCS 12.1c")
	const fast = " red regiment other infantry 5-4-12leg 2-4-12leg"
	g := onGround(t, "y-1"+fast).put("13.10", "rd-3-inf").dump("09.02", Blue, 4).dump("13.10", Red, 8).
		segment(SegMovement, Blue)
	keys := func(v rules.Viewer) (list []string) {
		for key := range layersOf(g, v) {
			list = append(list, key)
		}
		slices.Sort(list)
		return list
	}
	for _, c := range []struct {
		v    rules.Viewer
		want []string
	}{
		{rules.SeatViewer(Blue), []string{"draw-blue", "threat-red", "trace-blue"}},
		{rules.SeatViewer(Red), []string{"draw-red", "threat-blue", "trace-red"}},
		{rules.Spectator, []string{"threat-blue", "threat-red"}},
	} {
		if diff := cmp.Diff(c.want, keys(c.v)); diff != "" {
			t.Errorf("%v is given (-want +got)\n%s", c.v, diff)
		}
	}
	blue := layersOf(g, rules.SeatViewer(Blue))
	has := func(l *boardv1.Layer, hex string, want bool) {
		t.Helper()
		if slices.Contains(l.GetSpaces(), hex) != want {
			t.Errorf("%s has %s: %v", l.GetKey(), hex, !want)
		}
	}
	has(blue["draw-blue"], "09.02", true)
	has(blue["draw-blue"], "09.03", true)
	has(blue["draw-blue"], "19.11", false)
	has(blue["threat-red"], "13.09", true)
	has(blue["threat-red"], "13.10", true) // it could step out of its hex, and attack what comes in
	has(blue["threat-red"], "02.02", false)
	// What lies under the top of a stack, and how much is in a dump, changes nothing.
	g.put("13.10", "y-1 rd-3-inf").dump("13.10", Red, 40)
	if diff := cmp.Diff(names(blue), names(layersOf(g, rules.SeatViewer(Blue)))); diff != "" {
		t.Errorf("a unit that blue does not see shows\n%s", diff)
	}
	g.put("10.10", "y-1") // now it does
	if cmp.Equal(names(blue), names(layersOf(g, rules.SeatViewer(Blue)))) {
		t.Error("a unit that blue sees threatens nothing")
	}
}

func names(all map[string]*boardv1.Layer) map[string][]string {
	out := map[string][]string{}
	for key, l := range all {
		out[key] = l.GetSpaces()
	}
	return out
}
