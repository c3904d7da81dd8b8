// Package greedy has bots that play one rulebook each by rules of thumb, without looking far ahead.
//
// To add one: write a file named for the ruleset with a [Judge], which rates single actions, or with a bot that plans
// more than one action at a time, and add a line to the table in judges.go.
package greedy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Position is what a judge looks at: the board as the seat sees it, and the map.
type Position struct {
	Seat  string
	Board *boardv1.Board
	Map   *boardv1.Map
}

// Judge looks at a position for a seat and gives a rule for its actions: the higher the number, the better. It keeps
// nothing between decisions but what it worked out from the map, which stays the same.
type Judge func(p Position) func(*boardv1.Action) float64

// New makes the greedy bot of a ruleset. Among equals the seed decides.
func New(ruleset string, seed uint64) (bot.Bot, error) {
	maker, ok := makers[ruleset]
	if !ok {
		return nil, fmt.Errorf("there is no greedy bot for %s, only for %s", ruleset, strings.Join(Rulesets(), ", "))
	}
	return maker(seed), nil
}

type greedy struct {
	judge  Judge
	source *rand.Rand
}

// Choose takes the best action that is no offer.
func (g *greedy) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	board, err := v.Board(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	chart, err := v.Map(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	value := g.judge(Position{Seat: v.Seat(), Board: board, Map: chart})
	best, most, ties := -1, 0.0, 0
	for i := range v.Len() {
		if v.Offer(i) {
			continue
		}
		switch x := value(v.Action(i)); {
		case best < 0 || x > most:
			best, most, ties = i, x, 1
		case x == most:
			ties++
			if g.source.IntN(ties) == 0 {
				best = i
			}
		}
	}
	if best < 0 {
		return bot.Choice{}, bot.ErrNoAction
	}
	return bot.Choice{Action: best}, nil
}
