package anniversary

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// studyBy completes policies given as pairs.
func studyBy(t testing.TB, pairs ...string) rules.Study {
	t.Helper()
	given := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	p, faults := rules.NewPolicies(referee{}.Policies(), given)
	if faults != nil {
		t.Fatal(faults)
	}
	return rules.Study{Policies: p, Samples: 1500}
}

// forecasts are those of a command that must be legal.
func forecasts(t testing.TB, p *Position, text string, s rules.Study) []rules.Forecast {
	t.Helper()
	ref := referee{}
	c, r := ref.ParseCommand(p, text)
	if r != nil {
		t.Fatalf("%s: %v", text, r)
	}
	seat := rules.NoSeat
	for who := range ref.Waiting(p).Each {
		seat = who
		break
	}
	if r := ref.Check(p, seat, c); r != nil {
		t.Fatalf("%s: %v", text, r)
	}
	before := ref.FormatPosition(p)
	list, err := ref.Forecast(p, seat, c, s)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if ref.FormatPosition(p) != before {
		t.Errorf("the forecast of %s changed the position", text)
	}
	return list
}

func likely(f *rules.Forecast, id string) rules.Likelihood {
	for _, o := range f.Outcomes {
		if o.ID == id {
			return o.Chance
		}
	}
	return rules.Likelihood{}
}

// TestForecastOfAPlannedMove: a combat move is weighed as the combat that it plans, all units that are to be there
// counted, and so is the end of the phase.
func TestForecastOfAPlannedMove(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("germany", Germany, "infantry").put("germany", Germany, "tank").put("poland", Germany,
		"artillery").
		put("east-poland", SovietUnion, "infantry").put("east-poland", SovietUnion, "artillery").turn(Germany,
		PhaseMove)
	sc := g.p.sc
	defender := odds.Side{Units: units(1, Infantry, 1, Artillery)}
	for _, c := range []struct {
		text string
		att  [NumUnits]int
	}{
		{"move 1 artillery poland>east-poland", units(1, Artillery)},
		{"move 1 tank germany>east-poland", units(1, Artillery, 1, Tank)},
		{"end", units(1, Artillery, 1, Tank)},
	} {
		list := forecasts(t, g.p, c.text, studyBy(t))
		if len(list) != 1 || list[0].Method != rules.MethodComputed ||
			!reflect.DeepEqual(list[0].Spaces, []string{"east-poland"}) {
			t.Fatalf("%s: %+v", c.text, list)
		}
		want, _ := sc.Odds(odds.Battle{Attacker: odds.Side{Units: c.att}, Defender: defender})
		f := &list[0]
		for id, v := range map[string]float64{"win": want.Win, "draw": want.Draw, "loss": want.Loss} {
			if got := likely(f, id).Value; math.Abs(got-v) > 1e-12 {
				t.Errorf("%s: %s with %v, odds say %v", c.text, id, got, v)
			}
		}
		if got := f.Distributions[0].Shares[0].Chance.Value; math.Abs(got-want.Taken) > 1e-12 {
			t.Errorf("%s: taken with %v, odds say %v", c.text, got, want.Taken)
		}
		if f.Expectations[0].Value != want.AttackerLost || f.Expectations[1].Value != want.DefenderLost {
			t.Errorf("%s: losses %v, odds say %v and %v", c.text, f.Expectations, want.AttackerLost, want.DefenderLost)
		}
		if c.text != "end" {
			g.do(c.text)
		}
	}
}

