// Package tournament lets bots play each other in process, every one against every other on every side, and rates them.
package tournament

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Entry is a bot that takes part.
type Entry struct {
	// Name is what tables call it.
	Name string
	// Make makes the bot of one seat of one game.
	Make func(seed uint64) (bot.Bot, error)
}

// Tournament is a round robin.
type Tournament struct {
	// Ruleset, Scenario and Options say what is played.
	Ruleset  rules.Ruleset
	Scenario rules.Scenario
	Options  rules.Options
	// Entries are the bots.
	Entries []Entry
	// Games is how many games each plays against each on each side.
	Games int
	// Mirror adds games of each bot against itself, which say what the sides are worth. They do not count for ratings.
	Mirror bool
	// Seed decides everything: the same seed plays the same games, however many at a time.
	Seed uint64
	// Jobs is how many games are played at a time.
	Jobs int
	// MaxDecisions and MaxTurns are those of [bot.Match].
	MaxDecisions, MaxTurns int
	// Judge says who has won a game that was cut off, by its positions at the beginning and now; none for a draw. Nil
	// draws all of them.
	Judge func(begin, now rules.Game) rules.Seats
	// Done is called after each game, one at a time; may be nil.
	Done func()
}

// fixture is one game to play: the entries of the two sides.
type fixture struct{ first, second int }

// result is how a fixture went.
type result struct {
	// score is that of the first side: 1, ½ or 0.
	score  float64
	cutOff bool
}

// Sides are the seats of the two sides of a ruleset.
func Sides(about *rules.About) (first, second rules.Seats, err error) {
	first = about.SideOf(0)
	for seat := range about.Seats {
		if !first.Has(rules.Seat(seat)) {
			second |= rules.SeatsOf(rules.Seat(seat))
		}
	}
	if second == 0 || about.SideOf(firstOf(second)) != second {
		return 0, 0, fmt.Errorf("tournament: %s has not two sides", about.Name)
	}
	return first, second, nil
}

func firstOf(s rules.Seats) rules.Seat {
	for seat := range s.Each {
		return seat
	}
	return rules.NoSeat
}

// check says what is wrong with the request.
func (t *Tournament) check() error {
	names := map[string]bool{}
	for _, e := range t.Entries {
		if names[e.Name] {
			return fmt.Errorf("tournament: %s takes part twice", e.Name)
		}
		names[e.Name] = true
	}
	switch {
	case t.Games < 1:
		return errors.New("tournament: no games are to be played")
	case len(t.Entries) < 2 && !t.Mirror || len(t.Entries) == 0:
		return errors.New("tournament: there must be two bots, or one that plays itself")
	}
	return nil
}

// pairings are all pairs in order: who plays the first side and who the second.
func (t *Tournament) pairings() (all []fixture) {
	for i := range t.Entries {
		for j := range t.Entries {
			if i != j || t.Mirror {
				all = append(all, fixture{i, j})
			}
		}
	}
	return all
}

// Total is how many games will be played.
func (t *Tournament) Total() int { return len(t.pairings()) * t.Games }

// Play plays all games. It ends with the first error: of a bot, or of ctx.
func (t *Tournament) Play(ctx context.Context) (*Table, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	first, second, err := Sides(t.Ruleset.About())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pairs := t.pairings()
	results := make([]result, len(pairs)*t.Games)
	next := make(chan int)
	var work sync.WaitGroup
	var mu sync.Mutex
	for range min(max(1, t.Jobs), len(results)) {
		work.Go(func() {
			for n := range next {
				r, err := t.game(ctx, pairs[n/t.Games], first, n)
				if err != nil {
					cancel(fmt.Errorf("game %d: %w", n+1, err))
					continue
				}
				mu.Lock()
				if results[n] = r; t.Done != nil {
					t.Done()
				}
				mu.Unlock()
			}
		})
	}
	for n := range results {
		select {
		case next <- n:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	work.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return t.table(pairs, results, first, second), nil
}

// golden is 2^64 over the golden ratio: seeds that far apart give unrelated games.
const golden = 0x9E3779B97F4A7C15

// game plays the game of a number, which alone decides its chance.
func (t *Tournament) game(ctx context.Context, f fixture, first rules.Seats, n int) (result, error) {
	seeds := dice.NewSeeded(t.Seed + uint64(n)*golden)
	throw := seeds.Next()
	m := bot.Match{Ruleset: t.Ruleset, Scenario: t.Scenario, Options: t.Options, Dice: dice.NewSeeded(throw),
		MaxDecisions: t.MaxDecisions, MaxTurns: t.MaxTurns}
	for seat := range t.Ruleset.About().Seats {
		e := t.Entries[f.second]
		if first.Has(rules.Seat(seat)) {
			e = t.Entries[f.first]
		}
		b, err := e.Make(seeds.Next())
		if err != nil {
			return result{}, err
		}
		m.Bots = append(m.Bots, b)
	}
	r, err := m.Play(ctx)
	switch {
	case err == nil:
		return result{score: score(r.Ending.Winners, first)}, nil
	case !bot.IsCutOff(err):
		return result{}, err
	case t.Judge == nil:
		return result{score: 0.5, cutOff: true}, nil
	}
	begin := t.Ruleset.New(t.Scenario, t.Options)
	if _, err := begin.Start(dice.NewSeeded(throw)); err != nil {
		return result{}, err
	}
	return result{score: score(t.Judge(begin, r.Game), first), cutOff: true}, nil
}

// score is that of a side: 1 if any of its seats won, 0 if only others did.
func score(winners, side rules.Seats) float64 {
	switch {
	case winners == 0:
		return 0.5
	case winners&side != 0:
		return 1
	}
	return 0
}
