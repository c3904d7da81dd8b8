package rulestest

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// glance is how hard the battery's previews look: enough for what is exact in small games, and quick.
var glance = rules.Study{Ways: 36, States: 60, Samples: 8}

// checkPreviews: a legal command has a preview whose chances sum to 1 and which agrees with what playing the command
// does; one that is refused is refused the same.
func (m *match) checkPreviews(all []tried) {
	for range 2 {
		t := all[m.rnd.Below(uint32(len(all)))]
		p, err := m.game.Preview(t.seat, t.c, glance)
		if err != nil {
			m.failf("%s is listed, and its preview is refused: %v", t.text, err)
		}
		text := m.previewText(p)
		again, err := m.game.Clone().Preview(t.seat, t.c, glance)
		if err != nil || m.previewText(again) != text {
			m.failf("%s has another preview when it is asked for again (%v):\n%s",
				t.text, err, lineDiff(text, m.previewText(again)))
		}
		for i := range p.Forecasts {
			m.checkForecast(&p.Forecasts[i], t)
		}
		m.checkAgreement(p, t)
	}
	for _, t := range m.known[:min(len(m.known), 5)] {
		for seat := range m.about.Seats {
			checked := m.game.Check(rules.Seat(seat), t.c)
			if checked == nil {
				continue
			}
			if _, err := m.game.Preview(rules.Seat(seat), t.c, glance); err == nil || err.Error() != checked.Error() {
				m.failf("%s is refused with %q, and its preview with %v", t.text, checked, err)
			}
		}
	}
}

// checkForecast: chances sum to 1, wherever they are given, and everything has words.
func (m *match) checkForecast(f *rules.Forecast, t tried) {
	what := fmt.Sprintf("the forecast %s of %s", f.Kind, t.text)
	var chances []rules.Likelihood
	for _, o := range f.Outcomes {
		chances = append(chances, o.Chance)
		for _, text := range append(slices.Clone(o.Story), o.Label) {
			if text.Key != "" {
				m.checkText(text, what)
			}
		}
	}
	m.checkSum(append(chances, f.Others), f, what)
	for _, d := range f.Distributions {
		chances = nil
		for _, s := range d.Shares {
			chances = append(chances, s.Chance)
			m.checkText(s.Label, what)
		}
		m.checkSum(append(chances, d.Others), f, what+", "+d.ID)
		m.checkText(d.Title, what)
	}
	for _, e := range f.Expectations {
		m.checkText(e.Title, what)
		m.checkText(e.Unit, what)
	}
	for _, n := range f.Modifiers {
		m.checkText(n.Of, what)
		m.checkText(n.Title, what)
		if n.Value == "" || n.ID == "" {
			m.failf("%s has a modifier without a name or a value: %+v", what, n)
		}
	}
	for _, a := range append(slices.Clone(f.Assumptions), f.Title) {
		m.checkText(a, what)
	}
	for _, id := range f.Policies {
		if !slices.ContainsFunc(m.set.Policies(), func(p rules.Policy) bool { return p.ID == id }) {
			m.failf("%s follows the policy %q, which the ruleset does not have", what, id)
		}
	}
}

func (m *match) checkSum(chances []rules.Likelihood, f *rules.Forecast, what string) {
	sum, exact := 0.0, new(big.Rat)
	for _, c := range chances {
		sum += c.Value
		if c.Exact != nil {
			exact.Add(exact, c.Exact)
		}
		if c.Value < 0 || c.Value > 1+1e-9 || f.Method == rules.MethodSampled && (c.Low > c.Value || c.High < c.Value) {
			m.failf("%s has the chance %+v", what, c)
		}
	}
	if math.Abs(sum-1) > 1e-9 || f.Method == rules.MethodExact && exact.Cmp(big.NewRat(1, 1)) != 0 {
		m.failf("the chances of %s sum to %v, %s", what, sum, exact.RatString())
	}
}

