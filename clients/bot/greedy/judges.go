package greedy

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/warledger/warledger/clients/bot"
)

// makers has a line for every ruleset that has a greedy bot: what makes the bot of one game from a seed.
var makers = map[string]func(seed uint64) bot.Bot{
	"anniversary": newGeneral,
	"downfall":    judging(downfall),
	"ocs":         newStaff,
	"toy":         judging(func() Judge { return judgeToy }),
}

// judging makes bots that take the action that a judge likes best.
func judging(newJudge func() Judge) func(seed uint64) bot.Bot {
	return func(seed uint64) bot.Bot {
		return &greedy{newJudge(), rand.New(rand.NewPCG(seed, 0x677265656479))}
	}
}

// Rulesets lists the rulesets that have a greedy bot, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(makers)) }
