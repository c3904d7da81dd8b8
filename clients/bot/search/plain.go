package search

import (
	"context"
	"math"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/dice"
)

// plain searches any ruleset: it has no idea of good play but the result.
var plain = &craft{
	styles: func(string) []string { return []string{""} },
	maker:  func(_ string, seed uint64) bot.Bot { return &chancer{bot.NewRandom(seed), dice.NewSeeded(seed)} },
	width:  8,
	worth: func(*boardv1.Map) func(*boardv1.Board, string) float64 {
		return func(*boardv1.Board, string) float64 { return 0.5 }
	},
	turns: math.MaxInt32,
}

// New makes a bot that tries out some actions of any ruleset and plays them on with random moves. The same seed and a
// budget of positions choose the same.
func New(seed uint64, b Budget) *Bot { return newBot(plain, seed, b) }

// chancer takes any action, and ranks them at random.
type chancer struct {
	bot.Bot
	chance *dice.Seeded
}

// Fresh begins another game.
func (c *chancer) Fresh(seed uint64) bot.Bot {
	return &chancer{bot.NewRandom(seed), dice.NewSeeded(seed)}
}

// Rank draws ranks.
func (c *chancer) Rank(_ context.Context, v bot.View) ([]float64, error) {
	ranks := make([]float64, v.Len())
	for i := range ranks {
		if ranks[i] = math.NaN(); !v.Offer(i) {
			ranks[i] = float64(c.chance.Below(math.MaxUint32))
		}
	}
	return ranks, nil
}
