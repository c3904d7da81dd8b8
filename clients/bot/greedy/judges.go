package greedy

import (
	"maps"
	"slices"
)

// judges has a line for every ruleset that has a greedy bot: what makes the judge of one game.
var judges = map[string]func() Judge{
	"downfall": downfall,
	"toy":      func() Judge { return judgeToy },
}

// Rulesets lists the rulesets that have a greedy bot, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(judges)) }
