package search

import (
	"context"
	"slices"
	"strconv"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
)

// follow compares the styles at the beginning of a phase, and plays it in the one that did best.
func (b *Bot) follow(ctx context.Context, v bot.View, root rules.Game) (bot.Choice, error) {
	board, err := v.Board(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	if b.view.chart == nil { // shared with the game, since bots work out much from a map
		if b.view.chart, err = v.Map(ctx); err != nil {
			return bot.Choice{}, err
		}
	}
	clock := board.GetClock()
	now := phase{clock.GetTurn(), clock.GetActive(), clock.GetPhase()}
	styles := b.craft.styles(v.Seat())
	if b.style == "" {
		b.style = styles[0]
	}
	if now != b.now && slices.Contains(b.craft.phases, now.phase) {
		b.grant()
		best, err := b.compare(ctx, root, b.plans(styles))
		b.save()
		if err != nil {
			return bot.Choice{}, err
		}
		b.style = best.style
		clear(b.players) // those with whims are not needed again
	} else if now != b.now && slices.Contains(b.craft.main, now.phase) {
		b.style = styles[0]
	}
	b.now = now
	return b.player(b.style).Choose(ctx, v)
}

// whimsical separates a style from the number of its whims.
const whimsical = "~"

// plans are the ways to play a phase: in each style, and in the first one with whims.
func (b *Bot) plans(styles []string) (lines []*line) {
	for _, style := range styles {
		lines = append(lines, &line{style: style})
	}
	for range b.craft.whims {
		number := strconv.FormatUint(b.chance.Next()|1, 10) // odd, because 0 would mean a style without whims
		lines = append(lines, &line{style: styles[0] + whimsical + number})
	}
	return lines
}

// player is the bot that plays in a style from decision to decision.
func (b *Bot) player(style string) bot.Bot {
	if b.players[style] == nil {
		b.players[style] = b.mind(style, b.chance.Next())
	}
	return b.players[style]
}

// phase is a phase of a seat's turn.
type phase struct {
	turn          int32
	active, phase string
}
