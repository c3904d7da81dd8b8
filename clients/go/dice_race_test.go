package warledger_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
)

// slow is a place for tokens and chains in which something happens before or after a program learns what is kept.
type slow struct {
	*warledger.Wallet
	looks int
	// before is called before the look of this number, and after, if there is one, after the next look.
	at     int
	before func()
	after  func()
}

func (s *slow) Chain(ctx context.Context, game, seat string) (*warledger.Chain, error) {
	if s.looks++; s.looks == s.at {
		s.before()
	}
	kept, err := s.Wallet.Chain(ctx, game, seat)
	if s.looks == s.at+1 && s.after != nil {
		s.after()
	}
	return kept, err
}

// answered lets both players answer for the dice that are asked for.
func answered(t *testing.T, players ...*partner) {
	t.Helper()
	for _, p := range players {
		if _, err := p.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnotherProgramAnswersMeanwhile has a second program of a player answer, and the game go on to the next throw,
// while the first one has read the game and not yet what is kept. That is no second log: nothing may be said of it.
func TestAnotherProgramAnswersMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, act := range map[string]func(g *warledger.Game) error{
		"answers": func(g *warledger.Game) error { _, err := g.AnswerDice(t.Context()); return err },
		"commits": func(g *warledger.Game) error { _, err := g.CommitChain(t.Context(), "red"); return err },
	} {
		for at := range 6 {
			t.Run(fmt.Sprintf("%s, at look %d", name, at+1), func(t *testing.T) {
				t.Parallel()
				red, blue := partners(t, h.addr)
				rolling(t, red, blue)
				answered(t, red, blue)
				if name == "answers" {
					rolling(t, red, blue)
				}
				s := &slow{Wallet: red.wallet, at: at + 1}
				s.before = func() {
					if name == "answers" {
						answered(t, red, blue)
					}
					rolling(t, red, blue)
					answered(t, red, blue)
				}
				second := dial(t, h.addr, warledger.WithTokens(s)).Game(red.Name(), "red")
				if err := act(second); err != nil {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// TestAnotherProgramRenewsMeanwhile has a second program of a player renew the chain and answer with it, before the
// first one learns what is kept, and again once it has and before it reads the game anew. The server then has a chain
// that the first program has not seen. That is no chain of somebody else: nothing may be said of it.
func TestAnotherProgramRenewsMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, c := range map[string]struct {
		due bool // a link is owed when the first program begins
		act func(g *warledger.Game) error
	}{
		"looks":   {false, func(g *warledger.Game) error { _, err := g.AnswerDice(t.Context()); return err }},
		"answers": {true, func(g *warledger.Game) error { _, err := g.AnswerDice(t.Context()); return err }},
		"renews":  {false, func(g *warledger.Game) error { _, err := g.RenewChain(t.Context()); return err }},
	} {
		for at := range 6 {
			t.Run(fmt.Sprintf("%s, at look %d", name, at+1), func(t *testing.T) {
				t.Parallel()
				red, blue := partners(t, h.addr)
				rolling(t, red, blue)
				answered(t, red, blue)
				if c.due {
					rolling(t, red, blue)
				}
				renewed := func() {
					answered(t, red, blue)
					// Once the first program has renewed the chain, it may not be renewed again before a command.
					_, err := red.RenewChain(t.Context())
					if err != nil && !errors.Is(err, warledger.ErrChainUnexpected) {
						t.Error(err)
					}
					rolling(t, red, blue)
					answered(t, red, blue)
				}
				s := &slow{Wallet: red.wallet, at: at + 1, before: renewed, after: renewed}
				second := dial(t, h.addr, warledger.WithTokens(s)).Game(red.Name(), "red")
				if err := c.act(second); err != nil {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}
