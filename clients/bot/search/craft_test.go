package search

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/ocs"
)

// wander plays a game by chance and shows each position.
func wander(t *testing.T, set rules.Ruleset, scenario, decisions int, look func(g rules.Game, seat rules.Seat)) {
	t.Helper()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[scenario].Data)
	if faults.Refused() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g, chance := set.New(sc, o), dice.NewSeeded(5)
	if _, err := g.Start(chance); err != nil {
		t.Fatal(err)
	}
	var out rules.Outcome
	for range decisions {
		seat := rules.NoSeat
		for s := range g.Waiting().Each {
			seat = s
			break
		}
		if seat == rules.NoSeat {
			return
		}
		look(g, seat)
		list := g.Answers(seat, nil)
		if err := g.Apply(seat, list.At(int(chance.Below(uint32(list.Len())))), chance, &out); err != nil {
			t.Fatal(err)
		}
	}
}

// What the notation of a command says must be what the ruleset says.
func TestCraftsTouchWhatIsDescribed(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		set      rules.Ruleset
		scenario int
		touch    func(seat, kind, command string) (pieces, spaces []string, ok bool)
	}{{downfall.New(), 0, downfallTouch}, {ocs.New(), 4, ocsTouch}} {
		t.Run(one.set.About().Name, func(t *testing.T) {
			t.Parallel()
			read := 0
			wander(t, one.set, one.scenario, 250, func(g rules.Game, seat rules.Seat) {
				list := g.Answers(seat, nil)
				for i := 0; i < list.Len(); i += 7 {
					c := list.At(i)
					d, command := g.Describe(seat, c), g.FormatCommand(c)
					pieces, spaces, ok := one.touch(g.Ruleset().About().SeatID(seat), g.KindOf(c), command)
					if !ok {
						continue
					}
					read++
					if diff := cmp.Diff([][]string{d.Pieces, d.Spaces}, [][]string{pieces, spaces}); diff != "" {
						t.Errorf("%s: %s", command, diff)
					}
				}
			})
			if read < 100 {
				t.Errorf("only %d commands were read", read)
			}
		})
	}
}

// The greedy bot of Anniversary reads the first piece of a command.
func TestAnniversaryTouchesTheFirstPiece(t *testing.T) {
	t.Parallel()
	read := 0
	wander(t, anniversary.New(), 0, 500, func(g rules.Game, seat rules.Seat) {
		list := g.Answers(seat, nil)
		for i := 0; i < list.Len(); i += 7 {
			c := list.At(i)
			command := g.FormatCommand(c)
			pieces, _, ok := anniversaryTouch(g.Ruleset().About().SeatID(seat), g.KindOf(c), command)
			if !ok {
				continue
			}
			read++
			if d := g.Describe(seat, c); d.Pieces[0] != pieces[0] {
				t.Errorf("%s: %s is described, and %s read", command, d.Pieces[0], pieces[0])
			}
		}
	})
	if read < 100 {
		t.Errorf("only %d commands were read", read)
	}
}

func TestDumpsAreDrawnWithoutLookingAtThem(t *testing.T) {
	t.Parallel()
	set, seen := ocs.New(), 0
	ishun := 4
	wander(t, set, ishun, 120, func(g rules.Game, seat rules.Seat) {
		known, _ := g.Known(rules.SeatViewer(seat))
		a := ocsWorld(known, seat, dice.NewSeeded(1).Below)
		again := ocsWorld(known, seat, dice.NewSeeded(1).Below)
		if a.Notation() != again.Notation() {
			t.Error("one seed draws two worlds")
		}
		if a.Notation() != ocsWorld(known, seat, dice.NewSeeded(77).Below).Notation() {
			seen++
		}
		// What the seat knows is the same in every world.
		if d := cmp.Diff(boardOf(known, seat), boardOf(a, seat)); d != "" {
			t.Errorf("a drawn world looks different to its seat: %s", d)
		}
	})
	if seen == 0 {
		t.Error("all worlds are alike")
	}
}