// Infantry aboard bombers fights, and is lost with those that the guns shoot down (AA 6.3.8, AA 6.3.10): a drop is
// weighed as the calculator weighs the same battle.
func TestForecastOfADrop(t *testing.T) {
	t.Parallel()
	for _, guns := range []int{0, 1} {
		g := on1941(t).tech(Germany, scenario.Paratroopers).put("poland", Germany, "2 bomber 3 infantry").
			put("ukraine", SovietUnion, "2 infantry").turn(Germany, PhaseMove)
		if guns > 0 {
			g.put("ukraine", SovietUnion, "antiaircraft-gun")
		}
		want := calculated(t, g.p, rules.BattleEntry{Space: "ukraine",
			Attacker: enteredAs(2, "dropped-infantry", 2, "bomber"),
			Defender: enteredAs(2, "infantry", guns, "antiaircraft-gun")}).Forecast
		for _, text := range []string{"drop 2 poland>ukraine", "end"} {
			list := forecasts(t, g.p, text, studyBy(t))
			if len(list) != 1 || list[0].Method != rules.MethodComputed {
				t.Fatalf("%d guns: %s: %+v", guns, text, list)
			}
			if diff := cmp.Diff(want.Outcomes, list[0].Outcomes); diff != "" {
				t.Errorf("%d guns: %s (-calculator +forecast)\n%s", guns, text, diff)
			}
			if text != "end" {
				g.do(text)
			}
		}
	}
}

// TestForecastByHand: one infantry against one, 1 in 6 against 2 in 6 each round until one is gone.
func TestForecastByHand(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "infantry").put("east-poland", SovietUnion, "infantry").turn(Germany,
		PhaseMove)
	f := forecasts(t, g.p, "move 1 infantry poland>east-poland", studyBy(t))[0]
	again := 1 - 5./6*4/6
	want := map[string]float64{"win": 1. / 6 * 4 / 6 / again, "draw": 1. / 6 * 2 / 6 / again,
		"loss": 5. / 6 * 2 / 6 / again}
	for id, v := range want {
		if got := likely(&f, id).Value; math.Abs(got-v) > 1e-12 {
			t.Errorf("%s with %v, expected %v", id, got, v)
		}
	}
	labels := map[string]float64{}
	for _, s := range f.Distributions[1].Shares {
		labels[catalogue.Format(rules.English, s.Label)] = math.Round(s.Chance.Value*1e9) / 1e9
	}
	if diff := cmp.Diff(map[string]float64{"1 infantry": .25, "nothing": .75}, labels); diff != "" {
		t.Errorf("the attacker has left (-want +got):\n%s", diff)
	}
}

// offFrance is a fleet that can land without a combat at sea, and bombard.
func offFrance(t *testing.T) *table {
	return on1941(t).put("2", UnitedStates, "transport").put("7", UnitedStates, "battleship").
		put("united-kingdom", UnitedStates, "tank infantry").
		put("france", Germany, "infantry").turn(UnitedStates, PhaseMove)
}

// TestForecastOfALanding: the landing is weighed with its bombardment, and the combat at sea that
// comes first by itself.
func TestForecastOfALanding(t *testing.T) {
	t.Parallel()
	quiet := offFrance(t)
	list := forecasts(t, quiet.p, landInFrance, studyBy(t))
	landed := odds.Battle{
		Attacker: odds.Side{Units: units(1, Infantry, 1, Tank), Techs: quiet.p.tech[UnitedStates]},
		Defender: odds.Side{Units: units(1, Infantry)},
		Ships:    []int{4}, Ashore: units(1, Infantry, 1, Tank),
	}
	want, _ := quiet.p.sc.Odds(landed)
	if len(list) != 1 || math.Abs(likely(&list[0], "win").Value-want.Win) > 1e-12 || len(list[0].Assumptions) != 0 {
		t.Errorf("an open sea: %+v, odds say %v", list, want.Win)
	}
	contested := france(t, "destroyer")
	contested.do("move 1 battleship sz-8>sz-7")
	list = forecasts(t, contested.p, landInFrance, studyBy(t))
	if len(list) != 2 || len(list[0].Assumptions)+len(list[1].Assumptions) != 1 {
		t.Errorf("a contested sea: %+v", list)
	}
}

