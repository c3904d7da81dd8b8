package service_test

import (
	"slices"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// sharedStores are the stores on which benchmarks of several servers run: how to open one, and a second handle on it.
func sharedStores(b *testing.B, run func(b *testing.B, open func() eventstore.Store)) {
	b.Run("memory", func(b *testing.B) {
		first := memory.New()
		b.Cleanup(func() { must(b, first.Close()) })
		run(b, func() eventstore.Store {
			s := first.Share()
			b.Cleanup(func() { must(b, s.Close()) })
			return s
		})
	})
	b.Run("postgres", func(b *testing.B) {
		pgtest.Wanted(b)
		run(b, onPostgreSQL(b))
	})
}

// BenchmarkCommandsByTurns measures commands on one game: at one server, and at two by turns, where each has to read on
// what the other has stored. "of-one" is the rate of two as a part of the rate of one in the same run.
func BenchmarkCommandsByTurns(b *testing.B) {
	sharedStores(b, func(b *testing.B, store func() eventstore.Store) {
		var tables []*table
		for range 2 {
			s := store()
			tables = append(tables, open(b, func(set *setting) { set.store = s }).create(manual(1)))
		}
		for _, g := range tables {
			g.red, g.blue = g.sit("red"), g.sit("blue")
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0503")
		}
		game := tables[0]
		at := func(g *table, odd bool) {
			if odd {
				g.do(g.red, "move r2 0304")
				return
			}
			_, err := g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, RequestId: id()})
			must(b, err)
		}
		both := []*table{game, game.on(tables[1].host)}
		one := tables[1]
		var alone, turns time.Duration
		for i := range b.N {
			begun := time.Now()
			at(one, i%2 == 0)
			alone += time.Since(begun)
			begun = time.Now()
			at(both[i%2], i%2 == 0)
			turns += time.Since(begun)
		}
		b.ReportMetric(float64(alone)/float64(turns), "of-one")
		b.ReportMetric(float64(turns.Microseconds())/float64(b.N), "turns-µs/command")
		b.ReportMetric(float64(alone.Microseconds())/float64(b.N), "one-µs/command")
	})
}

// BenchmarkWakeElsewhere measures how long after a command at one server was answered a watcher at another has it.
func BenchmarkWakeElsewhere(b *testing.B) {
	sharedStores(b, func(b *testing.B, store func() eventstore.Store) {
		here, there := store(), store()
		g := redBegins(open(b, func(s *setting) { s.store = here }))
		w := g.on(open(b, func(s *setting) { s.store = there })).watch(after(g.game().Version), g.red)
		w.next()
		took := make([]time.Duration, 0, b.N)
		for i := range b.N {
			if i%2 == 0 {
				g.do(g.red, "move r2 0304")
			} else {
				must(b, second(g.undo(g.red, 0, false)))
			}
			begun := time.Now()
			w.record()
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		b.ReportMetric(float64(took[len(took)-1].Microseconds()), "worst-µs")
	})
}