// A command means the same in a world as where it was listed, though pieces have other numbers there. Commands that
// were passed on as they were moved other pieces, or ended the program.
func TestFirstCommandsMeanTheSameInAWorld(t *testing.T) {
	t.Parallel()
	ishun, renumbered := 4, 0
	wander(t, ocs.New(), ishun, 120, func(g rules.Game, seat rules.Seat) {
		known, _ := g.Known(rules.SeatViewer(seat))
		list := known.Answers(seat, nil)
		b := newBot(ocsCraft, 1, Budget{})
		b.seat = seat
		var lines []*line
		for i := 0; i < list.Len(); i += 9 {
			lines = append(lines, &line{first: known.FormatCommand(list.At(i))})
		}
		world, firsts := b.world(known, lines, 3)
		if world == known {
			return // what is drawn does not allow all of it
		}
		for i, l := range lines {
			if got := world.FormatCommand(firsts[i]); got != l.first {
				t.Errorf("%s became %s", l.first, got)
			}
			if l.first != formatted(world, list.At(9*i)) {
				renumbered++
			}
		}
	})
	if renumbered == 0 {
		t.Error("no piece has another number: this says nothing")
	}
}

// formatted is the notation of a command in a position that it may not belong to; empty if it names what is not there.
func formatted(g rules.Game, c rules.Command) (text string) {
	defer func() { _ = recover() }()
	return g.FormatCommand(c)
}

// boardOf is what a seat sees, without the order in which it is written.
func boardOf(g rules.Game, seat rules.Seat) string {
	b := g.Board(rules.SeatViewer(seat), rules.English)
	return b.String()
}

func TestWorthsAreChances(t *testing.T) {
	t.Parallel()
	wander(t, downfall.New(), 0, 120, func(g rules.Game, seat rules.Seat) {
		b := g.Board(rules.SeatViewer(seat), rules.English)
		worth := downfallWorth(g.Ruleset().Map(g.Scenario(), rules.English))
		us, japan := worth(b, "us"), worth(b, "japan")
		if us <= 0 || us >= 1 || math.Abs(us+japan-1) > 1e-9 {
			t.Errorf("worth %v for the US and %v for Japan", us, japan)
		}
	})
}

