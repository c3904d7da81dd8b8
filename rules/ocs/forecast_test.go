package ocs

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// study completes policies given as pairs.
func study(t testing.TB, pairs ...string) rules.Study {
	t.Helper()
	given := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	p, faults := rules.NewPolicies(referee{}.Policies(), given)
	if faults != nil {
		t.Fatal(faults)
	}
	return rules.Study{Policies: p, States: 20_000, Ways: 2000, Samples: 500}
}

// forecasts are those of a command that must be legal.
func (g *table) forecasts(command string, s rules.Study) []rules.Forecast {
	g.t.Helper()
	c, seat := *g.parsed(command), g.asked()
	if r := g.p.check(seat, &c); r != nil {
		g.t.Fatalf("%s: %v", command, r)
	}
	before := g.p.format()
	list, err := referee{}.Forecast(g.p, seat, c, s)
	if err != nil {
		g.t.Fatalf("%s: %v", command, err)
	}
	if g.p.format() != before {
		g.t.Errorf("the forecast of %s changed the position", command)
	}
	return list
}

// forecast is the only forecast of a command.
func (g *table) forecast(command string, s rules.Study) rules.Forecast {
	g.t.Helper()
	list := g.forecasts(command, s)
	if len(list) != 1 {
		g.t.Fatalf("%s has %d forecasts", command, len(list))
	}
	return list[0]
}

// fractions are the chances of outcomes.
func fractions(t testing.TB, f rules.Forecast) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, o := range f.Outcomes {
		if o.Chance.Exact == nil {
			t.Fatalf("%s is not exact, by method %d", o.ID, f.Method)
		}
		m[o.ID] = o.Chance.Exact.RatString()
	}
	return m
}

// enumerated plays a command and what the policies choose with every way of the dice, through Check and Play, until
// told names the outcome, and counts the names.
func (g *table) enumerated(
	command string, s rules.Study, told func(q *Position, out *rules.Outcome) string,
) map[string]string {
	g.t.Helper()
	c, seat, sums := *g.parsed(command), g.asked(), map[string]*big.Rat{}
	var name string
	err := dice.Enumerate(400_000, func(src dice.Source) error {
		q, out := g.p.Clone(), new(rules.Outcome)
		seat, c := seat, c
		for {
			if err := rules.Play(referee{}, q, seat, c, src, out); err != nil {
				g.t.Fatalf("%s: %v", q.formatCommand(c), err)
			}
			if name = told(q, out); name != "" {
				return nil
			}
			ask, seats := q.ask()
			seat = firstOf(seats)
			ok := false
			if c, ok = q.byPolicy(ask, seat, s.Policies); !ok {
				c, _ = q.firstAnswer(seat)
			}
		}
	}, func(chance dice.Chance, _ []dice.Roll) error {
		if sums[name] == nil {
			sums[name] = new(big.Rat)
		}
		sums[name].Add(sums[name], big.NewRat(int64(chance.Num), int64(chance.Den)))
		return nil
	})
	if err != nil {
		g.t.Fatal(err)
	}
	played := map[string]string{}
	for id, r := range sums {
		played[id] = r.RatString()
	}
	return played
}

// facts visits the facts of an outcome.
func facts(out *rules.Outcome, visit func(*event)) {
	for _, e := range out.Events {
		visit(e.Event.(*event))
	}
}

// crt names the result of a combat once it is known.
func crt(_ *Position, out *rules.Outcome) (name string) {
	facts(out, func(e *event) {
		if k, ok := e.GetFact().(*ocsv1.Event_CombatResolved); ok {
			name = k.CombatResolved.GetResult()
		}
	})
	return name
}

