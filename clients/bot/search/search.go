// Package search has bots that search with the rules: they play some of their actions on in copies of the game and take
// the one that does best.
//
// There is one search for all rulesets. A line is a first action and a way to go on, such as the greedy bot of the
// ruleset. Lines are played on with the same dice for each, up to a later turn, and the position there is judged. The
// half that does worse is given up, and the rest is played on more often, until the budget is spent. The choice of the
// greedy bot stands unless another does better by more than chance would have it.
//
// What differs by ruleset is a craft: which ways to play there are, which actions are worth a look, how far to look and
// how good a position is. Without one, actions are drawn and played on with random moves to the end.
//
// A search starts from the position as its seat knows it, with what is hidden replaced by an assumption or drawn, and
// so never cheats.
package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Inside is a view of a game that is played in process, as [bot.Match] gives it.
type Inside interface {
	bot.View
	// Known is a copy of the position as the seat knows it, and the seat.
	Known() (rules.Game, rules.Seat)
}

// Outside is a view of a game at a server, as [bot.Player] gives it.
type Outside interface {
	bot.View
	// Position is the position as the seat knows it.
	Position(ctx context.Context) (bot.Position, error)
}

// ErrNoRules says that the bot has no rules to search with: it plays at a server, and [Bot.At] was not called.
var ErrNoRules = errors.New("search: the bot has no rules to search with; at a server, give it the ruleset with At")

// Budget is how much a bot may think for a decision; for a phase, where the ruleset's craft compares whole phases. What
// is not used is kept for later, up to [Saved] times as much.
type Budget struct {
	// Positions is how many commands are made in the mind on average; 0 for no such bound. The same seed then chooses
	// the same.
	Positions int
	// Time is how long it takes on average; 0 for no such bound. It is kept up to the time of one command.
	Time time.Duration
	// Now is the clock of Time; time.Now if nil.
	Now func() time.Time
}

// Saved is for how many decisions a budget is kept, and Spent for how many of them one may be spent at once.
const (
	Saved = 16
	Spent = 4
)

// Bot searches. Use [New] or [Strong].
type Bot struct {
	craft *craft
	// set has the rules at a server, and scenarios those of its scenarios that were met, by digest.
	set       rules.Ruleset
	scenarios map[string]rules.Scenario
	budget    Budget
	chance    *dice.Seeded
	minds     map[string]bot.Bot // by style, to begin lines with
	// players play the phases, by style; style is that of the phase now.
	players map[string]bot.Bot
	style   string
	now     phase
	seat    rules.Seat
	view    thought
	worth   func(b *boardv1.Board, seat string) float64
	out     rules.Outcome
	// saved and savedTime are what is left of the budget; used is what has been spent in all.
	saved     int
	savedTime time.Duration
	used      int
	// played is how many lines were played on so far.
	played int
	// spent and begun are of this decision, allowed and longest its bounds.
	spent, allowed int
	begun          time.Time
	longest        time.Duration
	seats          int
	// given holds the commands already given whose kinds are in the craft's once, each with its turn and question.
	given map[string]bool
}

func newBot(c *craft, seed uint64, budget Budget) *Bot {
	b := &Bot{craft: c, budget: budget, chance: dice.NewSeeded(seed), minds: map[string]bot.Bot{},
		players: map[string]bot.Bot{}, given: map[string]bool{}}
	if b.budget.Now == nil {
		b.budget.Now = time.Now
	}
	b.view.touch = c.touch
	return b
}

// Used is how many commands were made in the mind so far.
func (b *Bot) Used() int { return b.used }

// At gives the bot the rules to search with at a server. A game of a scenario that does not come with them is played
// without a search.
func (b *Bot) At(set rules.Ruleset) *Bot {
	b.set, b.scenarios = set, map[string]rules.Scenario{}
	return b
}

// root is the position to search from, and the seat; nil if there are no rules for the scenario.
func (b *Bot) root(ctx context.Context, v bot.View) (rules.Game, rules.Seat, error) {
	if inside, ok := v.(Inside); ok {
		g, seat := inside.Known()
		return g, seat, nil
	}
	outside, ok := v.(Outside)
	if !ok || b.set == nil {
		return nil, 0, ErrNoRules
	}
	p, err := outside.Position(ctx)
	if err != nil {
		return nil, 0, err
	}
	sc := b.scenario(p)
	if sc == nil {
		return nil, 0, nil
	}
	g, err := b.set.ParsePosition(sc, p.Known)
	if err != nil {
		return nil, 0, fmt.Errorf("search: the position of the server: %w", err)
	}
	for seat := range b.set.About().Seats {
		if b.set.About().SeatID(rules.Seat(seat)) == v.Seat() {
			return g, rules.Seat(seat), nil
		}
	}
	return nil, 0, fmt.Errorf("search: there is no seat %q", v.Seat())
}

// scenario is the one of a position that comes with the rules, the same document; nil if it does not.
func (b *Bot) scenario(p bot.Position) rules.Scenario {
	sc, known := b.scenarios[p.Digest]
	if known {
		return sc
	}
	for _, d := range b.set.ScenarioDocuments() {
		if digest := sha256.Sum256(d.Data); d.ID == p.Scenario && hex.EncodeToString(digest[:]) == p.Digest {
			sc, _ = b.set.LoadScenario(d.Data)
		}
	}
	b.scenarios[p.Digest] = sc
	return sc
}

