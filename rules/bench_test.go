package rules_test

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// BenchmarkSelfPlay plays random games of Outpost through the kernel, listing every decision.
func BenchmarkSelfPlay(b *testing.B) {
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var out rules.Outcome
	var list rules.Listing
	rnd, commands := dice.NewSeeded(1), 0
	for b.Loop() {
		g := set.New(sc, options)
		if _, err := g.Start(rnd); err != nil {
			b.Fatal(err)
		}
		for g.Ending() == nil {
			for seat := range g.Waiting().Each {
				list = g.List(seat, rules.Filter{}, list)
				out.Reset()
				// The last two of every list are offers: to draw and to concede.
				if err := g.Apply(seat, list.At(int(rnd.Below(uint32(list.Len()-2)))), rnd, &out); err != nil {
					b.Fatal(err)
				}
				commands++
				break
			}
		}
	}
	b.ReportMetric(float64(commands)/float64(b.N), "commands/game")
}

// BenchmarkClone copies a position of Outpost.
func BenchmarkClone(b *testing.B) {
	g := position(b, toy.Referee{}, facing)
	b.ReportAllocs()
	for b.Loop() {
		g.Clone()
	}
}

// BenchmarkList lists a decision of Outpost in used memory.
func BenchmarkList(b *testing.B) {
	g := position(b, toy.Referee{}, facing)
	var list rules.Listing
	b.ReportAllocs()
	for b.Loop() {
		list = g.List(toy.Red, rules.Filter{}, list)
	}
	b.ReportMetric(float64(list.Len()), "commands")
}
