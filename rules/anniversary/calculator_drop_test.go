package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// Infantry is dropped by at most as many bombers (AA 6.3.7), and lost with those that guns shoot down (AA 6.3.10):
// without guns it fights as other infantry does.
func TestCalculatorDropsInfantry(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 6.3.7", "AA 6.3.10")
	g := on1941(t).tech(Germany, scenario.Paratroopers).put("ukraine", SovietUnion, "infantry").turn(Germany, PhaseMove)
	weigh := func(row string, guns int) []rules.ForecastOutcome {
		return calculated(t, g.p, rules.BattleEntry{Space: "ukraine", Attacker: enteredAs(2, row, 2, "bomber"),
			Defender: enteredAs(1, "infantry", guns, "antiaircraft-gun")}).Forecast.Outcomes
	}
	if diff := cmp.Diff(weigh("infantry", 0), weigh("dropped-infantry", 0)); diff != "" {
		t.Errorf("without guns (-on foot +dropped)\n%s", diff)
	}
	if cmp.Equal(weigh("infantry", 1), weigh("dropped-infantry", 1)) {
		t.Error("guns shoot no infantry down")
	}
	b, faults := referee{}.Battle(g.p, rules.BattleEntry{Space: "ukraine",
		Attacker: enteredAs(3, "dropped-infantry", 2, "bomber")}, studyBy(t))
	if b != nil || len(faults) != 1 || !strings.Contains(faults[0].What, "AA 6.3.7") {
		t.Errorf("3 are dropped by 2: %v", faults)
	}
}
