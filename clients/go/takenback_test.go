package warledger_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// forger returns a handle of a seat for somebody who has seen the tokens of some players, but not their chains.
func forger(t *testing.T, addr, seat string, seen ...*partner) *warledger.Game {
	t.Helper()
	stolen := &warledger.Wallet{}
	for _, p := range seen {
		tokens, err := p.wallet.Tokens(t.Context(), p.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens {
			stolen.Add(p.Name(), token)
		}
	}
	return dial(t, addr, warledger.WithTokens(stolen)).Game(seen[0].Name(), seat)
}

// shares gives the tokens of one player to another.
func shares(t *testing.T, from, to *partner) {
	t.Helper()
	tokens, err := from.wallet.Tokens(t.Context(), from.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		to.wallet.Add(to.Name(), token)
	}
}

// thrownTwice seats two players and has them play until dice have fallen twice.
func thrownTwice(t *testing.T, addr string, opts ...warledger.Option) (red, blue *partner, one, two *v1.Record) {
	t.Helper()
	for two == nil { // a game may end before
		red, blue = partners(t, addr, opts...)
		if one = throws(t, red, blue); one != nil {
			two = throws(t, red, blue)
		}
	}
	return red, blue, one, two
}

// throws has two players play until dice have fallen, and returns the record of the command; nil if the game is over.
func throws(t *testing.T, red, blue *partner) *v1.Record {
	t.Helper()
	for n := 0; ; n++ {
		g, err := red.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if g.Over {
			return nil
		}
		p := red
		if g.WaitingFor[0] == "blue" {
			p = blue
		}
		actions, err := p.ListLegal(t.Context(), warledger.LegalQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if r := throw(t, p, red, blue, actions[n%len(actions)].Command); r.Asked != 0 {
			return r
		}
	}
}

// throw has a player send a command, for whose dice both answer.
func throw(t *testing.T, p, red, blue *partner, command string) *v1.Record {
	t.Helper()
	move := warledger.Move{ID: uuid.NewString(), Notation: command, Pending: true}
	for {
		done, err := p.Submit(t.Context(), move)
		if err != nil {
			t.Fatal(err)
		}
		if !done.Pending {
			return done.Record
		}
		answered(t, red, blue)
	}
}

// of returns the player who sent a command.
func of(r *v1.Record, red, blue *partner) *partner {
	if r.Seat == "blue" {
		return blue
	}
	return red
}

// asks has a player send a command again that needs dice.
func asks(t *testing.T, p *partner, command string) {
	t.Helper()
	done, err := p.Submit(t.Context(), warledger.Move{Notation: command, Pending: true})
	if err != nil || !done.Pending {
		t.Fatal(done, err)
	}
}

// back has one player ask to go back to a version and another agree.
func back(t *testing.T, asker, other *warledger.Game, target uint64) (undo uint64) {
	t.Helper()
	g, done, err := asker.Undo(t.Context(), target, true)
	if err == nil && !done {
		g, done, err = other.Answer(t.Context(), g.PendingUndo, true)
	}
	if err != nil || !done {
		t.Fatal(done, err)
	}
	return g.Version
}

// TestOperatorCannotThrowAgain plays games in which red is in league with the operator, who agrees to undos in blue's
// name. Whenever a die of red's is no six, it is taken back, and red throws again. Blue's client gives no link for that
// throw: a game stands still at red's first die that is no six.
func TestOperatorCannotThrowAgain(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for range 8 {
		red, blue := partners(t, h.addr)
		forged := forger(t, h.addr, "blue", blue)
		thrown := throws(t, red, blue)
		for thrown != nil && (thrown.Seat == "blue" || thrown.Rolls[0].Value == 6) {
			thrown = throws(t, red, blue)
		}
		if thrown == nil {
			continue // red had nothing but sixes
		}
		undo := back(t, red.Game, forged, thrown.Parent)
		asks(t, red, thrown.Notation)
		answered(t, red)
		_, err := blue.AnswerDice(t.Context())
		var alarm *warledger.ThrowTakenBackError
		if !errors.Is(err, warledger.ErrThrowTakenBack) || !errors.As(err, &alarm) ||
			*alarm != (warledger.ThrowTakenBackError{Seat: "blue", Undo: undo, Throw: thrown.Version}) {
			t.Errorf("record %d threw %v, and record %d took it back: got %v", thrown.Version, thrown.Rolls, undo, err)
		}
		if g, err := red.Get(t.Context()); err != nil || len(g.PendingDice.GetMissing()) != 1 {
			t.Errorf("the game waits for %v, %v", g.PendingDice, err)
		}
	}
}

// TestUndosByConsent has throws taken back in every way, and looks whether blue's client goes on. It does where blue
// agreed with it or asked with it, and nowhere else.
func TestUndosByConsent(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, c := range map[string]struct {
		// act returns the command that is sent again afterwards.
		act   func(t *testing.T, red, blue *partner, one, two *v1.Record) *v1.Record
		alarm bool
	}{
		"blue agrees": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, red.Game, blue.Game, two.Parent)
			return two
		}},
		"blue asks": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, blue.Game, red.Game, two.Parent)
			return two
		}},
		"blue agrees to take back both": {act: func(t *testing.T, red, blue *partner, one, _ *v1.Record,
		) *v1.Record {
			back(t, red.Game, blue.Game, one.Parent)
			return one
		}},
		"both are taken back in blue's name": {act: func(t *testing.T, red, blue *partner, one, _ *v1.Record,
		) *v1.Record {
			back(t, red.Game, forger(t, h.addr, "blue", blue), one.Parent)
			return one
		}, alarm: true},
		"one after the other, the older in blue's name": {
			act: func(t *testing.T, red, blue *partner, one, two *v1.Record) *v1.Record {
				back(t, red.Game, blue.Game, two.Parent)
				back(t, red.Game, forger(t, h.addr, "blue", blue), one.Parent)
				return one
			}, alarm: true,
		},
		"it is asked in blue's name": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, forger(t, h.addr, "blue", blue), red.Game, two.Parent)
			return two
		}, alarm: true},
		"red takes it back alone": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			shares(t, blue, red) // red's undo, of which a changed server asks nobody, as if one player held both seats
			back(t, red.Game, nil, two.Parent)
			return two
		}, alarm: true},
		"blue refuses, and it is asked again in blue's name": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				g, _, err := red.Undo(t.Context(), two.Parent, true)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := blue.Answer(t.Context(), g.PendingUndo, false); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"blue agrees once, and the next throw is taken back in blue's name": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				back(t, red.Game, blue.Game, two.Parent)
				throw(t, of(two, red, blue), red, blue, two.Notation)
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"blue agrees once, and it is done again and taken back in blue's name": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				back(t, red.Game, blue.Game, two.Parent)
				if _, err := red.Redo(t.Context()); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"the same, and blue takes the chain anew in between": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				back(t, red.Game, blue.Game, two.Parent)
				if _, err := blue.RenewChain(t.Context()); err != nil {
					t.Fatal(err)
				}
				if _, err := red.Redo(t.Context()); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"red refuses blue's wish, and fulfils it later in blue's name": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				g, done, err := blue.Undo(t.Context(), two.Parent, true)
				if err != nil || done {
					t.Fatal(done, err)
				}
				if _, _, err := red.Answer(t.Context(), g.PendingUndo, false); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"blue withdraws, and it is asked again in blue's name": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				g, _, err := blue.Undo(t.Context(), 0, true)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := blue.Answer(t.Context(), g.PendingUndo, false); err != nil {
					t.Fatal(err)
				}
				back(t, forger(t, h.addr, "blue", blue), red.Game, 0)
				return two
			}, alarm: true,
		},
		"blue is told that red must agree, and leaves it at that": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				if _, _, err := blue.Undo(t.Context(), 0, false); !errors.Is(err, warledger.ErrUndoBarrier) {
					t.Fatal(err)
				}
				if c, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue"); err != nil || len(c.Agreed) != 0 {
					t.Errorf("a refused wish is kept: %v, %v", c, err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
				return two
			}, alarm: true,
		},
		"blue asks for the last command": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, blue.Game, red.Game, 0)
			return two
		}},
		"red asks for the last command and blue agrees": {
			act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
				back(t, red.Game, blue.Game, 0)
				return two
			},
		},
		"blue takes the chain anew": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, red.Game, blue.Game, two.Parent)
			if _, err := blue.RenewChain(t.Context()); err != nil {
				t.Fatal(err)
			}
			return two
		}},
		"blue takes the chain anew and then agrees": {act: func(t *testing.T, red, blue *partner, one, _ *v1.Record,
		) *v1.Record {
			if _, err := blue.RenewChain(t.Context()); err != nil {
				t.Fatal(err)
			}
			back(t, red.Game, blue.Game, one.Parent)
			return one
		}},
		"blue takes the chain anew, and then in blue's name": {
			act: func(t *testing.T, red, blue *partner, one, _ *v1.Record) *v1.Record {
				if _, err := blue.RenewChain(t.Context()); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, forger(t, h.addr, "blue", blue), one.Parent)
				return one
			}, alarm: true,
		},
		"it is done again": {act: func(t *testing.T, red, blue *partner, _, two *v1.Record) *v1.Record {
			back(t, red.Game, blue.Game, two.Parent)
			if _, err := red.Redo(t.Context()); err != nil {
				t.Fatal(err)
			}
			back(t, red.Game, blue.Game, two.Parent)
			return two
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			red, blue, one, two := thrownTwice(t, h.addr)
			again := c.act(t, red, blue, one, two)
			asks(t, of(again, red, blue), again.Notation)
			answered(t, red)
			g, err := blue.AnswerDice(t.Context())
			alarm := errors.Is(err, warledger.ErrThrowTakenBack)
			if alarm != c.alarm || !alarm && (err != nil || g.PendingDice != nil) {
				t.Errorf("got %v, %v", g.GetPendingDice(), err)
			}
			kept, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
			if err != nil || !alarm && len(kept.Agreed) != 0 {
				t.Errorf("consents stay after the next link: %v, %v", kept.Agreed, err)
			}
		})
	}
}

