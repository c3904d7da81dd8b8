package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// The sets that put keeps are what a look at each hex says, in play and when units come and go as play would hardly
// make them (DF 10.1, DF 10.4, DF 11.1, DF 12.6).
func TestSetsFollowUnits(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	rng := dice.NewSeeded(3)
	for seed := range uint64(4) {
		selfPlay(t, sc, OptionSet(seed*seed), seed, func(p *Position, _ rules.Seat, _ []Command, _ Command) {
			sameSets(t, p)
			if rng.Below(3) == 0 {
				q := disturbed(p, rng)
				sameSets(t, q)
				sameSets(t, p) // not touched through its copy
			}
		})
	}
}

func sameSets(t *testing.T, p *Position) {
	t.Helper()
	for h := range Hex(len(p.at)) {
		for _, seat := range []rules.Seat{US, Japan} {
			s, foe := &p.sides[seat], mover{seat: enemy(seat)}
			art := seat == US
			for _, c := range []struct {
				what     string
				in, want bool
			}{
				{"held", s.held.Has(h), foe.closed(p, h)},
				{"zone", s.zone.Has(h), foe.stops(p, h)},
				{"full", s.full[0].Has(h), !p.room(seat, false, p.at[h])},
				{"full of artillery", s.full[1].Has(h), !p.room(seat, art, p.at[h])},
			} {
				if c.in != c.want {
					t.Fatalf("%s, seat %d: %s is %v, expected %v\n%s",
						p.digits(h), seat, c.what, c.in, c.want, p.format())
				}
			}
		}
	}
}
