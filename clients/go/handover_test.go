package warledger_test

import (
	"errors"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
)

// TestHandOver has the owner free a seat and ask whether it may be taken. Both players sat down with the owner's token
// at hand, so blue belongs to the owner, and only red is asked.
func TestHandOver(t *testing.T) {
	t.Parallel()
	wallet, ctx := &warledger.Wallet{}, t.Context()
	red, blue := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(wallet)), wallet)
	for _, g := range []*warledger.Game{red, blue} {
		if _, err := g.Submit(ctx, warledger.Move{Notation: "plan 0103"}); err != nil {
			t.Fatal(err)
		}
	}
	held, _ := wallet.Tokens(ctx, red.Name())
	only := func(g *warledger.Game, at int) *warledger.Game { return g.WithTokens(holding(g.Name(), held[at])) }
	owner, red := only(red, 0), only(red, 1)
	if _, err := owner.OfferSeat(ctx, "blue"); !errors.Is(err, warledger.ErrSeatTaken) {
		t.Errorf("a seat that is held is offered: %v", err)
	}
	if _, err := owner.Leave(ctx, "blue"); err != nil {
		t.Fatal(err)
	}
	g, err := owner.OfferSeat(ctx, "blue")
	if err != nil || len(g.PendingSeat.GetMissing()) != 1 {
		t.Fatalf("offered: %v, %v", g, err)
	}
	if _, done, err := red.AnswerSeat(ctx, g.PendingSeat, true); err != nil || !done {
		t.Errorf("all have agreed: %v, %v", done, err)
	}
}
