package ocs

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestFraction(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.1", "OCS 4.2", "OCS 4.3")
	// EX-4.2-1, EX-4.2-2 and the odds of OCS 9.7: the larger over the smaller, rounded once.
	for _, c := range []struct{ a, b, want int }{{15 * 4, 6 * 4, 3}, {39, 8, 5}, {20, 17, 1}, {16, 10, 2}} {
		if got := fraction(int64(c.a), 1).Over(whole(c.b)).Round(); got != c.want {
			t.Errorf("%d:%d is %d:1, want %d:1", c.a, c.b, got, c.want)
		}
	}
	half := fraction(1, 2)
	if got := half.Times(half); got != fraction(1, 4) || got.format() != "1/4" { // EX-4.3-1
		t.Errorf("a half of a half is %s", got.format())
	}
	if got := fraction(39, 4).format(); got != "9 3/4" {
		t.Errorf("39/4 is %s", got)
	}
	for _, c := range []struct{ n, percent, want int }{{12, 75, 9}, {6, 25, 2}, {5, 50, 3}, {1, 25, 0}} {
		if got := share(c.n, c.percent); got != c.want {
			t.Errorf("%d %% of %d is %d, want %d", c.percent, c.n, got, c.want)
		}
	}
}

func TestFractionLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Fraction {
			return fraction(rapid.Int64Range(0, 500).Draw(t, name), rapid.Int64Range(1, 48).Draw(t, name+"/"))
		}
		a, b, c := draw("a"), draw("b"), draw("c")
		if a.Plus(b) != b.Plus(a) || a.Times(b.Plus(c)) != a.Times(b).Plus(a.Times(c)) || a.Plus(b).Less(a) {
			t.Fatalf("%v, %v, %v", a, b, c)
		}
		if !b.IsZero() && a.Over(b).Times(b) != a {
			t.Fatalf("%v over %v is %v", a, b, a.Over(b))
		}
		if r := fraction(int64(a.Round()), 1); fraction(1, 2).Less(difference(a, r)) ||
			difference(a, r) == fraction(1, 2) && r.Less(a) {
			t.Fatalf("%v is rounded to %v", a, r)
		}
	})
}

func difference(a, b Fraction) Fraction {
	if a.Less(b) {
		a, b = b, a
	}
	return a.Plus(b.Times(fraction(-1, 1)))
}

// With the faster pace half as much again arrives, and without it what is written (OCS 21.6c).
func TestHalfAsMuchArrivesWithTheFasterPace(t *testing.T) {
	t.Parallel()
	for pace, want := range map[bool]int{false: 400, true: 600} {
		p := &Position{}
		p.opt.fasterPace = pace
		if got := p.more(400); got != want {
			t.Errorf("of 400 tokens %d arrive, want %d", got, want)
		}
	}
}
