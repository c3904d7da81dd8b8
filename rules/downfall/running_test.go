package downfall

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Further words for cases, beside those of play_test.go.

// run takes the automatic steps up to the next question, with dice.
func (g *table) run(throws ...uint32) *rules.Outcome {
	g.t.Helper()
	out, src := new(rules.Outcome), dice.NewManual(throws)
	err := errors.Join(rules.Start(referee{}, g.p, src, out), src.Done())
	if err != nil {
		g.t.Fatalf("running on: %v", err)
	}
	return out
}

// check runs III.B with air supply in a hex, or "-", up to the next question.
func (g *table) check(air string) *table {
	g.t.Helper()
	g.phase(SupplyCheck).run()
	if !g.waitsFor(AskAirSupply) {
		g.t.Fatal("air supply is not asked for")
	}
	g.do("supply " + air)
	return g
}

// turnOver plays on from III.D to II.C of the next turn: no BPF, four naval markers in Limousine, kamikaze 1, no
// bombs, six Japanese CP.
func (g *table) turnOver() *table {
	g.t.Helper()
	g.do("end", 1)
	g.do("zones limousine limousine limousine limousine", 1)
	g.do("bombs 0", 6)
	if g.p.phase != JapanActions {
		g.t.Fatalf("phase %d, expected II.C", g.p.phase)
	}
	return g
}

// usTurn plays on from II.C to III.D without air supply, or with it in a hex.
func (g *table) usTurn(air string) *table {
	g.t.Helper()
	g.do("end")
	if g.waitsFor(AskAirSupply) {
		g.do("supply " + air)
	}
	if g.p.phase != USActions {
		g.t.Fatalf("phase %d, expected III.D", g.p.phase)
	}
	return g
}

var supplyWords = map[string]Supply{"none": NoSupply, "LINE": Line, "AIR": Air, "COAST": Coast, "OOS": OOS}

// states compares supply states, given as pairs of unit and state.
func (g *table) states(pairs ...string) *table {
	g.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := g.p.supply[g.unit(pairs[i])]; got != supplyWords[pairs[i+1]] {
			g.t.Errorf("%s has supply state %d, want %s", pairs[i], got, pairs[i+1])
		}
	}
	return g
}

// kindOf are the events of a kind in an outcome.
func kindOf[K any](out *rules.Outcome) []K {
	var all []K
	for _, e := range out.Events {
		if k, ok := any(e.Event.(*downfallv1.Event).Kind).(K); ok {
			all = append(all, k)
		}
	}
	return all
}

// shot fires one shot with a die, and compares the modified strength that it was fired with.
func (g *table) shot(command string, die uint32, strength int) *table {
	g.t.Helper()
	out := g.do(command, die)
	shots := kindOf[*downfallv1.Event_ShotFired](out)
	if len(shots) == 0 {
		g.t.Fatalf("%s: no shot", command)
	}
	if got := int(shots[0].ShotFired.Strength); got != strength {
		g.t.Errorf("%s: strength %d, want %d", command, got, strength)
	}
	return g
}

// because is refused with the message of the refusal.
func (g *table) because(rule, key, command string) {
	g.t.Helper()
	if r := g.refused(rule, command); r.Text.Key != key {
		g.t.Errorf("%s: refused with %q, want %q", command, r.Text.Key, key)
	}
}

// bars expects a refusal of a command that the notation doesn't even spell.
func (g *table) bars(seat rules.Seat, c Command, rule string) {
	g.t.Helper()
	if r := g.p.check(seat, c); r == nil || r.Rule != rule {
		g.t.Errorf("%+v: refused with %+v, want a refusal by %s", c, r, rule)
	}
}

// lists compares the commands of a kind that the asked seat has, in the notation with the names of the flower.
func (g *table) lists(kind string, want ...string) *table {
	g.t.Helper()
	var got []string
	g.p.Legal(g.asked(), rules.Filter{Kind: kind}, func(c Command) bool {
		got = append(got, g.p.formatCommand(c))
		return true
	})
	for i := range want {
		want[i] = g.spelled(want[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Errorf("list of %s (-want +got):\n%s", kind, diff)
	}
	return g
}

// begun is a game after set-up, in II.C of turn 1 or before: the first of every list, and dice from a seed.
func begun(t testing.TB, sc *Scenario, opt OptionSet, until func(p *Position) bool) *table {
	t.Helper()
	g := &table{t: t, p: newPosition(sc, opt), sc: sc}
	src, out := dice.NewSeeded(1), new(rules.Outcome)
	if err := rules.Start(referee{}, g.p, src, out); err != nil {
		t.Fatal(err)
	}
	for n := 0; !until(g.p); n++ {
		var first *Command
		g.p.Legal(g.asked(), rules.Filter{}, func(c Command) bool { first = &c; return false })
		if first == nil || n > 1000 {
			t.Fatal("set-up doesn't end")
		}
		if err := rules.Play(referee{}, g.p, g.asked(), *first, src, out); err != nil {
			t.Fatal(err)
		}
	}
	return g
}
