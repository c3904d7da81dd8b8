package downfall

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

func BenchmarkFold(b *testing.B) {
	sc := olympic(b)
	var ref referee
	var events []*event
	rng, pick := dice.NewSeeded(28), dice.NewSeeded(99)
	p := newPosition(sc, 0)
	var out rules.Outcome
	_ = rules.Start(ref, p, rng, &out)
	for !p.over() {
		_, who := p.ask()
		var list []Command
		p.legal(who, rules.Filter{}, func(c Command) bool {
			if !kinds[c.Kind].offer {
				list = append(list, c)
			}
			return true
		})
		if err := rules.Play(ref, p, who, byKind(list, pick), rng, &out); err != nil {
			b.Fatal(err)
		}
	}
	for _, e := range out.Events {
		events = append(events, e.Event.(*event))
	}
	want := p.format()
	var bytes [][]byte
	for _, e := range events {
		m, _ := proto.Marshal(e)
		bytes = append(bytes, m)
	}
	b.Run("messages", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			q := newPosition(sc, 0)
			for _, e := range events {
				if err := q.evolve(e); err != nil {
					b.Fatal(err)
				}
			}
			n += len(events)
			if q.format() != want {
				b.Fatal("another position")
			}
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("bytes", func(b *testing.B) {
		n := 0
		for b.Loop() {
			q := newPosition(sc, 0)
			for _, m := range bytes {
				var e event
				if proto.Unmarshal(m, &e) != nil || q.evolve(&e) != nil {
					b.Fatal("no")
				}
			}
			n += len(events)
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
	})
}
