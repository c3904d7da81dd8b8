package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// TestBattery plays random games, half of them so that rare kinds of commands come up as often as common ones.
func TestBattery(t *testing.T) {
	t.Parallel()
	t.Run("any", func(t *testing.T) {
		t.Parallel()
		rulestest.Battery(t, New(), rulestest.Config{Secrets: true, Games: 1})
	})
	t.Run("kinds", func(t *testing.T) {
		t.Parallel()
		rulestest.Battery(t, New(), rulestest.Config{Secrets: true, Games: 1, Sample: 16, Pick: pickKind})
	})
}

// pickKind picks a kind of command first and then a command of it; offers to give up seldom, and the end
// of a phase less often.
func pickKind(g rules.Game, seat rules.Seat, list rules.Listing, below func(uint32) uint32) int {
	var kinds []string
	var of [][]int
	for i := range list.Len() {
		k := g.Describe(seat, list.At(i)).Kind
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
	for again := uint32(0); again < 20; again++ {
		rare, _ := about.Command(kinds[k])
		if !(rare.Offer && below(100) > 0 || kinds[k] == "end" && below(3) > 0) {
			break
		}
		k = below(uint32(len(kinds)))
	}
	return of[k][below(uint32(len(of[k])))]
}
