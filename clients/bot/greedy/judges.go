package greedy

import (
	"maps"
	"slices"

	"github.com/warledger/warledger/clients/bot"
)

// makers has a line for every ruleset that has a greedy bot: what makes the bot of one game from a seed.
var makers = map[string]func(seed uint64) bot.Bot{
	"anniversary": newGeneral(sober),
	"downfall":    judging(downfall(usual)),
	"ocs":         newStaff(&staid),
	"toy":         judging(func() Judge { return judgeToy }),
}

// styles are other ways to play, by ruleset and name, for programs that compare them.
var styles = map[string]map[string]func(seed uint64) bot.Bot{
	"anniversary": {
		"steady": newGeneral(steady), "bold": newGeneral(bold), "wary": newGeneral(wary),
		"ferrying": newGeneral(ferrying), "ferrying-bold": newGeneral(bold.ferrying()),
		"ferrying-wary": newGeneral(wary.ferrying()),
	},
	"downfall": {"careful": judging(downfall(careful))},
	"ocs":      {"firm": newStaff(&firm)},
}

// judging makes bots that take the action that a judge likes best.
func judging(newJudge func() Judge) func(seed uint64) bot.Bot {
	return func(seed uint64) bot.Bot {
		return &greedy{newJudge(), newSource(seed)}
	}
}

// Rulesets lists the rulesets that have a greedy bot, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(makers)) }
