package rulestest

import (
	"errors"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// checkChance: the chances of all that can come of a command sum to 1.
func (m *match) checkChance(all []tried) {
	for range 3 {
		t := all[m.rnd.Below(uint32(len(all)))]
		sum := dice.Chance{Num: 0, Den: 1}
		err := rules.Outcomes(m.game, t.seat, t.c,
			m.cfg.Outcomes, func(chance dice.Chance, next rules.Game, out *rules.Outcome) (err error) {
				sum, err = sum.Add(chance)
				return err
			})
		var limit *dice.LimitError
		switch {
		case errors.As(err, &limit), errors.Is(err, dice.ErrChance):
			continue // too many ways to look at them all
		case err != nil:
			m.failf("the outcomes of %s cannot be enumerated: %v", t.text, err)
		case sum != dice.Chance{Num: 1, Den: 1}:
			m.failf("the chances of the outcomes of %s sum to %v", t.text, sum)
		}
	}
}

// checkDice: the same command with the same dice has the same outcome to the byte, uses every die, and changes nothing
// if there are too few.
func (m *match) checkDice(all []tried) {
	for range 3 {
		t := all[m.rnd.Below(uint32(len(all)))]
		next, out := m.playCopy(t)
		script := dice.NewScript(rolled(out))
		again, same, err := m.game.Clone().Play(t.seat, t.c, script)
		if err == nil {
			err = script.Done()
		}
		if err != nil {
			m.failf("%s asks for other dice when it is played again: %v", t.text, err)
		}
		if diff := sameOutcome(out, same); diff != "" {
			m.failf("%s has another outcome when it is played again with the same dice: %s", t.text, diff)
		}
		m.same(again, next.Notation(), "the position after "+t.text+" with the same dice")
		if len(out.Rolls) == 0 {
			continue
		}
		short := dice.NewScript(rolled(out)[:m.rnd.Below(uint32(len(out.Rolls)))])
		if g, _, err := m.game.Play(t.seat, t.c, short); err == nil || g != nil {
			m.failf("%s is played without the dice that it needs", t.text)
		}
	}
}

// rolled are the dice of an outcome, to be thrown again.
func rolled(out *rules.Outcome) []dice.Roll {
	var rolls []dice.Roll
	for i, r := range out.Rolls {
		rolls = append(rolls, dice.Roll{Index: uint32(i), Sides: r.Sides, Value: r.Value, Reason: r.Reason})
	}
	return rolls
}
