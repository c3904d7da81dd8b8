package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules"
)

// BenchmarkSailing lists the destinations of a fleet in the open sea of the largest map: cruisers and destroyers, each
// alone and all together.
func BenchmarkSailing(b *testing.B) {
	sc := shipped(b, "crimea-campaign")
	g := &table{t: b, p: newPosition(sc, options{}), sc: sc}
	g.inTurn(1)
	for _, u := range sc.tab.fleet[Red] {
		g.put("46.08", sc.Counters[u].ID)
	}
	g.segment(SegMovement, Red)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		g.p.Legal(Red, rules.Filter{Kind: "sail"}, func(Command) bool { n++; return true })
		if n < 2000 {
			b.Fatalf("%d destinations", n)
		}
	}
}

// BenchmarkSailCheck checks one long course.
func BenchmarkSailCheck(b *testing.B) {
	g := atSea(b, []string{cruiser, flotilla}, nil).put("01.01", "b-ca b-dd").segment(SegMovement, Blue)
	c, r := g.p.parseCommand(
		"sail b-ca,b-dd 01.02>01.03>01.04>01.05>01.06>01.07>01.08>01.09>01.10>01.11>01.12>01.13>01.14>01.15",
	)
	if r != nil {
		b.Fatal(r)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := g.p.check(Blue, &c); r != nil {
			b.Fatal(r)
		}
	}
}
