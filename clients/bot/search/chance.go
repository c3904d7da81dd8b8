package search

import (
	"context"

	"github.com/warledger/warledger/clients/bot"
)

// Chance is how likely the seat's side is to win, by the measure with which lines are compared.
func (b *Bot) Chance(ctx context.Context, v bot.View) (float64, error) {
	return chance(ctx, b.craft, v)
}

// Judging gives a bot of a ruleset the measure of its strong bot, so that it can tell how its seat stands. A ruleset
// that has none leaves the bot as it is.
func Judging(ruleset string, b bot.Bot) bot.Bot {
	c, ok := crafts[ruleset]
	if !ok {
		return b
	}
	return judging{b, c}
}

// judging is a bot with a measure that is not its own.
type judging struct {
	bot.Bot
	craft *craft
}

// Chance is that of the craft.
func (j judging) Chance(ctx context.Context, v bot.View) (float64, error) {
	return chance(ctx, j.craft, v)
}

func chance(ctx context.Context, c *craft, v bot.View) (float64, error) {
	chart, err := v.Map(ctx)
	if err != nil {
		return 0, err
	}
	board, err := v.Board(ctx)
	if err != nil {
		return 0, err
	}
	return c.worth(chart)(board, v.Seat()), nil
}
