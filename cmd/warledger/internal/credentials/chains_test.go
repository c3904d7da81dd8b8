package credentials

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	warledger "github.com/warledger/warledger/clients/go"
)

// TestChainsAreKeptOnce: only a writer who knows what is kept changes a chain, also when many try at once.
func TestChainsAreKeptOnce(t *testing.T) {
	t.Parallel()
	f := file(t)
	ctx, chains := t.Context(), f.Chains(server)
	if c, err := chains.Chain(ctx, "games/a", "red"); c != nil || err != nil {
		t.Fatalf("got %v, %v", c, err)
	}
	first := &warledger.Chain{Last: []byte{1, 2}, Length: 9, Next: 1, Version: 3, Hash: "ab"}
	if err := chains.KeepChain(ctx, "games/a", "red", nil, first); err != nil {
		t.Fatal(err)
	}
	if err := chains.KeepChain(ctx, "games/a", "red", nil, first); !errors.Is(err, warledger.ErrChainChanged) {
		t.Errorf("a chain was replaced by a caller that knows of none: %v", err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				old, err := f.Chains(server).Chain(ctx, "games/a", "red")
				if err != nil {
					t.Error(err)
					return
				}
				next := *old
				next.Next++
				next.Coming = first
				if err := f.Chains(server).KeepChain(ctx, "games/a", "red", old, &next); err == nil {
					return
				} else if !errors.Is(err, warledger.ErrChainChanged) {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	change(t, f, "games/a", false, func(g *Game) { g.Seats["red"] = "token" })
	change(t, f, "games/a", false, func(g *Game) { delete(g.Seats, "red") })
	got, err := chains.Chain(ctx, "games/a", "red")
	if err != nil {
		t.Fatal(err)
	}
	want := &warledger.Chain{Last: []byte{1, 2}, Length: 9, Next: 5, Version: 3, Hash: "ab", Coming: first}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := chains.KeepChain(ctx, "games/a", "red", got, nil); err != nil {
		t.Fatal(err)
	}
	if c, err := chains.Chain(ctx, "games/a", "red"); c != nil || err != nil {
		t.Errorf("a forgotten chain: %v, %v", c, err)
	}
}
