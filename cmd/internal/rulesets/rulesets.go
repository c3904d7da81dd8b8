// Package rulesets names the rulesets that the programs offer. To add one is to add its folder under
// rules and a line here.
package rulesets

import (
	"sync"

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

// A registry reads every scenario when it is made, and changes no more: a process makes each once, and the servers of a
// test share it as the games of one server do.
var (
	offered = sync.OnceValues(func() (*rules.Registry, error) { return rules.NewRegistry(Offered()...) })
	withToy = sync.OnceValues(func() (*rules.Registry, error) {
		return rules.NewRegistry(append(Offered(), toy.Ruleset())...)
	})
)

// Registry holds the rulesets on offer, and the small one that tests play if it is asked for.
func Registry(toyToo bool) (*rules.Registry, error) {
	if toyToo {
		return withToy()
	}
	return offered()
}
