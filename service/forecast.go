package service

import (
	"math/big"
	"strings"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
)

// forecast puts a forecast into a message.
func (v *visit) forecast(f *rules.Forecast, policies rules.Policies) *v1.Forecast {
	out := &v1.Forecast{
		Kind: f.Kind, Title: v.text(f.Title), Spaces: f.Spaces, Method: v1.ForecastMethod(f.Method), Trials: uint64(max(0, f.Trials)),
		Others: others(f.Others, f.Method), Assumptions: v.say(f.Assumptions),
	}
	for _, o := range f.Outcomes {
		label := v.text(o.Label)
		if label == "" {
			label = strings.Join(v.say(o.Story), " ")
		}
		out.Outcomes = append(out.Outcomes, &v1.ForecastOutcome{Id: o.ID, Label: label, Chance: chance(o.Chance, f.Method)})
	}
	for _, d := range f.Distributions {
		out.Distributions = append(out.Distributions, v.distribution(d, f.Method))
	}
	for _, e := range f.Expectations {
		x := &v1.ForecastExpectation{
			Id: e.ID, Title: v.text(e.Title), Seat: v.About.SeatID(e.Seat), Unit: v.text(e.Unit), Value: e.Value, Fraction: fraction(e.Exact),
		}
		if f.Method == rules.MethodSampled {
			x.Low, x.High = &e.Low, &e.High
		}
		out.Expectations = append(out.Expectations, x)
	}
	list := v.Ruleset.Policies()
	for _, id := range f.Policies {
		key := policies.Key(list, id)
		out.Policies = append(out.Policies, &v1.ForecastPolicy{Id: id, Value: policies.Value(id), Description: v.text(rules.Text{Key: key})})
	}
	return out
}

func (v *visit) distribution(d rules.Distribution, m rules.Method) *v1.ForecastDistribution {
	out := &v1.ForecastDistribution{Id: d.ID, Title: v.text(d.Title), Seat: v.About.SeatID(d.Seat), Others: others(d.Others, m)}
	for _, s := range d.Shares {
		share := &v1.ForecastShare{Label: v.text(s.Label), Counts: map[string]int32{}, Chance: chance(s.Chance, m)}
		for _, c := range s.Counts {
			share.Counts[c.ID] = int32(c.N)
		}
		out.Shares = append(out.Shares, share)
	}
	return out
}

// others is the chance of what is left out; nil if nothing is.
func others(l rules.Likelihood, m rules.Method) *v1.ForecastChance {
	if l.Value == 0 {
		return nil
	}
	return chance(l, m)
}

func chance(l rules.Likelihood, m rules.Method) *v1.ForecastChance {
	c := &v1.ForecastChance{Value: l.Value, Fraction: fraction(l.Exact)}
	if m == rules.MethodSampled {
		c.Low, c.High = &l.Low, &l.High
	}
	return c
}

func fraction(r *big.Rat) string {
	if r == nil {
		return ""
	}
	return r.RatString()
}
