package downfall

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// Japan has its player turn before the US, in every turn (DF 5.2-IIA, DF 5.2-IIIA); before and between them nobody is
// active, and the board tells how many are over.
func TestOrderOfPlay(t *testing.T) {
	t.Parallel()
	for phase, over := range map[Phase]int32{FleetStatus: 0, Nuclear: 0, ArmyCheck: 0, JapanActions: 0,
		Reinforcements: 1, USActions: 1, VictoryCheck: 2} {
		c := onFlower(t, phase).p.Board(rules.Spectator, rules.English).Clock
		want := &boardv1.TurnOrder{Seats: []string{"japan", "us"}, Over: over, Lasts: true}
		if diff := cmp.Diff(want, c.Order, protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", phaseIDs[phase], diff)
		}
	}
	g := onFlower(t, SetupPlan)
	g.p.turn = 0
	if c := g.p.Board(rules.Spectator, rules.English).Clock; c.Order != nil {
		t.Errorf("an order of play during set-up: %v", c.Order)
	}
}
