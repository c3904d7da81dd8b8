package rulestest

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/warledger/warledger/rules"
)

// Battery plays random games of every scenario with some choices of options, in parallel subtests, and holds
// the ruleset to everything that the contract promises: [CheckGame] says what that is. Messages must mind the
// number of what they count.
func Battery(t *testing.T, set rules.Ruleset, cfg Config) {
	t.Helper()
	if _, err := rules.NewRegistry(set); err != nil {
		t.Fatal(err)
	}
	cfg = cfg.withDefaults()
	for _, wrong := range fixedPlurals(set.About().Catalogue) {
		t.Errorf("a message says a number of 1 in the plural: %s", wrong)
	}
	first := uint64(setting("RULESTEST_SEED", 1))
	var total tally
	t.Run("games", func(t *testing.T) {
		for _, doc := range append(set.ScenarioDocuments(), cfg.Documents...) {
			sc, faults := set.LoadScenario(doc.Data)
			if faults.Fatal() {
				t.Errorf("scenario %s: %v", doc.ID, faults)
				continue
			}
			for _, choice := range choices(set.About(), cfg.Choices) {
				options, err := set.About().NewOptions(choice)
				if err != nil {
					t.Fatal(err)
				}
				for i := range cfg.Games {
					seed := first + uint64(i)
					t.Run(fmt.Sprintf("%s/%s/seed=%d", doc.ID, optionText(choice), seed), func(t *testing.T) {
						t.Parallel()
						stats, err := CheckGame(set, sc, options, seed, cfg)
						total.add(stats)
						if err != nil {
							t.Fatal(err)
						}
					})
				}
			}
		}
	})
	t.Log(total.sum.String())
	if cfg.Secrets && total.sum.Forks == 0 && !t.Failed() {
		t.Error("the ruleset has secrets, but no game came to one: neither a command nor a die with an audience was " +
			"met, nor did Hide give anything")
	}
}

func optionText(choice map[string]string) string {
	if len(choice) == 0 {
		return "defaults"
	}
	var parts []string
	for id, value := range choice {
		parts = append(parts, id+"="+value)
	}
	sort.Strings(parts)
	return strings.Join(parts, ",")
}

// Stats says what was seen of a game, or of many.
type Stats struct {
	// Games played, commands of them, and decisions looked at closely.
	Games, Commands, Decisions int
	// Longest game in commands and Widest list of commands.
	Longest, Widest int
	// Forks into games that differ in a secret, and comparisons of what a viewer saw of them.
	Forks, Sights int
	// Played counts the commands by kind.
	Played map[string]int
}

func (s Stats) String() string {
	var kinds []string
	for kind, n := range s.Played {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
	}
	sort.Strings(kinds)
	return fmt.Sprintf("%d games, %d commands (longest %d, widest list %d), %d decisions looked at, %d "+
		"forks with %d sights; played: %s",
		s.Games, s.Commands, s.Longest, s.Widest, s.Decisions, s.Forks, s.Sights, strings.Join(kinds, ", "))
}

// tally adds up games that run at the same time.
type tally struct {
	mu  sync.Mutex
	sum Stats
}

func (t *tally) add(s Stats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Games++
	t.sum.Commands += s.Commands
	t.sum.Decisions += s.Decisions
	t.sum.Longest = max(t.sum.Longest, s.Commands)
	t.sum.Widest = max(t.sum.Widest, s.Widest)
	t.sum.Forks += s.Forks
	t.sum.Sights += s.Sights
	if t.sum.Played == nil {
		t.sum.Played = map[string]int{}
	}
	for kind, n := range s.Played {
		t.sum.Played[kind] += n
	}
}
