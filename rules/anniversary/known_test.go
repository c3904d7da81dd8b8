package anniversary

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules"
)

// TestPreviewsDoNotDependOnOrders: whatever standing orders the defender has given, the attacker's previews are equal.
func TestPreviewsDoNotDependOnOrders(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "infantry tank").put("east-poland", SovietUnion, "infantry artillery").
		turn(Germany, PhaseMove)
	g.do("move 1 infantry, 1 tank poland>east-poland")
	set := rules.Adapt[*Position, Command, *event](referee{})
	s := studyBy(t, policyDefenderLosses, lossesStanding)
	s.Ways, s.Samples = 250, 20
	show := func(p *Position) string {
		game, err := set.ParsePosition(g.p.sc, (referee{}).FormatPosition(p))
		if err != nil {
			t.Fatal(err)
		}
		c, err := game.ParseCommand("end")
		if err != nil {
			t.Fatal(err)
		}
		out, err := game.Preview(Germany.Seat(), c, s)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("stop %d, waiting %v, assuming %v\n", out.Stop, out.Waiting, out.Assumptions)
		for _, e := range out.Events {
			data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%x\n", data)
		}
		for _, f := range out.Forecasts {
			text += fmt.Sprintf("%s by %d, %d trials\n", f.Kind, f.Method, f.Trials)
			for _, o := range f.Outcomes {
				text += fmt.Sprintf("%s %v %v %v\n", o.ID, o.Label, o.Story, o.Chance.Value)
			}
			for _, d := range f.Distributions {
				text += fmt.Sprintf("%v\n", d)
			}
			text += fmt.Sprintf("%v\n", f.Expectations)
		}
		return text
	}
	want := show(g.p)
	rapid.Check(t, func(rt *rapid.T) {
		p := g.p.Clone()
		o := &p.orders[SovietUnion]
		o.n = uint8(copy(o.losses[:], []Unit{Artillery, Infantry}[:rapid.IntRange(0, 2).Draw(rt, "losses")]))
		o.subs = uint8(rapid.IntRange(0, 2).Draw(rt, "submarines"))
		o.retreat = uint8(rapid.IntRange(0, 100).Draw(rt, "retreat"))
		o.agree, o.divert = rapid.Bool().Draw(rt, "agree"), rapid.Bool().Draw(rt, "divert")
		if got := show(p); got != want {
			rt.Fatalf("Germany sees\n%s\nand without the orders\n%s", got, want)
		}
	})
}
