package ocs

import (
	"errors"
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
)

// labels are the labels of what may be done of a kind.
func (g *table) labels(kind string) (list []string) {
	g.t.Helper()
	g.p.Legal(g.asked(), rules.Filter{Kind: kind}, func(c Command) bool {
		list = append(list, catalogue.Format(rules.English, g.p.Describe(g.asked(), c).Label))
		return true
	})
	return list
}

// The label of losses says which units are eliminated, and "stay" only where someone is left to stay (OCS 9.11).
func TestLossesSayWhoIsEliminated(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-div blue division other infantry 7-4-3leg 7-4-8leg",
		"x-bn blue battalion other infantry 1-4-3leg 1-4-8leg", "y-1 red division other infantry 40-4-3leg 3-3-8leg").
		put("12.04", "x-div x-bn").put("12.05", "y-1").dump("12.04", Blue, 8).dump("12.05", Red, 8).
		segment(SegCombat, Blue)
	g.all("attack x-div,x-bn 12.05", "pay x-div,x-bn lines=[at=12.04;count=4]", "ready",
		"pay y-1 lines=[at=12.05;count=2]", "ready", "lead x-div")
	g.do("lead y-1", 4, 4, 1, 1)
	if got := g.labels("lose"); !slices.Equal(got, []string{"Lose x-div 1 step, x-bn (eliminated); stay"}) {
		t.Errorf("the labels are %q", got)
	}

	g = onGround(t, "x-1 blue battalion other infantry 4-4-3leg 1-4-8leg",
		"y-1 red regiment other infantry 8-4-3leg 3-3-8leg").
		put("12.04", "x-1").put("12.05", "y-1/reserve").dump("12.04", Blue, 8).dump("12.05", Red, 8).
		segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=1]", "ready",
		"lead x-1")
	g.do("lead y-1", 4, 4, 3, 4)
	if got := g.labels("lose"); !slices.Equal(got, []string{"Lose x-1 (eliminated)"}) {
		t.Errorf("the labels are %q", got)
	}
}

// A word that fits nowhere is refused with what it is, or with what the command takes.
func TestWordsThatFitNowhere(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue battalion other infantry 4-4-3leg 1-4-8leg").put("12.04", "x-1").
		segment(SegMovement, Blue)
	for command, want := range map[string]string{
		"move x-1 99.99":       `move: "99.99" is neither a place nor a unit`,
		"move x-1 99.99>12.05": `move: "99.99>12.05" is neither a place nor a unit`,
		"move x-1 12.05 12.06": `move: "12.06" is one word too many; it takes units, path`,
	} {
		_, err := g.try(Blue, command)
		var r *rules.Refusal
		if !errors.As(err, &r) || r.Words != want {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}

// Whoever is asked something else is not told that it is not for them to decide.
func TestAskedSomethingElse(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue battalion other infantry 4-4-3leg 1-4-8leg").put("12.04", "x-1").
		segment(SegMovement, Blue)
	for seat, want := range map[rules.Seat]string{
		Blue: "Blue is asked something else now.", Red: "It is not for Red to decide this now.",
	} {
		r := g.refusedTo(seat, "OCS 2.1", "ready")
		if got := catalogue.Format(rules.English, r.Text); got != want || r.Reason != rules.ReasonNotYourDecision {
			t.Errorf("%q, %s", got, r.Reason)
		}
	}
}
