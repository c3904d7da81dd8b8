package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// crew offers a bot at a server until the test ends, and returns its name there.
func crew(t *testing.T, c *warledger.Client, title string, change func(*bot.Crew)) string {
	t.Helper()
	one := &bot.Crew{
		Client: c, Account: warledger.NewAccount(), Rest: time.Millisecond,
		Offer: &v1.OfferComputerRequest{Title: title, MaxSeats: 8,
			Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy", Strength: v1.Strength_STRENGTH_CHANCE}}},
		Make: func(string) (bot.Bot, error) { return bot.NewRandom(1), nil },
	}
	if change != nil {
		change(one)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- one.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for {
		list, err := c.Computers(t.Context(), "rulesets/toy", "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, computer := range list {
			if computer.Title == title {
				return computer.Name
			}
		}
	}
}

// versus is a game whose owner gives every seat to a computer.
func versus(t *testing.T, c *warledger.Client, computers map[string]string) *warledger.Game {
	t.Helper()
	made, err := c.Create(t.Context(), &v1.CreateGameRequest{
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	})
	if err != nil {
		t.Fatal(err)
	}
	own := new(warledger.Wallet)
	own.Add(made.Game.Name, made.OwnerToken)
	g := c.Game(made.Game.Name, "").WithTokens(own)
	for seat, computer := range computers {
		if _, err := g.SeatComputer(t.Context(), seat, computer); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// over waits until a game is over.
func over(t *testing.T, g *warledger.Game) {
	t.Helper()
	for u, err := range g.Watch(t.Context(), warledger.WatchOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if u.CaughtUp.GetOver() || warledger.EndsGame(u.Record) {
			return
		}
	}
}

// calls keeps the tokens that each call to a game brought.
type calls struct {
	mu   sync.Mutex
	seen map[string][]string
}

func (c *calls) note(ctx context.Context, method string) {
	md, _ := metadata.FromOutgoingContext(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = make(map[string][]string)
	}
	c.seen[method] = append(c.seen[method], md.Get("authorization")...)
}

func (c *calls) options() warledger.Option {
	return warledger.WithGRPC(
		grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, req, out any, conn *grpc.ClientConn,
			call grpc.UnaryInvoker, o ...grpc.CallOption) error {
			c.note(ctx, method)
			return call(ctx, method, req, out, conn, o...)
		}),
		grpc.WithChainStreamInterceptor(func(ctx context.Context, d *grpc.StreamDesc, conn *grpc.ClientConn,
			method string, open grpc.Streamer, o ...grpc.CallOption) (grpc.ClientStream, error) {
			c.note(ctx, method)
			return open(ctx, d, conn, method, o...)
		}))
}

// foreign lists the calls that brought another token than those that a computer was given.
func (c *calls) foreign(account string, given []string) (found []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for method, tokens := range c.seen {
		for _, token := range tokens {
			token = strings.TrimPrefix(token, "Bearer ")
			if token != account && !slices.Contains(given, token) {
				found = append(found, method)
			}
		}
	}
	return found
}

// TestCrewSeesWhatItsSeatSees: a computer plays whole games by calls that bring the token of its seat and no other. A
// shortcut is planted, a bot that looks at the game with the token of the other seat: the test finds it.
func TestCrewSeesWhatItsSeatSees(t *testing.T) {
	t.Parallel()
	person, _, address := serveAt(t)
	for name, cheats := range map[string]bool{"honest": false, "a planted shortcut": true} {
		t.Run(name, func(t *testing.T) {
			seen := new(calls)
			c, err := warledger.Dial(address, seen.options())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			g := versus(t, person, nil)
			other, err := g.Take(t.Context(), "red", "a person", nil)
			if err != nil {
				t.Fatal(err)
			}
			account := warledger.NewAccount()
			var given []string
			var mu sync.Mutex
			computer := crew(t, c, name, func(one *bot.Crew) {
				one.Account = account
				one.Make = func(string) (bot.Bot, error) {
					return choosing(func(ctx context.Context, v bot.View) (bot.Choice, error) {
						if cheats {
							peeks := new(warledger.Wallet)
							peeks.Add(g.Name(), other.SeatToken)
							_, err := c.Game(g.Name(), "red").WithTokens(peeks).Board(ctx, warledger.Look{})
							if err != nil {
								return bot.Choice{}, err
							}
						}
						return bot.NewRandom(1).Choose(ctx, v)
					}), nil
				}
				one.Given = func(seat *v1.ComputerSeat) {
					mu.Lock()
					defer mu.Unlock()
					given = append(given, seat.Token)
				}
			})
			if _, err := g.SeatComputer(t.Context(), "blue", computer); err != nil {
				t.Fatal(err)
			}
			own := new(warledger.Wallet)
			own.Add(g.Name(), other.SeatToken)
			_, err = (&bot.Player{Game: person.Game(g.Name(), "red").WithTokens(own), Bot: bot.NewRandom(2)}).
				Play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if found := seen.foreign(account, given); (len(found) > 0) != cheats || len(given) != 1 {
				t.Errorf("calls with a token of somebody else: %q; it was given %d seats", found, len(given))
			}
		})
	}
}

// choosing is a function as a bot.
type choosing func(context.Context, bot.View) (bot.Choice, error)

func (f choosing) Choose(ctx context.Context, v bot.View) (bot.Choice, error) { return f(ctx, v) }

// TestCrewsOutliveBadBots: a bot that hangs, fails, panics, cannot be made or sends nonsense harms its own seat alone:
// chance plays on for it, and the game comes to its end.
func TestCrewsOutliveBadBots(t *testing.T) {
	t.Parallel()
	c, _ := serve(t)
	good := crew(t, c, "good", nil)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, make := range map[string]func(string) (bot.Bot, error){
		"hangs": func(string) (bot.Bot, error) {
			return choosing(func(context.Context, bot.View) (bot.Choice, error) {
				<-release // deaf to the end of its time
				return bot.Choice{Action: 1 << 20}, nil
			}), nil
		},
		"fails": func(string) (bot.Bot, error) {
			return choosing(func(context.Context, bot.View) (bot.Choice, error) {
				return bot.Choice{}, errors.New("it does not know what to do")
			}), nil
		},
		"panics": func(string) (bot.Bot, error) {
			return choosing(func(context.Context, bot.View) (bot.Choice, error) { panic("a defect") }), nil
		},
		"is out of range": func(string) (bot.Bot, error) {
			return choosing(func(context.Context, bot.View) (bot.Choice, error) {
				return bot.Choice{Action: 1 << 20}, nil
			}), nil
		},
		"is illegal": func(string) (bot.Bot, error) {
			return choosing(func(context.Context, bot.View) (bot.Choice, error) {
				return bot.Choice{Notation: "move r1 9999"}, nil
			}), nil
		},
		"cannot be made": func(string) (bot.Bot, error) { return nil, errors.New("no such bot") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			failures := 0
			decided := 0
			bad := crew(t, c, name, func(one *bot.Crew) {
				one.Make = make
				one.Decided = func(_ *v1.ComputerSeat, took time.Duration) {
					mu.Lock()
					defer mu.Unlock()
					if decided++; name == "hangs" && decided == 1 && took < one.Patience {
						t.Errorf("a bot that hangs took %v", took)
					}
				}
				if name == "hangs" { // a slow machine must not take the others for it
					one.Patience = time.Millisecond
				}
				one.Failed = func(*v1.ComputerSeat, error) {
					mu.Lock()
					defer mu.Unlock()
					failures++
				}
			})
			over(t, versus(t, c, map[string]string{"red": bad, "blue": good}))
			mu.Lock()
			defer mu.Unlock()
			if (failures > 0) != (name != "hangs") || failures > 3 {
				t.Errorf("it was told of %d failures", failures)
			}
			if decided == 0 {
				t.Error("it was told of no decision")
			}
		})
	}
}

// TestCrewsTakeTurns: no more seats decide at once than the turns allow, and all games come to their end.
func TestCrewsTakeTurns(t *testing.T) {
	t.Parallel()
	c, _ := serve(t)
	var mu sync.Mutex
	thinking, most := 0, 0
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		thinking += n
		most = max(most, thinking)
	}
	computer := crew(t, c, "turns", func(one *bot.Crew) {
		one.Turns, one.Percent = semaphore.NewWeighted(1), 80
		one.Make = func(string) (bot.Bot, error) {
			random := bot.NewRandom(3)
			return choosing(func(ctx context.Context, v bot.View) (bot.Choice, error) {
				count(1)
				defer count(-1)
				return random.Choose(ctx, v)
			}), nil
		}
	})
	var games []*warledger.Game
	for range 4 {
		games = append(games, versus(t, c, map[string]string{"red": computer, "blue": computer}))
	}
	for _, g := range games {
		over(t, g)
	}
	if most != 1 {
		t.Errorf("%d seats decided at once, want 1", most)
	}
}

