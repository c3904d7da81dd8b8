package warledger_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// impostor is somebody who has a player's token, as the operator of the server has, and a chain of its own.
func impostor(t *testing.T, addr string, p *partner) *partner {
	t.Helper()
	tokens, err := p.wallet.Tokens(t.Context(), p.Name())
	if err != nil {
		t.Fatal(err)
	}
	other := &partner{wallet: &warledger.Wallet{}}
	other.wallet.Add(p.Name(), tokens[0])
	other.client = dial(t, addr, warledger.WithTokens(other.wallet))
	other.Game = other.client.Game(p.Name(), p.Seat())
	return other
}

// watching follows a game until the watch ends, and says when it has caught up.
func watching(t *testing.T, g *warledger.Game) (ended chan error) {
	t.Helper()
	caught, ended := make(chan bool), make(chan error, 1)
	go func() {
		var last error
		for u, err := range g.Watch(t.Context(), warledger.WatchOptions{}) {
			if last = err; err == nil && u.CaughtUp != nil {
				caught <- true
			}
		}
		ended <- last
	}()
	<-caught
	return ended
}

// TestReplacedChainsAreLoud: somebody who has the player's token commits the player's seat to another chain. The
// player's programs say so at once, although no dice are asked for: those that look, and those that watch.
func TestReplacedChainsAreLoud(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	all := blue.client.Game(blue.Name(), "") // as programs do that hold several seats
	watches := []chan error{watching(t, blue.Game), watching(t, all)}
	if _, err := impostor(t, h.addr, blue).RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, g := range []*warledger.Game{blue.Game, all} {
		if game, err := g.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrChainReplaced) ||
			game.GetPendingDice() != nil {
			t.Errorf("%q: got %v", g.Seat(), err)
		}
		if err := <-watches[i]; !errors.Is(err, warledger.ErrChainReplaced) {
			t.Errorf("the watch of %q ended with %v", g.Seat(), err)
		}
	}
	if _, err := red.AnswerDice(t.Context()); err != nil {
		t.Errorf("the opponent: %v", err)
	}
	if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrChainUnexpected) {
		t.Errorf("renewed before a command: %v", err)
	}
}

// TestChainsReplacedForAWhile: the impostor answers for one roll, and puts the player's own chain back
// before the player looks.
func TestChainsReplacedForAWhile(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	before, err := blue.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := impostor(t, h.addr, blue)
	if _, err := other.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	rolling(t, red, other)
	for _, p := range []*partner{red, other} {
		if _, err := p.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tokens, _ := other.wallet.Tokens(t.Context(), other.Name())
	chain := before.Seats[1].Chain
	_, err = other.client.Games().RenewChain(warledger.WithBearer(t.Context(), tokens...), &v1.RenewChainRequest{
		Name: blue.Name(), Seat: "blue", RequestId: uuid.NewString(),
		Chain: &logv1.HashChain{Anchor: chain.Anchor, Length: chain.Length},
	})
	if err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrChainReplaced) {
		t.Errorf("got %v", err)
	}
}

// TestSeatsTakenWithAnotherChain: the server takes the seat for the player with a chain of its own. The token
// comes with the error.
func TestSeatsTakenWithAnotherChain(t *testing.T) {
	t.Parallel()
	meddler := grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if took, ok := req.(*v1.TakeSeatRequest); ok && took.Chain != nil {
			took.Chain.Anchor[0] ^= 1
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	})
	c := dial(t, newHost(t).addr, warledger.WithGRPC(meddler), warledger.WithTokens(&warledger.Wallet{}))
	made, err := c.Create(t.Context(), &v1.CreateGameRequest{
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		Dice: logv1.DiceKind_DICE_KIND_MUTUAL,
	})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Game(made.Game.Name, "red").Take(t.Context(), "red", "Ann", nil)
	if !errors.Is(err, warledger.ErrChainReplaced) || resp.GetSeatToken() == "" {
		t.Errorf("got %v, %v", resp, err)
	}
}

// TestOthersChainsAreTheirs: a chain of a seat that was held here, and is another player's now, is no alarm.
func TestOthersChainsAreTheirs(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	if _, err := blue.Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
	eve := dial(t, h.addr, warledger.WithTokens(&warledger.Wallet{}))
	if _, err := eve.Game(blue.Name(), "blue").Take(t.Context(), "blue", "Eve", nil); err != nil {
		t.Fatal(err)
	}
	tokens, _ := blue.wallet.Tokens(t.Context(), blue.Name())
	blue.wallet.Remove(blue.Name(), tokens[0])
	own, _ := red.wallet.Tokens(t.Context(), red.Name())
	blue.wallet.Add(blue.Name(), own[0]) // and holds another seat
	if _, err := blue.client.Game(blue.Name(), "").AnswerDice(t.Context()); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestRenewingForgetsNoLog: whoever renews a chain, or takes the seat again, goes on from the log that was seen before.
// A server that went back cannot have that forgotten; the player can.
func TestRenewingForgetsNoLog(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	rolling(t, red, blue)
	for _, p := range []*partner{red, blue} {
		if _, err := p.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*warledger.Chain){
		"another record was seen":              func(c *warledger.Chain) { c.Hash = strings.Repeat("00", 32) },
		"the server has gone back":             func(c *warledger.Chain) { c.Version += 1000 },
		"the server dropped the asked command": func(c *warledger.Chain) { c.Version, c.Hash = head(t, blue.Game) },
	} {
		seen := *kept
		change(&seen)
		if err := blue.wallet.KeepChain(t.Context(), blue.Name(), "blue", kept, &seen); err != nil {
			t.Fatal(err)
		}
		if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) {
			t.Errorf("%s: renewing: %v", name, err)
		}
		if _, err := blue.CommitChain(t.Context(), "blue"); !errors.Is(err, warledger.ErrLogInconsistent) {
			t.Errorf("%s: taking the seat: %v", name, err)
		}
		if err := blue.wallet.KeepChain(t.Context(), blue.Name(), "blue", &seen, kept); err != nil {
			t.Fatal(err)
		}
	}
	old := kept.Anchors(blue.Name(), "blue")
	if _, err := blue.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	if _, err := blue.AnswerDice(t.Context()); err != nil {
		t.Fatal(err)
	}
	now, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if all := now.Anchors(blue.Name(), "blue"); err != nil || len(all) != 2 || all[0] != old[0] {
		t.Errorf("sent %v after %v, %v", all, old, err)
	}
}

// head is the newest record of a game.
func head(t *testing.T, g *warledger.Game) (version uint64, hash string) {
	t.Helper()
	game, err := g.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return game.Version, game.LastHash
}
