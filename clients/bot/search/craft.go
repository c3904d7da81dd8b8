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
	// styles returns the ways of playing that are compared for a seat, and that the search plays on with. The seats of
	// others are played by the greedy bot.
	styles func(seat string) []string
	// maker makes the bot of a style.
	maker func(style string, seed uint64) bot.Bot
	// open lists the kinds of decisions that are searched: those that decide games. All others are made in the first
	// style, which costs nothing. Nil searches all.
	open []string
	// once lists the kinds of commands that a seat does not repeat word for word in a phase. If the server lists such a
	// command again, it had no effect.
	once []string
	// width is the number of actions that are tried besides the choices of the styles.
	width int
	// alike names the purpose of an action, such as its target. Only the best action for each purpose is tried, and no
	// action without a purpose. If alike is nil, all are tried.
	alike func(a *boardv1.Action) string
	// A line is chosen over that of the first style if it is better by more than margin standard errors of the mean
	// difference.
	margin float64
	// worth returns a function that values positions for a seat: 1 is won, 0 is lost.
	worth func(chart *boardv1.Map) func(b *boardv1.Board, seat string) float64
	// main lists the kinds of decisions with which a seat's part of a turn begins. A line is played on for turns turns,
	// and then until the seat comes to such a decision.
	main  []string
	turns int
	// allied is true if the other seats of the side play the first style too; else they are played by the greedy bot.
	allied bool
	// even lists the kinds of commands before which a line takes new dice, so that lines that do the same throw the
	// same: see [evenDice]. It is empty if lines have ordinary dice.
	even []string
	// whims is how many plans of the first style with whims are compared with the styles, if phases is not empty: see
	// [greedy.Whimsical].
	whims int
	// usual is the default number of positions that are examined for a decision; 0 for no search.
	usual int
	// phases lists the phases for which whole styles are compared: at the beginning each style plays the phase to its
	// end. It is empty if the actions of each decision are compared.
	phases []string
	// world draws at random what is hidden from a seat. It is nil if the position is used as the seat knows it.
	world func(g rules.Game, seat rules.Seat, chance func(n uint32) uint32) rules.Game
	// touch is that of [thought].
	touch func(seat, kind, command string) (pieces, spaces []string, ok bool)
}

// crafts has a line for every ruleset that a strong bot plays.
var crafts = map[string]*craft{
	"downfall": downfallCraft,
	"ocs":      ocsCraft, "anniversary": anniversaryCraft,
}

// Rulesets lists the rulesets that a strong bot plays, in order.
func Rulesets() []string { return slices.Sorted(maps.Keys(crafts)) }

// Usual returns the default number of positions that a strong bot examines for a decision. In OCS that takes a core
// about 100 ms. In Downfall it is the number that won most in samples, and takes a tenth of the time. In Anniversary it
// counts for a phase, and takes about half a second; two phases of a power's turn are searched.
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
			panic(err) // crafts name only existing styles
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
