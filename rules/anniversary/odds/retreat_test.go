package odds

import (
	"math"
	"testing"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// TestOddsOfRetreats: the attacker breaks off after a round that leaves it with less than the stated share of the
// defender's strength. The chances follow by hand from the first round, since nothing changes in a round without hits.
func TestOddsOfRetreats(t *testing.T) {
	t.Parallel()
	sc := scenario1941(t)
	// A transport survives its destroyer if the cruiser hits (3 in 6) and the destroyer does not (4 in 6).
	escorted := Battle{Sea: true, Attacker: Side{Units: units(1, scenario.Destroyer, 1, scenario.Transport)},
		Defender: Side{Units: units(1, scenario.Cruiser)}}
	// Both destroyers hit with 2 in 6.
	equal := Battle{Sea: true, Attacker: Side{Units: units(1, scenario.Destroyer)},
		Defender: Side{Units: units(1, scenario.Destroyer)}}
	// Infantry hits with 1 in 6 and is hit with 2 in 6.
	landing := Battle{Attacker: Side{Units: units(1, scenario.Infantry)},
		Defender: Side{Units: units(1, scenario.Infantry)}, Ashore: units(1, scenario.Infantry)}
	never := Odds{Win: 1. / 4, Draw: 1. / 4, Loss: 1. / 2}
	for _, c := range []struct {
		name    string
		b       Battle
		retreat int
		want    Odds
	}{
		{"never", escorted, 0, never},
		{"never: 1 is no share either", escorted, 1, never},
		{"what has no strength has less than any share", escorted, 2, Odds{Win: 1. / 4, Draw: 1. / 4, Retreat: 1. / 2}},
		{"2 is not less than 66 of 100 times 3", escorted, 66, Odds{Win: 1. / 4, Draw: 1. / 4, Retreat: 1. / 2}},
		{"2 is less than 67 of 100 times 3", escorted, 67, Odds{Win: 1. / 6, Draw: 1. / 6, Retreat: 2. / 3}},
		{"as strong is not less", equal, 100, Odds{Win: 2. / 5, Draw: 1. / 5, Loss: 2. / 5}},
		{"less than more", equal, 101, Odds{Win: 2. / 9, Draw: 1. / 9, Loss: 2. / 9, Retreat: 4. / 9}},
		{"AA 9.3.14: what came ashore fights on", landing, 200, Odds{Win: 1. / 4, Draw: 1. / 8, Loss: 5. / 8}},
	} {
		b := c.b
		b.Retreat = c.retreat
		o, ok := Weigh(sc, b)
		if !ok {
			t.Errorf("%s: refused", c.name)
		}
		for _, x := range [][2]float64{
			{o.Win, c.want.Win}, {o.Draw, c.want.Draw}, {o.Loss, c.want.Loss}, {o.Retreat, c.want.Retreat},
		} {
			if math.Abs(x[0]-x[1]) > 1e-12 {
				t.Errorf("%s: win %v draw %v loss %v retreat %v, expected %+v",
					c.name, o.Win, o.Draw, o.Loss, o.Retreat, c.want)
				break
			}
		}
	}
}
