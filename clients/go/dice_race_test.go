package warledger_test

import (
	"context"
	"fmt"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
)

// slow is a place for tokens and chains in which something happens before a program learns what is kept.
type slow struct {
	*warledger.Wallet
	looks int
	// before is called before the look of this number.
	at     int
	before func()
}

func (s *slow) Chain(ctx context.Context, game, seat string) (*warledger.Chain, error) {
	if s.looks++; s.looks == s.at {
		s.before()
	}
	return s.Wallet.Chain(ctx, game, seat)
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
