package anniversary_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestBattery(t *testing.T) {
	rulestest.Battery(t, anniversary.New(), rulestest.Config{Games: 1, Commands: 60000, Sample: 400, Pick: weary})
}

// weary plays at random and has everyone give up after some rounds: random play goes on for dozens.
func weary(g rules.Game, _ rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	for {
		i := int(below(uint32(list.Len())))
		switch c := g.FormatCommand(list.At(i)); {
		case c == "concede" && g.Turn() <= 3, c == "fight-on":
			continue
		}
		return i
	}
}

// pickKind picks a kind of command first and then a command of it, moves more often than others; in the third round everyone gives up.
func pickKind(g rules.Game, _ rules.Seat, list rules.Listing, below func(uint32) uint32) int {
	var kinds []string
	var of [][]int
	for i := range list.Len() {
		k, _, _ := strings.Cut(g.FormatCommand(list.At(i)), " ")
		switch {
		case k == "concede" && g.Turn() > 2:
			return i
		case k == "concede" || k == "fight-on":
			continue
		}
		at := 0
		for at < len(kinds) && kinds[at] != k {
			at++
		}
		if at == len(kinds) {
			kinds, of = append(kinds, k), append(of, nil)
		}
		of[at] = append(of[at], i)
	}
	k := below(uint32(len(kinds)))
	for again := 0; again < 4 && (kinds[k] == "end" || kinds[k] == "recall") && below(4) > 0; again++ {
		k = below(uint32(len(kinds)))
	}
	return of[k][below(uint32(len(of[k])))]
}
