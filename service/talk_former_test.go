package service_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
)

// late is a store whose Wait tells of rooms of talk at once, and of games only when the test ends: a server hears what
// is said before it hears who has left.
type late struct{ eventstore.Store }

func (s late) Wait(ctx context.Context, stream string, after eventstore.Mark) (eventstore.Mark, error) {
	if strings.HasPrefix(stream, "games/") {
		<-ctx.Done()
		return eventstore.Mark{}, ctx.Err()
	}
	return s.Store.Wait(ctx, stream, after)
}

// TestWhoWasPutOutIsToldNothingMore has blue put out at one server, and red speak to the side. Another server, where
// blue listens, knows of the message first. The stream ends without it.
func TestWhoWasPutOutIsToldNothingMore(t *testing.T) {
	t.Parallel()
	for name, out := range map[string]func(g *table, helper string){
		"the seat is taken away": func(g *table, _ string) { g.leave(g.owner, "blue") },
		// no record of the log tells of it
		"the token is revoked": func(g *table, helper string) {
			_, err := v1.NewAccessServiceClient(g.conn).RevokeToken(as(g.blue), &v1.RevokeTokenRequest{Name: helper})
			must(g.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := memory.New()
			t.Cleanup(func() { must(t, first.Close()) })
			handle := shares(t, first)
			allies := func(s *setting) { s.ruleset = allied{toy.Ruleset()} }
			here := open(t, allies, func(s *setting) { s.store = handle() }).seated()
			there := here.on(open(t, allies, func(s *setting) { s.store = late{handle()} }))
			token := here.made(here.blue, "blue", v1.Rights_RIGHTS_ACT)
			w := there.listen(token.Secret)
			for w.next().GetCaughtUp() == nil {
			}
			out(here, token.Token.Name)
			here.say(here.red, toSide, "blue is out: attack at dawn")
			for {
				m, err := w.stream.Recv()
				if err != nil {
					wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
					return
				}
				if said := m.GetMessage(); said != nil {
					t.Fatalf("whoever was put out was told %q", said.Text)
				}
			}
		})
	}
}

// TestAListLooksAtSeatsAfterMessages puts blue out, and has red speak to the side, while a list that blue has asked for
// reads what the side has said.
func TestAListLooksAtSeatsAfterMessages(t *testing.T) {
	t.Parallel()
	first := memory.New()
	t.Cleanup(func() { must(t, first.Close()) })
	l := newLink(first)
	g := open(t, func(s *setting) { s.store, s.ruleset = l, allied{toy.Ruleset()} }).seated()
	g.say(g.red, toSide, "before")
	var done atomic.Bool
	l.on(func(_, stream string) {
		if strings.Contains(stream, "/side/") && done.CompareAndSwap(false, true) {
			g.leave(g.owner, "blue")
			g.say(g.red, toSide, "blue is out: attack at dawn")
		}
	})
	out, err := g.talk().ListMessages(as(g.blue), &v1.ListMessagesRequest{Parent: g.name})
	if err == nil {
		t.Errorf("whoever was put out was told %v", out.Messages)
	}
	wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
}
