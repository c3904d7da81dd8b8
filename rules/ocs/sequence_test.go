package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// pass lets everyone who is asked end the segment, or take what is offered first, until the game is over or stop says
// so.
func (g *table) pass(src dice.Source, out *rules.Outcome, stop func() bool) {
	g.t.Helper()
	for n := 0; g.p.Ending() == nil && !stop(); n++ {
		if n > 20000 {
			g.t.Fatal("the game does not end")
		}
		ask, seats := g.p.ask()
		for seat := range seats.Each {
			c := only(KindEnd)
			if !KindEnd.answers(ask) || g.p.check(seat, &c) != nil {
				c = g.first(seat)
			}
			if err := rules.Play(referee{}, g.p, seat, c, src, out); err != nil {
				g.t.Fatalf("%s: %v", questions[ask].id, explain(err))
			}
		}
	}
}

// first is the first legal command of a seat that is no offer.
func (g *table) first(seat rules.Seat) Command {
	g.t.Helper()
	found := only(KindNone)
	g.p.Legal(seat, rules.Filter{}, func(c Command) bool {
		if !kinds[c.Kind].Offer {
			found = c
		}
		return found.Kind == KindNone
	})
	if found.Kind == KindNone {
		g.t.Fatalf("%s may do nothing\n%s", seatIDs[seat], g.p.format())
	}
	return found
}

// A game in which everyone passes runs through every turn and ends with a level of victory; its events fold to the same
// position.
func TestPassToTheEnd(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.1", "OCS 2.3-K", "OCS 2.3-L")
	for _, d := range documents() {
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			g := &table{t: t, sc: shipped(t, d.ID)}
			g.p = newPosition(g.sc, options{})
			src, out := newSeeded(1), new(rules.Outcome)
			if err := rules.Start(referee{}, g.p, src, out); err != nil {
				t.Fatal(err)
			}
			turns := 0
			g.pass(src, out, func() bool { turns = max(turns, int(g.p.turn)); return false })
			if turns != g.sc.Turns() && len(g.sc.Doc.GetVictory().GetEarlyControls()) == 0 {
				t.Errorf("it ended in turn %d of %d", turns, g.sc.Turns())
			}
			again := newPosition(g.sc, options{})
			replay(t, again, out)
			if again.format() != g.p.format() {
				t.Error("the fold of the events is another position")
			}
		})
	}
}

// segmentsOf are the segments of an outcome with their acting seats: "movement blue".
func segmentsOf(out *rules.Outcome) []string {
	var list []string
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).Fact.(*ocsv1.Event_SegmentBegan); ok {
			words := append([]string{segments[k.SegmentBegan.GetSegment()].id}, k.SegmentBegan.GetActing()...)
			list = append(list, strings.Join(words, " "))
		}
	}
	return list
}

func TestSequence(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.2", "OCS 2.3")
	g := onGround(t)
	src, out := newSeeded(3), new(rules.Outcome)
	do := staged{do: func(x *exec) { g.p.begin(x, 1, SegWeather, rules.NoSeat) }}
	if err := rules.Play(do, g.p, 0, only(KindEnd), src, out); err != nil {
		t.Fatal(err)
	}
	if err := rules.Start(referee{}, g.p, src, out); err != nil {
		t.Fatal(err)
	}
	g.pass(src, out, func() bool { return g.p.turn == 2 && g.p.segment >= SegWeather })
	half := func(phasing, other string) []string {
		return []string{
			"reinforcement " + phasing, "breakout " + phasing, "movement " + phasing, "supply",
			"reaction-movement " + other, "reaction-barrage " + other,
			"artillery-barrage " + phasing, "combat " + phasing, "exploitation-movement " + phasing,
			"exploitation-barrage " + phasing,
			"exploitation-combat " + phasing, "clean-up",
		}
	}
	want := append([]string{"weather", "first-player"}, half("blue", "red")...)
	want = append(append(want, half("red", "blue")...), "turn-end", "weather")
	if got := segmentsOf(out); !slices.Equal(got[:len(want)], want) {
		t.Errorf("the segments are %q, want %q", got, want)
	}
}