// Choose takes the action whose line does best.
func (b *Bot) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	root, seat, err := b.root(ctx, v)
	if err != nil {
		return bot.Choice{}, err
	}
	if root == nil {
		return b.player(b.craft.styles(v.Seat())[0]).Choose(ctx, v)
	}
	b.seat = seat
	b.seats = len(root.Ruleset().About().Seats)
	if b.craft.phases != nil {
		return b.follow(ctx, v, root)
	}
	b.grant()
	defer b.save()
	if !b.open(root) {
		return b.mind(b.craft.styles(v.Seat())[0], b.chance.Next()).Choose(ctx, v)
	}
	lines, err := b.lines(ctx, v, root)
	if err != nil {
		return bot.Choice{}, err
	}
	if len(lines) == 0 {
		return b.mind(b.craft.styles(v.Seat())[0], b.chance.Next()).Choose(ctx, v)
	}
	best := lines[0]
	if len(lines) > 1 {
		if best, err = b.compare(ctx, root, lines); err != nil {
			return bot.Choice{}, err
		}
	}
	b.note(root, best.first)
	return best.choice, nil
}

// note remembers a command that must not be repeated.
func (b *Bot) note(root rules.Game, notation string) {
	kind, _, _ := strings.Cut(notation, " ")
	if slices.Contains(b.craft.once, kind) {
		b.given[b.occasion(root, notation)] = true
	}
}

// occasion is a command with its turn and question.
func (b *Bot) occasion(root rules.Game, notation string) string {
	return fmt.Sprint(root.Turn(), " ", b.asked(root), " ", notation)
}

// grant gives a decision its part of the budget.
func (b *Bot) grant() {
	b.spent = 0
	b.saved += b.budget.Positions
	b.allowed = min(b.saved, Spent*b.budget.Positions)
	b.savedTime += b.budget.Time
	if b.budget.Time > 0 {
		b.begun = b.budget.Now()
		b.longest = min(b.savedTime, Spent*b.budget.Time)
	}
}

// save keeps what is left of the budget.
func (b *Bot) save() {
	b.used += b.spent
	b.saved = min(max(0, b.saved-b.spent), Saved*b.budget.Positions)
	if b.budget.Time > 0 {
		b.savedTime = min(max(0, b.savedTime-b.budget.Now().Sub(b.begun)), Saved*b.budget.Time)
	}
}

// share is how much of the budget of the decision is spent; 1 or more when all is, as without a budget.
func (b *Bot) share() float64 {
	part := 0.0
	if b.budget.Positions <= 0 && b.budget.Time <= 0 {
		return 1
	}
	if b.budget.Positions > 0 {
		part = float64(b.spent) / float64(b.allowed)
	}
	if b.budget.Time > 0 {
		part = max(part, float64(b.budget.Now().Sub(b.begun))/float64(b.longest))
	}
	return part
}

// mind is the bot of a style that plays a seat in the mind, as it is at the beginning of a line.
func (b *Bot) mind(style string, seed uint64) bot.Bot {
	if base, whim, ok := strings.Cut(style, whimsical); ok {
		number, _ := strconv.ParseUint(whim, 10, 64) // plans wrote it
		return b.mind(base, seed).(greedy.Whimsical).Whim(number, seed)
	}
	one := b.minds[style]
	if one == nil {
		one = b.craft.maker(style, seed)
		b.minds[style] = one
	}
	return one.(greedy.Fresh).Fresh(seed)
}

// lines are what is compared: the choice of each style, and the actions that the first style ranks
// highest.
func (b *Bot) lines(ctx context.Context, v bot.View, root rules.Game) ([]*line, error) {
	var lines []*line
	add := func(c bot.Choice, style string) error {
		notation := c.Notation
		if notation == "" {
			notation = v.Action(c.Action).Command
		}
		if len(b.given) > 0 && b.given[b.occasion(root, notation)] {
			return nil
		}
		command, err := root.ParseCommand(notation)
		if err != nil || root.Check(b.seat, command) != nil {
			return nil // what is assumed does not allow it
		}
		for _, l := range lines {
			if l.style == style && l.choice == c {
				return nil
			}
		}
		lines = append(lines, &line{choice: c, first: notation, style: style})
		return nil
	}
	styles := b.craft.styles(v.Seat())
	for _, style := range styles {
		c, err := b.mind(style, b.chance.Next()).Choose(ctx, v)
		if err != nil {
			return nil, err
		}
		if err := add(c, style); err != nil {
			return nil, err
		}
	}
	ranker, ok := b.minds[styles[0]].(greedy.Ranker)
	if !ok {
		return lines, nil
	}
	ranks, err := ranker.Rank(ctx, v)
	if err != nil {
		return nil, err
	}
	for _, i := range b.tried(v, ranks) {
		if err := add(bot.Choice{Action: i}, styles[0]); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// tried are the actions that are worth a look beside the choices of the styles, the highest ranks first.
func (b *Bot) tried(v bot.View, ranks []float64) []int {
	if b.craft.alike == nil {
		return top(ranks, b.craft.width)
	}
	var all []int
	met := map[string]bool{"": true}
	for _, i := range top(ranks, len(ranks)) {
		if name := b.craft.alike(v.Action(i)); !met[name] {
			met[name] = true
			if all = append(all, i); len(all) == b.craft.width {
				break
			}
		}
	}
	return all
}

// top are the places of the highest n numbers, the highest first; those that are no number are left out.
func top(ranks []float64, n int) []int {
	var order []int
	for i, x := range ranks {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ranks[i] > ranks[j]:
			return -1
		case ranks[i] < ranks[j]:
			return 1
		}
		return 0
	})
	return order[:min(n, len(order))]
}
