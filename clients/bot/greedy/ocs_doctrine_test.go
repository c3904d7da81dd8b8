package greedy

import (
	"context"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/ocs"
)

// observer shows each decision of a bot.
type observer struct {
	bot.Bot
	look func(v bot.View, c bot.Choice)
}

func (o observer) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	c, err := o.Bot.Choose(ctx, v)
	if err == nil {
		o.look(v, c)
	}
	return c, err
}

// watchIshun plays the beginning of crimea-ishun with a blue bot that is watched.
func watchIshun(t *testing.T, blue bot.Bot, look func(v bot.View, c bot.Choice)) {
	t.Helper()
	set := ocs.New()
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := bot.Match{Ruleset: set, Options: o, Dice: dice.NewSeeded(4), MaxDecisions: 120,
		Bots: []bot.Bot{observer{blue, look}, newStaff(&staid)(5)}}
	for _, d := range set.ScenarioDocuments() {
		if d.ID == "crimea-ishun" {
			m.Scenario, _ = set.LoadScenario(d.Data)
		}
	}
	if _, err := m.Play(t.Context()); err != nil && !bot.IsCutOff(err) {
		t.Fatal(err)
	}
}

// situationOf is how a doctrine sees a position.
func situationOf(t *testing.T, d *doctrine, v bot.View) *situation {
	t.Helper()
	board, err := v.Board(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chart, err := v.Map(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return newSituation(chartOf(chart), d, v, board)
}

// Next to the enemy the firm staff is supplied where it stands beside its own, and nowhere else.
func TestTheFirmStaffTrustsItsSupplyNextToTheEnemy(t *testing.T) {
	t.Parallel()
	entered, cut := 0, 0
	watchIshun(t, newStaff(&firm)(1), func(v bot.View, _ bot.Choice) {
		before, now := situationOf(t, &staid, v), situationOf(t, &firm, v)
		for i := range now.of.Spaces {
			if now.wet[i] || len(now.foe[i]) > 0 {
				continue
			}
			least := before.toBase[i]
			for _, n := range now.near[i] {
				least = min(least, before.toBase[n]+1)
			}
			switch {
			case now.toBase[i] > least, now.toBase[i] < least:
				t.Errorf("%s: %v, not %v", now.of.Spaces[i].Id, now.toBase[i], least)
			case before.toBase[i] == beyond && least < beyond:
				entered++
			case least >= beyond:
				cut++
			}
		}
	})
	if entered == 0 || cut == 0 {
		t.Errorf("%d places next to the enemy and %d that are cut off: this says nothing", entered, cut)
	}
}

// An attack that had no effect is listed again, and must not be ordered for ever.
func TestAStaffOrdersAnAttackOnce(t *testing.T) {
	t.Parallel()
	attacks := 0
	blue := newStaff(&firm)(1)
	watchIshun(t, blue, func(v bot.View, c bot.Choice) {
		first := v.Action(c.Action)
		if first.Kind != "attack" {
			return
		}
		attacks++
		again, err := blue.Choose(t.Context(), v)
		if err != nil || v.Action(again.Action).Command == first.Command {
			t.Errorf("%s was ordered twice, %v", first.Command, err)
		}
	})
	if attacks == 0 {
		t.Error("it never attacked: this says nothing")
	}
}
