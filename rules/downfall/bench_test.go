package downfall

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// BenchmarkSelfPlay plays whole games. At each decision it lists everything that is legal and plays any of it with
// equal chance, offers to give up left out.
func BenchmarkSelfPlay(b *testing.B) {
	sc := olympic(b)
	b.ReportAllocs()
	var ref referee
	var out rules.Outcome
	memory := newLister()
	decisions, commands := 0, 0
	for i := uint64(0); b.Loop(); i++ {
		rng, pick := dice.NewSeeded(i), dice.NewSeeded(i^0x5DEECE66D)
		p := newPosition(sc, 0)
		out.Reset()
		if err := rules.Start(ref, p, rng, &out); err != nil {
			b.Fatal(err)
		}
		for !p.over() {
			_, who := p.ask()
			list := answers(p, who, memory)
			out.Reset()
			if err := rules.Play(ref, p, who, anyOf(list, pick), rng, &out); err != nil {
				b.Fatal(err)
			}
			decisions, commands = decisions+1, commands+len(list)
		}
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
	b.ReportMetric(float64(commands)/b.Elapsed().Seconds(), "commands/s")
	b.ReportMetric(float64(commands)/float64(decisions), "commands/decision")
}

// answers are the legal commands of a seat without the offers to give up, which come last.
func answers(p *Position, seat rules.Seat, memory *lister) []Command {
	ask, _ := p.ask()
	memory.list = memory.list[:0]
	p.legalAnswers(ask, seat, numKinds, memory)
	return memory.list
}

// BenchmarkClone copies a position of a combat.
func BenchmarkClone(b *testing.B) {
	p := golden(b)
	b.ReportAllocs()
	for b.Loop() {
		p.Clone()
	}
}

// BenchmarkLegalBusy lists the decisions of two games in which a side may spend CP, a thousand of those in the middle
// of the list by length.
func BenchmarkLegalBusy(b *testing.B) {
	sc := olympic(b)
	var busy []*Position
	for seed := uint64(20); seed < 22; seed++ {
		selfPlay(b, sc, 0, seed, func(p *Position, _ rules.Seat, list []Command, _ Command) {
			if ask, _ := p.ask(); ask == AskActions && len(list) > 100 {
				busy = append(busy, p.Clone())
			}
		})
	}
	for _, name := range []string{"afresh", "remembering"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			memory := newLister()
			if name == "afresh" {
				memory.reach = nil
			}
			commands, n := 0, 0
			for b.Loop() {
				p := busy[n%len(busy)]
				_, who := p.ask()
				commands, n = commands+len(answers(p, who, memory)), n+1
			}
			b.ReportMetric(float64(commands)/float64(n), "commands/list")
		})
	}
}

// wholeGame gives the events of a game with every kind of command, and the position that they come to.
func wholeGame(b *testing.B, sc *Scenario) ([]*event, string) {
	b.Helper()
	var ref referee
	var out rules.Outcome
	rng, pick := dice.NewSeeded(28), dice.NewSeeded(99)
	p := newPosition(sc, 0)
	if err := rules.Start(ref, p, rng, &out); err != nil {
		b.Fatal(err)
	}
	memory := newLister()
	for !p.over() {
		_, who := p.ask()
		list := answers(p, who, memory)
		if err := rules.Play(ref, p, who, byKind(list, pick), rng, &out); err != nil {
			b.Fatal(err)
		}
	}
	var all []*event
	for _, e := range out.Events {
		all = append(all, e.Event.(*event))
	}
	return all, p.format()
}

// BenchmarkFoldDecoded folds the messages of a game.
func BenchmarkFoldDecoded(b *testing.B) {
	sc := olympic(b)
	all, want := wholeGame(b, sc)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		p := newPosition(sc, 0)
		for _, e := range all {
			if err := p.evolve(e); err != nil {
				b.Fatal(err)
			}
		}
		if n += len(all); n == len(all) && p.format() != want {
			b.Fatal("another position")
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkFoldBytes folds a game as it is stored, through the kernel.
func BenchmarkFoldBytes(b *testing.B) {
	sc := olympic(b)
	all, want := wholeGame(b, sc)
	var stored [][]byte
	for _, e := range all {
		data, err := proto.Marshal(e)
		if err != nil {
			b.Fatal(err)
		}
		stored = append(stored, data)
	}
	set := New()
	options, err := set.About().NewOptions(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		g := set.New(sc, options)
		for _, data := range stored {
			if err := g.Fold(data); err != nil {
				b.Fatal(err)
			}
		}
		if n += len(all); n == len(all) && g.Notation() != want {
			b.Fatal("another position")
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
