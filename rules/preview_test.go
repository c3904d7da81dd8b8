package rules_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

func previewOf(t testing.TB, g rules.Game, text string, s rules.Study) *rules.Preview {
	t.Helper()
	p, err := g.Preview(toy.Red, command(t, g, text), s)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// policies completes those given.
func policies(t testing.TB, g rules.Game, given map[string]string) rules.Study {
	t.Helper()
	p, faults := rules.NewPolicies(g.Ruleset().Policies(), given)
	if faults != nil {
		t.Fatal(faults)
	}
	return rules.Study{Policies: p}
}

func chances(list []rules.ForecastOutcome) map[string]string {
	m := map[string]string{}
	for _, o := range list {
		m[o.ID] = o.Chance.Exact.RatString()
	}
	return m
}

// TestPreviewOfAnAttack: r1 attacks b1 in rough with -1: repulsed by 1 and 2, nothing by 3 and 4, a hit by 5 and 6.
func TestPreviewOfAnAttack(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	for name, c := range map[string]struct {
		given map[string]string
		want  map[string]string
		lost  string
	}{
		"a retreat": {nil, map[string]string{"repulsed": "1/3", "no_effect": "1/3", "retreat": "1/3"}, "0"},
		"it stands": {map[string]string{"hit": "stand"},
			map[string]string{"repulsed": "1/3", "no_effect": "1/3", "hit": "1/3"}, "1/3"},
		"it is chased": {map[string]string{"pursuit": "advance"},
			map[string]string{"repulsed": "1/3", "no_effect": "1/3", "retreat": "1/3"}, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := previewOf(t, g, "attack r1 b1", policies(t, g, c.given))
			if p.Stop != rules.StopDice || len(p.Events) != 1 || len(p.Forecasts) != 2 {
				t.Fatalf("stops with %d after %d events, %d forecasts", p.Stop, len(p.Events), len(p.Forecasts))
			}
			f := p.Forecasts[1]
			if f.Method != rules.MethodExact || len(f.Policies) != 2 {
				t.Errorf("method %d, policies %v", f.Method, f.Policies)
			}
			if got := chances(f.Outcomes); !equalChances(got, c.want) {
				t.Errorf("outcomes %v, expected %v", got, c.want)
			}
			if got := f.Expectations[1].Exact.RatString(); got != c.lost {
				t.Errorf("b1 loses %s steps, expected %s", got, c.lost)
			}
			own := p.Forecasts[0]
			if own.Kind != rules.ForecastDice || len(own.Outcomes) != 3 || own.Trials != 6 ||
				own.Outcomes[0].Chance.Exact.RatString() != "1/3" || own.Outcomes[0].ID != "1" ||
				own.Outcomes[2].ID != "3" {
				t.Errorf("of its own dice: %+v", own)
			}
		})
	}
}

func equalChances(a, b map[string]string) bool {
	for id, c := range b {
		if a[id] != c {
			return false
		}
	}
	return len(a) == len(b)
}

