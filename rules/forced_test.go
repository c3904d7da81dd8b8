package rules_test

import (
	"slices"
	"strings"
	"testing"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// sparing is Outpost in which blue is spared the question that has one answer only.
type sparing struct {
	toy.Referee
	answers []toy.Command // that blue has
	before  func(x *rules.Exec[*toy.State, *toyv1.Event], seat rules.Seat)
}

func (r sparing) Forces(p *toy.State) rules.Seat {
	if r.Waiting(p).Has(toy.Blue) {
		return toy.Blue
	}
	return rules.NoSeat
}

// Forced leaves a sign that does nothing.
func (sparing) Forced(x *rules.Exec[*toy.State, *toyv1.Event], _ rules.Seat, _ toy.Command) {
	x.Emit(&toyv1.Event{Event: &toyv1.Event_PlanSealed{PlanSealed: &toyv1.PlanSealed{Seat: "blue"}}})
}

func (r sparing) Legal(_ *toy.State, seat rules.Seat, _ rules.Filter, yield func(toy.Command) bool) {
	if seat == toy.Blue {
		for _, c := range r.answers {
			if !yield(c) {
				return
			}
		}
	}
}

func (r sparing) Play(x *rules.Exec[*toy.State, *toyv1.Event], seat rules.Seat, c toy.Command) {
	if r.before != nil {
		r.before(x, seat)
	}
	r.Referee.Play(x, seat, c)
}

// The only answer, offers aside, is given for its seat, unless it would throw the first die of the record or be the
// first to reveal something: until then undo is free.
func TestOnlyAnswersAreGiven(t *testing.T) {
	t.Parallel()
	type exec = *rules.Exec[*toy.State, *toyv1.Event]
	end, draw := toy.Command{Kind: toy.KindEnd}, toy.Command{Kind: toy.KindDraw}
	scout := toy.Command{Kind: toy.KindScout}
	throw := func(who rules.Seat) func(exec, rules.Seat) {
		return func(x exec, seat rules.Seat) {
			if seat == who {
				x.Roll(6, "scouting")
			}
		}
	}
	last := strings.Replace(facing, "turn 1", "turn 4", 1) // whose end reveals the plans
	for _, c := range []struct {
		name    string
		at      string
		answers []toy.Command
		before  func(exec, rules.Seat)
		given   bool
	}{
		{"one answer", facing, []toy.Command{end}, nil, true},
		{"one answer beside an offer", facing, []toy.Command{draw, end}, nil, true},
		{"two answers", facing, []toy.Command{end, scout}, nil, false},
		{"an offer", facing, []toy.Command{draw}, nil, false},
		{"no answer", facing, nil, nil, false},
		{"the first die", facing, []toy.Command{end}, throw(toy.Blue), false},
		{"a die after another", facing, []toy.Command{end}, throw(toy.Red), true},
		{"the first to reveal", last, []toy.Command{end}, nil, false},
		{"revealed before", last, []toy.Command{end}, func(x exec, _ rules.Seat) { x.Reveal() }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ref := sparing{answers: c.answers, before: c.before}
			sc, _ := ref.LoadScenario(ref.ScenarioDocuments()[0].Data)
			p, err := ref.ParsePosition(sc, c.at)
			if err != nil {
				t.Fatal(err)
			}
			out := new(rules.Outcome)
			if err := rules.Play(ref, p, toy.Red, end, dice.NewSeeded(1), out); err != nil {
				t.Fatal(err)
			}
			given := slices.ContainsFunc(out.Events, func(e rules.Emitted) bool {
				return e.Event.(*toyv1.Event).GetPlanSealed() != nil
			})
			if given != c.given || ref.Waiting(p).Has(toy.Blue) == c.given {
				t.Errorf("the answer is given: %v, expected %v", given, c.given)
			}
		})
	}
}