// checkAgreement plays the command, and compares where nothing was assumed.
func (m *match) checkAgreement(p *rules.Preview, t tried) {
	if len(p.Assumptions) > 0 {
		return
	}
	next, out := m.playCopy(t)
	seen := m.visible(out, t.seat)
	if len(seen) < len(p.Events) {
		m.failf("the preview of %s has %d events, playing it %d", t.text, len(p.Events), len(seen))
	}
	for i, e := range p.Events {
		if !proto.Equal(e, seen[i]) {
			m.failf("event %d of the preview of %s is %s, of playing it %s",
				i, t.text, MessageText(e), MessageText(seen[i]))
		}
	}
	switch p.Stop {
	case rules.StopDecision, rules.StopOver:
		var waiting rules.Seats
		for _, d := range next.Decisions() {
			if !d.Optional && rules.SeatViewer(t.seat).MaySee(d.Audience) {
				waiting |= rules.SeatsOf(d.Seat)
			}
		}
		if len(seen) != len(p.Events) || waiting != p.Waiting || (next.Ending() != nil) != (p.Stop == rules.StopOver) {
			m.failf("the preview of %s stops after %d events, waiting for %v; playing it has %d and waits for %v",
				t.text, len(p.Events), p.Waiting, len(seen), waiting)
		}
	case rules.StopDice:
		if len(out.Rolls) == 0 {
			m.failf("the preview of %s stops at a die, and playing it throws none", t.text)
		}
		m.checkDiceForecast(&p.Forecasts[0], t)
	default:
		m.failf("the preview of %s stops with %d although nothing is hidden", t.text, p.Stop)
	}
}

func (m *match) visible(out *rules.Outcome, seat rules.Seat) (seen []proto.Message) {
	for _, e := range out.Events {
		if rules.SeatViewer(seat).MaySee(e.Audience) {
			seen = append(seen, e.Event)
		}
	}
	return seen
}

// checkDiceForecast: what follows from the dice of a command is what playing it with all dice shows the seat.
func (m *match) checkDiceForecast(f *rules.Forecast, t tried) {
	if f.Method != rules.MethodExact || f.Others.Value > 0 {
		return
	}
	sights := map[string]dice.Chance{}
	err := rules.Outcomes(m.game, t.seat, t.c,
		glance.Ways, func(chance dice.Chance, next rules.Game, _ *rules.Outcome) (err error) {
			key := string(encode(next.View(rules.SeatViewer(t.seat))))
			sum := dice.Chance{Num: 0, Den: 1}
			if before, ok := sights[key]; ok {
				sum = before
			}
			sights[key], err = sum.Add(chance)
			return err
		})
	if err != nil {
		m.failf("the dice of %s cannot be enumerated, and its preview says they can: %v", t.text, err)
	}
	var want, got []string
	for _, c := range sights {
		want = append(want, big.NewRat(int64(c.Num), int64(c.Den)).RatString())
	}
	for _, o := range f.Outcomes {
		got = append(got, o.Chance.Exact.RatString())
	}
	sortStrings(want)
	sortStrings(got)
	if !slices.Equal(got, want) {
		m.failf("the preview of %s has outcomes with the chances %v, playing it has %v", t.text, got, want)
	}
}

// previewText is a preview in words that are equal if it is.
func (m *match) previewText(p *rules.Preview) string {
	if p == nil {
		return "none\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "stops with %d, waiting for %v, ending %+v, assuming %v\n",
		p.Stop, p.Waiting, p.Ending, p.Assumptions)
	for _, e := range p.Events {
		fmt.Fprintf(&b, "%s\n", MessageText(e))
	}
	for _, f := range p.Forecasts {
		fmt.Fprintf(&b, "%s %v %v by %d, %d trials, others %s, policies %v, assuming %v\n",
			f.Kind, f.Title, f.Spaces, f.Method, f.Trials, chanceText(f.Others), f.Policies, f.Assumptions)
		for _, o := range f.Outcomes {
			fmt.Fprintf(&b, "  %s %v %v: %s\n", o.ID, o.Label, o.Story, chanceText(o.Chance))
		}
		for _, n := range f.Modifiers {
			fmt.Fprintf(&b, "  %v\n", n)
		}
		for _, d := range f.Distributions {
			fmt.Fprintf(&b, "  %s %v %d, others %s\n", d.ID, d.Title, d.Seat, chanceText(d.Others))
			for _, s := range d.Shares {
				fmt.Fprintf(&b, "    %v %v: %s\n", s.Label, s.Counts, chanceText(s.Chance))
			}
		}
		for _, e := range f.Expectations {
			fmt.Fprintf(&b, "  %s %v %v %d: %v %v %v\n", e.ID, e.Title, e.Unit, e.Seat, e.Value, e.Low, e.High)
		}
	}
	return b.String()
}

func chanceText(l rules.Likelihood) string {
	if l.Exact != nil {
		return l.Exact.RatString()
	}
	return fmt.Sprintf("%v [%v %v]", l.Value, l.Low, l.High)
}

// previewSight is what previews tell a seat: of a few of its commands.
func (m *match) previewSight(g rules.Game, seat rules.Seat, c rules.Command) string {
	p, err := g.Preview(seat, c, glance)
	if err != nil {
		return fmt.Sprintf("no preview: %v\n", err)
	}
	return m.previewText(p)
}