// TestForecastsAgreeWithTheEngine: what odds say of a combat is what playing it by the same policies comes to, within
// four standard deviations.
func TestForecastsAgreeWithTheEngine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		g      func(t *testing.T) *table
		moves  []string
		policy []string
	}{
		"on land": {func(t *testing.T) *table {
			return on1941(t).put("poland", Germany, "infantry infantry artillery tank fighter").
				put("east-poland", SovietUnion, "infantry infantry infantry tank").turn(Germany, PhaseMove)
		}, []string{"move 2 infantry, 1 artillery, 1 tank poland>east-poland",
			"move 1 fighter poland>east-poland"}, nil},
		"with a retreat": {func(t *testing.T) *table {
			return on1941(t).put("poland", Germany, "infantry infantry tank").
				put("east-poland", SovietUnion, "infantry infantry infantry tank").turn(Germany, PhaseMove)
		}, []string{"move 2 infantry, 1 tank poland>east-poland"}, []string{"retreat", "below_half"}},
		"after one round": {func(t *testing.T) *table {
			return on1941(t).put("poland", Germany, "infantry infantry tank").
				put("east-poland", SovietUnion, "infantry infantry infantry tank").turn(Germany, PhaseMove)
		}, []string{"move 2 infantry, 1 tank poland>east-poland"},
			[]string{"retreat", "after_one_round", "attacker_losses", "air_first"}},
		"a landing": {func(t *testing.T) *table { return offFrance(t) }, []string{landInFrance}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, s := c.g(t), studyBy(t, c.policy...)
			g.all(c.moves...)
			list := forecasts(t, g.p, "end", s)
			if len(list) != 1 || list[0].Method != rules.MethodComputed {
				t.Fatalf("%+v", list)
			}
			q := g.p.Clone()
			q.phase, q.step = PhaseCombat, combatGeneral
			at := q.sc.SpaceByID(list[0].Spaces[0])
			if err := rules.Try(referee{}, q, noDice{},
				new(rules.Outcome), func(x *exec) { q.fight(x, at) }); err != nil {
				t.Fatal(err)
			}
			f, err := q.sampledForecast(func() (*rules.Ends[*Position], error) {
				return q.sampleBattle(s, rules.NoSeat, only(KindNone), true)
			})
			if err != nil || f.Method != rules.MethodSampled {
				t.Fatal(err)
			}
			for _, id := range []string{"win", "draw", "loss", "retreat"} {
				v, got := likely(&list[0], id).Value, likely(f, id).Value
				if d := math.Abs(v - got); d > 4*math.Sqrt(v*(1-v)/1500)+1e-9 {
					t.Errorf("%s: computed %v, played %v", id, v, got)
				}
			}
			for i, e := range f.Expectations {
				if v := list[0].Expectations[i].Value; math.Abs(v-e.Value) > 2.1*(e.High-e.Value)+1e-9 {
					t.Errorf("%s: computed %v, played %v to %v", e.ID, v, e.Low, e.High)
				}
			}
		})
	}
}

// noDice fail: a combat begins without any.
type noDice struct{}

func (noDice) Roll(uint8, string) (uint8, error) { panic("a die is thrown") }

// TestForecastWithinACombat: pressing on is weighed by odds, and what comes in the middle of a round by samples.
func TestForecastWithinACombat(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "infantry tank").put("east-poland", SovietUnion, "infantry artillery").
		turn(Germany, PhaseMove)
	g.do("move 1 infantry, 1 tank poland>east-poland")
	g.do("end", 6, 1)
	g.want("asks", "losses")
	f := forecasts(t, g.p, "lose 1 infantry", studyBy(t))
	if len(f) != 1 || f[0].Method != rules.MethodSampled || f[0].Trials != 1500 {
		t.Errorf("losses: %+v", f)
	}
}

