package rulestest

import (
	"cmp"
	"os"
	"strconv"
	"testing"

	"github.com/warledger/warledger/rules"
)

// Config says how hard the battery looks. The zero value is right for a small ruleset.
type Config struct {
	// Documents are scenarios to play beside those that come with the ruleset.
	Documents []rules.Document
	// Games of each scenario and choice of options; 3 if zero.
	Games int
	// Choices is how many choices of options are played beside the defaults: first everything on, then values in turn,
	// so that neighbouring options differ; 3 if zero.
	Choices int
	// Commands is how many a game may take before it counts as endless; 5,000 if zero.
	Commands int
	// Sample looks closely at one decision of so many; 8 if zero.
	Sample int
	// Listed is how many commands of a list are looked at closely; 25 if zero.
	Listed int
	// Forks is how often in a game it is forked into two that differ in a secret; 3 if zero.
	Forks int
	// ForkCommands is how many commands such a pair is played on; 30 if zero.
	ForkCommands int
	// Outcomes bounds the ways of falling dice that are enumerated for a command; 300 if zero.
	Outcomes int
	// Secrets says that the ruleset has secrets: then a battery that never met one fails.
	Secrets bool
	// Hide gives positions that differ from the game's only in what is hidden from the viewer, for secrets that come
	// from neither a command nor a die; nil if none exist. The positions are the battery's to keep.
	Hide func(g rules.Game, v rules.Viewer) []rules.Game
	// Parted reports that two games which differed in secrets only have come to differ in the open, for a viewer. Such
	// a difference is no leak, and the viewer's comparison of the pair ends. nil means that they never do.
	Parted func(a, b rules.Game, v rules.Viewer) bool
	// Open reports that commands of a kind are no secret to fork on: they are kept from others because of what they
	// name, but others see something of what they do. nil means none; what Hide gives is compared all the same.
	Open func(kind string) bool
	// Pick chooses a command to play, the weights of a ruleset whose random games would not end otherwise: it gives an
	// index of the list, and below(n) a random number under n. nil chooses any with equal chance.
	Pick func(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int
	// Piece reports whether a command may name a piece that is not on the board of the seat that
	// commands; nil allows none.
	Piece func(g rules.Game, id string) bool
}

func (c Config) withDefaults() Config {
	c.Games = setting("RULESTEST_GAMES", cmp.Or(c.Games, 3))
	c.Sample = setting("RULESTEST_SAMPLE", cmp.Or(c.Sample, 8))
	c.Choices = cmp.Or(c.Choices, 3)
	c.Commands = cmp.Or(c.Commands, 5000)
	c.Listed = cmp.Or(c.Listed, 25)
	c.Forks = cmp.Or(c.Forks, 3)
	c.ForkCommands = cmp.Or(c.ForkCommands, 30)
	c.Outcomes = cmp.Or(c.Outcomes, 300)
	if testing.Testing() && testing.Short() {
		c.Games, c.Choices = 1, 1
	}
	return c
}

// setting is a number from the environment, or else the value given.
func setting(name string, value int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return value
}

// choices are the options of the games to play: the defaults, then everything on, then values in turn.
func choices(a *rules.About, n int) []map[string]string {
	list := []map[string]string{{}}
	if len(a.Options) == 0 {
		return list
	}
	for i := 1; i <= n; i++ {
		choice := map[string]string{}
		for j, o := range a.Options {
			k := i
			if i > 1 {
				k -= j % 2
			}
			choice[o.ID] = o.Values[k%len(o.Values)]
		}
		list = append(list, choice)
	}
	return list
}
