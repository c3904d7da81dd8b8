package main

import (
	"context"

	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/search"
	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/ocs"
)

// guest is a client of a server in the test.
func guest(tb testing.TB, p *process) *warledger.Client {
	tb.Helper()
	c, err := warledger.Dial(p.grpcAddress(), warledger.WithPlaintext())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return c
}

// found waits until a computer is on offer for a ruleset: those of the server itself come just after its ports.
func found(tb testing.TB, c *warledger.Client, ruleset, name string) *v1.Computer {
	tb.Helper()
	for {
		list, err := c.Computers(tb.Context(), ruleset, "", "")
		if err != nil {
			tb.Fatal(err)
		}
		at := slices.IndexFunc(list, func(one *v1.Computer) bool { return one.Name == name })
		if at >= 0 {
			return list[at]
		}
	}
}

// hosted is a new game with the owner's token alone.
func hosted(tb testing.TB, c *warledger.Client, ruleset, scenario string) *warledger.Game {
	tb.Helper()
	made, err := c.Create(tb.Context(), &v1.CreateGameRequest{Ruleset: "rulesets/" + ruleset,
		Source: &v1.CreateGameRequest_Scenario{Scenario: scenario}})
	if err != nil {
		tb.Fatal(err)
	}
	own := new(warledger.Wallet)
	own.Add(made.Game.Name, made.OwnerToken)
	return c.Game(made.Game.Name, "").WithTokens(own)
}

// TestPersonPlaysTheComputer: somebody who is alone gives a seat to a computer of the server's own and plays to the
// end. In the middle of the game the server stops and another takes its place: the computer plays on.
func TestPersonPlaysTheComputer(t *testing.T) {
	t.Parallel()
	args := []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--with-toy",
		"--db", filepath.Join(t.TempDir(), "games.db")}
	p := launch(t, args...)
	c := guest(t, p)
	computer := found(t, c, "rulesets/toy", "computers/greedy")
	if !computer.House || computer.Title != "Greedy" {
		t.Errorf("it is %v", computer)
	}
	g := hosted(t, c, "toy", "ridge")
	taken, err := g.Take(t.Context(), "red", "Ann", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.SeatComputer(t.Context(), "blue", computer.Name); err != nil {
		t.Fatal(err)
	}
	own := new(warledger.Wallet)
	own.Add(g.Name(), taken.SeatToken)
	play := func(c *warledger.Client, most int) *v1.Game {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		decided := 0
		player := &bot.Player{Game: c.Game(g.Name(), "red").WithTokens(own), Bot: bot.NewRandom(4),
			Played: func(*v1.Record) {
				if decided++; decided == most {
					cancel()
				}
			}}
		stats, err := player.Play(ctx)
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		return stats.Game
	}
	if play(c, 2).GetOver() {
		t.Fatal("the game is over too soon for the test to mean anything")
	}
	p.interrupt()
	p = launch(t, args...)
	end := play(guest(t, p), 0)
	if !end.GetOver() || end.Seats[1].Computer != "computers/greedy" || end.Seats[1].Holder != "Greedy" {
		t.Errorf("the game ended as %v", end)
	}
	p.interrupt()
}

// TestTheStrongComputerSearchesAtAServer: it has the position as its seat knows it from the public API, and thinks.
func TestTheStrongComputerSearchesAtAServer(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db",
		filepath.Join(t.TempDir(), "games.db"))
	c := guest(t, p)
	for _, ruleset := range []string{"anniversary", "downfall", "ocs"} {
		if k := found(t, c, "rulesets/"+ruleset, "computers/strong"); !k.House {
			t.Errorf("the strong computer of %s is %v", ruleset, k)
		}
	}
	g := hosted(t, c, "ocs", "crimea-ishun")
	taken, err := g.Take(t.Context(), "blue", "Ann", nil)
	if err != nil {
		t.Fatal(err)
	}
	own := new(warledger.Wallet)
	own.Add(g.Name(), taken.SeatToken)
	if _, err := g.SeatComputer(t.Context(), "red", "computers/strong"); err != nil {
		t.Fatal(err)
	}
	brain, err := search.Strong("ocs", 1, search.Budget{Positions: 20})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	decided := 0
	player := &bot.Player{Game: c.Game(g.Name(), "blue").WithTokens(own), Bot: brain.At(ocs.New()),
		Played: func(*v1.Record) {
			if decided++; decided == 6 {
				cancel()
			}
		}}
	if _, err := player.Play(ctx); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	if brain.Used() == 0 {
		t.Error("it played without thinking")
	}
	p.interrupt()
}

