// Package rulesets names the rulesets that the programs offer. To add one is to add its folder under rules and a line here.
package rulesets

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/ocs"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// Offered are the rulesets that people play.
func Offered() []rules.Ruleset {
	return []rules.Ruleset{
		anniversary.New(),
		downfall.New(),
		ocs.New(),
	}
}

// Registry holds the rulesets on offer, and the small one that tests play if it is asked for.
func Registry(withToy bool) (*rules.Registry, error) {
	sets := Offered()
	if withToy {
		sets = append(sets, toy.Ruleset())
	}
	return rules.NewRegistry(sets...)
}
