package greedy

import (
	"maps"
	"slices"
)

// judges has a line for every ruleset that has a greedy bot.
var judges = map[string]Judge{
	"downfall": judgeDownfall,
	"toy":      judgeToy,
}

// Rulesets lists the rulesets that have a greedy bot, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(judges)) }
