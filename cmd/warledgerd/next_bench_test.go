package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

// BenchmarkDecision plays games by chance over loopback, each by a program of its own that holds all seats: with a list
// and a command for each decision, and with the list in the answer to the command. Lists of Outpost have a handful of
// actions, those of Downfall a hundred and more.
func BenchmarkDecision(b *testing.B) {
	for _, played := range [][2]string{{"toy", "ridge"}, {"downfall", "olympic"}} {
		for _, bots := range []int{1, 64} {
			for _, way := range []struct {
				name string
				next *v1.NextQuery
			}{{"two-calls", nil}, {"one-call", new(v1.NextQuery)}} {
				b.Run(fmt.Sprintf("%s/bots=%d/%s", played[0], bots, way.name), func(b *testing.B) {
					address := loopback(b)
					players := make([]*decider, bots)
					for i := range players {
						players[i] = newDecider(b, address, played, uint64(i))
					}
					decideAll(b, players, way.next)
				})
			}
		}
	}
}

// decideAll has the players make as many decisions as the benchmark asks for.
func decideAll(b *testing.B, players []*decider, next *v1.NextQuery) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for _, p := range players {
		all.Go(func() {
			for left.Add(-1) >= 0 && !b.Failed() {
				p.decide(b, next)
			}
		})
	}
	all.Wait()
	calls := 0
	for _, p := range players {
		calls += p.calls
	}
	b.ReportMetric(float64(calls)/float64(b.N), "calls/decision")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
}

// loopback serves on a TCP port of this machine, with games in memory.
func loopback(b *testing.B) (address string) {
	b.Helper()
	reg, err := rulesets.Registry(true)
	if err != nil {
		b.Fatal(err)
	}
	store := inMemory(b, "")
	svc, err := service.New(service.Config{Registry: reg, Store: store})
	if err != nil {
		b.Fatal(err)
	}
	srv, err := server.New(svc, server.Options{})
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	b.Cleanup(func() {
		srv.Stop(context.Background(), 0, time.Second)
		if err := <-served; err != nil {
			b.Error(err)
		}
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	return l.Addr().String()
}

// decider plays one game after another by chance.
type decider struct {
	client *warledger.Client
	wallet *warledger.Wallet
	rnd    *rand.Rand
	// ruleset and scenario are what it plays.
	ruleset, scenario string
	game              *v1.Game
	// came is what the seat may do, if the answer to its last command said so.
	came []warledger.LegalAction
	// calls counts lists and commands.
	calls int
}

func newDecider(b *testing.B, address string, played [2]string, seed uint64) *decider {
	b.Helper()
	d := &decider{wallet: new(warledger.Wallet), rnd: rand.New(rand.NewPCG(seed, 1)),
		ruleset: played[0], scenario: played[1]}
	var err error
	if d.client, err = warledger.Dial(address, warledger.WithTokens(d.wallet)); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.client.Close() })
	d.begin(b)
	return d
}

// begin begins a game and takes all seats.
func (d *decider) begin(b *testing.B) {
	made, err := d.client.Create(b.Context(), &v1.CreateGameRequest{Ruleset: "rulesets/" + d.ruleset,
		Source: &v1.CreateGameRequest_Scenario{Scenario: d.scenario}})
	if err != nil {
		b.Error(err)
		return
	}
	d.game = made.Game
	for _, seat := range made.Game.Seats {
		taken, err := d.client.Game(d.game.Name, seat.Id).Take(b.Context(), seat.Id, "bench", nil)
		if err != nil {
			b.Error(err)
			return
		}
		d.wallet.Add(d.game.Name, taken.SeatToken)
		d.game = taken.Game
	}
}

// decide makes one command.
func (d *decider) decide(b *testing.B, next *v1.NextQuery) {
	ctx := b.Context()
	if d.game.Over {
		d.begin(b)
	}
	g, list := d.client.Game(d.game.Name, d.game.WaitingFor[0]), d.came
	if list == nil {
		var err error
		d.calls++
		if list, err = g.ListLegal(ctx, warledger.LegalQuery{}); err != nil || len(list) == 0 {
			b.Errorf("%d actions, %v", len(list), err)
			return
		}
	}
	choice := list[d.rnd.IntN(len(list))]
	d.calls++
	done, err := g.Submit(ctx, warledger.Move{Notation: choice.Command, Expected: choice.Version, Next: next})
	if err != nil {
		b.Error(err)
		return
	}
	d.game, d.came = done.Game, nil
	if next != nil && len(d.game.WaitingFor) > 0 && d.game.WaitingFor[0] == g.Seat() {
		if d.came, err = g.NextLegal(ctx, done, next); err != nil {
			b.Error(err)
		}
	}
}
