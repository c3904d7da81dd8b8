package lab

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules/dice"
)

// BenchmarkTable plays 64 games at random on every processor, and writes every batch as it is sent: the loop that a
// program beside it has, without that program and the pipe.
func BenchmarkTable(b *testing.B) {
	for _, p := range played {
		for _, mode := range []struct {
			name          string
			observe, rows bool
		}{{"lists", false, false}, {"rows", false, true}, {"planes", true, true}} {
			b.Run(p.set.About().Name+"/"+mode.name, func(b *testing.B) {
				cfg := configured(b, p.set, p.scenario, 64)
				table, pick := NewTable(cfg), dice.NewSeeded(1)
				w := newWriter(table, cfg.Ruleset.Tensors(cfg.Scenario), mode.observe, mode.rows)
				if err := table.Reset(nil, nil); err != nil {
					b.Fatal(err)
				}
				decisions, actions := 0, 0
				var sent []byte
				for b.Loop() {
					batch, err := w.write()
					if err != nil {
						b.Fatal(err)
					}
					if sent, err = (proto.MarshalOptions{}).MarshalAppend(sent[:0], batch); err != nil {
						b.Fatal(err)
					}
					for i := range table.games {
						if n := table.Len(i); n > 0 {
							decisions, actions = decisions+1, actions+n
						}
					}
					if err := table.Step(anyActions(table, pick), true); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
				b.ReportMetric(float64(actions)/float64(decisions), "actions/list")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
