package rulestest

import (
	"fmt"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Perft counts the sequences of legal commands from a position, exactly, for each length from 1 to depth, as
// chess engines do to test their move generators: a rule that lets through one command too many, or one too
// few, changes the numbers.
//
// Offers are left out. When several seats are asked at once, the commands of each are counted. The dice of every
// command fall by the seed and the length of the sequence before it, so that the counts are the same on every machine.
// Sequences that end the game are counted at their length and lead no further. It takes as long as playing the
// sequences one after the other.
func Perft(game rules.Game, depth int, seed uint64) []uint64 {
	counts := make([]uint64, depth)
	offers := map[string]bool{}
	for _, k := range game.Ruleset().About().Commands {
		offers[k.ID] = k.Offer
	}
	perft(game, 0, seed, counts, offers)
	return counts
}

func perft(g rules.Game, at int, seed uint64, counts []uint64, offers map[string]bool) {
	if at == len(counts) || g.Ending() != nil {
		return
	}
	for seat := range g.Waiting().Each {
		list := g.List(seat, rules.Filter{}, nil)
		for i := range list.Len() {
			c := list.At(i)
			if offers[kindOf(g.FormatCommand(c))] {
				continue
			}
			counts[at]++
			if at+1 == len(counts) {
				continue // the last are counted, not played
			}
			next, _, err := g.Play(seat, c, dice.NewSeeded(seed+uint64(at)))
			if err != nil {
				panic(fmt.Sprintf("rulestest: %s was listed and refused: %v", g.FormatCommand(c), err))
			}
			perft(next, at+1, seed, counts, offers)
		}
	}
}