func TestFirstPlayer(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-A", "OCS 2.3-B", "OCS 17.0")
	g := onGround(t).inTurn(2)
	g.segment(SegWeather, rules.NoSeat, 3, 2, 3, 4, 1, 6, 5, 1, 1) // mud; 5 to 5 is rolled again; 11 to 2
	g.want("asks", "order", "segment", "first-player")
	if g.asked() != Blue {
		t.Errorf("%d chooses", g.asked())
	}
	g.refusedTo(Red, "OCS 2.1", "first yes")
	if ground := g.sc.Grounds[g.p.ground]; ground != "mud" {
		t.Errorf("the ground is %s", ground)
	}
	g.do("first no")
	g.want("phasing", "red", "segment", "reinforcement")
	g = onGround(t).segment(SegWeather, rules.NoSeat, 3) // the scenario gives the first turn to blue
	g.want("phasing", "blue", "segment", "reinforcement")
}

func TestSimultaneousTurn(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.4", "OCS 2.4-1")
	start := func() *table {
		g := onGround(t)
		g.p.opt.simultaneous = true
		return g.segment(SegWeather, rules.NoSeat, 3)
	}
	g := start()
	g.want("asks", "agree")
	g.as(Red, "together no")
	g.want("segment", "reinforcement", "phasing", "blue") // one refusal is enough
	g = start()
	g.as(Blue, "together yes")
	g.refusedTo(Blue, "OCS 2.1", "together no")
	g.as(Red, "together yes")
	g.want("segment", "reinforcement", "phasing", "")
	var order []string
	for g.p.turn == 1 {
		if g.p.segment == SegReinforcement { // both place their supply
			g.all("waive", "waive")
		}
		if g.p.segment == SegSupply { // both check their supply
			g.all("done", "done", "done", "done")
		}
		order = append(order, g.fact("segment").(string))
		if !g.p.acting().Has(Blue) || !g.p.acting().Has(Red) {
			t.Errorf("not both act in %s", order[len(order)-1])
		}
		g.as(Red, "end")
		if g.p.segment == SegExploitMove {
			g.try(Blue, "end", 1, 6, 6, 1, 1) // the next turn begins with its dice
			break
		}
		g.as(Blue, "end")
	}
	if want := []string{"reinforcement", "breakout", "movement", "reaction-movement",
		"exploitation-movement"}; !slices.Equal(order, want) {
		t.Errorf("the segments are %v, want %v", order, want)
	}
}

// In a simultaneous turn nobody enters what the enemy holds.
func TestQuietTurn(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.4-3")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").put("09.03", "x-1").dump("09.04", Red, 4).
		put("10.03", "truck-red/points_t=4").
		hex("09.02", "owner=red air_base=1").segment(SegMovement, Blue)
	g.p.together, g.p.phasing = true, rules.NoSeat
	for _, at := range []string{"09.04", "10.03", "09.02"} {
		g.refusedTo(Blue, "OCS 2.4-3", "move x-1 "+at)
	}
	g.as(Blue, "move x-1 08.03")
}

func TestCleanUp(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-J", "OCS 5.3", "OCS 5.10", "OCS 12.5d")
	g := onGround(t).put("09.02", "bl-31-tk/dg,fuel=lasting bl-33-mech/exploitation,set=had-zoc bl-36-asg/reserve").
		put("14.04", "rd-8-pen/dg rd-101-tk/fuel=lasting").hex("10.02", "trainbusting=red").
		hex("10.03", "trainbusting=blue").
		segment(SegExploitCombat, Blue)
	g.do("end")
	g.want("mode bl-31-tk", "combat", "mode bl-33-mech", "combat", "mark bl-33-mech had-zoc", false, "mode bl-36-asg",
		"reserve", "fuel bl-31-tk", "none",
		"mode rd-8-pen", "dg", "fuel rd-101-tk", "lasting", "phasing", "red")
	if g.p.cell(g.place("10.02")).bust != rules.NoSeat || g.p.cell(g.place("10.03")).bust != Blue {
		t.Error("the wrong trainbusting marker was removed")
	}
	// What is aboard loses its fuel as well.
	g = landing(t).put("04.09", "lc/points_t=24 x-tk/move,fuel=lasting").aboard("lc.1", "x-tk").
		segment(SegExploitCombat, Blue)
	g.do("end")
	g.want("place x-tk", "aboard", "fuel x-tk", "none")
}

func TestConcede(t *testing.T) {
	t.Parallel()
	g := begun(t, "crimea-ishun")
	g.as(Blue, "concede")
	e := g.p.Ending()
	if e == nil || e.Winners != rules.SeatsOf(Red) || e.Level != "conceded" {
		t.Errorf("the game ended with %+v", e)
	}
}
