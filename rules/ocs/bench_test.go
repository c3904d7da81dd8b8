package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
)

// campaign is the campaign in the first Movement Segment.
func campaign(tb testing.TB) *table {
	tb.Helper()
	g := onMap(tb, "crimea-campaign")
	g = begun(tb, "crimea-campaign")
	g.all("end", "end")
	for g.p.segment != SegMovement {
		g.all("end")
	}
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
		g.p.legal(g.asked(), rules.Filter{Kind: "move", Piece: "truck-blue.1"}, func(Command) bool { n++; return true })
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
		g.p.legal(g.asked(), rules.Filter{Kind: "move"}, func(Command) bool { n++; return true })
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