// effect names the outcome of a barrage or a mission.
func effect(q *Position, out *rules.Outcome) (name string) {
	flown := false
	facts(out, func(e *event) {
		switch k := e.GetFact().(type) {
		case *ocsv1.Event_BarrageResolved:
			switch f := k.BarrageResolved; {
			case f.GetSteps() > 0:
				name = "steps-" + whole(int(f.GetSteps())).format()
			case f.GetDisorganised():
				name = "dg"
			default:
				name = "none"
			}
		case *ocsv1.Event_PortBarraged:
			name = "hits-" + whole(int(k.PortBarraged.GetHits())).format()
		case *ocsv1.Event_AirBaseBarraged:
			hit := 0
			for _, d := range k.AirBaseBarraged.GetDice() {
				if d >= k.AirBaseBarraged.GetPlaneMin() {
					hit++
				}
			}
			name = whole(3-int(k.AirBaseBarraged.GetLevel())).format() + "-" + whole(hit).format()
		case *ocsv1.Event_TrainBusted:
			if name = "none"; k.TrainBusted.GetMarked() {
				name = "marker"
			}
		case *ocsv1.Event_MissionFlown:
			flown = true
		case *ocsv1.Event_MissionEnded:
			if name == "" {
				name = "turned-back"
			}
		}
	})
	if flown && name == "" && q.missionOf() == nil {
		name = "turned-back"
	}
	return name
}

// battlefield is a fight of two stacks, with a choice of terrain and a hedgehog.
func battlefield(t testing.TB) *table {
	t.Helper()
	g := onGround(t, "x-mc blue battalion other motorcycle 4-5-9track 2-5-18track",
		"x-pz blue battalion armor armor 6-4-8track 3-4-14track",
		"x-gr blue division mech mechanized_infantry 12-4-7track 6-4-16truck",
		"y-tk red brigade mech armor 7-3-7track 4-3-12track", "y-inf red division other infantry 9-2-3leg 5-2-8leg").
		put("10.06", "x-gr").put("12.06", "x-mc x-pz/dg").put("11.07", "y-tk y-inf/lost=2").hex("11.07", "hedgehog=2").
		dump("10.06", Blue, 20).dump("12.06", Blue, 20).dump("11.07", Red, 8).segment(SegCombat, Blue)
	return g
}

// TestCombatForecasts: the chances of every result of the CRT are those of playing over all dice through the engine.
func TestCombatForecasts(t *testing.T) {
	t.Parallel()
	for _, supply := range []string{"all", "paid"} {
		t.Run("defender "+supply, func(t *testing.T) {
			t.Parallel()
			g, s := battlefield(t), study(t, "defender_supply", supply)
			whole := g.forecast("attack x-gr,x-mc,x-pz 11.07", s)
			g.all("attack x-gr,x-mc,x-pz 11.07")
			g.p.grantSupply(g.p.fighters(inner[*combat](g.p), Blue))
			g.all("ready")
			if supply == "all" {
				g.p.grantSupply(g.p.fighters(inner[*combat](g.p), Red))
			}
			g.all("ready", "lead x-mc")
			last := g.forecast("lead y-tk", s)
			played := g.enumerated("lead y-tk", s, crt)
			for what, f := range map[string]rules.Forecast{"attack": whole, "lead": last} {
				if diff := cmp.Diff(played, fractions(t, f)); diff != "" || len(played) < 8 {
					t.Errorf("%s (-played +forecast):\n%s", what, diff)
				}
			}
		})
	}
}

