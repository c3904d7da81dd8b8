package anniversary

import (
	"math"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// weigh weighs the combat that is about to begin a round: by its odds where they say all, and otherwise by samples.
func (p *Position) weigh(s rules.Study, sample func() (*rules.Ends[*Position], error)) (*rules.Forecast, error) {
	if err := s.Halt(); err != nil {
		return nil, err
	}
	if b, ok := p.oddsBattle(s.Policies); ok {
		if o, ok := p.sc.Odds(b); ok {
			return p.oddsForecast(&b, &o), nil
		}
	}
	return p.sampledForecast(sample)
}

// oddsBattle is the combat as odds take it; false if there is something in it that they don't know, such as damaged
// battleships. Paratroopers are aboard their bombers until the guns have fired (AA 6.3.10).
func (p *Position) oddsBattle(policies rules.Policies) (b odds.Battle, ok bool) {
	at := p.battle.at
	b.Sea = p.seaBattle()
	b.Attacker.Techs = p.techs(p.acting)
	if p.battle.stage == StageBombard || p.battle.stage == StageAntiaircraft {
		b.Guns = p.gunHits(at)
	}
	for _, g := range p.at(at) {
		u, n := g.Unit(), int(g.N)
		switch {
		case p.attacks(g.Key):
			if b.Attacker.Units[u] += n; g.Has(Seaborne) && u.In(scenario.Capturing) {
				b.Ashore[u] += n
			}
			if c := g.Cargo(); u == Bomber && c[0] != 0 {
				b.Attacker.Units[Infantry] += n
				b.Dropped += n
			}
			if g.Has(Damaged | Hit | Struck) {
				return b, false
			}
		case p.defends(g.Key):
			if b.Defender.Units[u] += n; g.Has(Damaged | Hit | Struck) {
				return b, false
			}
		}
	}
	if p.battle.stage == StageBombard {
		c := p.bombardAll()
		for _, it := range c.items() {
			for range it.N {
				b.Ships = append(b.Ships, p.attackOf(keyOf(it.At, p.acting, it.Unit)))
			}
		}
	}
	b.Attacker.Losses = p.lossesBy(policies.Value(policyAttackerLosses), p.acting)
	b.Defender.Losses = p.lossesBy(policies.Value(policyDefenderLosses), p.chooser(StageDefenderLosses))
	b.Attacker.Submerge = policies.Value(policySubmarines) == submarinesDive
	b.Defender.Submerge = b.Attacker.Submerge
	switch policies.Value(policyRetreat) {
	case retreatHalf:
		b.Retreat = belowHalf
	case oneGo:
		b.Rounds = 1
	}
	return b, true
}

// lossesBy is an order of loss; nil for that by price.
func (p *Position) lossesBy(value string, w Power) []Unit {
	switch {
	case value == lossesAirFirst:
		return airFirst[:]
	case value == lossesStanding && w < NumPowers:
		o := p.ordersOf(w)
		return append([]Unit(nil), o.losses[:o.n]...)
	}
	return nil
}

// withPolicies says by what the combat was weighed.
func (p *Position) withPolicies(f *rules.Forecast, s rules.Study) *rules.Forecast {
	f.Policies = []string{policyAttackerLosses, policyDefenderLosses, policyRetreat, policySubmarines}
	if s.Policies.Value(policyRetreat) != retreatNever {
		f.Assumptions = append(f.Assumptions, rules.Say("assume.exit"))
	}
	return f
}

// newForecast is a forecast of the combat without its figures.
func (p *Position) newForecast(m rules.Method, trials int) *rules.Forecast {
	at := p.battle.at
	return &rules.Forecast{
		Kind: "battle", Title: rules.Say("forecast.battle", "space", spaceName(p.sc, at)), Spaces: p.spaceList(at),
		Method: m, Trials: trials, Modifiers: p.modifiers(),
	}
}

// oddsForecast puts odds into a forecast.
func (p *Position) oddsForecast(b *odds.Battle, o *odds.Odds) *rules.Forecast {
	m, trials := rules.MethodComputed, len(o.Ends)
	chance := rules.Computed
	if o.Samples > 0 {
		m, trials = rules.MethodSampled, o.Samples
		chance = func(v float64) rules.Likelihood {
			return rules.Sampled(int(math.Round(v*float64(o.Samples))), o.Samples)
		}
	}
	f := p.newForecast(m, trials)
	f.Outcomes = outcomes(chance, o.Win, o.Draw, o.Loss, o.Retreat)
	if !b.Sea {
		f.Distributions = append(f.Distributions, territory(chance, o.Taken))
	}
	var shares [2][]rules.Share
	var index [2]map[[NumUnits]int]int
	for i := range index {
		index[i] = map[[NumUnits]int]int{}
	}
	sums := [2][]float64{}
	for _, e := range o.Ends {
		for i, units := range [2]*[NumUnits]int{&e.Attacker, &e.Defender} {
			k, ok := index[i][*units]
			if !ok {
				k = len(shares[i])
				index[i][*units] = k
				label, counts := survivors(units)
				shares[i], sums[i] = append(shares[i], rules.Share{Label: label, Counts: counts}), append(sums[i], 0)
			}
			sums[i][k] += e.Chance
		}
	}
	start := [2]*[NumUnits]int{&b.Attacker.Units, &b.Defender.Units}
	for i, lost := range [2]float64{o.AttackerLost, o.DefenderLost} {
		for k := range shares[i] {
			shares[i][k].Chance = chance(sums[i][k])
		}
		f.Distributions = append(f.Distributions, sideDistribution(i, shares[i]))
		e := sideExpectation(i)
		e.Value = lost
		if o.Samples > 0 {
			half := p.spread(start[i], o, i, lost)
			e.Low, e.High = lost-half, lost+half
		}
		f.Expectations = append(f.Expectations, e)
	}
	return f
}

// spread is half the 95 % interval of a mean loss.
func (p *Position) spread(start *[NumUnits]int, o *odds.Odds, side int, mean float64) float64 {
	squares := 0.0
	for i := range o.Ends {
		left := &o.Ends[i].Attacker
		if side == 1 {
			left = &o.Ends[i].Defender
		}
		d := float64(odds.ValueOf(&p.sc.Scenario, start)-odds.ValueOf(&p.sc.Scenario, left)) - mean
		squares += o.Ends[i].Chance * d * d
	}
	return 1.96 * math.Sqrt(squares/float64(o.Samples))
}

// outcomes are the ends of a combat by name; those that cannot come are left out.
func outcomes(chance func(float64) rules.Likelihood, win, draw, loss, retreat float64) []rules.ForecastOutcome {
	list := make([]rules.ForecastOutcome, 0, 4)
	for _, o := range []struct {
		id    string
		label rules.Text
		v     float64
	}{
		{"win", rules.Say("forecast.win"), win}, {"draw", rules.Say("forecast.draw"), draw},
		{"loss", rules.Say("forecast.loss"), loss}, {"retreat", rules.Say("forecast.retreat"), retreat},
	} {
		if o.v > 0 {
			list = append(list, rules.ForecastOutcome{ID: o.id, Label: o.label, Chance: chance(min(1, o.v))})
		}
	}
	return list
}

// territory is whether the attacker takes the territory (AA 9.11.1).
func territory(chance func(float64) rules.Likelihood, taken float64) rules.Distribution {
	taken = min(1, max(0, taken))
	return rules.Distribution{ID: "territory", Title: rules.Say("forecast.territory"), Seat: rules.NoSeat,
		Shares: []rules.Share{
			{Label: rules.Say("forecast.taken"), Counts: []rules.Count{{ID: "taken", N: 1}}, Chance: chance(taken)},
			{Label: rules.Say("forecast.not-taken"), Chance: chance(1 - taken)},
		}}
}

// sideDistribution is what is left of the attacker, side 0, or of the defender.
func sideDistribution(side int, shares []rules.Share) rules.Distribution {
	d := rules.Distribution{ID: "attacker", Title: rules.Say("forecast.attacker"), Seat: rules.NoSeat, Shares: shares}
	if side == 1 {
		d.ID, d.Title = "defender", rules.Say("forecast.defender")
	}
	return d
}

// sideExpectation is what the attacker, side 0, or the defender loses.
func sideExpectation(side int) rules.Expectation {
	e := rules.Expectation{ID: "attacker_lost", Title: rules.Say("forecast.attacker-lost"),
		Unit: rules.Say("forecast.ipc"), Seat: rules.NoSeat}
	if side == 1 {
		e.ID, e.Title = "defender_lost", rules.Say("forecast.defender-lost")
	}
	return e
}

// survivors are units that are left.
func survivors(units *[NumUnits]int) (rules.Text, []rules.Count) {
	r := &rows{}
	var counts []rules.Count
	for u, n := range units {
		if n > 0 {
			r.put(Unit(u), n)
			counts = append(counts, rules.Count{ID: Unit(u).ID(), N: n})
		}
	}
	if counts == nil {
		return rules.Say("forecast.nothing"), nil
	}
	return rules.Say("forecast.units", "units", r.words()), counts
}
