package anniversary

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// calculated is a battle that is entered without faults.
func calculated(t testing.TB, p *Position, e rules.BattleEntry, policies ...string) *rules.Battle {
	t.Helper()
	before := p.format()
	b, faults := referee{}.Battle(p, e, studyBy(t, policies...))
	if faults != nil {
		t.Fatal(faults)
	}
	if p.format() != before {
		t.Error("the calculator changed the position")
	}
	return b
}

// numbersOf are the numbers of a side that are not 0, with what is there and what could come.
func numbersOf(s rules.BattleSide) map[string][3]int {
	m := map[string][3]int{}
	for _, n := range s.Numbers {
		if v := [3]int{n.Value, n.There, n.Reach}; v != [3]int{} {
			m[n.ID] = v
		}
	}
	return m
}

// enteredAs is a side as it is entered, from words such as "3 infantry".
func enteredAs(counts ...any) rules.BattleForce {
	f := rules.BattleForce{Entered: true}
	for i := 0; i+1 < len(counts); i += 2 {
		f.Numbers = append(f.Numbers, rules.Count{ID: counts[i+1].(string), N: counts[i].(int)})
	}
	return f
}

// TestCalculatorFillsIn: what is there defends, and what can come within one phase attacks.
func TestCalculatorFillsIn(t *testing.T) {
	t.Parallel()
	type side = map[string][3]int
	inland := func() *table {
		return on1941(t).put("poland", Germany, "2 infantry tank").put("germany", Germany, "infantry 2 tank fighter").
			put("east-poland", SovietUnion, "2 infantry antiaircraft-gun")
	}
	drop := func() *table {
		return on1941(t).tech(Germany, scenario.Paratroopers).put("poland", Germany, "2 bomber 3 infantry").
			put("ukraine", SovietUnion, "3 infantry").turn(Germany, PhaseMove)
	}
	coast := func() *table { return offFrance(t).put("france", Germany, "antiaircraft-gun fighter") }
	for name, c := range map[string]struct {
		g                  *table
		do                 []string
		e                  rules.BattleEntry
		kind               string
		attacker, defender side
	}{
		"on land": {
			g: inland().turn(Germany, PhaseMove), e: rules.BattleEntry{Space: "east-poland"}, kind: "land",
			attacker: side{"infantry": {2, 0, 2}, "tank": {3, 0, 3}, "fighter": {1, 0, 1}},
			defender: side{"infantry": {2, 2, 0}, "antiaircraft-gun": {1, 1, 0}},
		},
		"with a plan": {
			g: inland().turn(Germany, PhaseMove), do: []string{"move 1 infantry, 1 tank poland>east-poland"},
			e: rules.BattleEntry{Space: "east-poland"}, kind: "land",
			attacker: side{"infantry": {2, 1, 1}, "tank": {3, 1, 2}, "fighter": {1, 0, 1}},
			defender: side{"infantry": {2, 2, 0}, "antiaircraft-gun": {1, 1, 0}},
		},
		"in another's turn": {
			g: inland().turn(Italy, PhasePurchase), e: rules.BattleEntry{Space: "east-poland",
				Attacker: rules.BattleForce{Party: "germany"}}, kind: "land",
			attacker: side{"infantry": {2, 0, 2}, "tank": {3, 0, 3}, "fighter": {1, 0, 1}},
			defender: side{"infantry": {2, 2, 0}, "antiaircraft-gun": {1, 1, 0}},
		},
		"what the enemy could do": {
			g: inland().turn(Germany, PhaseMove), e: rules.BattleEntry{Space: "poland"}, kind: "land",
			attacker: side{"infantry": {2, 0, 2}},
			defender: side{"infantry": {2, 2, 0}, "tank": {1, 1, 0}},
		},
		"a landing": {
			g: coast(), e: rules.BattleEntry{Space: "france"}, kind: "amphibious",
			attacker: side{"ashore-infantry": {1, 0, 1}, "ashore-tank": {1, 0, 1},
				"bombarding-battleship": {1, 0, 1}},
			defender: side{"infantry": {1, 1, 0}, "antiaircraft-gun": {1, 1, 0}, "fighter": {1, 1, 0}},
		},
		"a landing that is planned": {
			g: coast(), do: []string{landInFrance}, e: rules.BattleEntry{Space: "france"}, kind: "amphibious",
			attacker: side{"ashore-infantry": {1, 1, 0}, "ashore-tank": {1, 1, 0}, "bombarding-battleship": {1, 1, 0}},
			defender: side{"infantry": {1, 1, 0}, "antiaircraft-gun": {1, 1, 0}, "fighter": {1, 1, 0}},
		},
		"by air": {
			g: drop(), e: rules.BattleEntry{Space: "ukraine"}, kind: "land",
			attacker: side{"bomber": {2, 0, 2}, "dropped-infantry": {2, 0, 2}},
			defender: side{"infantry": {3, 3, 0}},
		},
		"by air, planned": {
			g: drop(), do: []string{"drop 1 poland>ukraine"}, e: rules.BattleEntry{Space: "ukraine"}, kind: "land",
			attacker: side{"bomber": {2, 1, 1}, "dropped-infantry": {2, 1, 1}},
			defender: side{"infantry": {3, 3, 0}},
		},
		"by air where infantry walks": {
			g: drop().put("east-poland", SovietUnion, "infantry"), e: rules.BattleEntry{Space: "east-poland"},
			kind:     "land",
			attacker: side{"bomber": {2, 0, 2}, "infantry": {3, 0, 3}},
			defender: side{"infantry": {1, 1, 0}},
		},
		"at sea": {
			g: on1941(t).put("10", Germany, "destroyer submarine").put("11", UnitedKingdom, "cruiser transport").
				put("11", Germany, "submarine").turn(Germany, PhaseMove),
			e: rules.BattleEntry{Space: "sz-11"}, kind: "sea",
			attacker: side{"destroyer": {1, 0, 1}, "submarine": {2, 1, 1}},
			defender: side{"cruiser": {1, 1, 0}, "transport": {1, 1, 0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.g.all(c.do...)
			b := calculated(t, c.g.p, c.e)
			if b.Kind != c.kind {
				t.Errorf("it is %s, want %s", b.Kind, c.kind)
			}
			got := [2]side{numbersOf(b.Attacker), numbersOf(b.Defender)}
			if diff := cmp.Diff([2]side{c.attacker, c.defender}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestCalculatorAgreesWithForecasts: a plan that is calculated has the odds of its forecast, for every policy.
func TestCalculatorAgreesWithForecasts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		g    *table
		plan []string
	}{
		"on land": {on1941(t).put("poland", Germany, "3 infantry artillery tank").
			put("east-poland", SovietUnion, "2 infantry tank antiaircraft-gun").
			tech(Germany, scenario.AdvancedArtillery).turn(Germany, PhaseMove),
			[]string{"move 3 infantry, 1 artillery, 1 tank poland>east-poland"}},
		"a landing": {offFrance(t), []string{landInFrance}},
		"at sea": {on1941(t).put("10", Germany, "destroyer submarine battleship").
			put("11", UnitedKingdom, "cruiser submarine transport").tech(Germany, scenario.SuperSubmarines).
			turn(Germany, PhaseMove), []string{"move 1 destroyer, 1 submarine, 1 battleship sz-10>sz-11"}},
	} {
		for _, policy := range [][]string{nil, {policyRetreat, retreatHalf}, {policyRetreat, oneGo, policySubmarines,
			submarinesDive}, {policyAttackerLosses, lossesAirFirst}} {
			t.Run(name+" "+strings.Join(policy, " "), func(t *testing.T) {
				t.Parallel()
				g := &table{t: t, p: c.g.p.Clone(), sc: c.g.sc}
				g.all(c.plan...)
				want := forecasts(t, g.p, "end", studyBy(t, policy...))[0]
				got := calculated(t, g.p, rules.BattleEntry{Space: want.Spaces[0]}, policy...).Forecast
				if diff := cmp.Diff(toldForecast(&want), toldForecast(&got)); diff != "" {
					t.Errorf("-forecast +calculator:\n%s", diff)
				}
			})
		}
	}
}

// toldForecast is a forecast in words, line by line.
func toldForecast(f *rules.Forecast) (lines []string) {
	add := func(v any, texts ...rules.Text) {
		line := fmt.Sprint(v)
		for _, x := range texts {
			line += " | " + catalogue.Format(rules.English, x)
		}
		lines = append(lines, line)
	}
	add(f.Kind, f.Title)
	add(f.Spaces)
	add(f.Method)
	add(f.Trials)
	add(f.Policies, f.Assumptions...)
	for _, o := range f.Outcomes {
		add(o.Chance.Value, o.Label)
	}
	for _, d := range f.Distributions {
		for _, x := range d.Shares {
			add(x.Chance.Value, d.Title, x.Label)
		}
	}
	for _, e := range f.Expectations {
		add(e.Value, e.Title, e.Unit)
	}
	for _, m := range f.Modifiers {
		add(m.Value, m.Of, m.Title)
	}
	return lines
}

// TestCalculatorByHand: what is entered is weighed, and not what the position has.
func TestCalculatorByHand(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.8.4")
	p := on1941(t).turn(Germany, PhaseMove).p
	win := func(e rules.BattleEntry) float64 {
		b := calculated(t, p, e)
		return likely(&b.Forecast, "win").Value
	}
	again := 1 - 5./6*4/6
	one := win(rules.BattleEntry{Space: "ukraine", Attacker: enteredAs(1, "infantry"),
		Defender: enteredAs(1, "infantry")})
	if want := 1. / 6 * 4 / 6 / again; math.Abs(one-want) > 1e-12 {
		t.Errorf("infantry against infantry is won with %v, want %v", one, want)
	}
	// A battleship against a whole one and against one that was hit. Each round either hits with 4 in 6.
	var won [3][3]float64 // by hits that each can take
	for a := 1; a < 3; a++ {
		for d := 1; d < 3; d++ {
			for _, h := range [3][2]int{{1, 0}, {0, 1}, {1, 1}} {
				q := 2. / 9
				if h[0]+h[1] == 2 {
					q = 4. / 9
				}
				switch x, y := a-h[0], d-h[1]; {
				case y == 0 && x > 0:
					won[a][d] += q
				case x > 0:
					won[a][d] += q * won[x][y]
				}
			}
			won[a][d] /= 8. / 9
		}
	}
	for n, id := range []string{"damaged-battleship", "battleship"} {
		for m, other := range []string{"damaged-battleship", "battleship"} {
			e := rules.BattleEntry{Space: "sz-9", Attacker: enteredAs(1, id), Defender: enteredAs(1, other)}
			if got := win(e); math.Abs(got-won[n+1][m+1]) > 1e-12 {
				t.Errorf("%s against %s is won with %v, want %v", id, other, got, won[n+1][m+1])
			}
		}
	}
	e := rules.BattleEntry{Space: "east-poland", Attacker: enteredAs(1, "infantry", 2, "tank"),
		Defender: enteredAs(2, "tank", 1, "fighter")}
	e.Attacker.Losses = []string{"tank"}
	b := calculated(t, p, e)
	want, _ := p.sc.Odds(odds.Battle{Attacker: odds.Side{Units: units(1, Infantry, 2, Tank), Losses: []Unit{Tank}},
		Defender: odds.Side{Units: units(2, Tank, 1, Fighter)}})
	if got := b.Forecast.Expectations[0].Value; math.Abs(got-want.AttackerLost) > 1e-12 {
		t.Errorf("with tanks lost first %v are lost, want %v", got, want.AttackerLost)
	}
	if b.Attacker.Numbers[0].ID != "tank" || b.Attacker.Numbers[1].ID != "infantry" {
		t.Errorf("the order of losses is shown as %v", b.Attacker.Numbers)
	}
}

// TestCalculatorFaults: what cannot be entered is refused with the name of its field.
func TestCalculatorFaults(t *testing.T) {
	t.Parallel()
	p := on1941(t).put("poland", Germany, "infantry").put("east-poland", SovietUnion, "infantry").turn(Germany,
		PhaseMove).p
	rulestest.Proves(t, book, "AA 9.3.7")
	for _, c := range []struct {
		e    rules.BattleEntry
		path string
		says string
	}{
		{rules.BattleEntry{Space: "nowhere"}, "space", "no space"},
		{rules.BattleEntry{}, "space", "no space"},
		{rules.BattleEntry{Space: "himalaya"}, "space", "no space"},
		{rules.BattleEntry{Space: "east-poland", Kind: "amphibious"}, "kind", "expected one of land"},
		{rules.BattleEntry{Space: "sz-9", Kind: "land"}, "kind", "expected one of sea"},
		{rules.BattleEntry{Space: "east-poland", Attacker: rules.BattleForce{Party: "china"}}, "attacker.party",
			"germany, japan, italy"},
		{rules.BattleEntry{Space: "east-poland", Defender: rules.BattleForce{Party: "japan"}}, "defender.party",
			"does not defend"},
		{rules.BattleEntry{Space: "east-poland", Attacker: enteredAs(1, "cruiser")}, `attacker.numbers["cruiser"]`,
			"infantry, artillery, tank, fighter, bomber"},
		{rules.BattleEntry{Space: "east-poland", Defender: enteredAs(101, "tank")}, `defender.numbers["tank"]`,
			"101, expected 0 to 100"},
		{rules.BattleEntry{Space: "east-poland", Defender: enteredAs(-1, "tank")}, `defender.numbers["tank"]`, "-1"},
		{rules.BattleEntry{Space: "sz-9", Attacker: enteredAs(1, "battleship-hull")},
			`attacker.numbers["battleship-hull"]`, "follows"},
		{rules.BattleEntry{Space: "east-poland", Attacker: rules.BattleForce{Entered: true, Traits: []string{"radar"}}},
			"attacker.traits", "does not matter"},
		{rules.BattleEntry{Space: "east-poland", Attacker: rules.BattleForce{Losses: []string{"tank", "tank"}}},
			"attacker.losses", "twice"},
		{rules.BattleEntry{Space: "east-poland", Attacker: rules.BattleForce{Losses: []string{"submarine"}}},
			"attacker.losses", "cannot be lost"},
		{rules.BattleEntry{Space: "france", Kind: "amphibious", Attacker: enteredAs(1, "ashore-tank", 2,
			"bombarding-cruiser")}, "attacker.numbers", "AA 9.3.7"},
		{rules.BattleEntry{Space: "east-poland", Attacker: enteredAs(1, "dropped-infantry")},
			`attacker.numbers["dropped-infantry"]`, "no such number"},
	} {
		b, faults := referee{}.Battle(p, c.e, studyBy(t))
		if b != nil || len(faults) != 1 || faults[0].Path != c.path || !strings.Contains(faults[0].What, c.says) {
			t.Errorf("%+v: %v, want %s with %q", c.e, faults, c.path, c.says)
		}
	}
}

// TestReachIsWhatCanMove: in random games, what could come to a space is what the legal list moves there.
func TestReachIsWhatCanMove(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		sc := shippedScenario(t, [...]string{"1941", "1942", "1941"}[seed])
		n := 0
		wander(t, sc, nil, seed, func(p *Position, _ []Command) {
			if p.phase != PhaseMove || p.battle.on() || p.request.on() {
				return
			}
			if n++; n%5 == 1 {
				compareReach(t, p)
			}
		})
		if n < 20 {
			t.Errorf("seed %d: only %d decisions of Combat Move", seed, n)
		}
	}
}

func compareReach(t *testing.T, p *Position) {
	t.Helper()
	want, landed := map[Space]uint32{}, map[Space]uint32{}
	p.Legal(p.acting.Seat(), rules.Filter{}, func(c Command) bool {
		for _, it := range c.items() {
			switch c.Kind {
			case KindMove:
				want[c.To] |= 1 << it.Unit
			case KindShip:
				landed[c.Target] |= 1 << it.Unit
			}
		}
		if c.Kind == KindJoin {
			want[c.To] |= 1 << Fighter
		}
		return true
	})
	for at := range Space(p.sc.Len()) {
		r := p.reachOf(p.acting, at)
		for u := range NumUnits {
			if (r.units[u] > 0) != u.In(want[at]) {
				t.Fatalf("%d %s reach %s, moves say %v\n%s", r.units[u], u.ID(), p.sc.SpaceID(at), u.In(want[at]),
					p.format())
			}
			if r.ashore[u] > 0 && !u.In(landed[at]) || landed[at] != 0 && r.ashore == [NumUnits]int{} {
				t.Fatalf("%d %s land in %s, moves say %v\n%s", r.ashore[u], u.ID(), p.sc.SpaceID(at), u.In(landed[at]),
					p.format())
			}
		}
	}
}

// TestCalculatorTakesAnyPosition: in random games, every space can be calculated in every phase, and chances sum to 1.
func TestCalculatorTakesAnyPosition(t *testing.T) {
	t.Parallel()
	sc, n := shippedScenario(t, "1942"), 0
	wander(t, sc, nil, 7, func(p *Position, _ []Command) {
		n++
		at := Space(n * 7 % sc.Len())
		if sc.Spaces[at].Impassable {
			return
		}
		b, faults := referee{}.Battle(p, rules.BattleEntry{Space: sc.SpaceID(at)}, studyBy(t))
		if faults != nil {
			t.Fatalf("%s: %v", sc.SpaceID(at), faults)
		}
		sum := 0.
		for _, o := range b.Forecast.Outcomes {
			sum += o.Chance.Value
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("%s: the chances sum to %v", sc.SpaceID(at), sum)
		}
		// What was filled in can be entered, and has the same odds.
		e := rules.BattleEntry{Space: b.Space, Kind: b.Kind, Attacker: entered(&b.Attacker),
			Defender: entered(&b.Defender)}
		again, faults := referee{}.Battle(p, e, studyBy(t))
		if faults != nil {
			t.Fatalf("%s again: %v", sc.SpaceID(at), faults)
		}
		if diff := cmp.Diff(b.Forecast.Outcomes, again.Forecast.Outcomes); diff != "" {
			t.Fatalf("%s entered again (-filled in +entered):\n%s", sc.SpaceID(at), diff)
		}
	})
}

// entered is a side as somebody would enter it who reads the form.
func entered(s *rules.BattleSide) rules.BattleForce {
	f := rules.BattleForce{Entered: true, Party: s.Party}
	for _, n := range s.Numbers {
		if n.Most > 0 {
			f.Numbers = append(f.Numbers, rules.Count{ID: n.ID, N: n.Value})
		}
		if n.Lost {
			f.Losses = append(f.Losses, n.ID)
		}
	}
	for _, x := range s.Traits {
		if x.On {
			f.Traits = append(f.Traits, x.ID)
		}
	}
	return f
}
