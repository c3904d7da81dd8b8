package search

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// craft is what the search knows of a ruleset.
type craft struct {
	// styles are the ways to play that are compared and that play on in the mind, for a seat. Others' seats are played
	// as the greedy bot plays.
	styles func(seat string) []string
	// maker makes the bot of a style.
	maker func(style string, seed uint64) bot.Bot
	// open are the kinds of decisions that are searched: those that decide games. All others are made in the first
	// style, and what they would have cost is saved. Nil searches all.
	open []string
	// once holds the kinds of commands that a seat does not repeat word for word in a phase: if such a command is
	// listed again, it had no effect.
	once []string
	// width is how many actions are tried beside the choices of the styles.
	width int
	// alike names the purpose of an action, such as its target. Only the best action of each purpose is tried, and
	// none without a purpose. If alike is nil, all are tried.
	alike func(a *boardv1.Action) string
	// margin is by how many standard errors of the mean difference a line must beat the first style's to be chosen in
	// its place.
	margin float64
	// worth makes what says how good a position is for a seat: 1 if it is won, 0 if it is lost.
	worth func(chart *boardv1.Map) func(b *boardv1.Board, seat string) float64
	// main are the kinds of decisions with which a seat's part of a turn begins, and turns is how many turns a line
	// is played on until the seat comes to one.
	main  []string
	turns int
	// usual is how many positions a decision is thought for unless somebody says more or less; 0 for no search.
	usual int
	// phases are those at whose beginning styles are compared as wholes, each playing the phase by itself; none if the
	// actions of each decision are compared.
	phases []string
	// world draws what is hidden from a seat; nil if the position as it knows it does as it is.
	world func(g rules.Game, seat rules.Seat, chance func(n uint32) uint32) rules.Game
	// touch is that of [thought].
	touch func(kind, command string) (pieces, spaces []string, ok bool)
}

// crafts has a line for every ruleset that a strong bot plays.
var crafts = map[string]*craft{
	"downfall": downfallCraft,
	"ocs":      ocsCraft, "anniversary": anniversaryCraft,
}

// Rulesets lists the rulesets that a strong bot plays, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(crafts)) }

// Usual is how many positions a strong bot thinks for a decision of a ruleset unless somebody says more or less. For
// OCS a core does about that in 100 ms. Downfall has what won most in samples, a tenth of it. Anniversary has none: the
// bot plays its first style.
func Usual(ruleset string) int {
	if c := crafts[ruleset]; c != nil {
		return c.usual
	}
	return 0
}

// styled makes the greedy bots of a ruleset.
func styled(ruleset string) func(style string, seed uint64) bot.Bot {
	return func(style string, seed uint64) bot.Bot {
		b, err := greedy.NewStyle(ruleset, style, seed)
		if err != nil {
			panic(err) // crafts name only what there is
		}
		return b
	}
}

// Strong makes the strong bot of a ruleset, with a budget of positions a decision.
func Strong(ruleset string, seed uint64, b Budget) (*Bot, error) {
	c, ok := crafts[ruleset]
	if !ok {
		return nil, fmt.Errorf("there is no strong bot for %s, only for %s", ruleset, strings.Join(Rulesets(), ", "))
	}
	return newBot(c, seed, b), nil
}
