package warledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ErrThrowTakenBack says that an undo took back a throw that a link of the seat went into, and that the player neither
// asked for the undo nor agreed to it with this client. Whoever has the seat's token can agree in the player's name,
// and throw again until the dice are better. So no link is revealed. If it was the player, with another program,
// [Game.AcceptUndo] goes on. The error is a [*ThrowTakenBackError].
var ErrThrowTakenBack = errors.New("a throw that the seat had a part in was taken back")

// ThrowTakenBackError says which throw was taken back without the player's consent.
type ThrowTakenBackError struct {
	Seat string
	// Undo is the version of the record that took it back, and Throw that of the newest command among those whose dice
	// were taken back.
	Undo, Throw uint64
}

func (e *ThrowTakenBackError) Error() string {
	return fmt.Sprintf("%v: record %d takes back the dice of record %d, and nobody agreed to that for %s from here; "+
		"if no other program of yours did, somebody throws again in your name",
		ErrThrowTakenBack, e.Undo, e.Throw, e.Seat)
}

func (e *ThrowTakenBackError) Unwrap() error { return ErrThrowTakenBack }

// isAlarm reports whether an error says that somebody may be choosing or foreseeing the dice.
func isAlarm(err error) bool {
	return errors.Is(err, ErrLogInconsistent) || errors.Is(err, ErrChainReplaced) || errors.Is(err, ErrThrowTakenBack)
}

// Consent is an undo that a player asked for, or agreed to. It is kept before the server is told.
type Consent struct {
	// Version is how far the player knew the game: what came later may not be taken back with this consent.
	Version uint64 `json:"version"`
	// Target is the version that shall be the head again; 0 for that before the last command.
	Target uint64 `json:"target,omitempty"`
}

// step is what a record does to the line of play, as far as a seat's links are concerned.
type step struct {
	header *logv1.RecordHeader
	// owed is true if the record asks the seat for a link.
	owed bool
}

func (p *proved) step(seat string) step { return newStep(p.header, p.asks(), seat) }

func newStep(h *logv1.RecordHeader, asked *logv1.DiceAsked, seat string) step {
	return step{h, slices.ContainsFunc(asked.GetOwed(), func(o *logv1.OwedLink) bool { return o.GetSeat() == seat })}
}

// moves reports whether the record moves the head along the line of play: an undo or a redo.
func (s step) moves() bool {
	kind := s.header.Kind
	return kind == logv1.RecordKind_RECORD_KIND_UNDO || kind == logv1.RecordKind_RECORD_KIND_REDO
}

// steps are those of a part of the log, by version.
type steps map[uint64]step

