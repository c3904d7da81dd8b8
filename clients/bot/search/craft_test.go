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
func TestDownfallTouchesWhatIsDescribed(t *testing.T) {
	t.Parallel()
	read := 0
	wander(t, downfall.New(), 0, 250, func(g rules.Game, seat rules.Seat) {
		list := g.Answers(seat, nil)
		for i := 0; i < list.Len(); i += 7 {
			c := list.At(i)
			d, command := g.Describe(seat, c), g.FormatCommand(c)
			pieces, spaces, ok := downfallTouch(g.KindOf(c), command)
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
