package warledger_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestLateRenewal: a request to renew that the client gave up arrives after all, just before the next one. The seat
// plays on with the chain of the first.
func TestLateRenewal(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var late *v1.RenewChainRequest
	slow := grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		r, ok := req.(*v1.RenewChainRequest)
		if !ok {
			return invoke(ctx, method, req, reply, cc, opts...)
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case late == nil:
			late = r
			return status.Error(codes.DeadlineExceeded, "gave up")
		case r.RequestId == late.RequestId:
			return status.Error(codes.DeadlineExceeded, "gave up again")
		}
		if err := invoke(ctx, method, late, new(v1.RenewChainResponse), cc, opts...); err != nil {
			return err
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	})
	red, blue := partners(t, newHost(t).addr, warledger.WithGRPC(slow))
	if _, err := blue.RenewChain(t.Context()); status.Code(err) != codes.DeadlineExceeded {
		t.Fatal(err)
	}
	if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrChainUnexpected) {
		t.Fatal(err)
	}
	for range 2 {
		rolling(t, red, blue)
		answered(t, red, blue)
	}
}

// TestTwoProgramsRenewAtOnce: two programs of a player, with one store, renew the chain at the same time. The server
// takes one of the chains, and both programs answer with it.
func TestTwoProgramsRenewAtOnce(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	meet := grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if strings.HasSuffix(method, "/RenewChain") {
			both.Done()
			both.Wait()
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	})
	red, blue := partners(t, newHost(t).addr, warledger.WithGRPC(meet))
	renewed := make(chan error, 2)
	for range 2 {
		go func() { _, err := blue.RenewChain(t.Context()); renewed <- err }()
	}
	for range 2 {
		if err := <-renewed; err != nil && !errors.Is(err, warledger.ErrChainUnexpected) {
			t.Error(err)
		}
	}
	for range 2 {
		rolling(t, red, blue)
		answered(t, red, blue)
	}
}

// TestLastLinkWithLateRenewal: a chain ends while a renewal is on the way. Its last link brings a chain of its own, so
// that the renewal may still arrive without beginning a used chain again.
func TestLastLinkWithLateRenewal(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue := partners(t, h.addr)
	kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	short := &warledger.Chain{Last: bytes.Repeat([]byte{7}, 32), Length: 1, Next: 1}
	short.Version, short.Hash = head(t, blue.Game)
	if err := blue.wallet.KeepChain(t.Context(), blue.Name(), "blue", kept, short); err != nil {
		t.Fatal(err)
	}
	commits(t, h.addr, blue, anchor(t, short.Anchors(blue.Name(), "blue")[0]), short.Length)
	if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrChainUnexpected) {
		t.Fatal(err)
	}
	now, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	late := now.Anchors(blue.Name(), "blue")[1]
	rolling(t, red, blue)
	answered(t, red, blue) // with the last link
	if game, err := blue.Get(t.Context()); err != nil || hex.EncodeToString(game.Seats[1].Chain.Anchor) == late {
		t.Errorf("the last link brought the chain of the renewal, %v", err)
	}
	commits(t, h.addr, blue, anchor(t, late), now.Coming.Length)
	rolling(t, red, blue)
	answered(t, red, blue)
	if now, err = blue.wallet.Chain(t.Context(), blue.Name(), "blue"); err != nil || now.Next != 2 {
		t.Errorf("the late chain is at link %d, %v", now.Next, err)
	}
	seen := make(map[string]bool)
	for _, a := range now.Anchors(blue.Name(), "blue") {
		if seen[a] {
			t.Errorf("the anchor %s is kept twice", a)
		}
		seen[a] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d chains are kept, expected 3", len(seen))
	}
}

// TestOlderStoresAreRead: a chain that an older program stored, with one that was coming, answers.
func TestOlderStoresAreRead(t *testing.T) {
	t.Parallel()
	red, blue := partners(t, newHost(t).addr)
	kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	version, hash := head(t, blue.Game)
	text, err := json.Marshal(map[string]any{
		"last": bytes.Repeat([]byte{9}, 32), "length": 5, "next": 3, "version": version, "hash": hash,
		"sent": []string{"ab"}, "coming": map[string]any{
			"last": kept.Last, "length": kept.Length, "next": kept.Next, "version": kept.Version, "hash": kept.Hash,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	older := new(warledger.Chain)
	if err := json.Unmarshal(text, older); err != nil {
		t.Fatal(err)
	}
	if err := blue.wallet.KeepChain(t.Context(), blue.Name(), "blue", kept, older); err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	answered(t, red, blue)
	now, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if all := now.Anchors(blue.Name(), "blue"); err != nil || len(all) != 3 || all[0] != "ab" || now.Next != 2 {
		t.Errorf("kept are %v, at link %d, %v", all, now.Next, err)
	}
}

func anchor(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