// consented checks that the undos of a part of the log, after the record that a chain knows, took back no throw that
// the seat had a part in without its player's consent.
func (g *Game) consented(ctx context.Context, c, kept *Chain, seat string, log steps, until uint64) error {
	lowest := c.Version
	for v := c.Version + 1; v <= until; v++ {
		if s := log[v]; s.moves() {
			lowest = min(lowest, s.header.Parent, s.header.Head)
		}
	}
	if lowest < c.Version { // an undo reaches further back than what was read
		_, err := g.proveFrom(ctx, lowest, c, c.Version, func(p *proved) error {
			log[p.header.Version] = p.step(seat)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for v := c.Version + 1; v <= until; v++ {
		if err := log.check(log[v], kept, seat); err != nil {
			return err
		}
	}
	return nil
}

// check looks at one move of the head, if the record is one.
func (l steps) check(s step, kept *Chain, seat string) error {
	if !s.moves() {
		return nil
	}
	back, err := l.between(s.header)
	if err != nil || s.header.Kind != logv1.RecordKind_RECORD_KIND_UNDO {
		return err
	}
	if throw := l.newestThrow(back, kept.Since); throw != 0 && !kept.agreed(s.header, throw, len(back)) {
		return &ThrowTakenBackError{Seat: seat, Undo: s.header.Version, Throw: throw}
	}
	return nil
}

// Undos finds the undos of a whole log that took back throws of a seat's, and to which its player did not agree with
// the client that kept a chain.
type Undos struct {
	seat string
	kept *Chain
	log  steps
}

// NewUndos expects the first record of a log.
func NewUndos(seat string, kept *Chain) *Undos { return &Undos{seat, kept, make(steps)} }

// Add takes the next record, with what it asks for dice with; nil if it asks for nothing. The error is a
// [*ThrowTakenBackError], or [ErrLogInconsistent] if the record moves the head where it cannot go.
func (u *Undos) Add(h *logv1.RecordHeader, asked *logv1.DiceAsked) error {
	s := newStep(h, asked, u.seat)
	u.log[h.Version] = s
	return u.log.check(s, u.kept, u.seat)
}

// between returns the commands between the two ends of a move along the line, latest first, asides excepted.
func (l steps) between(h *logv1.RecordHeader) (commands []step, err error) {
	from, to := max(h.Parent, h.Head), min(h.Parent, h.Head)
	undo := h.Kind == logv1.RecordKind_RECORD_KIND_UNDO
	for v := from; v != to; {
		s, known := l[v]
		if !known || v < to || undo != (from == h.Parent) || s.header.Parent >= v {
			return nil, fmt.Errorf("%w: record %d moves the head from %d to %d, which are not on one line",
				ErrLogInconsistent, h.Version, h.Parent, h.Head)
		}
		if !s.header.Aside {
			commands = append(commands, s)
		}
		v = s.header.Parent
	}
	return commands, nil
}

// newestThrow returns the first of some commands whose dice a link of the seat went into, asked for after a record; 0
// if none exists.
func (l steps) newestThrow(commands []step, since uint64) uint64 {
	for _, s := range commands {
		if asked := s.header.Asked; asked > since && l[asked].owed {
			return s.header.Version
		}
	}
	return 0
}

// agreed reports whether the player agreed to an undo, knowing the newest throw that it takes back.
func (c *Chain) agreed(undo *logv1.RecordHeader, throw uint64, commands int) bool {
	return slices.ContainsFunc(c.Agreed, func(one Consent) bool {
		return one.Version >= throw && one.Version <= undo.Version &&
			(one.Target == undo.Head || one.Target == 0 && commands == 1)
	})
}

// agrees keeps that the player asks for an undo or agrees to it, beside the chains of the handle's seat and of others
// that the caller holds. In a game without mutual dice it does nothing, nor if consent gives nothing.
func (g *Game) agrees(ctx context.Context, consent func(*v1.Game) *Consent) error {
	if g.client.chains == nil {
		return nil
	}
	game, err := g.Get(ctx)
	if errors.Is(err, ErrTokenRevoked) { // the token of a seat's last holder agrees for the seat and shows nothing
		game, err = g.WithTokens(nil).Get(ctx)
	}
	if err != nil || game.GetDice() != logv1.DiceKind_DICE_KIND_MUTUAL {
		return err
	}
	to := consent(game)
	if to == nil {
		return nil
	}
	for _, s := range game.GetSeats() {
		if err := g.agreesFor(ctx, s.GetId(), *to); err != nil {
			return err
		}
	}
	return nil
}

func (g *Game) agreesFor(ctx context.Context, seat string, consent Consent) error {
	kept, err := g.client.chains.Chain(ctx, g.name, seat)
	if err != nil || kept == nil {
		return err
	}
	if seat != g.seat && g.mine(ctx, seat, ErrNotYourSeat) == nil {
		return nil // the chain may be another player's
	}
	for race := 0; ; race++ {
		next := *kept
		next.Agreed = append(kept.Agreed[:len(kept.Agreed):len(kept.Agreed)], consent)
		err := g.client.chains.KeepChain(ctx, g.name, seat, kept, &next)
		if !errors.Is(err, ErrChainChanged) || race == mostRaces {
			return err
		}
		if kept, err = g.client.chains.Chain(ctx, g.name, seat); err != nil || kept == nil {
			return err
		}
	}
}

// AcceptUndo has the handle's seat go on after an [ErrThrowTakenBack]: the player agreed to the undo of that record
// with another program, or puts up with it. It tells the server nothing.
func (g *Game) AcceptUndo(ctx context.Context, undo uint64) error {
	if g.client.chains == nil {
		return ErrNoChain
	}
	for r, err := range g.Records(ctx, LogQuery{After: max(undo, 1) - 1, WholeTree: true, PageSize: 1, Proofs: true}) {
		if err != nil {
			return err
		}
		p, err := prove(r.GetProof())
		if err != nil {
			return fmt.Errorf("%w: %v", ErrLogInconsistent, err)
		}
		if p.header.Version != undo || p.header.Kind != logv1.RecordKind_RECORD_KIND_UNDO {
			break
		}
		return g.agreesFor(ctx, g.seat, Consent{Version: undo, Target: p.header.Head})
	}
	return fmt.Errorf("%w: record %d is not an undo", ErrVersionNotFound, undo)
}
