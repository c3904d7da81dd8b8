package rules

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// Method says how the chances of a forecast were found.
type Method uint8

// The methods.
const (
	// MethodExact: every way was counted, and chances are fractions.
	MethodExact Method = 1 + iota
	// MethodComputed: every way was counted in floating point; chances are good to nine digits.
	MethodComputed
	// MethodSampled: some ways were drawn at random; chances have a 95 % interval.
	MethodSampled
)

// Likelihood is a probability, or the estimate of one, in a forecast.
type Likelihood struct {
	// Value from 0 to 1.
	Value float64
	// Exact is the same as a fraction; nil unless the method is MethodExact. It is never changed.
	Exact *big.Rat
	// Low and High bound it with a confidence of 95 %; both 0 unless the method is MethodSampled.
	Low, High float64
}

// Computed is a likelihood that was computed in floating point.
func Computed(value float64) Likelihood { return Likelihood{Value: value} }

// Forecast is something that follows from a command by chance, with every choice in it made by stated policies.
type Forecast struct {
	// Kind of forecast, a key of the ruleset; [ForecastDice] for the dice of the command itself.
	Kind string
	// Title says what it is about.
	Title Text
	// Spaces that it is about, by id.
	Spaces []string
	// Method by which the chances were found.
	Method Method
	// Trials are the ways of the dice, the states or the samples that were looked at.
	Trials int
	// Outcomes exclude each other; with Others their chances sum to 1.
	Outcomes []ForecastOutcome
	// Others is the chance of outcomes that are left out because there are too many; 0 if none are.
	Others Likelihood
	// Distributions of what may be left, lost or taken.
	Distributions []Distribution
	// Expectations are expected values.
	Expectations []Expectation
	// Modifiers are what made strengths, columns and rolls what they are, one by one, in the order in which they are
	// added up.
	Modifiers []Modifier
	// Policies are the ids of those by which choices were made.
	Policies []string
	// Assumptions are what else was assumed.
	Assumptions []Text
}

// Modifier is one thing that changes a strength, a column or a roll.
type Modifier struct {
	// ID is a key of the ruleset.
	ID string
	// Of says what it changes.
	Of Text
	// Title says what it is.
	Title Text
	// Value is what it does, as players write it: "+2", "×1/2"; what stands alone is where the sum begins, or ends.
	Value string
	// Seat whose it is; NoSeat for none.
	Seat Seat
	// Pieces that it is about, by id.
	Pieces []string
}

// ForecastDice is the kind of the forecast that the kernel makes of a command's own dice.
const ForecastDice = "dice"

// MaxListed is how many outcomes, and how many possibilities of a distribution, a forecast lists; the
// others are summed up.
const MaxListed = 60

// ForecastOutcome is one way in which it can end.
type ForecastOutcome struct {
	// ID is a key of the ruleset, or a number from 1 where outcomes have no names.
	ID string
	// Label says what it is; without a key, Story does.
	Label Text
	// Story tells what happens, event by event.
	Story []Text
	// Chance of it.
	Chance Likelihood
}

// Distribution is what one side may have in the end.
type Distribution struct {
	// ID is a key of the ruleset.
	ID string
	// Title says what it is.
	Title Text
	// Seat that it is about; NoSeat for none.
	Seat Seat
	// Shares exclude each other; with Others their chances sum to 1.
	Shares []Share
	// Others is the chance of those that are left out because there are too many; 0 if none are.
	Others Likelihood
}

// Share is one possibility of a distribution.
type Share struct {
	// Label says what it is.
	Label Text
	// Counts are numbers by id, in a fixed order; what is 0 is left out.
	Counts []Count
	// Chance of it.
	Chance Likelihood
}

// Count is a number of something.
type Count struct {
	// ID of a piece or a type.
	ID string
	// N counts its steps, or how many there are.
	N int
}

// Expectation is an expected value.
type Expectation struct {
	// ID is a key of the ruleset.
	ID string
	// Title says what it is.
	Title Text
	// Unit of the value.
	Unit Text
	// Seat that it is about; NoSeat for none.
	Seat Seat
	// Value of it; Exact, Low and High as in a Likelihood.
	Value     float64
	Exact     *big.Rat
	Low, High float64
}

// Shorten keeps the likeliest outcomes and possibilities, MaxListed of each, and sums the others up.
func (f *Forecast) Shorten() {
	f.Outcomes, f.Others = shorten(f.Outcomes, func(o *ForecastOutcome) *Likelihood { return &o.Chance },
		f.Method, f.Trials)
	for i := range f.Distributions {
		d := &f.Distributions[i]
		d.Shares, d.Others = shorten(d.Shares, func(s *Share) *Likelihood { return &s.Chance }, f.Method, f.Trials)
	}
}

func shorten[T any](list []T, chance func(*T) *Likelihood, m Method, trials int) ([]T, Likelihood) {
	if len(list) <= MaxListed {
		return list, Likelihood{}
	}
	slices.SortStableFunc(list, func(a, b T) int { return compareChance(*chance(&b), *chance(&a)) })
	var rest Likelihood
	for i := MaxListed; i < len(list); i++ {
		c := chance(&list[i])
		rest.Value += c.Value
		if c.Exact != nil {
			if rest.Exact == nil {
				rest.Exact = new(big.Rat)
			}
			rest.Exact = new(big.Rat).Add(rest.Exact, c.Exact)
		}
	}
	switch {
	case rest.Exact != nil:
		rest = exactly(rest.Exact)
	case m == MethodSampled:
		rest = Sampled(int(math.Round(rest.Value*float64(trials))), trials)
	}
	return list[:MaxListed:MaxListed], rest
}

func compareChance(a, b Likelihood) int {
	if a.Exact != nil && b.Exact != nil {
		return a.Exact.Cmp(b.Exact)
	}
	return cmp.Compare(a.Value, b.Value)
}

func exactly(r *big.Rat) Likelihood {
	v, _ := r.Float64()
	return Likelihood{Value: v, Exact: r}
}

// z95 bounds the middle 95 % of a normal distribution.
const z95 = 1.959963984540054

// Sampled is the likelihood of what came up in hits of n samples, with Wilson's score interval, which is
// sound also near 0 and 1.
func Sampled(hits, n int) Likelihood {
	share, size := float64(hits)/float64(n), float64(n)
	centre := (share + z95*z95/(2*size)) / (1 + z95*z95/size)
	half := z95 * math.Sqrt(share*(1-share)/size+z95*z95/(4*size*size)) / (1 + z95*z95/size)
	l := Likelihood{Value: share, Low: max(0, centre-half), High: min(1, centre+half)}
	if hits == 0 {
		l.Low = 0
	}
	if hits == n {
		l.High = 1
	}
	return l
}