// TestAcceptedUndos: blue agreed with another program, which has no chain. The program that has it waits until blue
// says so, and until then makes no new chain either.
func TestAcceptedUndos(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue, one, two := thrownTwice(t, h.addr)
	other := forger(t, h.addr, "blue", blue)
	undo := back(t, red.Game, other, two.Parent)
	if _, err := blue.RenewChain(t.Context()); !errors.Is(err, warledger.ErrThrowTakenBack) {
		t.Errorf("a new chain: %v", err)
	}
	if err := blue.AcceptUndo(t.Context(), two.Version); !errors.Is(err, warledger.ErrVersionNotFound) {
		t.Errorf("accepting what is no undo: %v", err)
	}
	if err := blue.AcceptUndo(t.Context(), undo); err != nil {
		t.Fatal(err)
	}
	throw(t, of(two, red, blue), red, blue, two.Notation)
	back(t, red.Game, other, one.Parent) // that was not accepted
	asks(t, of(one, red, blue), one.Notation)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrThrowTakenBack) {
		t.Errorf("another undo: %v", err)
	}
}

// TestUndosOfOnesOwnSeats: one player holds both seats, and nobody else is asked.
func TestUndosOfOnesOwnSeats(t *testing.T) {
	t.Parallel()
	red, blue, _, two := thrownTwice(t, newHost(t).addr)
	shares(t, blue, red)
	chain, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	if err := red.wallet.KeepChain(t.Context(), red.Name(), "blue", nil, chain); err != nil {
		t.Fatal(err)
	}
	both := &partner{red.client.Game(red.Name(), "blue"), red.client, red.wallet}
	back(t, red.Game, nil, two.Parent)
	throw(t, of(two, red, both), red, both, two.Notation)
}
