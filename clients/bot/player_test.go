package bot_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a real server on loopback and gives a client of it.
func serve(t *testing.T) (*warledger.Client, *warledger.Wallet) {
	t.Helper()
	c, wallet, _ := serveAt(t)
	return c, wallet
}

// serveAt is serve, and returns the address of the server.
func serveAt(t *testing.T) (*warledger.Client, *warledger.Wallet, string) {
	t.Helper()
	registry, err := rules.NewRegistry(toy.Ruleset())
	if err != nil {
		t.Fatal(err)
	}
	store := memory.New()
	s, err := service.New(service.Config{Registry: registry, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	wallet := &warledger.Wallet{}
	c, err := warledger.Dial(l.Addr().String(), warledger.WithTokens(wallet))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		srv.Stop(context.Background(), 0, time.Second)
		if err := errors.Join(<-done, store.Close()); err != nil {
			t.Error(err)
		}
	})
	return c, wallet, l.Addr().String()
}

// table creates a game and takes both seats, each handle with its own token alone.
func table(t *testing.T, c *warledger.Client, w *warledger.Wallet) map[string]*warledger.Game {
	t.Helper()
	made, err := c.Create(t.Context(), &v1.CreateGameRequest{
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		Options: map[string]string{"pursuit": "true"},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Add(made.Game.Name, made.OwnerToken)
	seats := map[string]*warledger.Game{}
	for _, seat := range []string{"red", "blue"} {
		g := c.Game(made.Game.Name, seat)
		taken, err := g.Take(t.Context(), seat, "bot", nil)
		if err != nil {
			t.Fatal(err)
		}
		own := &warledger.Wallet{}
		own.Add(g.Name(), taken.SeatToken)
		seats[seat] = g.WithTokens(own)
	}
	return seats
}

// TestPlayersPlayWholeGames seats two bots at a real server, in many games at once.
func TestPlayersPlayWholeGames(t *testing.T) {
	t.Parallel()
	c, w := serve(t)
	var all sync.WaitGroup
	for seed := range uint64(8) {
		seats := table(t, c, w)
		bots := map[string]bot.Bot{"red": greedyBot(t, seed), "blue": bot.NewRandom(seed)}
		for seat, g := range seats {
			all.Go(func() {
				decided := 0
				p := &bot.Player{Game: g, Bot: bots[seat], Played: func(r *v1.Record) {
					decided++
					if r.Seat != seat || r.Notation == "" {
						t.Errorf("%s is told of %v", seat, r)
					}
				}}
				st, err := p.Play(t.Context())
				if err != nil || !st.Game.GetOver() || st.Refusals != 0 || st.Decisions == 0 ||
					st.Decisions != decided {
					t.Errorf("seed %d, %s: %+v, told of %d, %v", seed, seat, st, decided, err)
				}
			})
		}
	}
	all.Wait()
}

// TestPlayerAnswersUndo: a bot that is asked agrees or not, and the game goes on.
func TestPlayerAnswersUndo(t *testing.T) {
	t.Parallel()
	for _, agree := range []bool{false, true} {
		c, w := serve(t)
		seats := table(t, c, w)
		red, blue := seats["red"], seats["blue"]
		for _, g := range seats {
			if _, err := g.Submit(t.Context(), warledger.Move{Notation: "plan 0103"}); err != nil {
				t.Fatal(err)
			}
		}
		g, _, err := red.Undo(t.Context(), 1, true)
		if err != nil || g.PendingUndo == nil {
			t.Fatalf("%v, %v", g, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := (&bot.Player{Game: blue, Bot: bot.NewRandom(1), AgreeToUndo: agree}).Play(ctx)
			ended <- err
		}()
		undone := false
		for u, err := range red.Watch(ctx, warledger.WatchOptions{After: g.Version}) {
			if err != nil {
				t.Fatal(err)
			}
			if u.Record.GetSeat() == "blue" { // its answer
				if next, err := red.Get(ctx); err != nil || next.PendingUndo != nil {
					t.Errorf("the undo still waits: %v, %v", next, err)
				}
				undone = u.Record.Head == 1 || waitsForBoth(t, red)
				break
			}
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, warledger.ErrCanceled) &&
			ctx.Err() == nil {
			t.Errorf("the player ended with %v", err)
		}
		if undone != agree {
			t.Errorf("agreeing %v, undone %v", agree, undone)
		}
	}
}

// waitsForBoth reports whether the game is back where plans are made.
func waitsForBoth(t *testing.T, g *warledger.Game) bool {
	t.Helper()
	b, err := g.Board(t.Context(), warledger.Look{})
	if err != nil {
		t.Fatal(err)
	}
	return b.Board.Clock.Phase == "plan"
}

// TestPlayersThrowMutualDice seats two bots, each with its own client, at a game with mutual dice. They play it to its
// end, and every die is verified.
func TestPlayersThrowMutualDice(t *testing.T) {
	t.Parallel()
	c, _, target := serveAt(t)
	made, err := c.Create(t.Context(), &v1.CreateGameRequest{
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		Dice: logv1.DiceKind_DICE_KIND_MUTUAL,
	})
	if err != nil {
		t.Fatal(err)
	}
	players := map[string]*bot.Player{"red": {Bot: greedyBot(t, 3)}, "blue": {Bot: bot.NewRandom(4)}}
	var all sync.WaitGroup
	for seat, p := range players {
		own := &warledger.Wallet{}
		client, err := warledger.Dial(target, warledger.WithTokens(own))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		p.Game = client.Game(made.Game.Name, seat)
		taken, err := p.Game.Take(t.Context(), seat, seat, nil)
		if err != nil {
			t.Fatal(err)
		}
		own.Add(p.Game.Name(), taken.SeatToken)
	}
	for seat, p := range players {
		all.Go(func() {
			if st, err := p.Play(t.Context()); err != nil || !st.Game.GetOver() || st.Refusals != 0 ||
				st.Decisions == 0 {
				t.Errorf("%s: %+v, %v", seat, st, err)
			}
		})
	}
	all.Wait()
	rolls := 0
	for r, err := range c.Game(made.Game.Name, "").Records(t.Context(), warledger.LogQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Rolls) > 0 && r.Version > 1 {
			rolls++
			if r.DiceSource != logv1.DiceSource_DICE_SOURCE_MUTUAL || r.Asked == 0 {
				t.Errorf("record %d has dice that nobody was asked for: %v", r.Version, r.DiceSource)
			}
		}
	}
	if rolls == 0 {
		t.Error("no dice were thrown")
	}
	for m, err := range c.Game(made.Game.Name, "").Audit(t.Context()) {
		if err != nil || m.GetFinding() != nil ||
			m.GetSummary() != nil && (m.GetSummary().Errors != 0 || m.GetSummary().Rolls == 0) {
			t.Errorf("audit: %v, %v", m, err)
		}
	}
}
