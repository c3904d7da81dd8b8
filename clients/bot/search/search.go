// Package search has a bot that searches with the rules: it tries actions out in copies of the game, plays each on by
// chance to the end, and takes the one that won most. It knows no ruleset and has no idea of good play but the result,
// so it is slow and plain: an example to begin from.
//
// It starts from the position as its seat knows it, with what is hidden replaced by an assumption, and so never cheats;
// nor does it think of what the others may hold.
package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Inside is a view of a game that is played in process, as [bot.Match] gives it.
type Inside interface {
	bot.View
	// Known is a copy of the position as the seat knows it, and the seat.
	Known() (rules.Game, rules.Seat)
}

// ErrNoRules says that the bot was seated where there are no rules to search with, such as at a server.
var ErrNoRules = errors.New("search: the bot plays only in process, where the rules are")

// Bot searches. The zero value does not play: use New.
type Bot struct {
	// Actions is how many of the actions are tried at a decision, drawn by chance when there are more.
	Actions int
	// Playouts is how often each of them is played on.
	Playouts int
	// Depth is the number of commands after which a playout counts as undecided.
	Depth int

	chance *dice.Seeded
	list   rules.Listing
}

// New makes a bot that tries 8 actions 6 times each. The same seed chooses the same.
func New(seed uint64) *Bot {
	return &Bot{Actions: 8, Playouts: 6, Depth: 2_000, chance: dice.NewSeeded(seed)}
}

// Choose takes the action whose playouts went best, the first of equals. All are tried with the same dice, so that luck
// counts for each alike.
func (b *Bot) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	inside, ok := v.(Inside)
	if !ok {
		return bot.Choice{}, ErrNoRules
	}
	tried := b.sample(v)
	if len(tried) == 0 {
		return bot.Choice{}, bot.ErrNoAction
	}
	if len(tried) == 1 {
		return bot.Choice{Action: tried[0]}, nil
	}
	root, seat := inside.Known()
	seeds := make([]uint64, b.Playouts)
	for i := range seeds {
		seeds[i] = b.chance.Next()
	}
	best, most := tried[0], -len(seeds)-1
	for _, i := range tried {
		value, err := b.try(ctx, root, seat, v.Action(i).Command, seeds)
		if err != nil {
			return bot.Choice{}, err
		}
		if value > most {
			best, most = i, value
		}
	}
	return bot.Choice{Action: best}, nil
}

// sample draws actions that are no offers, each at most once, in the order of the list.
func (b *Bot) sample(v bot.View) []int {
	var all []int
	for i := range v.Len() {
		if !v.Offer(i) {
			all = append(all, i)
		}
	}
	// Selection sampling: each of what is left is taken with the chance that leaves the right number.
	taken := all[:0]
	for i, action := range all {
		want, left := b.Actions-len(taken), len(all)-i
		if want > 0 && int(b.chance.Below(uint32(left))) < want {
			taken = append(taken, action)
		}
	}
	return taken
}

// try is the sum of the playouts after a command: 1 for each won, -1 for each lost. A command that cannot be made with
// what is assumed is as good as undecided.
func (b *Bot) try(ctx context.Context, root rules.Game, seat rules.Seat, notation string, seeds []uint64) (int, error) {
	c, err := root.ParseCommand(notation)
	if err != nil || root.Check(seat, c) != nil {
		return 0, nil
	}
	sum := 0
	for _, seed := range seeds {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		value, err := b.playout(root.Clone(), seat, c, dice.NewSeeded(seed))
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// playout plays a copy on by chance.
func (b *Bot) playout(g rules.Game, seat rules.Seat, c rules.Command, chance *dice.Seeded) (int, error) {
	var out rules.Outcome
	actor := seat
	for range b.Depth {
		if err := g.Apply(actor, c, chance, &out); err != nil {
			return 0, fmt.Errorf("search: %s: %w", g.FormatCommand(c), err)
		}
		out.Reset()
		if end := g.Ending(); end != nil {
			return worth(end, seat), nil
		}
		actor, c = b.any(g, chance)
		if actor == rules.NoSeat {
			return 0, nil
		}
	}
	return 0, nil
}

// any is a command of the first seat that must decide, drawn by chance; offers are passed over.
func (b *Bot) any(g rules.Game, chance *dice.Seeded) (rules.Seat, rules.Command) {
	for seat := range g.Waiting().Each {
		b.list = g.List(seat, rules.Filter{}, b.list)
		for first, n := int(chance.Below(uint32(max(b.list.Len(), 1)))), 0; n < b.list.Len(); n++ {
			c := b.list.At((first + n) % b.list.Len())
			if !rules.IsOffer(g, c) {
				return seat, c
			}
		}
	}
	return rules.NoSeat, rules.Command{}
}

func worth(end *rules.Ending, seat rules.Seat) int {
	switch {
	case end.Winners.Has(seat):
		return 1
	case end.Winners != 0:
		return -1
	}
	return 0
}
