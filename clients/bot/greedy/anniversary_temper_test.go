package greedy

import (
	"regexp"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
)

// shipsBought finds ships in a purchase.
var shipsBought = regexp.MustCompile(`transport|destroyer`)

// A steady Germany, whose armies march on Russia, buys no ships; the greedy one does.
func TestASteadyGermanyBuysNoShips(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		temper temper
		buys   bool
	}{"sober": {sober, true}, "steady": {steady, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := anniversary.New()
			o, err := set.About().NewOptions(nil)
			if err != nil {
				t.Fatal(err)
			}
			m := bot.Match{Ruleset: set, Options: o, Dice: dice.NewSeeded(11), MaxTurns: 4}
			for _, d := range set.ScenarioDocuments() {
				if d.ID == "1941" {
					m.Scenario, _ = set.LoadScenario(d.Data)
				}
			}
			purchases, fleets := 0, 0
			look := func(v bot.View, c bot.Choice) {
				if command := c.Notation; v.Seat() == "germany" && len(command) > 4 && command[:4] == "buy " {
					purchases++
					if shipsBought.MatchString(command) {
						fleets++
					}
				}
			}
			for seat := range set.About().Seats {
				m.Bots = append(m.Bots, observer{newGeneral(c.temper)(uint64(seat)), look})
			}
			if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
				t.Fatal(err)
			}
			if purchases < 4 || c.buys != (fleets > 0) {
				t.Errorf("of %d purchases %d were of ships", purchases, fleets)
			}
		})
	}
}
