package rules

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// byNumbers compares likelihoods and expectations by their numbers.
var byNumbers = cmp.Options{
	cmpopts.EquateApprox(0, 1e-12),
	cmp.Comparer(func(a, b *big.Rat) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
}

func TestLikelihoodsAreJoined(t *testing.T) {
	t.Parallel()
	half, fifth := Likelihood{Value: 0.5, Low: 0.4, High: 0.6}, Likelihood{Value: 0.2, Low: 0.1, High: 0.3}
	for name, tt := range map[string]struct{ got, want Likelihood }{
		"both exact": {Portion(1, 2).And(Portion(1, 4)), Likelihood{Value: 0.125, Exact: big.NewRat(1, 8)}},
		"one exact":  {Portion(1, 2).And(fifth), Likelihood{Value: 0.1, Low: 0.05, High: 0.15}},
		"sampled":    {half.And(fifth), Likelihood{Value: 0.1, Low: 0.04, High: 0.18}},
		"or, both exact": {Portion(1, 2).Or(Portion(1, 4)),
			Likelihood{Value: 0.75, Exact: big.NewRat(3, 4)}},
		"or, one exact": {Portion(1, 2).Or(fifth), Likelihood{Value: 0.7, Low: 0.6, High: 0.8}},
		"or, sampled":   {half.Or(fifth), Likelihood{Value: 0.7, Low: 0.5, High: 0.9}},
		"or, to the full": {Likelihood{Value: 0.8, Low: 0.7, High: 0.9}.Or(fifth),
			Likelihood{Value: 1, Low: 0.8, High: 1}},
	} {
		if diff := cmp.Diff(tt.want, tt.got, byNumbers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestChancesAreComparedExactlyWhereBothAre(t *testing.T) {
	t.Parallel()
	third := big.NewRat(1, 3)
	more := new(big.Rat).Add(third, new(big.Rat).SetFrac64(1, 1<<62))
	for name, tt := range map[string]struct {
		a, b Likelihood
		want int
	}{
		"closer than a float tells": {exactly(third), exactly(more), -1},
		"equal":                     {exactly(third), exactly(third), 0},
		"one is sampled":            {exactly(third), Likelihood{Value: 0.3}, 1},
		"the other is":              {Likelihood{Value: 0.3}, exactly(third), -1},
		"both are":                  {Likelihood{Value: 0.3}, Likelihood{Value: 0.2}, 1},
	} {
		if got := compareChance(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestATallyCountsWays(t *testing.T) {
	t.Parallel()
	var tally Tally
	tally.Add("never", Text{}, 9, Likelihood{})
	tally.Add("hit", Text{}, 2, Portion(1, 4))
	tally.Add("miss", Text{}, 0, Portion(1, 2))
	tally.Add("hit", Text{}, 2, Portion(1, 4))
	if diff := cmp.Diff(Expectation{Value: 1, Exact: big.NewRat(1, 1)}, tally.Mean(), byNumbers); diff != "" {
		t.Errorf("mean (-want +got):\n%s", diff)
	}
	var got []string
	for _, o := range tally.Outcomes() {
		got = append(got, o.ID+" "+o.Chance.Exact.RatString())
	}
	if diff := cmp.Diff([]string{"hit 1/2", "miss 1/2"}, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	tally.Add("sampled", Text{}, 4, Likelihood{Value: 0.1, Low: 0.05, High: 0.2})
	if diff := cmp.Diff(Expectation{Value: 1.4, Low: 1.2, High: 1.8}, tally.Mean(), byNumbers); diff != "" {
		t.Errorf("mean with a sample (-want +got):\n%s", diff)
	}
}

func TestEndsThatHoldTheSameAreOneShare(t *testing.T) {
	t.Parallel()
	ends := &Ends[int]{Method: MethodExact}
	for i, p := range []int{1, 2, 1} {
		ends.list = append(ends.list, end[int]{p: p, weight: big.NewRat(int64(i+1), 6)})
	}
	var got []string
	for _, s := range ends.Shares(func(p int) (Text, []Count) { return Text{}, []Count{{ID: "steps", N: p}} }) {
		got = append(got, s.Chance.Exact.RatString())
	}
	if diff := cmp.Diff([]string{"2/3", "1/3"}, got); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
}
