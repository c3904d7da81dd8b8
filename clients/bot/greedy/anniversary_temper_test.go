package greedy

import (
	"regexp"
	"strings"
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
			purchases, fleets := 0, 0
			played(t, c.temper, 4, func(seat, command string) {
				if seat == "germany" && strings.HasPrefix(command, "buy ") {
					purchases++
					if shipsBought.MatchString(command) {
						fleets++
					}
				}
			})
			if purchases < 4 || c.buys != (fleets > 0) {
				t.Errorf("of %d purchases %d were of ships", purchases, fleets)
			}
		})
	}
}

// played plays a game of 1941 to the end of a round, all powers in one temper, and shows each command.
func played(t *testing.T, temper temper, rounds int, look func(seat, command string)) {
	t.Helper()
	set := anniversary.New()
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := bot.Match{Ruleset: set, Options: o, Dice: dice.NewSeeded(11), MaxTurns: rounds}
	for _, d := range set.ScenarioDocuments() {
		if d.ID == "1941" {
			m.Scenario, _ = set.LoadScenario(d.Data)
		}
	}
	for seat := range set.About().Seats {
		m.Bots = append(m.Bots, observer{newGeneral(temper)(uint64(seat)), func(v bot.View, c bot.Choice) {
			command := c.Notation
			if command == "" {
				command = v.Action(c.Action).Command
			}
			look(v.Seat(), command)
		}})
	}
	if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
		t.Fatal(err)
	}
}
