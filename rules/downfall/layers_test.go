package downfall

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// layerHexes are the hexes of a layer as everyone is told of them, by the names of the flower.
func (g *table) layerHexes(key string) []string {
	g.t.Helper()
	known, _ := g.p.Known(rules.Spectator)
	for _, l := range (referee{}).Layers(known, rules.Spectator, rules.English) {
		if l.GetKey() == key {
			return l.GetSpaces()
		}
	}
	g.t.Fatalf("there is no layer %q", key)
	return nil
}

func (g *table) inLayer(key, hex string, want bool) *table {
	g.t.Helper()
	if slices.Contains(g.layerHexes(key), g.sc.HexID(g.hex(hex))) != want {
		g.t.Errorf("%s has %s: %v", key, hex, !want)
	}
	return g
}

// The layer of a beachhead has the hexes from which its corps would trace (DF 9.3-a), past what ZOC closes.
func TestLayersOfSupply(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.3-a", "DF 9.3-b")
	cut := func() *table {
		return onFlower(t, SupplyCheck).put("K4", "BH-I", "I/33").put("C", "I/25").put("E3", "J1")
	}
	cut().put("K5", "B1").inLayer("supply-BH-I", "K4", true).inLayer("supply-BH-I", "C", false)
	cut().put("K5", "B1").put("N4", "R/6").inLayer("supply-BH-I", "C", true)
	for _, l := range (referee{}).Layers(onFlower(t, SupplyCheck).p, rules.Spectator, rules.English) {
		if l.GetKey() == "supply-BH-I" {
			t.Error("a beachhead that is not set up supplies hexes")
		}
	}
}

// ZOC goes around a unit (DF 11.1), and a side threatens what it could attack after a move: coastal divisions do not
// move (DF 12.3), artillery does not attack alone (DF 13.6-c).
func TestLayersOfThreat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 11.1", "DF 12.3", "DF 13.6-c")
	g := onFlower(t, JapanActions).put("C", "J1")
	g.inLayer("zoc-japan", "N4", true).inLayer("zoc-japan", "C", false).inLayer("zoc-us", "N4", false)
	g.inLayer("threat-japan", "N4", true).inLayer("threat-japan", "C", true) // it could step out, and attack
	far := len(g.layerHexes("threat-japan"))
	g.p.jpMF = 0
	if n := len(g.layerHexes("threat-japan")); n != 6 || n >= far {
		t.Errorf("without MF %d hexes are threatened, with some %d", n, far)
	}
	onFlower(t, USActions).put("C", "I/art").inLayer("threat-us", "N4", false)
	onFlower(t, USActions).put("C", "I/art", "I/25").inLayer("threat-us", "N4", true)
}
