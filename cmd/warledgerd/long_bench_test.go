package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/anniversary"
)

// longGame is how many records the long game of the benchmarks has at most.
const longGame = 2_000

// BenchmarkLongGame plays Anniversary at random and then measures, on a game as long as that: how long it takes into memory at its first touch, how long the board at an old version
// takes, another version each time, and what the game holds in memory beyond that.
func BenchmarkLongGame(b *testing.B) {
	w := begin(b, circumstance{name: "long", open: inFile}, anniversary.New())
	defer w.end()
	records := w.lengthen(longGame)
	ctx := context.Background()
	b.Run("first touch", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			w.restart()
			_, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.other}) // the scenario is loaded by now
			w.must(err)
			b.StartTimer()
			_, err = w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
			w.must(err)
		}
		b.ReportMetric(float64(records), "records")
	})
	b.Run("old version", func(b *testing.B) {
		version, longest := uint64(0), time.Duration(0)
		for b.Loop() {
			version = (version + 6151) % records
			begun := time.Now()
			_, err := w.games.GetBoard(ctx, &v1.GetBoardRequest{Name: w.name, Version: 1 + version})
			w.must(err)
			longest = max(longest, time.Since(begun))
		}
		b.ReportMetric(longest.Seconds()*1e3, "longest-ms")
	})
	b.Run("memory", func(b *testing.B) {
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
	})
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// lengthen plays at random until the game has so many records or is over, and says how many it has.
func (w *world) lengthen(records uint64) uint64 {
	rnd := rand.New(rand.NewPCG(3, 1))
	ctx := context.Background()
	for {
		now, err := w.games.GetGame(ctx, &v1.GetGameRequest{Name: w.name})
		w.must(err)
		if now.Game.Over || now.Game.Version >= records {
			return now.Game.Version
		}
		seat := now.Game.WaitingFor[0]
		out, err := w.games.ListLegalActions(bearer(ctx, w.tokens[seat]), &v1.ListLegalActionsRequest{Name: w.name, Seat: seat, PageSize: 30})
		w.must(err)
		w.take(step{play, seat, choose(rnd, out.Actions)})
	}
}
