package anniversary

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// TestLayersOfThreat: a layer of each power has the spaces with enemies that it could bring anything to in combat moves
// of its own, whoever's turn it is.
func TestLayersOfThreat(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 4.2.6")
	for _, id := range []string{"1941", "1942"} {
		p := (referee{}).New(shippedScenario(t, id), rules.Options{})
		known, _ := p.Known(rules.Spectator)
		layers := (referee{}).Layers(known, rules.Spectator, rules.English)
		if len(layers) != int(NumPowers) {
			t.Fatalf("%s has %d layers", id, len(layers))
		}
		some := 0
		for w := range NumPowers {
			q := p.moving(w)
			l := layers[w]
			if l.GetKey() != "threat-"+scenario.PowerIDs[w] {
				t.Errorf("layer %d is %s", w, l.GetKey())
			}
			for s := range Space(p.sc.Len()) {
				r := q.reachOf(w, s)
				foe := w.Side().Enemy()
				want := (r.units != [NumUnits]int{} || r.ashore != [NumUnits]int{}) &&
					(p.owner[s].Side() == foe || p.enemyUnits(foe, s))
				if got := slices.Contains(l.GetSpaces(), p.sc.SpaceID(s)); got != want {
					t.Errorf("%s: %s has %s: %v, want %v", id, l.GetKey(), p.sc.SpaceID(s), got, want)
				}
				if want {
					some++
				}
			}
		}
		if some < 20 {
			t.Errorf("%s: only %d threats", id, some)
		}
	}
}

func (p *Position) enemyUnits(foe scenario.Side, s Space) bool {
	for _, g := range p.at(s) {
		if g.Power().Side() == foe {
			return true
		}
	}
	return false
}
