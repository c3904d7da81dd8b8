package odds

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// barrage is how many dice of each value a side rolls for each class of hits.
type barrage [NumClasses][MaxValue + 1]uint16

// gunnery says what the units of a side roll.
type gunnery struct {
	sc       *scenario.Scenario
	techs    scenario.Techs
	attacker bool
	sea      bool
}

// value is what a type hits with, without support.
func (g *gunnery) value(u scenario.Unit) int {
	if g.attacker {
		return min(g.sc.Attack(u, g.techs), MaxValue)
	}
	return min(g.sc.Units[u].Defence, MaxValue)
}

// dice is how many dice a unit of a type rolls.
func (g *gunnery) dice(u scenario.Unit) int {
	if g.attacker {
		return g.sc.Dice(u, g.techs)
	}
	return 1
}

// barrage counts the dice of a fleet: own is whether a destroyer of the side is there. Submarines have a class of their
// own, so that they can be left out when they struck by surprise.
func (g *gunnery) barrage(f *fleet, own bool) (b barrage) {
	for u, n := range f.left {
		u := scenario.Unit(u)
		if n == 0 || u == scenario.Submarine && f.dived || u == scenario.Infantry && g.attacker {
			continue
		}
		b[Class(u, own, g.sea)][max(g.value(u), 0)] += n * uint16(g.dice(u))
	}
	if n := int(f.left[scenario.Infantry]); n > 0 && g.attacker {
		supported := min(n, int(f.left[scenario.Artillery])*g.sc.Supports(g.techs))
		b[ByAny][min(g.sc.Numbers.SupportedAttack, MaxValue)] += uint16(supported)
		b[ByAny][min(g.sc.Units[scenario.Infantry].Attack, MaxValue)] += uint16(n - supported)
	}
	return b
}

// strength is the sum of combat values, as standing orders count it.
func (g *gunnery) strength(f *fleet) (n int) {
	for u, k := range f.left {
		if u := scenario.Unit(u); u != scenario.Submarine || !f.dived {
			n += int(k) * g.value(u)
		}
	}
	return n
}

// binomials are distributions of hits by value and number of dice, made as they are needed.
type binomials [MaxValue + 1][][]float64

// of is the distribution of hits of n dice that hit with a value or less.
func (t *binomials) of(value, n int) []float64 {
	list := t[value]
	if len(list) == 0 {
		list = append(list, []float64{1})
	}
	p := float64(value) / 6
	for len(list) <= n {
		last := list[len(list)-1]
		next := make([]float64, len(last)+1)
		for k, q := range last {
			next[k] += q * (1 - p)
			next[k+1] += q * p
		}
		list = append(list, next)
	}
	t[value] = list
	return list[n]
}

// volley is the distribution of hits of dice by value.
func (t *binomials) volley(dice *[MaxValue + 1]uint16) []float64 {
	var d []float64
	for v := 1; v <= MaxValue; v++ {
		if n := dice[v]; n > 0 {
			d = convolve(d, t.of(v, int(n)))
		}
	}
	if d == nil {
		return certain
	}
	return d
}

// certain is the distribution without dice.
var certain = []float64{1}

// convolve is the distribution of the sum; a may be nil for nothing.
func convolve(a, b []float64) []float64 {
	if a == nil {
		return b
	}
	out := make([]float64, len(a)+len(b)-1)
	for i, p := range a {
		row := out[i : i+len(b)]
		for k, q := range b {
			row[k] += p * q
		}
	}
	return out
}
