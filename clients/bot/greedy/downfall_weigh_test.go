package greedy

import (
	"math"
	"testing"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

func TestBombsAreWeighedByWhatTheyKillAndClear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		steps, bombs  int
		kills, clears float64
	}{
		{0, 1, 0, 1}, {2, 0, 0, 0}, // nobody there, and no bomb
		{1, 1, 5. / 6, 5. / 6},     // a dud in six
		{2, 1, 9. / 6, 4. / 6},     // 0, 1, and four times 2
		{6, 1, 15. / 6, 0},         // five at most
		{2, 2, 68. / 36, 33. / 36}, // all but 0+0, 0+1 and 1+0
	} {
		kills, clears := bombKills(c.steps, c.bombs)
		if math.Abs(kills-c.kills) > 1e-9 || math.Abs(clears-c.clears) > 1e-9 {
			t.Errorf("%d bombs on %d steps take %v and clear with %v, not %v and %v",
				c.bombs, c.steps, kills, clears, c.kills, c.clears)
		}
	}
}

func TestHitsBeyondTheFirst(t *testing.T) {
	t.Parallel()
	unit := func(strength string, steps int32) *boardv1.Piece {
		return &boardv1.Piece{Steps: steps, Numbers: []*boardv1.Number{{Key: "strength", Value: strength}}}
	}
	for _, c := range []struct {
		stack []*boardv1.Piece
		want  float64
	}{
		{nil, 0},
		{[]*boardv1.Piece{unit("4", 1)}, 0},                // one shot is one hit at most
		{[]*boardv1.Piece{unit("5", 2)}, 0.25},             // both of two shots
		{[]*boardv1.Piece{unit("5", 2), unit("10", 1)}, 1}, // the sure one is the first
	} {
		if got := beyondOne(c.stack); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v scores %v hits beyond the first, not %v", c.stack, got, c.want)
		}
	}
}
