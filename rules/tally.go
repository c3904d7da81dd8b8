package rules

import (
	"math/big"
	"slices"
)

// Certain is the likelihood of what is sure to happen.
func Certain() Likelihood { return exactly(big.NewRat(1, 1)) }

// Portion is the likelihood of n ways among so many that are equally likely.
func Portion(n, of int) Likelihood { return exactly(big.NewRat(int64(n), int64(of))) }

// And is the likelihood that two things happen that do not depend on each other. It is exact if both are.
func (l Likelihood) And(o Likelihood) Likelihood {
	if l.Exact != nil && o.Exact != nil {
		return exactly(new(big.Rat).Mul(l.Exact, o.Exact))
	}
	a, b := l.bounded(), o.bounded()
	return Likelihood{Value: l.Value * o.Value, Low: a.Low * b.Low, High: a.High * b.High}
}

// Or is the likelihood that one of two things happens that exclude each other. It is exact if both are.
func (l Likelihood) Or(o Likelihood) Likelihood {
	if l.Exact != nil && o.Exact != nil {
		return exactly(new(big.Rat).Add(l.Exact, o.Exact))
	}
	a, b := l.bounded(), o.bounded()
	return Likelihood{Value: l.Value + o.Value, Low: a.Low + b.Low, High: min(1, a.High+b.High)}
}

// bounded is a likelihood with bounds: what is exact has none to either side.
func (l Likelihood) bounded() Likelihood {
	if l.Exact != nil {
		l.Low, l.High = l.Value, l.Value
	}
	return l
}

// Each visits the ends with their likelihoods, in the order in which they came up.
func (e *Ends[P]) Each(visit func(p P, chance Likelihood)) {
	for _, x := range e.list {
		visit(x.p, e.likelihood(&bin{weight: x.weight, hits: x.hits}))
	}
}

// Tally sums up what excludes each other by its name. The zero value is empty.
type Tally struct {
	outcomes []ForecastOutcome
	values   []int
}

// Add counts a way with an outcome, and with a value for the mean.
func (t *Tally) Add(id string, label Text, value int, chance Likelihood) {
	if chance.Value == 0 {
		return
	}
	for i := range t.outcomes {
		if t.outcomes[i].ID == id && t.values[i] == value {
			t.outcomes[i].Chance = t.outcomes[i].Chance.Or(chance)
			return
		}
	}
	t.outcomes = append(t.outcomes, ForecastOutcome{ID: id, Label: label, Chance: chance})
	t.values = append(t.values, value)
}

// Outcomes are those that were counted, the likeliest first.
func (t *Tally) Outcomes() []ForecastOutcome {
	var list []ForecastOutcome
	for _, o := range t.outcomes {
		if i := slices.IndexFunc(list, func(x ForecastOutcome) bool { return x.ID == o.ID }); i >= 0 {
			list[i].Chance = list[i].Chance.Or(o.Chance)
			continue
		}
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b ForecastOutcome) int { return compareChance(b.Chance, a.Chance) })
	return list
}

// Shares are the same as possibilities of a distribution. Each counts its value under an id.
func (t *Tally) Shares(id string) (list []Share) {
	for i, o := range t.outcomes {
		s := Share{Label: o.Label, Chance: o.Chance}
		if t.values[i] != 0 {
			s.Counts = []Count{{ID: id, N: t.values[i]}}
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b Share) int { return compareChance(b.Chance, a.Chance) })
	return list
}

// Mean is the expected value, to be given a name.
func (t *Tally) Mean() Expectation {
	sum, exact := Expectation{}, new(big.Rat)
	for i, o := range t.outcomes {
		n := float64(t.values[i])
		sum.Value, sum.Low, sum.High = sum.Value+n*o.Chance.Value, sum.Low+n*o.Chance.bounded().Low,
			sum.High+n*o.Chance.bounded().High
		if o.Chance.Exact == nil {
			exact = nil
		}
		if exact != nil {
			exact.Add(exact, new(big.Rat).Mul(o.Chance.Exact, big.NewRat(int64(t.values[i]), 1)))
		}
	}
	if exact != nil {
		v, _ := exact.Float64()
		return Expectation{Value: v, Exact: exact}
	}
	return sum
}
