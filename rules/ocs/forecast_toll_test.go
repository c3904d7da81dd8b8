package ocs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An attacker that retreats spares the defender its options (OCS 9.10a) and forfeits exploitation (OCS 9.10b). A hex is
// cleared by a retreat of one hex, and by the loss of all steps.
func TestAftermath(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	g.all("attack x-gr,x-mc,x-pz 11.07")
	f := inner[*combat](g.p)
	all := g.p.capacity(g.p.fighters(f, Red))
	for _, c := range []struct {
		cell, attacker, defender string
		want                     aftermathOf
	}{
		{"Ao1, Do1", "retreat", "retreat", aftermathOf{attacker: toll{hexes: 1}}},
		{"Ao1, Do1", "steps", "retreat",
			aftermathOf{attacker: toll{steps: 1}, defender: toll{hexes: 1}, cleared: true}},
		{"Ao1, DL1o1", "retreat", "steps", aftermathOf{attacker: toll{hexes: 1}, defender: toll{steps: 1}}},
		{"Ae4, DL1o2", "retreat", "steps", aftermathOf{defender: toll{steps: all}, cleared: true, exploits: 4}},
	} {
		s := study(t, "attacker_options", c.attacker, "defender_options", c.defender)
		got := g.p.after(f, readResult(c.cell), s.Policies)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(aftermathOf{}, toll{})); diff != "" {
			t.Errorf("%s, %s, %s (-want +got):\n%s", c.cell, c.attacker, c.defender, diff)
		}
	}
}