// TestKnown: positions that differ in the standing orders of others alone are one to a seat.
func TestKnown(t *testing.T) {
	t.Parallel()
	g := on1941(t).turn(Germany, PhaseMove)
	a, b := g.p.Clone(), g.p.Clone()
	b.orders[SovietUnion] = standing{retreat: 60, subs: subsSubmerge, agree: true}
	x, assumed := referee{}.Known(a, rules.SeatViewer(Germany.Seat()))
	y, _ := referee{}.Known(b, rules.SeatViewer(Germany.Seat()))
	if !reflect.DeepEqual(x, y) || len(assumed) != 1 {
		t.Errorf("Germany can tell them apart, assuming %v", assumed)
	}
	own, _ := referee{}.Known(b, rules.SeatViewer(SovietUnion.Seat()))
	all, assumed := referee{}.Known(b, rules.Auditor)
	if own.orders[SovietUnion] != b.orders[SovietUnion] || !reflect.DeepEqual(all, b) || assumed != nil {
		t.Error("a seat does not know its own orders, or the auditor not all")
	}
}

// BenchmarkPreviewBattle previews the combat move that makes a battle of 20 units against 20.
func BenchmarkPreviewBattle(b *testing.B) {
	sc := shippedScenario(b, "1941")
	o, err := about.NewOptions(nil)
	if err != nil {
		b.Fatal(err)
	}
	p := referee{}.New(sc, o)
	p.groups, p.tallies = p.groups[:0], [MaxSpaces][2]tally{}
	p.index()
	for _, u := range []struct {
		w    Power
		at   string
		unit Unit
		n    uint16
	}{
		{Germany, "poland", Infantry, 12}, {Germany, "poland", Artillery, 4}, {Germany, "poland", Tank, 4},
		{SovietUnion, "east-poland", Infantry, 14}, {SovietUnion, "east-poland", Artillery, 3},
		{SovietUnion, "east-poland", Tank, 3},
	} {
		p.put(keyOf(sc.SpaceByID(u.at), u.w, u.unit), u.n)
	}
	p.round, p.power, p.acting, p.phase = 1, Germany, Germany, PhaseMove
	for s := range p.startOwner {
		p.startOwner[s] = p.owner[s]
	}
	c, r := referee{}.ParseCommand(p, "move 12 infantry, 4 artillery, 4 tank poland>east-poland")
	if r != nil {
		b.Fatal(r)
	}
	if r := (referee{}).Check(p, Germany.Seat(), c); r != nil {
		b.Fatal(r)
	}
	s := studyBy(b)
	b.ReportAllocs()
	for b.Loop() {
		list, err := referee{}.Forecast(p, Germany.Seat(), c, s)
		if err != nil || len(list) != 1 || list[0].Method != rules.MethodComputed {
			b.Fatal(err, len(list))
		}
	}
}

// Forecasts tell by name what each unit hits with, so that a reader can add it up; what is told is what is rolled.
func TestForecastTellsModifiers(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("poland", Germany, "infantry infantry infantry artillery tank bomber").
		put("east-poland", SovietUnion, "infantry infantry artillery").tech(Germany, scenario.HeavyBombers)
	g.turn(Germany, PhaseMove)
	g.do("move 3 infantry 1 artillery 1 tank poland>east-poland")
	f := forecasts(t, g.p, "move 1 bomber poland>east-poland", studyBy(t))[0]
	var got []string
	for _, m := range f.Modifiers {
		of, title := catalogue.Format(rules.English, m.Of), catalogue.Format(rules.English, m.Title)
		got = append(got, of+": "+title+" "+m.Value)
		if len(m.Pieces) == 0 {
			t.Errorf("%s is about no piece", got[len(got)-1])
		}
	}
	want := []string{
		"1 infantry (Germany) attacking: Hits on 1", "1 infantry (Germany) attacking: Support by artillery +1",
		"1 infantry (Germany) attacking: Hits on, in all 2", "2 infantry (Germany) attacking: Hits on 1",
		"1 artillery (Germany) attacking: Hits on 2", "1 tank (Germany) attacking: Hits on 3",
		"1 bomber (Germany) attacking: Hits on 4", "1 bomber (Germany) attacking: Dice for each unit ×2",
		"2 infantry (Soviet Union) defending: Hits on 2", "1 artillery (Soviet Union) defending: Hits on 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
