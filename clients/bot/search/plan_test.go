package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
)

func TestEvenDice(t *testing.T) {
	t.Parallel()
	throw := func(e *evenDice, n int) (faces []uint8) {
		for range n {
			face, err := e.Roll(6, "test")
			if err != nil {
				t.Fatal(err)
			}
			faces = append(faces, face)
		}
		return faces
	}
	e := &evenDice{seed: 5, chance: dice.NewSeeded(5)}
	for range 4 {
		six := throw(e, 6)
		slices.Sort(six)
		if d := cmp.Diff([]uint8{1, 2, 3, 4, 5, 6}, six); d != "" {
			t.Error(d)
		}
	}
	e.begin("fight poland")
	poland := throw(e, 14)
	throw(e, 3)
	e.begin("fight ukraine")
	ukraine := throw(e, 14)
	e.begin("fight poland")
	if again := throw(e, 14); !slices.Equal(poland, again) {
		t.Errorf("one occasion threw %v, then %v", poland, again)
	}
	if slices.Equal(poland, ukraine) {
		t.Error("two occasions throw the same")
	}
	other := &evenDice{seed: 6, chance: dice.NewSeeded(6)}
	if other.begin("fight poland"); slices.Equal(poland, throw(other, 14)) {
		t.Error("two seeds throw the same")
	}
	if _, err := e.Roll(0, "test"); err == nil {
		t.Error("a die without sides was thrown")
	}
}

func TestPlansThatWentTheSameAreOne(t *testing.T) {
	t.Parallel()
	first, same := &line{values: []float64{.5, .4}}, &line{values: []float64{.5, .4}}
	other, twin := &line{values: []float64{.5, .3}}, &line{values: []float64{.5, .3}}
	got := distinct([]*line{first, same, other, twin})
	if len(got) != 2 || got[0] != first || got[1] != other {
		t.Errorf("%d lines are left", len(got))
	}
	plans, actions := &Bot{craft: anniversaryCraft}, &Bot{craft: downfallCraft}
	if got := plans.fewer([]*line{first, other}); len(got) != 2 {
		t.Error("the last other plan is given up")
	}
	if got := actions.fewer([]*line{first, other}); len(got) != 1 {
		t.Error("the last other action is not given up")
	}
}

func TestPlansAreTheStylesAndWhims(t *testing.T) {
	t.Parallel()
	b := newBot(anniversaryCraft, 1, Budget{})
	styles, seen := anniversaryStyles("united-kingdom"), map[string]bool{}
	for i, l := range b.plans(styles) {
		if i < len(styles) && l.style != styles[i] || seen[l.style] {
			t.Errorf("plan %d is %s", i, l.style)
		}
		if seen[l.style] = true; b.mind(l.style, 1) == nil {
			t.Errorf("nobody plays %s", l.style)
		}
	}
	if len(seen) != len(styles)+anniversaryCraft.whims {
		t.Errorf("there are %d plans", len(seen))
	}
}

// A board without words lacks only the words, so bots that look ahead choose as they would with the whole board.
func TestBoardsWithoutWordsLackNothingElse(t *testing.T) {
	t.Parallel()
	wander(t, anniversary.New(), 0, 60, func(g rules.Game, seat rules.Seat) {
		viewer := rules.SeatViewer(seat)
		full, bare := g.Board(viewer, rules.English), g.Board(viewer, rules.Wordless)
		if bare.Pieces[0].Name != "" || bare.Clock.Text != "" {
			t.Error("there are words")
		}
		for _, p := range full.Pieces {
			p.Name = ""
		}
		if d := cmp.Diff(full.Pieces, bare.Pieces, cmp.Comparer(proto.Equal)); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(full.Spaces, bare.Spaces, cmp.Comparer(proto.Equal)); d != "" {
			t.Error(d)
		}
		if len(full.Tracks) != len(bare.Tracks) || Wealth(full) != Wealth(bare) {
			t.Error("the tracks are others")
		}
	})
}
