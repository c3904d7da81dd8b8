package toy

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Known puts the same in the place of every plan, and of what scouts found, that the viewer does not know (TY 2.2,
// TY 2.3).
func (p *State) Known(v rules.Viewer) (*State, []rules.Text) {
	known, assumed := p.Clone(), []rules.Text(nil)
	for seat := Red; seat < numSeats; seat++ {
		s := &known.seats[seat]
		if v.Holds(seat) {
			continue
		}
		s.found = hex.None
		if s.plan != hex.None && !s.bared {
			s.plan = p.sc.outposts[0]
			assumed = append(assumed, rules.Say("known.plan", "seat", seatText(seat)))
		}
	}
	return known, assumed
}

// Policies of forecasts.
const (
	policyHit, hitRetreat, hitStand             = "hit", "retreat", "stand"
	policyPursuit, pursuitHold, pursuitAdvances = "pursuit", "hold", "advance"
)

// policies are those by which the choices within an attack are made.
var policies = []rules.Policy{
	kit.Policy(policyHit, hitRetreat, hitStand), kit.Policy(policyPursuit, pursuitHold, pursuitAdvances),
}

// fray is all that an attack can change.
type fray struct {
	unit, target unitState
	frame        frame
	depth        int
}

// Forecast follows an attack to its end.
func (p *State) Forecast(seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	if c.Kind != KindAttack {
		return nil, nil
	}
	ends, err := rules.Unfold(Referee{}, p, seat, c, rules.Course[*State, Command, fray]{
		Choose: func(q *State) (rules.Seat, Command) { return answer(q, s.Policies) },
		Over:   func(q *State) bool { return q.attack() == nil },
		Key: func(q *State) fray {
			k := fray{unit: q.units[c.Unit], target: q.units[c.Target], depth: len(q.stack)}
			if f := q.attack(); f != nil {
				k.frame = *f
			}
			return k
		},
	}, s)
	if err != nil {
		return nil, err
	}
	f := rules.Forecast{
		Kind: "attack", Title: rules.Say("procedure.attack", "unit", p.name(c.Unit),
			"target", p.name(c.Target)),
		Spaces: []string{p.hexID(p.units[c.Target].at)}, Method: ends.Method, Trials: ends.Trials,
		Policies: []string{policyHit, policyPursuit},
		Outcomes: ends.Outcomes(func(q *State) (string, rules.Text) { return result(p, q, c) }),
	}
	for _, u := range []Unit{c.Unit, c.Target} {
		f.Distributions = append(f.Distributions, rules.Distribution{
			ID: "steps", Title: rules.Say("forecast.steps", "unit", p.name(u)), Seat: p.sc.units[u].seat,
			Shares: ends.Shares(func(q *State) (rules.Text, []rules.Count) { return q.stepsLeft(u) }),
		})
		e := ends.Expect(func(q *State) int { return int(p.units[u].steps) - int(q.units[u].steps) })
		e.ID, e.Seat = "lost", p.sc.units[u].seat
		e.Title, e.Unit = rules.Say("forecast.lost", "unit", p.name(u)), rules.Say("forecast.unit")
		f.Expectations = append(f.Expectations, e)
	}
	return []rules.Forecast{f}, nil
}

// answer is what the policies say to a question within an attack.
func answer(p *State, policies rules.Policies) (rules.Seat, Command) {
	f := p.attack()
	if q, _ := p.asked(); q == askPursuit {
		kind := KindHold
		if policies.Value(policyPursuit) == pursuitAdvances {
			kind = KindAdvance
		}
		return p.sc.units[f.unit].seat, Command{Kind: kind}
	}
	c := Command{Kind: KindLose}
	if policies.Value(policyHit) == hitRetreat {
		for _, to := range p.sc.board.Neighbors(p.units[f.target].at) {
			if to != hex.None && p.mayRetreat(f, to) {
				c = Command{Kind: KindRetreat, Hex: to}
				break
			}
		}
	}
	return p.sc.units[f.target].seat, c
}

// result names the end of an attack.
func result(before, after *State, c Command) (string, rules.Text) {
	was, is := before.units[c.Target], after.units[c.Target]
	switch {
	case after.units[c.Unit].steps < before.units[c.Unit].steps:
		return "repulsed", rules.Say("result.repulsed")
	case is.steps < was.steps:
		return "hit", rules.Say("result.hit")
	case is.at != was.at:
		return "retreat", rules.Say("result.retreat")
	}
	return "no_effect", rules.Say("result.no-effect")
}

func (p *State) stepsLeft(u Unit) (rules.Text, []rules.Count) {
	n := int(p.units[u].steps)
	label := rules.Say("forecast.left", "n", n)
	if n == 0 {
		return label, nil
	}
	return label, []rules.Count{{ID: p.id(u), N: n}}
}
