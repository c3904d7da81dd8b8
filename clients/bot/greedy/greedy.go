// Package greedy has bots that play one rulebook each by rules of thumb, without looking far ahead.
//
// To add one: write a file named for the ruleset with a [Judge], which rates single actions, or with a bot that plans
// more than one action at a time, and add a line to the table in judges.go.
package greedy

import (
	"context"
	"fmt"
	"math"
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

// NewStyle makes a bot that plays a ruleset in another way than the greedy one, or that one if the style is empty.
func NewStyle(ruleset, style string, seed uint64) (bot.Bot, error) {
	if style == "" {
		return New(ruleset, seed)
	}
	maker, ok := styles[ruleset][style]
	if !ok {
		return nil, fmt.Errorf("there is no greedy bot for %s of the style %q", ruleset, style)
	}
	return maker(seed), nil
}

// Ranker is a bot that can say how good it thinks each action is: the higher, the better. An offer is no number.
type Ranker interface {
	bot.Bot
	// Rank has a number for each action of the view.
	Rank(ctx context.Context, v bot.View) ([]float64, error)
}

// Fresh is a bot that another game can be begun with.
type Fresh interface {
	bot.Bot
	// Fresh is a bot of the same kind that has seen no game but shares what was worked out from the map. Two that
	// share must not choose at the same time.
	Fresh(seed uint64) bot.Bot
}

type greedy struct {
	judge  Judge
	source *rand.Rand
}

// Fresh begins another game.
func (g *greedy) Fresh(seed uint64) bot.Bot { return &greedy{g.judge, newSource(seed)} }

func newSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x677265656479)) }

// Rank values all actions.
func (g *greedy) Rank(ctx context.Context, v bot.View) ([]float64, error) {
	board, err := v.Board(ctx)
	if err != nil {
		return nil, err
	}
	chart, err := v.Map(ctx)
	if err != nil {
		return nil, err
	}
	return rank(v, g.judge(Position{Seat: v.Seat(), Board: board, Map: chart})), nil
}

// rank values the actions that are no offers.
func rank(v bot.View, value func(*boardv1.Action) float64) []float64 {
	ranks := make([]float64, v.Len())
	for i := range ranks {
		if ranks[i] = math.NaN(); !v.Offer(i) {
			ranks[i] = value(v.Action(i))
		}
	}
	return ranks
}

// Choose takes the best action that is no offer.
func (g *greedy) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	if v.Len() == 1 && !v.Offer(0) {
		return bot.Choice{}, nil // there is nothing to weigh
	}
	ranks, err := g.Rank(ctx, v)
	if err != nil {
		return bot.Choice{}, err
	}
	return highest(ranks, g.source)
}

// highest takes the best of the actions; among equals chance decides.
func highest(ranks []float64, source *rand.Rand) (bot.Choice, error) {
	best, most, ties := -1, 0.0, 0
	for i, x := range ranks {
		switch {
		case math.IsNaN(x):
		case best < 0 || x > most:
			best, most, ties = i, x, 1
		case x == most:
			ties++
			if source.IntN(ties) == 0 {
				best = i
			}
		}
	}
	if best < 0 {
		return bot.Choice{}, bot.ErrNoAction
	}
	return bot.Choice{Action: best}, nil
}
