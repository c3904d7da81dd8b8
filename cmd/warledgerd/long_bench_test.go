//go:build unix

package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/ocs"
)

// longGame is how many records the long games of the benchmarks have at most.
const longGame = 10_000

// BenchmarkLongGame plays a ruleset at random and then measures, on a game as long as that: how long it takes into
// memory at its first touch, from the file to the answered call, how long the board at an old version takes, another
// version each time, and what the game holds in memory beyond that. The processor time is that of both sides of the
// pipe and of the collector.
func BenchmarkLongGame(b *testing.B) {
	for _, game := range []struct {
		set      rules.Ruleset
		scenario string
	}{{anniversary.New(), ""}, {ocs.New(), "crimea-ishun"}} {
		b.Run(game.set.About().Name, func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
			w := begin(b, circumstance{name: "long", open: inFile, scenario: game.scenario}, game.set)
			defer w.end()
			records := w.lengthen(longGame)
			b.Run("first touch", func(b *testing.B) { w.firstTouch(b, records) })
			b.Run("old version", func(b *testing.B) { w.oldVersion(b, records) })
			b.Run("memory", w.memory)
		})
	}
}

func (w *world) firstTouch(b *testing.B, records uint64) {
	ctx, cpu := context.Background(), time.Duration(0)
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		w.restart()
		_, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.other}) // the scenario is loaded by now
		w.must(err)
		runtime.GC() // of what the server before this one left
		begun := processor(b)
		b.StartTimer()
		_, err = w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
		w.must(err)
		b.StopTimer()
		cpu += processor(b) - begun
		b.StartTimer()
	}
	b.ReportMetric(float64(records), "records")
	b.ReportMetric(cpu.Seconds()*1e3/float64(b.N), "cpu-ms/op")
}

func (w *world) oldVersion(b *testing.B, records uint64) {
	ctx, version, longest := context.Background(), uint64(0), time.Duration(0)
	_, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
	w.must(err)
	b.ReportAllocs()
	cpu := processor(b)
	for b.Loop() {
		version = (version + 6151) % records
		begun := time.Now()
		_, err := w.games.GetBoard(ctx, &v1.GetBoardRequest{Name: w.name, Version: 1 + version})
		w.must(err)
		longest = max(longest, time.Since(begun))
	}
	b.ReportMetric((processor(b)-cpu).Seconds()*1e3/float64(b.N), "cpu-ms/op")
	b.ReportMetric(longest.Seconds()*1e3, "longest-ms")
}

func (w *world) memory(b *testing.B) {
	ctx := context.Background()
	for range b.N {
		w.restart()
		_, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.other})
		w.must(err)
		before := heapInUse()
		_, err = w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
		w.must(err)
		b.ReportMetric(float64(heapInUse()-before)/1024, "KiB")
		b.ReportMetric(float64(w.store.Stats().Bytes)/1024, "KiB-log")
	}
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// processor is how much of the processors this process has had.
func processor(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// lengthen plays at random until the game has so many records or is over, and says how many it has.
func (w *world) lengthen(records uint64) uint64 {
	rnd := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	for {
		now, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
		w.must(err)
		if now.Game.Over || now.Game.Version >= records {
			return now.Game.Version
		}
		seat := now.Game.WaitingFor[0]
		out, err := w.games.ListLegalActions(bearer(ctx, w.tokens[seat]),
			&v1.ListLegalActionsRequest{Name: w.name, Seat: seat, PageSize: 30})
		w.must(err)
		w.take(step{play, seat, choose(rnd, out.Actions)})
	}
}