func TestWealthCountsUnitsMoneyProductionAndCities(t *testing.T) {
	t.Parallel()
	b := &boardv1.Board{
		Tracks: []*boardv1.Track{
			{Id: "cities-axis", Value: 2}, {Id: "germany-ipcs", Value: 7}, {Id: "japan-production", Value: 10},
			{Id: "soviet-union-ipcs", Value: 4}, {Id: "round", Value: 9}, {Id: "germany-researchers", Value: 3},
		},
		Pieces: []*boardv1.Piece{
			{Kind: "infantry", Formation: "germany", Count: 3}, {Kind: "tank", Formation: "soviet-union", Count: 2},
		},
	}
	want := [2]float64{2*10 + 7 + 3*10 + 3*3, 4 + 2*5}
	if got := Wealth(b); got != want {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestAGameThatIsCutOffGoesToTheSideThatGained(t *testing.T) {
	t.Parallel()
	var begin rules.Game
	wander(t, anniversary.New(), 0, 400, func(g rules.Game, _ rules.Seat) {
		if begin == nil {
			begin = g.Clone()
		}
		share := func(g rules.Game) float64 {
			w := Wealth(g.Board(rules.Auditor, rules.English))
			return w[0] / (w[0] + w[1])
		}
		if won := Judge("anniversary")(begin, g); won.Has(0) != (share(g) > share(begin)) || won.Has(0) == won.Has(3) {
			t.Errorf("%v won with a share of %v after %v", won, share(g), share(begin))
		}
	})
	if Judge("downfall") != nil {
		t.Error("there is a measure for Downfall")
	}
}

func TestPromisingLines(t *testing.T) {
	t.Parallel()
	first := &line{values: []float64{.5, .5, .5, .5, .5}}
	same := &line{values: []float64{.5, .5, .5, .5, .5}}
	good := &line{values: []float64{.9, .8, .9, .7, .9}}
	bad := &line{values: []float64{.1, .2, .1, .1, .1}}
	open := &line{values: []float64{.9, .4, .9, .9, .6}}
	got := promising([]*line{first, same, good, bad, open})
	if len(got) != 3 || got[0] != first || got[1] != good || got[2] != open {
		t.Errorf("%d lines are left", len(got))
	}
	if got := promising([]*line{first, bad}); len(got) != 1 {
		t.Error("a line that is clearly worse is played on")
	}
	if got := half([]*line{first, bad, good, open}); len(got) != 2 || got[1] != good {
		t.Error("the better half is not kept")
	}
}

// feature finds a feature by its name.
func feature(t *testing.T, x [len(downfallWeights)]float64, name string) float64 {
	t.Helper()
	for i, row := range downfallWeights {
		if row.feature == name {
			return x[i]
		}
	}
	t.Fatalf("there is no feature %q", name)
	return 0
}

func TestFeaturesOfDownfall(t *testing.T) {
	t.Parallel()
	set := downfall.New()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	coast := newShore(set.Map(sc, rules.English))
	unit := func(owner, kind, place, strength string, steps int32, marks ...string) *boardv1.Piece {
		return &boardv1.Piece{Owner: owner, Kind: kind, Place: place, Steps: steps, Marks: marks,
			Numbers: []*boardv1.Number{{Key: "strength", Value: strength}}}
	}
	b := &boardv1.Board{
		Clock: &boardv1.Clock{Turn: 15, LastTurn: 30},
		Tracks: []*boardv1.Track{{Id: "turn", Value: 15}, {Id: "vp", Value: 2}, {Id: "award-towns-7", Value: 1},
			{Id: "award-kanoya", Value: 1}},
		Pieces: []*boardv1.Piece{
			{Kind: "beachhead", Place: "2804"}, {Kind: "beachhead", Place: "2621"},
			{Kind: "beachhead", Place: "holding"},
			unit("us", "infantry", "2804", "5", 2), unit("us", "artillery", "2804", "5", 1),
			unit("us", "infantry", "2615", "5", 2, "oos"), unit("us", "infantry", "holding", "5", 2),
			unit("japan", "infantry", "2904", "5", 2), unit("japan", "infantry", "2904", "5", 2),
		},
	}
	x := coast.features(b)
	for name, want := range map[string]float64{
		"points": 2, "points late": 1, "late": 0.5, "few points": 1, "beachheads": 2,
		"beachheads without guards": 1, "hits that guards may take": 2, "... beyond what they stand": 2,
		"steps of the US": 5. / 20, "steps of Japan": 4. / 20, "steps whose loss costs points": 2. / 4,
		"places held that score at the end, late": 0.5, "awards earned": 2,
		// four of the last turn, Miyakonojo and 6/ASCO
		"points to be had": 6, "a win is out of reach": 0,
	} {
		if got := feature(t, x, name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	b.Tracks[1].Value = 1
	x = coast.features(b)
	if feature(t, x, "a win is out of reach") != 1 || feature(t, x, "a draw is out of reach") != 0 {
		t.Error("one point and six to be had: a draw is all that is left")
	}
	worth := downfallWorth(set.Map(sc, rules.English))
	before := worth(b, "us")
	b.Tracks[1].Value = 5
	if after := worth(b, "us"); after <= before {
		t.Errorf("with five points the US stands at %v, with one at %v", after, before)
	}
}

func TestTriedActionsDiffer(t *testing.T) {
	t.Parallel()
	seen := 0
	wander(t, downfall.New(), 0, 250, func(g rules.Game, seat rules.Seat) {
		var v thought
		v.begin(g)
		ranks := make([]float64, v.Len())
		for i := range ranks {
			ranks[i] = float64(-i)
		}
		met := map[string]bool{}
		b := &Bot{craft: downfallCraft}
		for _, i := range b.tried(&v, ranks) {
			a := v.Action(i)
			name := downfallAlike(a)
			if a.Kind == "cancel" || met[name] {
				t.Errorf("%s is tried beside its like", a.Command)
			}
			met[name] = true
			seen++
		}
	})
	if seen < 100 {
		t.Errorf("only %d actions were tried", seen)
	}
}
