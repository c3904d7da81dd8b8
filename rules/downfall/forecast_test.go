package downfall

import (
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
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
	return rules.Study{Policies: p}
}

// forecast is the forecast of a command that must be legal.
func (g *table) forecast(command string, s rules.Study) rules.Forecast {
	g.t.Helper()
	c, r := g.parse(command)
	if r == nil {
		r = g.p.check(g.asked(), c)
	}
	if r != nil {
		g.t.Fatalf("%s: %v", command, r)
	}
	before := g.p.format()
	list, err := referee{}.Forecast(g.p, g.asked(), c, s)
	if err != nil || len(list) != 1 {
		g.t.Fatalf("%s: %d forecasts, %v", command, len(list), err)
	}
	if g.p.format() != before {
		g.t.Errorf("the forecast of %s changed the position", command)
	}
	return list[0]
}

// fractions are the chances of outcomes.
func fractions(list []rules.ForecastOutcome) map[string]string {
	m := map[string]string{}
	for _, o := range list {
		m[o.ID] = o.Chance.Exact.RatString()
	}
	return m
}

// TestForecastByHand: I/25 fires first and hits with 3, then B1 with 3.
func TestForecastByHand(t *testing.T) {
	t.Parallel()
	g := onFlower(t, JapanActions).quiet().put("N1", "B1").put("C", "I/25").reduce("I/25")
	for value, want := range map[string]map[string]string{
		"never":  {"attackers-destroyed": "3/10", "cleared": "21/100", "held": "49/100"},
		"always": {"attackers-destroyed": "3/10", "retreated": "21/100", "held": "49/100"},
	} {
		f := g.forecast("attack N1 C B1", study(t, "break_off", value))
		if diff := cmp.Diff(want, fractions(f.Outcomes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
		if got := f.Expectations[0].Exact.RatString(); got != "3/10" || f.Expectations[0].Seat != Japan {
			t.Errorf("%s: Japan loses %s steps", value, got)
		}
	}
	f := g.forecast("attack N1 C B1", study(t))
	got := map[string]string{}
	for _, s := range f.Distributions[1].Shares {
		got[catalogue.Format(rules.English, s.Label)] = s.Chance.Exact.RatString()
	}
	if diff := cmp.Diff(map[string]string{"I/25 1": "79/100", "-": "21/100"}, got); diff != "" {
		t.Errorf("survivors (-want +got):\n%s", diff)
	}
}

// TestModifiersOfCombat: what changes the strength of each unit has a name, and the parts add up.
func TestModifiersOfCombat(t *testing.T) {
	t.Parallel()
	g := onFlower(t, USActions, func(f *flower.Flower) {
		f.Terrain("rough").UsAttack = []int32{-1}
		f.Ground("rough", "N1")
	}).put("C", "I/25").put("N1", "B1").reduce("I/25")
	var got []string
	for _, m := range g.forecast("attack C N1 I/25", study(t)).Modifiers {
		of, title := catalogue.Format(rules.English, m.Of), catalogue.Format(rules.English, m.Title)
		got = append(got, of+": "+title+" "+m.Value)
	}
	want := []string{"Strength of I/25: Strength 3", "Strength of I/25: Terrain −1",
		"Strength of I/25: Modified strength 2",
		"Strength of B1: Strength 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestForecastOfTheRest: within a combat the forecast begins where the combat is.
func TestForecastOfTheRest(t *testing.T) {
	t.Parallel()
	g := onFlower(t, JapanActions).quiet().put("N1", "B1").put("C", "I/25").reduce("I/25")
	g.do("attack N1 C B1")
	g.do("shot I/25 B1", 10)
	f := g.forecast("shot B1 I/25", study(t))
	if diff := cmp.Diff(map[string]string{"cleared": "3/10", "held": "7/10"}, fractions(f.Outcomes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// chemical makes rough terrain depend on a die (DF 14.3).
func chemical(f *flower.Flower) {
	f.Terrain("rough").UsAttack = []int32{-2, -1, 0}
}

var affairs = []struct {
	name    string
	prepare func(t testing.TB) *table
	command string
}{
	{"a Japanese attack", func(t testing.TB) *table {
		return onFlower(t, JapanActions).put("N1", "J1").put("C", "I/25").reduce("I/25")
	}, "attack N1 C J1"},
	{"a US attack with artillery", func(t testing.TB) *table {
		return onFlower(t, USActions).put("C", "I/25", "I/art").put("N1", "B1", "B2").reduce("I/25")
	}, "attack C N1 I/25 I/art"},
	{"chemical terrain", func(t testing.TB) *table {
		return onFlower(t, USActions, chemical, func(f *flower.Flower) { f.Ground("rough", "N1") }).put("C", "I/25").
			put("N1", "B1").reduce("I/25")
	}, "attack C N1 I/25"},
}

// TestForecastsAgreeWithPlay: playing the command and then what the policies choose, through Check and Play and over
// all dice, leaves the same units with the same chances.
func TestForecastsAgreeWithPlay(t *testing.T) {
	t.Parallel()
	for _, c := range affairs {
		for _, value := range []string{"never", "always"} {
			t.Run(c.name+", breaking off "+value, func(t *testing.T) {
				t.Parallel()
				g, s := c.prepare(t), study(t, "break_off", value, "targets", "strongest", "support", "all")
				f := g.forecast(c.command, s)
				if f.Method != rules.MethodExact {
					t.Fatalf("method %d", f.Method)
				}
				first, _ := g.parse(c.command)
				a, _ := g.p.affairOf(g.asked(), first)
				sides := [2]map[string]*big.Rat{{}, {}}
				var end *Position
				err := dice.Enumerate(200_000, func(src dice.Source) error {
					end = fightOn(t, g.p.Clone(), g.asked(), first, s.Policies, src)
					return nil
				}, func(chance dice.Chance, _ []dice.Roll) error {
					for i, units := range []UnitSet{a.attackers, a.defenders} {
						label, _ := end.survivors(units)
						key := catalogue.Format(rules.English, label)
						if sides[i][key] == nil {
							sides[i][key] = new(big.Rat)
						}
						sides[i][key].Add(sides[i][key], big.NewRat(int64(chance.Num), int64(chance.Den)))
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				for i, want := range sides {
					played, told := map[string]string{}, map[string]string{}
					for key, r := range want {
						played[key] = r.RatString()
					}
					for _, share := range f.Distributions[i].Shares {
						told[catalogue.Format(rules.English, share.Label)] = share.Chance.Exact.RatString()
					}
					if diff := cmp.Diff(played, told); diff != "" || i == 1 && len(played) < 2 {
						t.Errorf("side %d (-played +forecast):\n%s", i, diff)
					}
				}
			})
		}
	}
}

// fightOn plays a command and what the policies choose until the affair is over.
func fightOn(
	t *testing.T, p *Position, seat rules.Seat, c Command, policies rules.Policies, src dice.Source,
) *Position {
	for {
		if err := rules.Play(referee{}, p, seat, c, src, new(rules.Outcome)); err != nil {
			t.Fatalf("%s: %v", p.formatCommand(c), err)
		}
		if ask, _ := p.ask(); !p.fight.on && !p.decl.on || ask == AskAdvance && !p.decl.on {
			return p
		}
		seat, c = p.byPolicy(policies)
	}
}

// TestForecastSamples: a combat with more states than are allowed is sampled, and the interval holds the truth.
func TestForecastSamples(t *testing.T) {
	t.Parallel()
	g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2", "J3").put("C", "I/25", "I/33", "I/art")
	exact := g.forecast("attack N1 C J1 J2 J3", study(t))
	s := study(t)
	s.States, s.Samples = 3, 4000
	sampled := g.forecast("attack N1 C J1 J2 J3", s)
	if exact.Method != rules.MethodExact || sampled.Method != rules.MethodSampled || sampled.Trials != 4000 {
		t.Fatalf("methods %d and %d", exact.Method, sampled.Method)
	}
	for _, o := range exact.Outcomes {
		i := 0
		for i < len(sampled.Outcomes) && sampled.Outcomes[i].ID != o.ID {
			i++
		}
		if i == len(sampled.Outcomes) {
			if o.Chance.Value > 0.002 {
				t.Errorf("%s never came", o.ID)
			}
			continue
		}
		// The dice are always the same, so that this is no gamble: an interval of 95 % that misses by far is a defect.
		if c := sampled.Outcomes[i].Chance; o.Chance.Value < c.Low-0.01 || o.Chance.Value > c.High+0.01 {
			t.Errorf("%s: %v in exact figures, sampled %+v", o.ID, o.Chance.Value, c)
		}
	}
}

// TestKnown: positions that differ in what is hidden from Japan alone are one to Japan, and stay two to the US.
func TestKnown(t *testing.T) {
	t.Parallel()
	sc := flowerScenario(t)
	make := func(hex string, turn, mode, bombs uint8) *Position {
		g := on(t, sc, JapanActions, Airborne11|SecretBombs)
		g.p.ixHex, g.p.ixTurn, g.p.mode, g.p.bombsLeft, g.p.dropTurn = g.hex(hex), turn, mode, bombs, turn
		return g.p
	}
	a, b := make("K1", 9, 1, 3), make("K2", 8, 2, 5)
	for _, v := range []rules.Viewer{rules.SeatViewer(Japan), rules.Spectator} {
		x, assumed := referee{}.Known(a, v)
		y, again := referee{}.Known(b, v)
		if !reflect.DeepEqual(x, y) || !reflect.DeepEqual(assumed, again) || len(assumed) != 4 {
			t.Errorf("%+v can tell them apart, assuming %v and %v", v, assumed, again)
		}
	}
	// A program that has the rules reads what a seat knows, and knows that there are no bombs if the game has none.
	c := on(t, sc, JapanActions, SecretBombs|NoAtomicBombs).p
	c.ixHex, c.ixTurn, c.bombsLeft = a.ixHex, a.ixTurn, 0
	for _, p := range []*Position{a, c} {
		k, _ := referee{}.Known(p, rules.SeatViewer(Japan))
		if again, err := parsePosition(sc, k.format()); err != nil || again.format() != k.format() {
			t.Errorf("%v: %s", err, k.format())
		}
	}
	for n, v := range []rules.Viewer{rules.Auditor, rules.SeatViewer(US)} {
		// The US knows all but the standing orders of Japan.
		if x, assumed := (referee{}).Known(a, v); !reflect.DeepEqual(x, a) || len(assumed) != n {
			t.Errorf("%+v knows less than all, assuming %v", v, assumed)
		}
	}
}

// A preview speaks of the opponent's standing orders only where they could answer something.
func TestPreviewsAssumeNoOrdersWhereNoneMatter(t *testing.T) {
	t.Parallel()
	set := rules.Adapt[*Position, Command, *event](referee{})
	us := func() *table { return onFlower(t, USActions).put("C", "I/25").put("N1", "J1") }
	japan := func() *table { return onFlower(t, JapanActions).put("N1", "J1").put("C", "I/25", "I/art") }
	for _, test := range []struct {
		g       *table
		command string
		assumed bool
	}{
		{us(), "move I/25 N2", false},
		{us(), "attack C N1 I/25", true},
		{us().put("C", "I/art"), "attack C N1 I/25 I/art", true}, // the US is asked first, and Japan later
		{us(), "end", false},                                     // dice are thrown, and the US is asked again
		{japan(), "attack N1 C J1", true},
	} {
		seat := test.g.asked()
		c, r := test.g.parse(test.command)
		if r != nil {
			t.Fatal(r)
		}
		game, err := set.ParsePosition(test.g.sc, test.g.p.format())
		if err != nil {
			t.Fatal(err)
		}
		own, err := game.ParseCommand(test.g.p.formatCommand(c))
		if err != nil {
			t.Fatal(err)
		}
		out, err := game.Preview(seat, own, rules.Study{})
		if err != nil {
			t.Fatalf("%s: %v", test.command, err)
		}
		got := slices.ContainsFunc(out.Assumptions, func(a rules.Text) bool { return a.Key == assumedOrders })
		if got != test.assumed {
			t.Errorf("%s of %s assumes %v", test.command, seatIDs[seat], out.Assumptions)
		}
	}
}

// BenchmarkPreviewCombat previews an attack of three Japanese divisions on two US ones with artillery, to
// the end of the combat.
func BenchmarkPreviewCombat(b *testing.B) {
	g := onFlower(b, JapanActions).quiet().put("N1", "J1", "J2", "J3").put("C", "I/25", "I/33", "I/art")
	c, r := g.parse("attack N1 C J1 J2 J3")
	if r != nil {
		b.Fatal(r)
	}
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		list, err := referee{}.Forecast(g.p, Japan, c, study(b))
		if err != nil {
			b.Fatal(err)
		}
		states = list[0].Trials
	}
	b.ReportMetric(float64(states), "states")
}
