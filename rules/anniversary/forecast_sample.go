package anniversary

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
)

// battleTally is what a combat can change, for a forecast: what each side has on the whole board, since those who
// retreat are elsewhere, and how it ended.
type battleTally struct {
	units    [2][NumUnits]int16
	taken    bool
	outcome  int8
	finished bool
}

// sampleBattle follows the combat under way to its end again and again, with every choice made by standing orders that
// say what the policies do.
func (p *Position) sampleBattle(s rules.Study, seat rules.Seat, c Command, begun bool) (*rules.Ends[*Position], error) {
	q := p.Clone()
	q.orderAll(s.Policies)
	s.States = 1 // rounds that change nothing have no end, so that states can't be counted out
	return rules.Unfold(referee{}, q, seat, c, rules.Course[*Position, Command, battleTally]{
		Choose: (*Position).sampleAnswer,
		Over:   func(q *Position) bool { return !q.battle.on() || q.battle.stage == StageConclude },
		Key:    (*Position).battleTally,
		Begun:  begun,
	}, s)
}

// orderAll gives every seat the standing orders that a forecast takes for granted.
func (p *Position) orderAll(policies rules.Policies) {
	attacker, defender := p.lossesBy(policies.Value(policyAttackerLosses), p.acting),
		p.lossesBy(policies.Value(policyDefenderLosses), p.chooser(StageDefenderLosses))
	for w := range NumSeats {
		o := &p.orders[w]
		*o = standing{retreat: 1, subs: subsStrike, bombard: true, divert: true, agree: true}
		list := defender
		if w.Side() == p.side() {
			list = attacker
		}
		if len(list) == 0 {
			list = odds.DefaultLosses[:]
		}
		o.n = uint8(copy(o.losses[:], list))
		switch policies.Value(policyRetreat) {
		case retreatHalf:
			o.retreat = belowHalf
		case oneGo:
			o.retreat = 0 // asks, and is answered by sampleAnswer
		}
		if policies.Value(policySubmarines) == submarinesDive {
			o.subs = subsSubmerge
		}
	}
}

// sampleAnswer answers what no standing order covers: it retreats where that is asked, and otherwise takes
// the first legal answer.
func (p *Position) sampleAnswer() (seat rules.Seat, c Command) {
	ask, seats := p.ask()
	for who := range seats.Each {
		if ask == AskPress {
			e := p.exits()
			return who, at(KindRetreat, e.first())
		}
		p.Legal(who, rules.Filter{}, func(one Command) bool {
			seat, c = who, one
			return kinds[one.Kind].Offer
		})
		break
	}
	return seat, c
}

func (p *Position) battleTally() battleTally {
	var k battleTally
	for _, g := range p.groups {
		side := 0
		if g.Power().Side() != p.side() {
			side = 1
		}
		k.units[side][g.Unit()] += int16(g.N)
	}
	if p.battle.on() {
		att, def := p.forces()
		k.outcome, k.finished = int8(p.outcome()), p.battle.stage == StageConclude
		k.taken = !p.seaBattle() && def.Fighting == 0 && att.Land > 0
	}
	return k
}

// sampledForecast puts samples into a forecast.
func (p *Position) sampledForecast(sample func() (*rules.Ends[*Position], error)) (*rules.Forecast, error) {
	ends, err := sample()
	if err != nil {
		return nil, err
	}
	f := p.newForecast(ends.Method, ends.Trials)
	f.Outcomes = ends.Outcomes(func(q *Position) (string, rules.Text) { return q.sampledOutcome() })
	if !p.seaBattle() {
		d := territory(rules.Computed, 0)
		d.Shares = ends.Shares(func(q *Position) (rules.Text, []rules.Count) {
			if q.battleTally().taken {
				return rules.Say("forecast.taken"), []rules.Count{{ID: "taken", N: 1}}
			}
			return rules.Say("forecast.not-taken"), nil
		})
		f.Distributions = append(f.Distributions, d)
	}
	var start [2][NumUnits]int
	for _, g := range p.at(p.battle.at) {
		switch {
		case p.attacks(g.Key):
			start[0][g.Unit()] += int(g.N)
		case p.defends(g.Key):
			start[1][g.Unit()] += int(g.N)
		}
	}
	before := p.battleTally()
	for side := range 2 {
		f.Distributions = append(f.Distributions,
			sideDistribution(side, ends.Shares(func(q *Position) (rules.Text, []rules.Count) {
				left := start[side]
				now := q.battleTally()
				for u := range left {
					left[u] = max(0, left[u]-int(before.units[side][u]-now.units[side][u]))
				}
				return survivors(&left)
			})))
		e := ends.Expect(func(q *Position) int {
			now, lost := q.battleTally(), 0
			for u := range start[side] {
				lost += int(before.units[side][u]-now.units[side][u]) * p.sc.Units[u].Cost
			}
			return lost
		})
		named := sideExpectation(side)
		e.ID, e.Title, e.Unit, e.Seat = named.ID, named.Title, named.Unit, named.Seat
		f.Expectations = append(f.Expectations, e)
	}
	return f, nil
}

// sampledOutcome names the end of a combat.
func (p *Position) sampledOutcome() (string, rules.Text) {
	att, def := p.forces()
	switch {
	case p.battle.retreated && att.Fighting == 0:
		return "retreat", rules.Say("forecast.retreat")
	case att.Fighting > 0 && def.Fighting == 0:
		return "win", rules.Say("forecast.win")
	case att.Fighting == 0 && def.Fighting > 0:
		return "loss", rules.Say("forecast.loss")
	}
	return "draw", rules.Say("forecast.draw")
}
