package search_test

import (
	"context"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/search"
)

// TestJudgingCanTell: with the measure of a ruleset's strong bot another bot can tell its chances; without one it stays
// as it is.
func TestJudgingCanTell(t *testing.T) {
	t.Parallel()
	for _, b := range boards {
		t.Run(b.scenario, func(t *testing.T) {
			t.Parallel()
			m := b.begin(t, 30)
			told := 0
			for i := range m.Bots {
				m.Bots[i] = &telling{t, search.Judging(b.set.About().Name, m.Bots[i]), &told}
			}
			_, _ = m.Play(t.Context()) // it is cut off
			if told != 30 {
				t.Errorf("told %d times", told)
			}
		})
	}
	for _, ruleset := range search.Rulesets() {
		if _, ok := search.Judging(ruleset, bot.NewRandom(1)).(bot.Judge); !ok {
			t.Errorf("%s: it cannot tell", ruleset)
		}
	}
	if _, ok := search.Judging("toy", bot.NewRandom(1)).(bot.Judge); ok {
		t.Error("toy has no measure")
	}
}

// telling tells its chances before each decision: neither side is lost at the beginning.
type telling struct {
	t *testing.T
	bot.Bot
	told *int
}

func (b *telling) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	chance, err := b.Bot.(bot.Judge).Chance(ctx, v)
	if err != nil || !(chance > 0.02 && chance < 0.98) {
		b.t.Errorf("%s has a chance of %v, %v", v.Seat(), chance, err)
	}
	*b.told++
	return b.Bot.Choose(ctx, v)
}
