package bot_test

import (
	"context"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// tally counts the calls of a client.
type tally struct {
	mu    sync.Mutex
	calls map[string]int
}

func (c *tally) unary(
	ctx context.Context, method string, req, out any, conn *grpc.ClientConn, do grpc.UnaryInvoker, o ...grpc.CallOption,
) error {
	c.mu.Lock()
	c.calls[method[len("/warledger.v1.GameService/"):]]++
	c.mu.Unlock()
	return do(ctx, method, req, out, conn, o...)
}

// TestADecisionTakesOneCall: players ask for a list only after the other has made a record, not before each command.
func TestADecisionTakesOneCall(t *testing.T) {
	t.Parallel()
	_, _, addr := serveAt(t)
	wallet, count := &warledger.Wallet{}, &tally{calls: map[string]int{}}
	c, err := warledger.Dial(addr, warledger.WithTokens(wallet),
		warledger.WithGRPC(grpc.WithChainUnaryInterceptor(count.unary)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	const games = 4
	turns, last := 0, ""
	for range games {
		seats := table(t, c, wallet)
		var all sync.WaitGroup
		for _, g := range seats {
			all.Go(func() {
				if _, err := (&bot.Player{Game: g, Bot: bot.NewRandom(2)}).Play(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for r, err := range seats["red"].Records(t.Context(), warledger.LogQuery{}) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Kind == logv1.RecordKind_RECORD_KIND_COMMAND && r.Seat != last {
				turns, last = turns+1, r.Seat
			}
		}
	}
	// Both plan at once, and the list of one may be stale by the time that it is used.
	lists, commands := count.calls["ListLegalActions"], count.calls["SubmitCommand"]
	t.Logf("%d commands in %d turns, %d lists", commands, turns, lists)
	if most := turns + 3*games; lists > most || commands <= most {
		t.Errorf("%d lists for %d commands in %d turns", lists, commands, turns)
	}
}
