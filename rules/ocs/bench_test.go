package ocs

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules"
)

// campaign is the campaign in the first Movement Segment.
func campaign(tb testing.TB) *table {
	tb.Helper()
	g := begun(tb, "crimea-campaign")
	g.pass(newSeeded(1), new(rules.Outcome), func() bool { return g.p.segment == SegMovement })
	return g
}

func BenchmarkClone(b *testing.B) {
	p := campaign(b).p
	b.ReportAllocs()
	for b.Loop() {
		p.Clone()
	}
}

// All destinations of one unit that has far to go.
func BenchmarkDestinations(b *testing.B) {
	g := campaign(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = 0
		g.p.Legal(g.asked(), rules.Filter{Kind: "move", Piece: "truck-blue.1"}, func(Command) bool { n++; return true })
	}
	b.ReportMetric(float64(n), "commands")
}

// All destinations of all units of a side.
func BenchmarkAllDestinations(b *testing.B) {
	g := campaign(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = 0
		g.p.Legal(g.asked(), rules.Filter{Kind: "move"}, func(Command) bool { n++; return true })
	}
	b.ReportMetric(float64(n), "commands")
}

func BenchmarkFormat(b *testing.B) {
	p := campaign(b).p
	b.ReportAllocs()
	for b.Loop() {
		_ = p.format()
	}
}

// One random decision of a game: list what may be done, choose, play.
func BenchmarkSelfPlay(b *testing.B) {
	start := begun(b, "crimea-ishun").p
	src, out := newSeeded(5), new(rules.Outcome)
	p := start.Clone()
	var list []Command
	var memo any
	b.ReportAllocs()
	for b.Loop() {
		if p.over() {
			p = start.Clone()
		}
		_, seats := p.ask()
		for seat := range seats.Each {
			list, memo = p.list(seat, rules.Filter{}, list[:0], memo)
			list = slices.DeleteFunc(list, func(c Command) bool { return kinds[c.Kind].Offer })
			one, _ := src.Roll(100, "test")
			two, _ := src.Roll(100, "test")
			out.Reset()
			if err := rules.Play(referee{}, p, seat, list[(int(one)*100+int(two))%len(list)], src, out); err != nil {
				b.Fatal(explain(err))
			}
			break // the other seat decides in the next round
		}
	}
}
