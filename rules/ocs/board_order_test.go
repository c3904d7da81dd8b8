package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// The order of player turns is on the board once initiative has decided it, and only for this turn (OCS 2.3-B).
func TestOrderOfPlay(t *testing.T) {
	t.Parallel()
	order := func(g *table) *boardv1.TurnOrder { return g.p.Board(rules.Spectator, rules.English).Clock.Order }
	for _, c := range []struct {
		name    string
		first   rules.Seat
		segment Segment
		phasing rules.Seat
		want    *boardv1.TurnOrder
	}{
		{"before initiative", rules.NoSeat, SegWeather, rules.NoSeat, nil},
		// Who was first in the last turn need not be first in this one.
		{"before initiative of a later turn", Red, SegWeather, rules.NoSeat, nil},
		{"the first player turn", Red, SegMovement, Red, &boardv1.TurnOrder{Seats: []string{"red", "blue"}}},
		{"the second player turn", Red, SegCombat, Blue, &boardv1.TurnOrder{Seats: []string{"red", "blue"}, Over: 1}},
		{"the end of the turn", Blue, SegTurnEnd, rules.NoSeat,
			&boardv1.TurnOrder{Seats: []string{"blue", "red"}, Over: 2}},
	} {
		g := onGround(t)
		g.p.turn, g.p.first, g.p.segment, g.p.phasing = 1, c.first, c.segment, c.phasing
		if diff := cmp.Diff(c.want, order(g), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	g := onGround(t)
	g.p.turn, g.p.first, g.p.segment, g.p.phasing, g.p.together = 1, Red, SegMovement, Red, true
	if o := order(g); o != nil { // OCS 2.4
		t.Errorf("a simultaneous turn has the order %v", o)
	}
}
