package warledger_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// partner is one player of a game with mutual dice, with a client, tokens and chains of its own.
type partner struct {
	*warledger.Game
	client *warledger.Client
	wallet *warledger.Wallet
}

// partners seats two players at a game with mutual dice.
func partners(t *testing.T, addr string, opts ...warledger.Option) (red, blue *partner) {
	t.Helper()
	_, red, blue = hosted(t, addr, opts...)
	return red, blue
}

// hosted does so too, and gives the owner's handle.
func hosted(t *testing.T, addr string, opts ...warledger.Option) (owner *warledger.Game, red, blue *partner) {
	t.Helper()
	c := dial(t, addr)
	made, err := c.Create(t.Context(), &v1.CreateGameRequest{
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		Dice: logv1.DiceKind_DICE_KIND_MUTUAL,
	})
	if err != nil {
		t.Fatal(err)
	}
	sit := func(seat string) *partner {
		p := &partner{wallet: &warledger.Wallet{}}
		p.client = dial(t, addr, append(opts, warledger.WithTokens(p.wallet))...)
		p.Game = p.client.Game(made.Game.Name, seat)
		taken, err := p.Take(t.Context(), seat, "player "+seat, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.wallet.Add(p.Name(), taken.SeatToken)
		return p
	}
	owned := &warledger.Wallet{}
	owned.Add(made.Game.Name, made.OwnerToken)
	owner = dial(t, addr, warledger.WithTokens(owned)).Game(made.Game.Name, "")
	return owner, sit("red"), sit("blue")
}

// TestMutualDiceAnswerThemselves plays games with mutual dice through restarts of the server: each player's watch
// answers, and a command waits until its dice have come.
func TestMutualDiceAnswerThemselves(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for thrown, restarts := 0, 0; thrown < 3 || restarts == 0; { // one game may end before any dice are thrown
		throws := playMutual(t, h, func() {
			if thrown++; thrown%2 == 0 {
				h.stop(0)
				h.start()
				restarts++
			}
		})
		t.Logf("%d throws", throws)
	}
}

// playMutual plays a game with mutual dice to its end, and calls each after every throw.
func playMutual(t *testing.T, h *host, each func()) (thrown int) {
	t.Helper()
	red, blue := partners(t, h.addr, warledger.WithPatience(time.Hour))
	var watches sync.WaitGroup
	for _, p := range []*partner{red, blue} {
		watches.Go(func() { follow(t, p.Game, warledger.WatchOptions{Viewer: p.Seat()}) })
	}
	for n := 0; ; n++ {
		g, err := red.Get(t.Context())
		if err != nil || n > 1000 {
			t.Fatal(n, err)
		}
		if g.Over {
			break
		}
		p := red
		if g.WaitingFor[0] == "blue" {
			p = blue
		}
		actions, err := p.ListLegal(t.Context(), warledger.LegalQuery{})
		if err != nil {
			t.Fatal(err)
		}
		done, err := p.Submit(t.Context(),
			warledger.Move{Notation: actions[n%len(actions)].Command, Expected: g.Version})
		if err != nil || done.Pending {
			t.Fatalf("got %v, %v", done, err)
		}
		if done.Record.Asked != 0 {
			thrown++
			each()
		}
	}
	watches.Wait()
	for _, p := range []*partner{red, blue} {
		chain, err := p.wallet.Chain(t.Context(), p.Name(), p.Seat())
		if err != nil || int(chain.Next) != thrown+1 {
			t.Errorf("after %d throws the chain of %s is at link %d, %v", thrown, p.Seat(), chain.Next, err)
		}
	}
	return thrown
}

// rolling plays with both until a command waits for dice, and returns the seat that rolls and the other one that owes
// a link.
func rolling(t *testing.T, red, blue *partner) (roller, other *partner, g *v1.Game) {
	t.Helper()
	for n := 0; ; n++ {
		g, err := red.Get(t.Context())
		if err != nil || g.Over {
			t.Fatal(g, err)
		}
		roller, other = red, blue
		if g.WaitingFor[0] == "blue" {
			roller, other = blue, red
		}
		actions, err := roller.ListLegal(t.Context(), warledger.LegalQuery{})
		if err != nil {
			t.Fatal(err)
		}
		done, err := roller.Submit(t.Context(),
			warledger.Move{Notation: actions[n%len(actions)].Command, Pending: true})
		if err != nil {
			t.Fatal(err)
		}
		if done.Pending {
			return roller, other, done.Game
		}
	}
}

// TestLinksAreNotRevealedForForkedLogs has a server lie in every way that would let it choose dice: it shows another
// record than before, asks for a link again, asks before the last command was carried out, or asks without a record. No
// link leaves the client.
func TestLinksAreNotRevealedForForkedLogs(t *testing.T) {
	t.Parallel()
	var lie func(method string, reply any)
	var mu sync.Mutex
	sent := 0
	meddler := grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		err := invoke(ctx, method, req, reply, cc, opts...)
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(method, "/AnswerDice") {
			sent++
		}
		if lie != nil && err == nil {
			lie(method, reply)
		}
		return err
	})
	h := newHost(t)
	red, blue := partners(t, h.addr, warledger.WithGRPC(meddler))
	for range 2 { // one whole throw first, then one that waits
		roller, other, _ := rolling(t, red, blue)
		for _, p := range []*partner{roller, other} {
			if _, err := p.AnswerDice(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, other, g := rolling(t, red, blue)
	kept, err := other.wallet.Chain(t.Context(), other.Name(), other.Seat())
	if err != nil {
		t.Fatal(err)
	}
	onRecords := func(change func(*v1.Record)) func(string, any) {
		return func(_ string, reply any) {
			if page, ok := reply.(*v1.ListRecordsResponse); ok {
				for _, r := range page.Records {
					change(r)
				}
			}
		}
	}
	onGame := func(change func(*v1.Game)) func(string, any) {
		return func(_ string, reply any) {
			if got, ok := reply.(*v1.GetGameResponse); ok {
				change(got.Game)
			}
		}
	}
	lies := map[string]func(string, any){
		"the asking record has another hash": onRecords(func(r *v1.Record) { r.Proof.Hash[0] ^= 1 }),
		"the asking record has another command": onRecords(func(r *v1.Record) {
			if r.Kind == logv1.RecordKind_RECORD_KIND_ASK {
				r.Proof.Leaves[0].Payload, r.Proof.Leaves[0].Salt, r.Proof.Leaves[0].Digest = nil, nil, make([]byte, 32)
			}
		}),
		"a record is left out": func(_ string, reply any) {
			if page, ok := reply.(*v1.ListRecordsResponse); ok && len(page.Records) > 2 {
				page.Records = append(page.Records[:1:1], page.Records[2:]...)
			}
		},
		"the known record comes twice, before two lines": func(_ string, reply any) {
			if page, ok := reply.(*v1.ListRecordsResponse); ok && len(page.Records) > 2 {
				page.Records = append(page.Records[:2:2], page.Records...)
			}
		},
		"no proofs":                    onRecords(func(r *v1.Record) { r.Proof = nil }),
		"it asks in an older record":   onGame(func(g *v1.Game) { g.PendingDice.Asked = kept.Version - 1 }),
		"it asks in no record":         onGame(func(g *v1.Game) { g.PendingDice.Asked++ }),
		"it asks in the record before": onGame(func(g *v1.Game) { g.PendingDice.Asked-- }),
	}
	for name, l := range lies {
		mu.Lock()
		lie, sent = l, 0
		mu.Unlock()
		if _, err := other.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) || sent != 0 {
			t.Errorf("%s: got %v, and %d links were sent", name, err, sent)
		}
	}
	mu.Lock()
	lie = nil
	mu.Unlock()
	// The kept chain says that another record asked for the link, or that the last link is not used yet.
	for name, change := range map[string]func(*warledger.Chain){
		"the link was revealed before": func(c *warledger.Chain) { c.Next += 5 },
		"another record was seen":      func(c *warledger.Chain) { c.Hash = strings.Repeat("00", 32) },
		"the server has gone back":     func(c *warledger.Chain) { c.Version = g.PendingDice.Asked + 1 },
	} {
		now, err := other.wallet.Chain(t.Context(), other.Name(), other.Seat())
		if err != nil {
			t.Fatal(err)
		}
		other2 := *now
		change(&other2)
		if err := other.wallet.KeepChain(t.Context(), other.Name(), other.Seat(), now, &other2); err != nil {
			t.Fatal(err)
		}
		sent = 0
		if _, err := other.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) || sent != 0 {
			t.Errorf("%s: got %v, and %d links were sent", name, err, sent)
		}
		if err := other.wallet.KeepChain(t.Context(), other.Name(), other.Seat(), &other2, now); err != nil {
			t.Fatal(err)
		}
	}
	// An honest request is answered, and answered again if the answer was lost.
	before := proto.CloneOf(g)
	for range 2 {
		if g, err = other.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.PendingDice.GetMissing()) >= len(before.PendingDice.Missing) {
		t.Errorf("missing are %v", g.PendingDice.GetMissing())
	}
}

// TestRenewChain moves a seat to another machine, which has the token but not the chain.
func TestRenewChain(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	tokens, err := red.wallet.Tokens(t.Context(), red.Name())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := &partner{wallet: &warledger.Wallet{}}
	elsewhere.wallet.Add(red.Name(), tokens[0])
	elsewhere.client = dial(t, h.addr, warledger.WithTokens(elsewhere.wallet))
	elsewhere.Game = elsewhere.client.Game(red.Name(), "red")
	if _, err := elsewhere.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.RenewChain(t.Context()); !errors.Is(err, warledger.ErrChainUnexpected) {
		t.Errorf("twice without a command: %v", err)
	}
	rolling(t, elsewhere, blue)
	if _, err := red.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrChainReplaced) {
		t.Errorf("the old machine: %v", err)
	}
	if err := red.ForgetChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := red.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrNoChain) {
		t.Errorf("the old machine, which leaves it to the new one: %v", err)
	}
	for _, p := range []*partner{elsewhere, blue} {
		if _, err := p.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if g, err := blue.Get(t.Context()); err != nil || g.PendingDice != nil {
		t.Errorf("got %v, %v", g.GetPendingDice(), err)
	}
}
