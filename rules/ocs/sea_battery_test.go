package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// seas offers the scenario of the war at sea only.
type seas struct{ rules.Ruleset }

func (s seas) ScenarioDocuments() []rules.Document {
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-seas" {
			return []rules.Document{d}
		}
	}
	return nil
}

// Random games of the war at sea hold to the contract, and nobody sees what is hidden of the other side's ships.
func TestSeaBattery(t *testing.T) {
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 18.3c")
	rulestest.Battery(t, seas{ruleset}, rulestest.Config{
		Games: 1, Choices: 1, Commands: 20000, Sample: 60, Listed: 10, Secrets: true, Pick: brisk, Hide: hideSea,
		Open: func(string) bool { return true },
	})
}

// hideSea is hide, and changes of ships that lie under others and of what lies under the top air unit.
func hideSea(g rules.Game, v rules.Viewer) []rules.Game {
	return append(hide(g, v), hidden(g, v, otherWings, otherFleet)...)
}

// otherFleet changes the damage of ships that are not seen, while no procedure is under way.
func otherFleet(p *Position, seat rules.Seat) bool {
	some := false
	if len(p.frames) > 0 {
		return false
	}
	for _, u := range p.navy(seat) {
		if s := p.units[u]; p.topShip(seat, s.place) != u && !p.isCraft(u) {
			s.lost = 1 - s.lost
			p.set(u, s)
			some = true
		}
	}
	return some
}
