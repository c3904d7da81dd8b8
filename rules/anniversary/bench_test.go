package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// BenchmarkSelfPlay plays random games of 1941 with the full list at every decision, up to 5,000 decisions each.
func BenchmarkSelfPlay(b *testing.B) {
	sc := shippedScenario(b, "1941")
	o, err := about.NewOptions(nil)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n += selfPlay(b, sc, o, uint64(i), 5000)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkFullGame plays random games of 1941 to the end, however long they are.
func BenchmarkFullGame(b *testing.B) {
	sc := shippedScenario(b, "1941")
	o, err := about.NewOptions(nil)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n += selfPlay(b, sc, o, uint64(i), 1<<30)
	}
	b.ReportMetric(float64(n)/float64(b.N), "decisions/game")
}

func selfPlay(tb testing.TB, sc *Scenario, o rules.Options, seed uint64, most int) int {
	ref := referee{}
	p := ref.New(sc, o)
	out := new(rules.Outcome)
	src, rnd := dice.NewSeeded(seed), dice.NewSeeded(seed+1000)
	if err := rules.Start(ref, p, src, out); err != nil {
		tb.Fatal(err)
	}
	var list []Command
	var memo any
	n := 0
	for ; n < most && !p.over(); n++ {
		var seat rules.Seat
		for s := range ref.Waiting(p).Each {
			seat = s
			break
		}
		list, memo = ref.List(p, seat, rules.Filter{}, list[:0], memo)
		answers := len(list)
		for answers > 0 && kinds[list[answers-1].Kind].Offer { // offers come last
			answers--
		}
		out.Reset()
		if err := rules.Play(ref, p, seat, list[rnd.Below(uint32(answers))], src, out); err != nil {
			tb.Fatal(err)
		}
	}
	return n
}

var sink *Position

func BenchmarkClone(b *testing.B) {
	p, _, _ := playRandom(b, "1941", 1, 500, nil)
	b.ReportAllocs()
	for b.Loop() {
		sink = p.Clone()
	}
}
