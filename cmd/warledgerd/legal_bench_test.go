package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
)

// BenchmarkListLegal asks for the first page of what a seat may do in the middle of a game of Downfall, by the service
// and a pipe, with and without the lists that the service keeps.
func BenchmarkListLegal(b *testing.B) {
	reg, err := rulesets.Registry(false)
	if err != nil {
		b.Fatal(err)
	}
	set, ok := reg.Find("downfall")
	if !ok {
		b.Fatal("there is no ruleset downfall")
	}
	for _, way := range []struct {
		name     string
		listings int
	}{{"afresh", -1}, {"remembering", 0}} {
		b.Run(way.name, func(b *testing.B) {
			w := begin(b,
				circumstance{name: way.name, open: inMemory, limits: service.Limits{Listings: way.listings}}, set)
			defer w.end()
			req, ctx, n := w.busy(100)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.games.ListLegalActions(ctx, req); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n), "commands/list")
		})
	}
}

// busy plays until a seat may do more than so many things, and gives the request that asks which.
func (w *world) busy(more int) (*v1.ListLegalActionsRequest, context.Context, int) {
	w.t.Helper()
	rnd := rand.New(rand.NewPCG(5, 1))
	for range 400 {
		now := w.look()
		for _, seat := range now.Waiting {
			ctx := bearer(context.Background(), w.tokens[seat])
			req := &v1.ListLegalActionsRequest{Name: w.name, Seat: seat, PageSize: 10}
			out, err := w.games.ListLegalActions(ctx, req)
			w.must(err)
			if int(out.TotalSize) > more {
				return req, ctx, int(out.TotalSize)
			}
			w.take(step{play, seat, choose(rnd, now.Legal[seat])})
			break
		}
	}
	w.t.Fatal("the game is never busy")
	return nil, nil, 0
}
