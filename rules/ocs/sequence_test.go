package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// A game in which everyone passes runs through every turn and ends with the level that control of the hexes gives.
func TestPassToTheEnd(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.1", "OCS 2.2", "OCS 2.3-K", "OCS 2.3-L")
	for _, d := range documents() {
		sc := shipped(t, d.ID)
		p := newPosition(sc, options{})
		src := newSeeded(1)
		out := new(rules.Outcome)
		if err := rules.Start(referee{}, p, src, out); err != nil {
			t.Fatal(err)
		}
		turns := 0
		for p.ending() == nil {
			ask, seats := p.ask()
			c := only(KindEnd)
			if ask == AskOrder {
				c = only(KindOrder)
			}
			for seat := range seats.Each {
				if err := rules.Play(referee{}, p, seat, c, src, out); err != nil {
					t.Fatalf("%s: %v", questions[ask].id, explain(err))
				}
			}
			turns = max(turns, int(p.turn))
		}
		if turns != sc.Turns() {
			t.Errorf("%s ended in turn %d of %d", d.ID, turns, sc.Turns())
		}
		again := newPosition(sc, options{})
		replay(t, again, out)
		if again.format() != p.format() {
			t.Errorf("%s: the fold of the events is another position", d.ID)
		}
	}
}

func TestFirstPlayer(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-A", "OCS 2.3-B", "OCS 17.0")
	g := onGround(t).inTurn(2)
	g.segment(SegWeather, rules.NoSeat, 3, 2, 3, 4, 1, 6, 5, 1, 1)
	g.want("asks", "order", "segment", "first-player")
	if g.asked() != Blue {
		t.Errorf("%d chooses", g.asked())
	}
	g.do("first no")
	g.want("phasing", "red", "segment", "reinforcement")
	if ground := g.sc.Grounds[g.p.ground]; ground != "mud" {
		t.Errorf("the ground is %s", ground)
	}
}
