package anniversary_test

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestBattery(t *testing.T) {
	rulestest.Battery(t, anniversary.New(), rulestest.Config{
		Games: 1, Commands: 60000, Sample: 400, Secrets: false, Pick: weary,
	})
}

// weary plays at random and has everyone give up after some rounds: random play goes on for dozens.
func weary(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	for {
		i := int(below(uint32(list.Len())))
		c := g.FormatCommand(list.At(i))
		switch {
		case c == "concede" && g.Turn() <= 4, c == "fight-on":
			continue
		}
		return i
	}
}
