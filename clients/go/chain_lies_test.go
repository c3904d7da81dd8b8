package warledger_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// liar is a server that shows something else than what it has, once it lies.
type liar struct {
	lies   atomic.Bool
	change func(reply any)
	// sent counts the links that were revealed to it while it lied.
	sent atomic.Int32
}

func (l *liar) option() warledger.Option {
	return warledger.WithGRPC(grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if l.lies.Load() && strings.HasSuffix(method, "/AnswerDice") {
			l.sent.Add(1)
		}
		err := invoke(ctx, method, req, reply, cc, opts...)
		if err == nil && l.lies.Load() {
			l.change(reply)
		}
		return err
	}))
}

// TestRenewalsCannotBeHidden: a server shows only the digest of a record that commits a seat to a chain. The hash is
// right, but the record could be anything.
func TestRenewalsCannotBeHidden(t *testing.T) {
	t.Parallel()
	l := &liar{change: func(reply any) {
		page, ok := reply.(*v1.ListRecordsResponse)
		if !ok {
			return
		}
		for _, r := range page.Records {
			for _, leaf := range r.GetProof().GetLeaves() {
				if r.Kind == logv1.RecordKind_RECORD_KIND_TABLE && leaf.Payload != nil {
					sum := digestOf(leaf)
					leaf.Digest, leaf.Payload, leaf.Salt = sum[:], nil, nil
				}
			}
		}
	}}
	red, blue := partners(t, newHost(t).addr, l.option())
	rolling(t, red, blue)
	answered(t, red, blue)
	if _, err := red.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	l.lies.Store(true)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) || l.sent.Load() != 0 {
		t.Errorf("got %v, and %d links were sent", err, l.sent.Load())
	}
	l.lies.Store(false)
	answered(t, blue)
}

// commits has somebody with the player's token commit the seat to a chain by its anchor.
func commits(t *testing.T, addr string, p *partner, anchor []byte, length uint32) {
	t.Helper()
	tokens, err := p.wallet.Tokens(t.Context(), p.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, err = dial(t, addr).Games().RenewChain(warledger.WithBearer(t.Context(), tokens...), &v1.RenewChainRequest{
		Name: p.Name(), Seat: p.Seat(), RequestId: uuid.NewString(),
		Chain: &logv1.HashChain{Anchor: anchor, Length: length},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOwnChainsBeginOnce: somebody with the player's token begins the player's own chain again, whose first links the
// log has, and answers with them. Everything that the player then does says so.
func TestOwnChainsBeginOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	rolling(t, red, blue)
	answered(t, red, blue)
	watch := watching(t, blue.Game)
	before, err := blue.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chain := before.Seats[1].Chain
	commits(t, h.addr, blue, chain.Anchor, chain.Length)
	if err := <-watch; !errors.Is(err, warledger.ErrLogInconsistent) {
		t.Errorf("watching: %v", err)
	}
	_, _, g := rolling(t, red, blue)
	answered(t, red)
	tokens, err := blue.wallet.Tokens(t.Context(), blue.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, err = blue.client.Games().AnswerDice(warledger.WithBearer(t.Context(), tokens...), &v1.AnswerDiceRequest{
		Name: blue.Name(), Seat: "blue", RequestId: uuid.NewString(), Asked: g.PendingDice.Asked,
		Link: revealed(t, red.Game, "blue"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) {
		t.Errorf("renewing: %v", err)
	}
	kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) {
		t.Errorf("answering: %v", err)
	}
	if now, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue"); err != nil || now.Next != kept.Next {
		t.Errorf("link %d was revealed, %v", now.Next-1, err)
	}
}

// revealed is the first link that a seat revealed, as the log has it.
func revealed(t *testing.T, g *warledger.Game, seat string) []byte {
	t.Helper()
	for r, err := range g.Records(t.Context(), warledger.LogQuery{WholeTree: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.GetEvents() {
			change := new(logv1.TableEvent)
			if e.GetEvent().UnmarshalTo(change) == nil && change.GetDiceAnswered().GetSeat() == seat {
				return change.GetDiceAnswered().Link
			}
		}
	}
	t.Fatal("no link was revealed")
	return nil
}

// TestRenewingForgetsNoCommand: the server dropped the command for which a link was revealed, and excuses itself with a
// field that nothing proves. Either the renewal fails, or the new chain waits for that command.
func TestRenewingForgetsNoCommand(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, c := range map[string]struct {
		excuse  func(g *v1.Game)
		renewed error
	}{
		"another record asks": {func(g *v1.Game) { g.PendingDice = &v1.PendingDice{Asked: 1} },
			warledger.ErrLogInconsistent},
		"it still asks":    {func(g *v1.Game) { g.PendingDice = &v1.PendingDice{Asked: g.Version} }, nil},
		"the game is over": {func(g *v1.Game) { g.Over = true }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &liar{change: func(reply any) {
				if got, ok := reply.(*v1.GetGameResponse); ok {
					c.excuse(got.Game)
				}
			}}
			red, blue := partners(t, h.addr, l.option())
			rolling(t, red, blue)
			answered(t, red, blue)
			kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
			if err != nil {
				t.Fatal(err)
			}
			seen := *kept
			seen.Version, seen.Hash = head(t, blue.Game) // no command of the log answers this record
			if err := blue.wallet.KeepChain(t.Context(), blue.Name(), "blue", kept, &seen); err != nil {
				t.Fatal(err)
			}
			l.lies.Store(true)
			if _, err := blue.RenewChain(t.Context()); !errors.Is(err, c.renewed) {
				t.Fatalf("renewing: %v", err)
			}
			l.lies.Store(false)
			if c.renewed != nil {
				return
			}
			rolling(t, red, blue)
			if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrLogInconsistent) {
				t.Errorf("the next roll: %v", err)
			}
		})
	}
}

// digestOf is the digest of a leaf, as docs/reference/log-format.md has it.
func digestOf(l *logv1.Leaf) [sha256.Size]byte {
	field := func(b []byte, s string) []byte { return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...) }
	in := field(field(field(nil, "warledger/log/1/leaf"), string(l.GetSalt())), l.GetPayload().GetType())
	in = binary.BigEndian.AppendUint32(in, l.GetPayload().GetSchema())
	return sha256.Sum256(field(in, string(l.GetPayload().GetData())))
}
