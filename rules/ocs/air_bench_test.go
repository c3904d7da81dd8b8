package ocs

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// underWay is the campaign in the middle of a random game, with aircraft and ships in play: after a number of
// decisions, at the next segment that a test wants.
func underWay(tb testing.TB, decisions int, wanted Segment) *table {
	tb.Helper()
	g := begun(tb, "crimea-campaign")
	r := &selfPlay{p: g.p}
	r.src = newSeeded(7)
	for n := 0; n < decisions || g.p.segment != wanted || len(g.p.frames) > 0; n++ {
		r.decide(tb)
	}
	return g
}

// selfPlay is a game of random decisions.
type selfPlay struct {
	p    *Position
	src  dice.Source
	out  rules.Outcome
	list []Command
	memo any
}

// decide lists what one seat that is asked may do, chooses and plays.
func (r *selfPlay) decide(tb testing.TB) {
	_, seats := r.p.ask()
	for seat := range seats.Each {
		r.list, r.memo = r.p.list(seat, rules.Filter{}, r.list[:0], r.memo)
		r.list = slices.DeleteFunc(r.list, func(c Command) bool { return kinds[c.Kind].Offer })
		one, _ := r.src.Roll(100, "test")
		two, _ := r.src.Roll(100, "test")
		r.out.Reset()
		if err := rules.Play(referee{}, r.p, seat, r.list[(int(one)*100+int(two))%len(r.list)], r.src,
			&r.out); err != nil {
			tb.Fatal(explain(err))
		}
		return // the other seat decides in the next round
	}
}

// One random decision of the campaign with everything in play; a new game when one is over.
func BenchmarkCampaignSelfPlay(b *testing.B) {
	g := underWay(b, 400, SegMovement)
	r := &selfPlay{p: g.p.Clone(), src: newSeeded(5)}
	b.ReportAllocs()
	for b.Loop() {
		if r.p.over() {
			r.p = g.p.Clone()
		}
		r.decide(b)
	}
}

// Everything that may be done in a Movement Segment of the campaign, and of each kind of air mission.
func BenchmarkCampaignLists(b *testing.B) {
	g := underWay(b, 400, SegMovement)
	for _, kind := range []string{"", "sweep", "hip-shoot", "transfer", "airlift", "sail"} {
		name := kind
		if name == "" {
			name = "all"
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = 0
				g.p.Legal(g.asked(), rules.Filter{Kind: kind}, func(Command) bool { n++; return true })
			}
			b.ReportMetric(float64(n), "commands")
		})
	}
}

// A copy of the campaign with everything in play.
func BenchmarkCampaignClone(b *testing.B) {
	p := underWay(b, 400, SegMovement).p
	b.ReportAllocs()
	for b.Loop() {
		p.Clone()
	}
}

// What both sides' units trace, all anew.
func BenchmarkCampaignTrace(b *testing.B) {
	g := underWay(b, 400, SegMovement)
	b.ReportAllocs()
	for b.Loop() {
		for seat := range numSeats {
			p := g.p.Clone()
			s := p.survey(seat)
			for u := range p.all(seat) {
				if p.isCombat(u) {
					s.inSupply(u)
				}
			}
		}
	}
}