// TestServersWithoutComputers: a server that is told to run none offers none, and lets nobody else offer one.
func TestServersWithoutComputers(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--with-toy",
		"--own-computer-seats", "0", "--computer-offers", "0", "--db", filepath.Join(t.TempDir(), "games.db"))
	c := guest(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := grpc.NewClient(p.grpcAddress(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stream, err := v1.NewComputerServiceClient(conn).OfferComputer(
		warledger.WithBearer(ctx, warledger.NewAccount()), &v1.OfferComputerRequest{Title: "Mine", MaxSeats: 1,
			Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy"}}})
	if err == nil {
		_, err = stream.Recv()
	}
	if status.Convert(err).Code() != codes.ResourceExhausted {
		t.Errorf("offering one gives %v", err)
	}
	if list, err := c.Computers(t.Context(), "", "", ""); err != nil || len(list) != 0 {
		t.Errorf("on offer are %v, %v", list, err)
	}
	p.interrupt()
}

// BenchmarkCommandBesideComputers measures how long a person's command takes over loopback, alone and while computers
// of the server's own play eight games. It reports the median and the 95th percentile.
func BenchmarkCommandBesideComputers(b *testing.B) {
	for _, way := range []struct {
		name  string
		games int
	}{{"alone", 0}, {"beside eight", 8}} {
		b.Run(way.name, func(b *testing.B) {
			p := launch(b, "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--with-toy",
				"--own-computer-seats", "64",
				"--db", filepath.Join(b.TempDir(), "games.db"))
			c := guest(b, p)
			found(b, c, "rulesets/anniversary", "computers/greedy")
			for i := range way.games {
				fill(b, c, []string{"anniversary", "downfall"}[i%2])
			}
			var took []time.Duration
			g := hotseat(b, c)
			for b.Loop() {
				d, over := command(b, g)
				if took = append(took, d); over {
					g = hotseat(b, c)
				}
			}
			slices.Sort(took)
			ms := func(share float64) float64 {
				return took[int(share*float64(len(took)-1))].Seconds() * 1000
			}
			b.ReportMetric(ms(.5), "ms/median")
			b.ReportMetric(ms(.95), "ms/p95")
			p.interrupt()
		})
	}
}

// fill has a game all of whose seats computers play.
func fill(tb testing.TB, c *warledger.Client, ruleset string) {
	tb.Helper()
	set, err := c.Catalog().GetRuleset(tb.Context(), &v1.GetRulesetRequest{Name: "rulesets/" + ruleset})
	if err != nil {
		tb.Fatal(err)
	}
	list, err := c.Catalog().ListScenarios(tb.Context(), &v1.ListScenariosRequest{Parent: "rulesets/" + ruleset})
	if err != nil {
		tb.Fatal(err)
	}
	g := hosted(tb, c, ruleset, filepath.Base(list.Scenarios[0].Name))
	for _, seat := range set.Ruleset.Seats {
		if _, err := g.SeatComputer(tb.Context(), seat.Id, "computers/greedy"); err != nil {
			tb.Fatal(err)
		}
	}
}

// hotseat is a game of Outpost of which one person holds both seats.
func hotseat(tb testing.TB, c *warledger.Client) map[string]*warledger.Game {
	tb.Helper()
	g := hosted(tb, c, "toy", "ridge")
	own := new(warledger.Wallet)
	seats := make(map[string]*warledger.Game)
	for _, seat := range []string{"red", "blue"} {
		taken, err := g.Take(tb.Context(), seat, "Ann", nil)
		if err != nil {
			tb.Fatal(err)
		}
		own.Add(g.Name(), taken.SeatToken)
		seats[seat] = c.Game(g.Name(), seat).WithTokens(own)
	}
	return seats
}

// command has a seat that is asked make its first command, and says how long that took and whether the game is over.
func command(tb testing.TB, seats map[string]*warledger.Game) (took time.Duration, over bool) {
	tb.Helper()
	now, err := seats["red"].Get(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	seat := seats[now.WaitingFor[0]]
	legal, err := seat.ListLegal(tb.Context(), warledger.LegalQuery{})
	if err != nil {
		tb.Fatal(err)
	}
	begun := time.Now()
	done, err := seat.Submit(tb.Context(), warledger.Move{Notation: legal[0].Command})
	if err != nil {
		tb.Fatal(err)
	}
	return time.Since(begun), done.Game.Over
}
