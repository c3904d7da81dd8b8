package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// world returns a position from which some lines are played on, and their first commands there. A seed decides what is
// hidden; if that makes one of the commands illegal, the position stays as the seat knows it.
func (b *Bot) world(root rules.Game, lines []*line, seed uint64) (rules.Game, []rules.Command) {
	if b.craft.world != nil {
		drawn := b.craft.world(root, b.seat, dice.NewSeeded(seed).Below)
		if firsts, ok := b.firsts(drawn, lines); ok {
			return drawn, firsts
		}
	}
	firsts, _ := b.firsts(root, lines)
	return root, firsts
}

// firsts are the first commands of lines in a position, and whether they are legal there.
func (b *Bot) firsts(g rules.Game, lines []*line) (firsts []rules.Command, legal bool) {
	firsts = make([]rules.Command, len(lines))
	for i, l := range lines {
		if l.first == "" {
			continue
		}
		c, err := g.ParseCommand(l.first)
		if err != nil || g.Check(b.seat, c) != nil {
			return nil, false
		}
		firsts[i] = c
	}
	return firsts, true
}

// play plays a line on with a seed, and judges where it leads.
func (b *Bot) play(
	ctx context.Context, root rules.Game, l *line, first rules.Command, seed uint64,
) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	chance := dice.NewSeeded(seed)
	var throw dice.Source = chance
	even := &evenDice{seed: seed, chance: chance}
	if b.craft.even != nil {
		throw = even
	}
	g := root.Clone()
	until := root.Turn() + b.craft.turns
	minds := make([]bot.Bot, b.seats)
	actor, command := b.seat, first
	if l.first == "" {
		var err error
		if actor, command, err = b.next(ctx, g, l, minds, chance); err != nil {
			return 0, err
		}
	}
	for {
		b.out.Reset()
		b.spent++
		if slices.Contains(b.craft.even, g.KindOf(command)) {
			even.begin(fmt.Sprint(g.Turn(), actor, g.FormatCommand(command)))
		}
		if err := g.Apply(actor, command, throw, &b.out); err != nil {
			return 0, fmt.Errorf("search: %s: %w", g.FormatCommand(command), err)
		}
		if end := g.Ending(); end != nil {
			return worth(end, b.seat), nil
		}
		if b.share() > most || g.Turn() >= until && b.mainly(g) {
			return b.judge(g), nil
		}
		var err error
		if actor, command, err = b.next(ctx, g, l, minds, chance); err != nil {
			return 0, err
		}
	}
}

// next is what the first seat that must decide does in the mind.
func (b *Bot) next(
	ctx context.Context, g rules.Game, l *line, minds []bot.Bot, chance *dice.Seeded,
) (rules.Seat, rules.Command, error) {
	actor := b.view.begin(g)
	if actor == rules.NoSeat {
		return actor, rules.Command{}, errors.New("search: the game waits for nobody and is not over")
	}
	if minds[actor] == nil {
		style := ""
		switch about := g.Ruleset().About(); {
		case actor == b.seat:
			style = l.style
		case about.SideOf(b.seat).Has(actor) && b.craft.allied:
			style = b.craft.styles(about.SeatID(actor))[0]
		}
		minds[actor] = b.mind(style, chance.Next())
	}
	c, err := minds[actor].Choose(ctx, &b.view)
	if err != nil {
		return actor, rules.Command{}, err
	}
	command, err := b.view.command(c)
	return actor, command, err
}

// judge is how good a position is for the seat.
func (b *Bot) judge(g rules.Game) float64 {
	if b.worth == nil {
		chart, _ := b.view.Map(context.Background())
		b.worth = b.craft.worth(chart)
	}
	return b.worth(g.Board(rules.SeatViewer(b.seat), rules.Wordless), g.Ruleset().About().SeatID(b.seat))
}

// mainly reports whether what is asked is what a seat's part of a turn begins with.
func (b *Bot) mainly(g rules.Game) bool { return slices.Contains(b.craft.main, b.asked(g)) }

// open reports whether what is asked is worth a search.
func (b *Bot) open(g rules.Game) bool {
	return b.craft.open == nil || slices.Contains(b.craft.open, b.asked(g))
}

// asked is the kind of what the seat must decide; empty if it need not.
func (b *Bot) asked(g rules.Game) string {
	for _, d := range g.Decisions() {
		if d.Seat == b.seat && !d.Optional {
			return d.Kind
		}
	}
	return ""
}

// worth is how good an ending is for a seat.
func worth(end *rules.Ending, seat rules.Seat) float64 {
	switch {
	case end.Winners.Has(seat):
		return 1
	case end.Winners != 0:
		return 0
	}
	return 0.5
}