// TestCrewsGiveWay: a computer whose seat is taken back stops without a complaint, and one that is asked agrees.
func TestCrewsGiveWay(t *testing.T) {
	t.Parallel()
	c, _ := serve(t)
	computer := crew(t, c, "patient", func(one *bot.Crew) {
		one.Failed = func(_ *v1.ComputerSeat, err error) { t.Errorf("a seat that was taken back fails: %v", err) }
	})
	g := versus(t, c, map[string]string{"red": computer})
	taken, err := g.Take(t.Context(), "blue", "a person", nil)
	if err != nil {
		t.Fatal(err)
	}
	own := new(warledger.Wallet)
	own.Add(g.Name(), taken.SeatToken)
	blue := c.Game(g.Name(), "blue").WithTokens(own)
	if _, done, err := g.ProposeDeadlines(t.Context(), day()); err != nil || done {
		t.Fatalf("%t, %v", done, err)
	}
	for u, err := range blue.Watch(t.Context(), warledger.WatchOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Record == nil && u.CaughtUp == nil {
			continue
		}
		now, err := blue.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if p := now.PendingDeadlines; p != nil && slices.Equal(p.Missing, []string{"blue"}) {
			break // the computer has agreed
		}
	}
	if _, err := g.UnseatComputer(t.Context(), "red"); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Close(t.Context(), "enough"); err != nil {
		t.Fatal(err)
	}
}

func day() *logv1.Deadlines {
	return &logv1.Deadlines{Allowance: durationpb.New(24 * time.Hour), Lapse: logv1.Lapse_LAPSE_FORFEIT}
}
