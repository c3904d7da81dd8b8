package ocs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// scatter puts the units of the proving ground down around a hex, at random, with supply for both.
func scatter(t *testing.T, below func(int) int) *table {
	g := onGround(t)
	modes := []string{"", "/dg", "/move", "/oos", "/reserve", "/strat", "/stocks=low", "/stocks=exhausted"}
	hexes := g.sc.Map.AppendWithin(nil, g.place("12.07").Hex(), 2)
	for u := range g.sc.Fixed {
		c := &g.sc.Counters[u]
		at := Place(hexes[below(len(hexes))])
		if !c.Kind.Combat() || below(3) == 0 || g.p.combatIn(enemy(c.Seat), at) ||
			g.p.stacked(c.Seat, at)+int(c.RE) > g.p.limit() {
			continue
		}
		mode := modes[max(0, below(2*len(modes))-len(modes))]
		if mode == "/move" && !c.Faces[MoveFace].Exists || mode == "/strat" && !c.Faces[MoveFace].Exists {
			mode = ""
		}
		g.put(g.sc.PlaceID(at), c.ID+mode)
		if below(2) == 0 {
			g.dump(g.sc.PlaceID(at), c.Seat, below(9))
		}
	}
	return g
}

// Whatever stands around, combats and barrages can be played to their end: there is always something to say, what is
// listed is accepted, and what a side may do or see does not depend on what it must not know of the other.
func TestCombatDrill(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9b", "OCS 4.9c", "OCS 9.1", "OCS 9.2")
	told := map[string]int{}
	for seed := range uint64(30) {
		src := dice.NewSeeded(seed + 1)
		below := func(n int) int {
			a, err := src.Roll(100, "choice")
			if err != nil {
				t.Fatal(err)
			}
			b, err := src.Roll(100, "choice")
			if err != nil {
				t.Fatal(err)
			}
			return int(100*a+b) % n
		}
		g := scatter(t, below)
		for _, s := range [...]Segment{SegArtilleryBarrage, SegCombat} {
			g.segment(s, rules.Seat(seed%2))
			for step := 0; g.p.segment == s; step++ {
				if step > 600 {
					t.Fatal("it does not end")
				}
				ask, _ := g.p.ask()
				list := g.options()
				if len(list) == 0 {
					t.Fatalf("seed %d: nothing to say to %s in\n%s", seed, questions[ask].id, g.p.format())
				}
				g.keepsSecrets(list)
				c := list[below(len(list))]
				if c.Kind == KindEnd && step < 40 && len(list) > 1 {
					c = list[len(list)-1-below(len(list)-1)]
				}
				out := new(rules.Outcome)
				if err := rules.Play(referee{}, g.p, g.asked(), c, src, out); err != nil {
					t.Fatalf("seed %d: %s was listed: %v", seed, g.p.formatCommand(c), explain(err))
				}
				for _, e := range out.Events {
					told[fmt.Sprintf("%T", e.Event.(*event).GetFact())]++
				}
				g.sound()
			}
		}
	}
	for _, kind := range []string{"CombatResolved", "BarrageResolved", "LossesTaken", "UnitsRetreated", "UnitsAdvanced",
		"ExploitationGained",
		"TerrainChosen", "CombatPaid"} {
		if told["*ocsv1.Event_"+kind] < 3 {
			t.Errorf("only %d times %s", told["*ocsv1.Event_"+kind], kind)
		}
	}
}

// options are all commands of the seat that is asked but to give up.
func (g *table) options() (list []Command) {
	g.p.Legal(g.asked(), rules.Filter{}, func(c Command) bool {
		if !kinds[c.Kind].Offer && c.Kind != KindFuel && c.Kind != KindFuelHQ && c.Kind != KindFuelFormation {
			list = append(list, c)
		}
		return true
	})
	return list
}

// keepsSecrets compares the commands and the view of the seat that is asked with those in positions that differ in what
// it must not know.
func (g *table) keepsSecrets(list []Command) {
	g.t.Helper()
	seat := g.asked()
	words := func(p *Position, list []Command) string {
		var out []string
		for _, c := range list {
			out = append(out, p.formatCommand(c))
		}
		return strings.Join(out, "\n")
	}
	for i, change := range [...]func(*Position, rules.Seat) bool{otherSupply, otherStates} {
		other := &table{t: g.t, sc: g.sc, p: g.p.Clone()}
		if !change(other.p, enemy(seat)) {
			continue
		}
		if a, b := words(g.p, list), words(other.p, other.options()); a != b {
			g.t.Fatalf("change %d of what is hidden changes the commands from\n%s\nto\n%s", i, a, b)
		}
		v := rules.SeatViewer(seat)
		if !proto.Equal(g.p.view(v), other.p.view(v)) {
			g.t.Fatalf("change %d of what is hidden changes the view", i)
		}
	}
}

// sound checks what no combat may leave behind: both sides in a hex, lost steps beyond those of a unit, marks of a
// combat that is over.
func (g *table) sound() {
	g.t.Helper()
	for i := range g.sc.Hexes {
		if g.p.combatIn(Blue, Place(i)) && g.p.combatIn(Red, Place(i)) {
			g.t.Fatalf("both sides are in %s", g.sc.Map.ID(Hex(i)))
		}
	}
	for u := range g.p.units {
		if int(g.p.units[u].lost) >= max(1, int(g.p.counter(Unit(u)).Steps)) {
			g.t.Fatalf("%s has lost %d steps", g.p.id(Unit(u)), g.p.units[u].lost)
		}
	}
	if len(g.p.frames) == 0 && slices.ContainsFunc(g.p.units, func(s unit) bool {
		return s.marks.has(ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED)
	}) {
		g.t.Fatalf("a unit still has combat supply in\n%s", g.p.format())
	}
}
