package search_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/clients/bot/search"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/ocs"
)

// board is a game to be begun.
type board struct {
	set      rules.Ruleset
	scenario string
}

var boards = []board{{downfall.New(), "olympic"}, {ocs.New(), "crimea-ishun"}, {anniversary.New(), "1941"}}

// begin sets up a match of greedy bots that is cut off.
func (b board) begin(t *testing.T, decisions int) bot.Match {
	t.Helper()
	docs := b.set.ScenarioDocuments()
	i := slices.IndexFunc(docs, func(d rules.Document) bool { return d.ID == b.scenario })
	sc, faults := b.set.LoadScenario(docs[i].Data)
	if faults.Refused() {
		t.Fatal(faults)
	}
	o, err := b.set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := bot.Match{Ruleset: b.set, Scenario: sc, Options: o, Dice: dice.NewSeeded(7), MaxDecisions: decisions}
	for range b.set.About().Seats {
		g, err := greedy.New(b.set.About().Name, 7)
		if err != nil {
			t.Fatal(err)
		}
		m.Bots = append(m.Bots, g)
	}
	return m
}

// strong makes a strong bot.
func (b board) strong(t *testing.T, budget search.Budget) *search.Bot {
	t.Helper()
	s, err := search.Strong(b.set.About().Name, 3, budget)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// noting keeps what a bot chose.
type noting struct {
	bot.Bot
	chosen *[]bot.Choice
	each   func()
}

func (n noting) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	c, err := n.Bot.Choose(ctx, v)
	*n.chosen = append(*n.chosen, c)
	if n.each != nil {
		n.each()
	}
	return c, err
}

func TestABudgetOfPositionsIsKeptAndRepeats(t *testing.T) {
	t.Parallel()
	const budget = 8
	for _, b := range boards {
		t.Run(b.scenario, func(t *testing.T) {
			t.Parallel()
			play := func() (chosen []bot.Choice, used int) {
				m := b.begin(t, 30)
				s, before := b.strong(t, search.Budget{Positions: budget}), 0
				for seat := range m.Bots {
					m.Bots[seat] = noting{s, &chosen, func() {
						if n := s.Used() - before; n > search.Spent*budget*5/4+1 {
							t.Errorf("a decision took %d positions", n)
						}
						before = s.Used()
					}}
				}
				if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
					t.Fatal(err)
				}
				return chosen, s.Used()
			}
			a, usedA := play()
			again, usedB := play()
			if d := cmp.Diff(a, again); d != "" || usedA != usedB {
				t.Errorf("of one seed %d and %d positions: %s", usedA, usedB, d)
			}
			if usedA == 0 || usedA > len(a)*budget*5/4+search.Saved*budget {
				t.Errorf("%d positions for %d decisions", usedA, len(a))
			}
		})
	}
}

func TestABudgetOfTimeIsKept(t *testing.T) {
	t.Parallel()
	const tick, budget = time.Millisecond, 10 * time.Millisecond
	// Each look at the clock takes a tick, and nothing else takes any time.
	now := time.Unix(0, 0)
	clock := func() time.Time {
		now = now.Add(tick)
		return now
	}
	m := boards[0].begin(t, 40)
	s := boards[0].strong(t, search.Budget{Time: budget, Now: clock})
	var chosen []bot.Choice
	before := now
	m.Bots[0] = noting{s, &chosen, func() {
		if took := now.Sub(before); took > search.Spent*budget*5/4+10*tick {
			t.Errorf("a decision took %v", took)
		}
		before = now
	}}
	m.Bots[1] = m.Bots[0]
	if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
		t.Fatal(err)
	}
	if s.Used() == 0 {
		t.Error("it did not think")
	}
}

func TestWithoutABudgetItPlaysItsFirstStyle(t *testing.T) {
	t.Parallel()
	m := boards[1].begin(t, 40)
	s := boards[1].strong(t, search.Budget{})
	m.Bots[0], m.Bots[1] = s, s
	if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
		t.Fatal(err)
	}
	if s.Used() != 0 {
		t.Errorf("it made %d commands in the mind", s.Used())
	}
}

func TestNoStrongBotForARulesetWithoutACraft(t *testing.T) {
	t.Parallel()
	if _, err := search.Strong("toy", 1, search.Budget{}); err == nil {
		t.Error("there is one")
	}
	if d := cmp.Diff([]string{"anniversary", "downfall", "ocs"}, search.Rulesets()); d != "" {
		t.Error(d)
	}
}