// TestPreviewSamples: with too few ways allowed both forecasts are sampled, and their intervals hold the truth.
func TestPreviewSamples(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	s := policies(t, g, map[string]string{"hit": "stand"})
	s.Ways, s.States, s.Samples = 2, 1, 900
	p := previewOf(t, g, "attack r1 b1", s)
	for _, f := range p.Forecasts {
		if f.Method != rules.MethodSampled || f.Trials != 900 || len(f.Outcomes) != 3 {
			t.Fatalf("%s: method %d, %d trials, %d outcomes", f.Kind, f.Method, f.Trials, len(f.Outcomes))
		}
		sum := 0.0
		for _, o := range f.Outcomes {
			sum += o.Chance.Value
			if o.Chance.Exact != nil || o.Chance.Low > 1./3 || o.Chance.High < 1./3 ||
				o.Chance.High-o.Chance.Low > 0.07 {
				t.Errorf("%s %s: %+v", f.Kind, o.ID, o.Chance)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the chances sum to %v", f.Kind, sum)
		}
	}
	e := p.Forecasts[1].Expectations[1]
	if e.Exact != nil || e.Low >= e.High || e.Low > 1./3 || e.High < 1./3 {
		t.Errorf("expectation %+v", e)
	}
}

// TestPreviewAgreesWithPlay: what is forecast of an attack is what playing it by the same policy
// comes to over all dice.
func TestPreviewAgreesWithPlay(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	lost := new(big.Rat)
	err := rules.Outcomes(g, toy.Red, command(t, g, "attack r1 b1"),
		100, func(chance dice.Chance, next rules.Game, _ *rules.Outcome) error {
			if next.Waiting().Has(toy.Blue) { // it stands
				if _, _, err := next.Play(toy.Blue, command(t, next, "lose"), dice.NewScript(nil)); err != nil {
					return err
				}
				lost.Add(lost, big.NewRat(int64(chance.Num), int64(chance.Den)))
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	f := previewOf(t, g, "attack r1 b1", policies(t, g, map[string]string{"hit": "stand"})).Forecasts[1]
	if f.Expectations[1].Exact.Cmp(lost) != 0 {
		t.Errorf("forecast %v, played %v", f.Expectations[1].Exact, lost)
	}
}

// TestPreviewHidesAndStops: what depends on a plan that the seat does not know is left out.
func TestPreviewHidesAndStops(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	p := previewOf(t, g, "scout", rules.Study{})
	if p.Stop != rules.StopHidden || len(p.Events) != 0 || len(p.Forecasts) != 0 || len(p.Assumptions) != 1 {
		t.Errorf("scouting: %+v", p)
	}
	p = previewOf(t, g, "move r1 0202", rules.Study{})
	if p.Stop != rules.StopDecision || p.Waiting != rules.SeatsOf(toy.Red) || len(p.Events) == 0 {
		t.Errorf("moving: %+v", p)
	}
	p = previewOf(t, g, "concede", rules.Study{})
	if p.Stop != rules.StopOver || p.Ending == nil || p.Ending.Winners != rules.SeatsOf(toy.Blue) {
		t.Errorf("conceding: %+v", p)
	}
}

// TestPreviewRevealsWhatIsKnown: where the plan lies face up nothing is assumed, and scouting is followed over its
// die: it finds the plan or does not.
func TestPreviewRevealsWhatIsKnown(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, strings.Replace(facing, "plan 0503", "plan 0503 bared", 1))
	p := previewOf(t, g, "scout", rules.Study{})
	if p.Stop != rules.StopDice || len(p.Assumptions) != 0 || len(p.Forecasts) != 1 ||
		len(p.Forecasts[0].Outcomes) != 2 {
		t.Errorf("scouting: %+v", p)
	}
}

// TestPreviewWithoutPoliciesTakesTheUsualOnes: of a unit that is hit it is forecast that it retreats.
func TestPreviewWithoutPoliciesTakesTheUsualOnes(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	got := previewOf(t, g, "attack r1 b1", rules.Study{}).Forecasts[1]
	want := previewOf(t, g, "attack r1 b1", policies(t, g, nil)).Forecasts[1]
	if diff := cmp.Diff(chances(want.Outcomes), chances(got.Outcomes)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestPreviewRefusesAsCheckDoes(t *testing.T) {
	t.Parallel()
	g := position(t, toy.Referee{}, facing)
	for _, text := range []string{"attack r3 b3", "move r1 0303", "rally r1 1", "plan 0303", "retreat 0202"} {
		c := command(t, g, text)
		var want, got *rules.Refusal
		_, err := g.Preview(toy.Red, c, rules.Study{})
		if !errors.As(g.Check(toy.Red, c), &want) || !errors.As(err, &got) || got.Error() != want.Error() ||
			got.Rule != want.Rule || got.Reason != want.Reason {
			t.Errorf("%s: refused with %v, expected %v", text, got, want)
		}
	}
	if _, err := g.Preview(toy.Red, rules.Command{}, rules.Study{}); reason(err) != rules.ReasonMalformed {
		t.Errorf("no command: %v", err)
	}
}

func TestPreviewStopsWhenAsked(t *testing.T) {
	t.Parallel()
	g, enough := position(t, toy.Referee{}, facing), errors.New("enough")
	for _, after := range []int{0, 4, 8} {
		n := 0
		_, err := g.Preview(toy.Red, command(t, g, "attack r1 b1"), rules.Study{Stop: func() error {
			if n++; n > after {
				return enough
			}
			return nil
		}})
		if !errors.Is(err, enough) {
			t.Errorf("after %d looks: %v", after, err)
		}
	}
}

// TestPreviewsDoNotDependOnPlans: whatever blue's plan and finds are, red's previews are equal.
func TestPreviewsDoNotDependOnPlans(t *testing.T) {
	t.Parallel()
	base := position(t, toy.Referee{}, facing)
	rapid.Check(t, func(rt *rapid.T) {
		plan := rapid.SampledFrom([]string{"0103", "0301", "0303", "0503"}).Draw(rt, "plan")
		text := rapid.SampledFrom([]string{"attack r1 b1", "attack r2 b1", "scout", "end", "move r1 0202",
			"rally r1 1"}).Draw(rt, "command")
		other := position(t, toy.Referee{}, replaceLast(facing, "plan 0503", "plan "+plan))
		show := func(g rules.Game) (all []string) {
			p, err := g.Preview(toy.Red, command(t, g, text), rules.Study{})
			if err != nil {
				return []string{err.Error()}
			}
			for _, e := range p.Events {
				data, err := proto.Marshal(e)
				if err != nil {
					rt.Fatal(err)
				}
				all = append(all, string(data))
			}
			for _, f := range p.Forecasts {
				for _, o := range f.Outcomes {
					all = append(all, o.ID, o.Chance.Exact.RatString())
				}
			}
			return append(all, string(rune('0'+p.Stop)))
		}
		a, b := show(base), show(other)
		if len(a) != len(b) {
			rt.Fatalf("%s: %d and %d things shown", text, len(a), len(b))
		}
		for i := range a {
			if a[i] != b[i] {
				rt.Fatalf("%s: %q and %q", text, a[i], b[i])
			}
		}
	})
}

func replaceLast(s, old, by string) string {
	for i := len(s) - len(old); i >= 0; i-- {
		if s[i:i+len(old)] == old {
			return s[:i] + by + s[i+len(old):]
		}
	}
	return s
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	list := toy.Referee{}.Policies()
	p, faults := rules.NewPolicies(list, map[string]string{"pursuit": "advance"})
	if faults != nil || p.Value("hit") != "retreat" || p.Value("pursuit") != "advance" || p.Value("other") != "" ||
		p.Key(list, "hit") != "policy.hit-retreat" {
		t.Errorf("%+v %v", p, faults)
	}
	_, faults = rules.NewPolicies(list, map[string]string{"hit": "run", "zeal": "high", "ardour": "low"})
	if len(faults) != 3 || faults[0].ID != "hit" || faults[1].ID != "ardour" || faults[2].ID != "zeal" {
		t.Errorf("faults %v", faults)
	}
}
