package anniversary_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// TestBattery plays random games, half of them so that rare kinds of commands come up as often as common ones.
func TestBattery(t *testing.T) {
	t.Parallel()
	t.Run("any", func(t *testing.T) {
		t.Parallel()
		rulestest.Battery(t, anniversary.New(),
			rulestest.Config{Secrets: true, Games: 1, Commands: 60000, Sample: 400, Pick: weary, Hide: otherOrders})
	})
	t.Run("kinds", func(t *testing.T) {
		t.Parallel()
		rulestest.Battery(t, anniversary.New(),
			rulestest.Config{Secrets: true, Games: 1, Commands: 60000, Sample: 150, Pick: pickKind, Hide: otherOrders})
	})
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

// otherOrders are games in which seats that the viewer does not hold have given standing orders. They show when they
// are carried out, and not before: so nobody gives them who is just being asked what they answer.
func otherOrders(g rules.Game, v rules.Viewer) []rules.Game {
	var list []rules.Game
	for seat := range rules.Seat(anniversary.NumSeats) {
		if v.Holds(seat) || g.Waiting().Has(seat) {
			continue
		}
		c, err := g.ParseCommand(
			"orders losses infantry,submarine,fighter retreat 60 submarines submerge bombard divert agree",
		)
		if err != nil {
			panic(err)
		}
		next, _, err := g.Play(seat, c, dice.NewManual(nil))
		if err != nil {
			panic(err)
		}
		if list = append(list, next); len(list) == 2 {
			break
		}
	}
	return list
}

// pickKind picks a kind of command first and then a command of it, moves more often than others; in the third
// round everyone gives up.
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