// What decides no game costs nothing: its part of the budget is left for what does.
func TestOnlyWhatMattersIsSearched(t *testing.T) {
	t.Parallel()
	m := boards[0].begin(t, 80)
	s, before := boards[0].strong(t, search.Budget{Positions: 60}), 0
	searched := map[string]int{}
	for seat := range m.Bots {
		m.Bots[seat] = asking{s, func(kind string) {
			searched[kind] += s.Used() - before
			before = s.Used()
		}}
	}
	if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
		t.Fatal(err)
	}
	for _, kind := range []string{"zones", "target", "bomb", "fire"} {
		if n, asked := searched[kind]; n != 0 || !asked {
			t.Errorf("%s: %d positions, asked %v", kind, n, asked)
		}
	}
	if searched["actions"] == 0 {
		t.Error("no action was searched")
	}
}

// asking tells after each choice what was asked.
type asking struct {
	bot.Bot
	each func(kind string)
}

func (a asking) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	g, seat := v.(search.Inside).Known()
	c, err := a.Bot.Choose(ctx, v)
	for _, d := range g.Decisions() {
		if d.Seat == seat && !d.Optional {
			a.each(d.Kind)
			break
		}
	}
	return c, err
}

// An attack that no supply was paid for is listed again. It is not ordered again, or the phase would not end.
func TestAnAttackWithoutEffectIsNotOrderedAgain(t *testing.T) {
	t.Parallel()
	m := boards[1].begin(t, 120)
	again := &repeating{t: t, Bot: boards[1].strong(t, search.Budget{})}
	m.Bots[0] = again
	if _, err := m.Play(t.Context()); err != nil && !bot.IsCutOff(err) {
		t.Fatal(err)
	}
	if again.attacks == 0 {
		t.Error("it never attacked: this says nothing")
	}
}

// repeating asks its bot a second time where it attacks, as if the attack had had no effect.
type repeating struct {
	t *testing.T
	bot.Bot
	attacks int
}

func (r *repeating) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	c, err := r.Bot.Choose(ctx, v)
	if err != nil || v.Action(c.Action).Kind != "attack" {
		return c, err
	}
	r.attacks++
	second, err := r.Bot.Choose(ctx, v)
	if err != nil || second.Action == c.Action {
		r.t.Errorf("%s was ordered twice, %v", v.Action(c.Action).Command, err)
	}
	return c, err
}

// Without a budget, the strong bot of Anniversary plays the style of its side. By default every ruleset has a budget.
func TestAnniversaryIsPlayedInTheStyleOfTheSide(t *testing.T) {
	t.Parallel()
	for _, ruleset := range search.Rulesets() {
		if search.Usual(ruleset) == 0 {
			t.Errorf("the strong bot of %s usually does not look ahead", ruleset)
		}
	}
	styles := map[string]string{
		"germany": "steady", "japan": "steady", "italy": "steady", "soviet-union": "ferrying",
		"united-kingdom": "ferrying", "united-states": "ferrying",
	}
	play := func(makes func(seat string) bot.Bot) (chosen []bot.Choice) {
		m := boards[2].begin(t, 400)
		for seat := range m.Bots {
			m.Bots[seat] = noting{makes(anniversary.New().About().SeatID(rules.Seat(seat))), &chosen, nil}
		}
		if _, err := m.Play(t.Context()); !bot.IsCutOff(err) {
			t.Fatal(err)
		}
		return chosen
	}
	strong := play(func(string) bot.Bot { return boards[2].strong(t, search.Budget{}) })
	styled := play(func(seat string) bot.Bot {
		b, err := greedy.NewStyle("anniversary", styles[seat], 1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	})
	if d := cmp.Diff(styled, strong); d != "" {
		t.Error(d)
	}
}

// A bot that thinks is stopped within a line: its seat may be taken back, or the server may end.
func TestThinkingStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	looks, begun := 0, time.Unix(0, 0)
	clock := func() time.Time { // time stands still, so that only the context ends the search
		if looks++; looks == 20 {
			cancel()
		}
		return begun
	}
	m := boards[2].begin(t, 400)
	s := boards[2].strong(t, search.Budget{Time: time.Hour, Now: clock})
	for seat := range m.Bots {
		m.Bots[seat] = s
	}
	if _, err := m.Play(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if looks > 2_000 {
		t.Errorf("it thought on for %d positions", looks)
	}
}
