package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
)

// tally sums up games.
type tally struct {
	set     rules.Ruleset
	bots    []string
	elapsed time.Duration

	games, cutOff, refusals, failed int
	decisions, rolls, turns         []int
	endings                         map[string]int
	wins                            map[string]int
	faults                          []string
}

func newTally(set rules.Ruleset, bots []string) *tally {
	return &tally{set: set, bots: bots, endings: make(map[string]int), wins: make(map[string]int)}
}

// add counts a game. What keeps all games from being played is given back.
func (t *tally) add(r bot.Result, err error) error {
	var wrong usageError
	if errors.As(err, &wrong) {
		return err
	}
	t.games++
	t.refusals += r.Refusals
	t.decisions, t.rolls, t.turns = append(t.decisions, r.Decisions), append(t.rolls, r.Rolls), append(t.turns, r.Turns)
	switch {
	case bot.IsCutOff(err):
		t.cutOff++
		t.endings["cut off"]++
	case err != nil:
		t.failed++
		t.endings["failed"]++
		if len(t.faults) < 5 {
			t.faults = append(t.faults, err.Error())
		}
	default:
		t.ended(r.Ending)
	}
	return nil
}

func (t *tally) ended(e *rules.Ending) {
	who := "draw"
	if e.Winners != 0 {
		var ids []string
		for seat := range e.Winners.Each {
			ids = append(ids, t.set.About().SeatID(seat))
			t.wins[t.set.About().SeatID(seat)]++
		}
		who = strings.Join(ids, "+")
	}
	t.endings[who+" ("+e.Level+")"]++
}

// simSummary is what sim prints.
type simSummary struct {
	Ruleset            string         `json:"ruleset"`
	Bots               []string       `json:"bots"`
	Games              int            `json:"games"`
	Endings            map[string]int `json:"endings"`
	Wins               map[string]int `json:"wins"`
	Decisions          spread         `json:"decisions"`
	Rolls              spread         `json:"rolls"`
	Turns              spread         `json:"turns"`
	Seconds            float64        `json:"seconds"`
	DecisionsPerSecond float64        `json:"decisions_per_second"`
	Refusals           int            `json:"refusals"`
	CutOff             int            `json:"cut_off"`
	Failed             int            `json:"failed"`
	Faults             []string       `json:"faults,omitempty"`
}

// spread says how numbers lie.
type spread struct {
	Least  int     `json:"least"`
	Median int     `json:"median"`
	Most   int     `json:"most"`
	Mean   float64 `json:"mean"`
}

func spreadOf(list []int) (s spread) {
	if len(list) == 0 {
		return s
	}
	list = slices.Sorted(slices.Values(list))
	sum := 0
	for _, n := range list {
		sum += n
	}
	return spread{list[0], list[len(list)/2], list[len(list)-1], float64(sum) / float64(len(list))}
}

func (t *tally) summary() simSummary {
	s := simSummary{
		Ruleset: t.set.About().Name, Bots: t.bots, Games: t.games, Endings: t.endings, Wins: t.wins,
		Decisions: spreadOf(t.decisions), Rolls: spreadOf(t.rolls), Turns: spreadOf(t.turns),
		Seconds: t.elapsed.Seconds(), Refusals: t.refusals, CutOff: t.cutOff, Failed: t.failed, Faults: t.faults,
	}
	if s.Seconds > 0 {
		s.DecisionsPerSecond = s.Decisions.Mean * float64(t.games) / s.Seconds
	}
	return s
}

// in tells the summary in a language.
func (s simSummary) in(lang tongue) string {
	say := simWords{lang}
	var b strings.Builder
	fmt.Fprintf(&b, say.words("%d games of %s, %s\n"), s.Games, s.Ruleset, strings.Join(s.Bots, say.words(" against ")))
	keys := slices.SortedFunc(maps.Keys(s.Endings), func(x, y string) int {
		return cmp.Or(cmp.Compare(s.Endings[y], s.Endings[x]), cmp.Compare(x, y))
	})
	for _, k := range keys {
		fmt.Fprintf(&b, "  %6d  %5.1f%%  %s\n", s.Endings[k], 100*float64(s.Endings[k])/float64(s.Games), k)
	}
	row := func(name string, x spread) {
		fmt.Fprintf(&b, say.words("  %-10s least %d, median %d, mean %.1f, most %d\n"), name, x.Least, x.Median, x.Mean,
			x.Most)
	}
	row(say.words("decisions"), s.Decisions)
	row(say.words("dice"), s.Rolls)
	row(say.words("turns"), s.Turns)
	fmt.Fprintf(&b, say.words("  %.0f decisions a second, %.2f s in all\n"), s.DecisionsPerSecond, s.Seconds)
	fmt.Fprintf(&b, say.words("  %d listed commands refused, %d games failed, %d cut off\n"), s.Refusals, s.Failed,
		s.CutOff)
	for _, f := range s.Faults {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	return b.String()
}

// simWords are words in a language.
type simWords struct{ lang tongue }

func (w simWords) words(text string) string { return w.lang.in(text) }