// A forecast answers for a seat as its standing orders will: they pay for its attack and say how it takes options,
// whatever the policies say. Those of the other side are not known, and change nothing.
func TestForecastsFollowStandingOrders(t *testing.T) {
	t.Parallel()
	const attack = "attack x-gr,x-mc,x-pz 11.07"
	combat := func(s rules.Study, orders ...string) rules.Forecast {
		g := battlefield(t)
		for i := 0; i+1 < len(orders); i += 2 {
			seat := Blue
			if orders[i] == "red" {
				seat = Red
			}
			g.as(seat, orders[i+1])
		}
		known, _ := (referee{}).Known(g.p, rules.SeatViewer(Blue))
		g.p = known
		if list := g.forecasts(attack, s); len(list) == 1 {
			return list[0]
		}
		return rules.Forecast{Expectations: []rules.Expectation{{Exact: new(big.Rat)}}} // called off without supply
	}
	lost := func(f rules.Forecast) string { return f.Expectations[0].Exact.RatString() }
	for _, test := range []struct {
		name     string
		policies []string
		orders   []string
		equal    []string // policies that come to the same without orders
		other    []string // policies that do not
	}{
		{"supply", []string{"attacker_supply", "paid"}, []string{"blue", "orders order=attack-supply value=1"},
			[]string{"attacker_supply", "all"}, []string{"attacker_supply", "paid"}},
		{"losses in the hex", []string{"attacker_options", "steps"},
			[]string{"blue", "orders order=attack-losses value=2", "blue", "orders 11.07 order=attack-losses value=1"},
			[]string{"attacker_options", "retreat"}, []string{"attacker_options", "steps"}},
		{"losses once", []string{"attacker_options", "steps"},
			[]string{"blue", "orders x-gr order=attack-losses value=2", "blue",
				"orders order=attack-losses value=1 once=true"},
			[]string{"attacker_options", "retreat"}, []string{"attacker_options", "steps"}},
		{"losses", []string{"attacker_options", "steps"}, []string{"blue", "orders order=attack-losses value=1"},
			[]string{"attacker_options", "retreat"}, []string{"attacker_options", "steps"}},
		{"the other side's", []string{"defender_supply", "paid"}, []string{"red", "orders order=usual value=1"},
			[]string{"defender_supply", "paid"}, []string{"defender_supply", "all"}},
	} {
		got := combat(study(t, test.policies...), test.orders...)
		want, other := combat(study(t, test.equal...)), combat(study(t, test.other...))
		if diff := cmp.Diff(fractions(t, want), fractions(t, got)); diff != "" || lost(got) != lost(want) {
			t.Errorf("%s: %s steps lost, expected %s (-policies +orders):\n%s", test.name, lost(got), lost(want), diff)
		}
		if cmp.Equal(fractions(t, other), fractions(t, got)) && lost(got) == lost(other) {
			t.Errorf("%s: the orders make no difference", test.name)
		}
	}
}

// TestOverrunForecast: an overrun has ranges of surprise of its own.
func TestOverrunForecast(t *testing.T) {
	t.Parallel()
	g, s := onOverrun(t, "09.03").segment(SegMovement, Blue), study(t)
	f := g.forecast("overrun x-1,x-2 09.03", s)
	if f.Kind != "overrun" {
		t.Errorf("it is a forecast of %q", f.Kind)
	}
	if diff := cmp.Diff(g.enumerated("overrun x-1,x-2 09.03", s, crt), fractions(t, f)); diff != "" {
		t.Errorf("(-played +forecast):\n%s", diff)
	}
}

// TestTollOfCombat: what a forecast says that each side loses is what a legal answer takes.
func TestTollOfCombat(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"steps", "retreat"} {
		g, s := battlefield(t), study(t, "attacker_options", options, "defender_options", options)
		g.all("attack x-gr,x-mc,x-pz 11.07")
		g.p.grantSupply(g.p.fighters(inner[*combat](g.p), Blue))
		g.all("ready", "ready", "lead x-mc", "lead y-tk")
		seen := map[string]bool{}
		err := dice.Enumerate(100_000, func(src dice.Source) error {
			q, out := g.p.Clone(), new(rules.Outcome)
			if ask, seats := q.ask(); ask == AskTerrain {
				c, _ := q.byPolicy(ask, firstOf(seats), s.Policies)
				if err := rules.Play(referee{}, q, Red, c, src, out); err != nil {
					return err
				}
			}
			cell := crt(q, out)
			if f := inner[*combat](q); f != nil && !seen[cell] {
				seen[cell] = true
				e := q.after(f, readResult(cell), s.Policies)
				g.pays(q, Blue, cell, e.attacker)
			}
			return nil
		}, func(dice.Chance, []dice.Roll) error { return nil })
		if err != nil || len(seen) < 8 {
			t.Fatalf("%d results, %v", len(seen), err)
		}
	}
}

