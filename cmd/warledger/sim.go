package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

type simCmd struct {
	Ruleset  string            `arg:"" help:"Ruleset."`
	Scenario string            `arg:"" help:"Scenario that comes with the ruleset, or a file with a document."`
	Games    int               `help:"How many games." default:"100"`
	Bots     []string          `help:"Kind of bot of each seat (random, greedy, search or strong), in the ruleset's order; one for all." default:"random"`
	Seed     uint64            `help:"Seed of everything: the same seed plays the same games." default:"1"`
	Option   map[string]string `help:"Options of the ruleset." placeholder:"KEY=VALUE" mapsep:"none"`
	Jobs     int               `short:"j" help:"How many games at a time; as many as there are processors if not given." placeholder:"N"`
	Limit    int               `help:"Decisions after which a game is cut off; 0 for never." default:"100000"`
}

// Run lets bots play, without a server, and sums up.
func (c simCmd) Run(a *app) error {
	set, sc, o, err := c.load()
	if err != nil {
		return err
	}
	if c.Games < 1 {
		return usageError{"--games must be 1 or more"}
	}
	for len(c.Bots) < len(set.About().Seats) && len(c.Bots) == 1 {
		c.Bots = append(c.Bots, make([]string, len(set.About().Seats)-1)...)
		for i := range c.Bots {
			c.Bots[i] = c.Bots[0]
		}
	}
	if len(c.Bots) != len(set.About().Seats) {
		return usageError{fmt.Sprintf("%d bots for %d seats", len(c.Bots), len(set.About().Seats))}
	}
	t := newTally(set, c.Bots)
	bar := a.progress(c.Games)
	begun := time.Now()
	err = c.playAll(a.ctx, set, sc, o, func(r bot.Result, err error) error {
		defer func() { _ = bar.Add(1) }()
		return t.add(r, err)
	})
	t.elapsed = time.Since(begun)
	_ = bar.Finish()
	if err != nil && !a.interrupted(err) {
		return err
	}
	return a.report(t, err)
}

// load finds ruleset, scenario and options.
func (c *simCmd) load() (rules.Ruleset, rules.Scenario, rules.Options, error) {
	fail := func(format string, args ...any) (rules.Ruleset, rules.Scenario, rules.Options, error) {
		return nil, nil, rules.Options{}, usageError{fmt.Sprintf(format, args...)}
	}
	registry, err := rulesets.Registry(true)
	if err != nil {
		return nil, nil, rules.Options{}, err
	}
	set, ok := registry.Find(c.Ruleset)
	if !ok {
		var known []string
		for _, s := range registry.All() {
			known = append(known, s.About().Name)
		}
		return fail("there is no ruleset %q, only %s", c.Ruleset, join(known))
	}
	doc, known := []byte(nil), []string(nil)
	for _, d := range set.ScenarioDocuments() {
		known = append(known, d.ID)
		if d.ID == c.Scenario {
			doc = d.Data
		}
	}
	if doc == nil {
		if doc, err = os.ReadFile(c.Scenario); err != nil {
			return fail("%s comes with no scenario %q, only %s, and there is no such file",
				c.Ruleset, c.Scenario, join(known))
		}
	}
	sc, faults := set.LoadScenario(doc)
	if faults.Refused() {
		return fail("scenario %s: %v", c.Scenario, faults)
	}
	o, err := set.About().NewOptions(c.Option)
	if err != nil {
		return fail("%v", err)
	}
	return set, sc, o, nil
}

// playAll plays the games, several at a time. done is called for each, one at a time; the first error ends it all.
func (c *simCmd) playAll(
	ctx context.Context, set rules.Ruleset, sc rules.Scenario, o rules.Options, done func(bot.Result, error) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := c.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	next := make(chan int)
	for range min(jobs, c.Games) {
		all.Go(func() {
			for i := range next {
				r, err := c.play(ctx, set, sc, o, i)
				mu.Lock()
				if ctx.Err() == nil {
					if err := done(r, err); err != nil {
						cancel(fmt.Errorf("game %d: %w", i+1, err))
					}
				}
				mu.Unlock()
			}
		})
	}
	for i := 0; i < c.Games && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// play plays one game. Its chance depends on the seed and its number alone.
func (c *simCmd) play(
	ctx context.Context, set rules.Ruleset, sc rules.Scenario, o rules.Options, i int,
) (bot.Result, error) {
	seeds := dice.NewSeeded(c.Seed + uint64(i)*0x9E3779B97F4A7C15)
	m := bot.Match{Ruleset: set, Scenario: sc, Options: o, Dice: dice.NewSeeded(seeds.Next()), MaxDecisions: c.Limit}
	for _, kind := range c.Bots {
		b, err := makeBot(strings.TrimSpace(kind), set.About().Name, seeds.Next())
		if err != nil {
			return bot.Result{}, usageError{err.Error()}
		}
		m.Bots = append(m.Bots, b)
	}
	return m.Play(ctx)
}

// progress is a bar on standard error, if there is somebody to look at it.
func (a *app) progress(games int) *progressbar.ProgressBar {
	return progressbar.NewOptions(games, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription("games"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("games"),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetVisibility(a.tty && a.line.Output == "text"))
}

// report prints the outcome.
func (a *app) report(t *tally, cut error) error {
	sum := t.summary()
	if a.line.Output == "json" {
		if err := a.plainJSON(sum, true); err != nil {
			return err
		}
	} else {
		a.say("%s", sum.in(a.line.Lang))
	}
	if sum.Refusals > 0 || sum.Failed > 0 {
		return quietError{exitFound}
	}
	if errors.Is(cut, context.Canceled) {
		return cut
	}
	return nil
}
