package ocs_test

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/ocs"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestBattery(t *testing.T) {
	rulestest.Battery(t, short{ocs.New()}, rulestest.Config{Games: 1, Choices: 1, Commands: 20000, Sample: 80, Pick: brisk,
		Open: func(string) bool { return true },
	})
}

// short offers the short scenarios only.
type short struct{ rules.Ruleset }

func (s short) ScenarioDocuments() []rules.Document {
	var list []rules.Document
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-ground" || d.ID == "crimea-ishun" {
			list = append(list, d)
		}
	}
	return list
}

// brisk plays at random and ends a segment sooner than it would come up among thousands of moves.
func brisk(g rules.Game, _ rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	if below(12) == 0 {
		for i := range list.Len() {
			if g.FormatCommand(list.At(i)) == "end" {
				return i
			}
		}
	}
	for {
		i := int(below(uint32(list.Len())))
		if g.FormatCommand(list.At(i)) != "concede" {
			return i
		}
	}
}