// pays expects that a seat that is asked for losses can take them as a forecast says.
func (g *table) pays(q *Position, seat rules.Seat, cell string, want toll) {
	g.t.Helper()
	if ask, seats := q.ask(); ask != AskLosses || !seats.Has(seat) {
		if want != (toll{}) {
			g.t.Errorf("%s: %+v is to be paid, and nobody is asked", cell, want)
		}
		return
	}
	found := false
	q.Legal(seat, rules.Filter{Kind: "lose"}, func(c Command) bool {
		n := 0
		for _, l := range c.Lines {
			n += l.Count
		}
		found = found || n == want.steps && c.N == want.hexes
		return true
	})
	if !found {
		g.t.Errorf("%s: no answer loses %+v", cell, want)
	}
}

// TestModifiersOfCombat: every modifier has a name, and they add up.
func TestModifiersOfCombat(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	f := g.forecast("attack x-gr,x-mc,x-pz 11.07", study(t, "defender_supply", "paid"))
	var got []string
	for _, m := range f.Modifiers {
		got = append(got,
			catalogue.Format(rules.English, m.Of)+": "+catalogue.Format(rules.English, m.Title)+" "+m.Value)
	}
	want := []string{
		"Strength: Strength of x-gr 12", "Strength: Terrain for x-gr ×1/2", "Strength: Strength of x-mc 4",
		"Strength: Strength of x-pz 6", "Strength: x-pz is DG ×1/2",
		"Strength: Terrain for x-pz against an anti-tank effect ×1 1/2",
		"Strength: Strength of y-tk 7", "Strength: y-tk has no combat supply ×1/2",
		"Strength: Strength of y-inf 9", "Strength: y-inf has no combat supply ×1/2",
		"Strength: y-inf has lost steps ×1/2",
		"Column before surprise: Attack in all 14 1/2", "Column before surprise: Defence in all 5 3/4",
		"Column before surprise: Odds in Open 3:1",
		"Roll for surprise: Action Rating of x-mc +5", "Roll for surprise: Action Rating of y-tk −3",
		"Roll for surprise: Hedgehog of level 2 −1",
		"Roll for the result: Action Rating of x-mc +5", "Roll for the result: Action Rating of y-tk −3",
		"Roll for the result: Hedgehog of level 2 −2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBarrageForecasts: so are those of barrages, by guns and from the air.
func TestBarrageForecasts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		prepare       func(t testing.TB) *table
	}{
		{"guns at units", "barrage x-8,x-8b 10.06 lines=[at=10.05;count=3]", func(t testing.TB) *table {
			return onGround(t, guns...).put("10.05", "x-8 x-8b x-inf").put("10.06", "y-4").hex("10.06", "hedgehog=1").
				dump("10.05", Blue, 9).segment(SegArtilleryBarrage, Blue)
		}},
		{"guns without a spotter", "barrage x-1 10.07 lines=[at=10.05;count=1]", func(t testing.TB) *table {
			return onGround(t, guns...).put("10.05", "x-1").put("10.07", "y-re y-re2/strat").
				dump("10.05", Blue, 9).segment(SegArtilleryBarrage, Blue)
		}},
		{"a bomber", "air-barrage b-st 17.07", func(t testing.TB) *table {
			return inSkies(t, bombers, brigades...).put("05.05", "b-st").hex("05.05", "air_base=1").
				put("17.07", "y-tk").
				segment(SegAirNaval, Blue)
		}},
		{"two bombers, flak and a spotter", "air-barrage b-st,b-bl 16.11", func(t testing.TB) *table {
			return inSkies(t, bombers, brigades...).put("05.05", "b-st b-bl").hex("05.05", "air_base=2").
				put("16.11", "y-tk y-tk2 y-tk3 y-hq").put("16.12", "x-mc").segment(SegAirNaval, Blue)
		}},
		{"a bomber that busts trains", "trainbust b-bl 17.07", func(t testing.TB) *table {
			return inSkies(t, bombers, brigades...).put("05.05", "b-bl").hex("05.05", "air_base=1").
				put("17.07", "y-tk").hex("17.07", "owner=red").segment(SegAirNaval, Blue)
		}},
		{"an air base with planes", "air-barrage b-st 12.07 target=air-base", func(t testing.TB) *table {
			return inSkies(t, bombers).put("07.07", "b-st").hex("07.07", "air_base=1").
				put("12.07", "r-f/set=inactive r-t/set=inactive").hex("12.07", "air_base=3").segment(SegAirNaval, Blue)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g, s := c.prepare(t), study(t)
			f := g.forecast(c.command, s)
			if diff := cmp.Diff(g.enumerated(c.command, s, effect), fractions(t, f)); diff != "" {
				t.Errorf("(-played +forecast):\n%s", diff)
			}
			if len(f.Modifiers) < 2 {
				t.Errorf("the modifiers are %v", f.Modifiers)
			}
		})
	}
}

