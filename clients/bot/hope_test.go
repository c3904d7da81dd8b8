package bot_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
)

// hoping is a bot of chance that says what its chances are, by the turn of the game.
type hoping struct {
	bot.Bot
	chances []float64
	asked   *atomic.Int32
}

func (h hoping) Chance(ctx context.Context, v bot.View) (float64, error) {
	h.asked.Add(1)
	b, err := v.Board(ctx)
	if err != nil {
		return 0, err
	}
	return h.chances[min(int(b.Clock.Turn), len(h.chances)-1)], nil
}

// TestComputersGiveUpIfAsked: a computer that was asked to give up resigns in the third turn in a row without hope. One
// that was not asked, that cannot tell, or that has a chance in between plays on to the end.
func TestComputersGiveUpIfAsked(t *testing.T) {
	t.Parallel()
	c, _ := serve(t)
	good := crew(t, c, "good", nil)
	for name, one := range map[string]struct {
		chances []float64
		how     []warledger.Seating
		turn    int32 // in which it resigns; 0: never
	}{
		"asked":                    {[]float64{0}, []warledger.Seating{warledger.GivingUp()}, 3},
		"hope ends in turn 2":      {[]float64{1, 1, 0.019}, []warledger.Seating{warledger.GivingUp()}, 4},
		"not asked":                {[]float64{0}, nil, 0},
		"a chance of 2 percent":    {[]float64{0.02}, []warledger.Seating{warledger.GivingUp()}, 0},
		"hope in every third turn": {[]float64{1, 0, 0, 1, 0, 0, 1}, []warledger.Seating{warledger.GivingUp()}, 0},
		"it cannot tell":           {nil, []warledger.Seating{warledger.GivingUp()}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := new(atomic.Int32)
			bad := crew(t, c, name, func(crew *bot.Crew) {
				crew.Make = func(string) (bot.Bot, error) {
					if one.chances == nil {
						return bot.NewRandom(2), nil
					}
					return hoping{bot.NewRandom(2), one.chances, asked}, nil
				}
			})
			g := versus(t, c, map[string]string{"blue": good})
			if _, err := g.SeatComputer(t.Context(), "red", bad, one.how...); err != nil {
				t.Fatal(err)
			}
			over(t, g)
			end, err := g.Get(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			resigned := end.Ending.GetLevel() == "resigned"
			if resigned != (one.turn > 0) || resigned && end.Turn != one.turn {
				t.Errorf("ended in turn %d: %v", end.Turn, end.Ending)
			}
			if one.how == nil && asked.Load() > 0 || asked.Load() > end.Turn+1 {
				t.Errorf("asked %d times in %d turns", asked.Load(), end.Turn)
			}
		})
	}
}
