package search_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/search"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// plans are two secret plans of red, of which blue learns only that there is one.
var plans = []string{"plan 0303", "plan 0301"}

// few positions are enough to beat chance.
var few = search.Budget{Positions: 1_000}

// ridge is a match of the toy ruleset.
func ridge(t *testing.T) bot.Match {
	t.Helper()
	set := toy.Ruleset()
	docs := set.ScenarioDocuments()
	sc, faults := set.LoadScenario(docs[slices.IndexFunc(docs, func(d rules.Document) bool {
		return d.ID == "ridge"
	})].Data)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	return bot.Match{Ruleset: set, Scenario: sc, Options: o}
}

// match plays a game of the toy ruleset and says who won.
func match(t *testing.T, seed uint64, bots ...bot.Bot) (winners rules.Seats, decisions int) {
	t.Helper()
	m := ridge(t)
	m.Bots, m.Dice, m.MaxDecisions = bots, dice.NewSeeded(seed), 5_000
	r, err := m.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.Ending.Winners, r.Decisions
}

func TestSearchBeatsChance(t *testing.T) {
	t.Parallel()
	const games = 12
	won, lost := 0, 0
	for seed := range uint64(games) {
		seat := rules.Seat(seed % 2)
		bots := []bot.Bot{bot.NewRandom(seed), bot.NewRandom(seed)}
		bots[seat] = search.New(seed, few)
		switch winners, _ := match(t, seed, bots...); {
		case winners.Has(seat):
			won++
		case winners != 0:
			lost++
		}
	}
	t.Logf("of %d games won %d, lost %d", games, won, lost)
	if won < 3*lost || won < games/2 {
		t.Errorf("of %d games it won %d and lost %d", games, won, lost)
	}
}

func TestTheSameSeedChoosesTheSame(t *testing.T) {
	t.Parallel()
	_, a := match(t, 3, search.New(5, few), search.New(6, few))
	_, b := match(t, 3, search.New(5, few), search.New(6, few))
	if a != b {
		t.Errorf("games of %d and %d decisions", a, b)
	}
}

// outside is a view without rules, as at a server.
type outside struct{ bot.View }

func TestSearchNeedsTheRules(t *testing.T) {
	t.Parallel()
	if _, err := search.New(1, few).Choose(t.Context(), outside{}); !errors.Is(err, search.ErrNoRules) {
		t.Errorf("%v", err)
	}
}

// prying keeps the positions that a search begins from.
type prying struct {
	bot.Bot
	seen *[]string
}

func (p prying) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	g, _ := v.(search.Inside).Known()
	*p.seen = append(*p.seen, g.Notation())
	return p.Bot.Choose(ctx, v)
}

// scripted sends commands.
type scripted struct{ commands *[]string }

func (s scripted) Choose(context.Context, bot.View) (bot.Choice, error) {
	if len(*s.commands) == 0 {
		return bot.Choice{}, errors.New("done")
	}
	c := (*s.commands)[0]
	*s.commands = (*s.commands)[1:]
	return bot.Choice{Notation: c}, nil
}

func TestAViewIsKeptToWhatItsSeatKnows(t *testing.T) {
	t.Parallel()
	play := func(plan string) (seen []string) {
		orders := []string{plan}
		m := ridge(t)
		m.Bots, m.Dice, m.MaxDecisions = []bot.Bot{scripted{&orders}, prying{bot.NewRandom(1), &seen}},
			dice.NewSeeded(1), 2
		if _, err := m.Play(t.Context()); err == nil {
			t.Fatal("the match was not cut off")
		}
		return seen
	}
	a, b := play(plans[0]), play(plans[1])
	if len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("what red planned can be told from what blue knows:\n%v\n%v", a, b)
	}
}