// TestSweepForecast: so are those of air combat, and of what it costs each side on average.
func TestSweepForecast(t *testing.T) {
	t.Parallel()
	g, s := inSkies(t, bombers).put("07.07", "b-h1").hex("07.07", "air_base=2").put("12.07", "r-f").
		hex("12.07", "air_base=1").segment(SegMovement, Blue), study(t)
	f := g.forecast("sweep b-h1 12.07", s)
	lost := [numSeats]map[string]int{{}, {}}
	played := g.enumerated("sweep b-h1 12.07", s, func(_ *Position, out *rules.Outcome) (name string) {
		var steps [numSeats]int
		facts(out, func(e *event) {
			switch k := e.GetFact().(type) {
			case *ocsv1.Event_AirRound:
				if name = "arrives"; k.AirRound.GetAttackerAborts() {
					name = "turned-back"
				}
			case *ocsv1.Event_AirStepLost:
				seat := slices.Index(seatIDs[:], k.AirStepLost.GetSeat())
				steps[seat]++
			}
		})
		for seat, n := range steps {
			lost[seat]["all"]++
			lost[seat]["lost"] += n
		}
		return name
	})
	if diff := cmp.Diff(played, fractions(t, f)); diff != "" || len(played) != 2 {
		t.Errorf("(-played +forecast):\n%s", diff)
	}
	for _, e := range f.Expectations { // three dice in every way
		want := big.NewRat(int64(lost[e.Seat]["lost"]), int64(lost[e.Seat]["all"]))
		if e.Exact.Cmp(want) != 0 || want.Sign() == 0 {
			t.Errorf("%s loses %s steps on average, by the forecast %s", seatIDs[e.Seat], want, e.Exact)
		}
	}
}

// TestAttritionForecast: the command that ends feeding weighs each check that follows.
func TestAttritionForecast(t *testing.T) {
	t.Parallel()
	g := onRow(t, 30, []int{0}, nil, nil, division, guard).put(at(20), "x-div x-guard").segment(SegSupply, Blue)
	g.do("done") // nothing to restock
	list := g.forecasts("done", study(t))
	if len(list) != 1 {
		t.Fatalf("%d forecasts", len(list))
	}
	played := g.enumerated("done", study(t), func(_ *Position, out *rules.Outcome) (name string) {
		facts(out, func(e *event) {
			if k, ok := e.GetFact().(*ocsv1.Event_AttritionRolled); ok {
				name = whole(int(k.AttritionRolled.GetSteps())).format()
			}
		})
		return name
	})
	if diff := cmp.Diff(played, fractions(t, list[0])); diff != "" || len(played) < 2 {
		t.Errorf("(-played +forecast):\n%s", diff)
	}
}
