package warledger

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// inUse returns the chain that the server has for a seat: the one that is kept, or one that was coming.
func inUse(game *v1.Game, name, seat string, kept *Chain) (*Chain, error) {
	state := stateOf(game, seat).GetChain()
	for _, c := range kept.all() {
		if c.Length == state.GetLength() && bytes.Equal(c.link(name, seat, 0), state.GetAnchor()) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w (%s)", ErrChainReplaced, seat)
}

func stateOf(game *v1.Game, seat string) *v1.SeatState {
	for _, s := range game.GetSeats() {
		if s.GetId() == seat {
			return s
		}
	}
	return nil
}

// checkChains looks at every seat of the caller whose chain is kept here, whether or not it owes a link: a server that
// replaces a chain for one roll must not go unnoticed.
func (g *Game) checkChains(ctx context.Context, game *v1.Game) error {
	if g.client.chains == nil || game.GetDice() != logv1.DiceKind_DICE_KIND_MUTUAL || game.GetOver() {
		return nil
	}
	for _, s := range game.GetSeats() {
		if s.GetChain() == nil || !g.uses(s.GetId()) {
			continue
		}
		if err := g.checkChain(ctx, game, s.GetId()); err != nil {
			return err
		}
	}
	return nil
}

// checkChain compares the server's chain of a seat with the one that is kept here.
func (g *Game) checkChain(ctx context.Context, game *v1.Game, seat string) error {
	err := g.settle(ctx, game, seat, func(game *v1.Game, kept *Chain) error {
		if kept == nil {
			return nil
		}
		return fits(game, g.name, seat, kept)
	})
	if isAlarm(err) {
		return g.mine(ctx, seat, err)
	}
	return err
}

// checkRecord looks at a new record that commits seats to chains. The chain may be replaced again before the game is
// looked at.
func (g *Game) checkRecord(ctx context.Context, r *v1.Record) error {
	for _, e := range tableEvents(r) {
		seat, chain := committed(e)
		if chain == nil || !g.uses(seat) {
			continue
		}
		kept, err := g.client.chains.Chain(ctx, g.name, seat)
		if err != nil {
			return err
		}
		if kept == nil {
			continue
		}
		err = replaced(kept.tally(g.name, seat), chain.GetAnchor(), seat, r.GetVersion())
		if sent := slices.Contains(kept.Anchors(g.name, seat), hex.EncodeToString(chain.GetAnchor())); err == nil ||
			sent && r.GetVersion() <= kept.Version { // this program was slow to read of what is long done
			continue
		}
		if err := g.mine(ctx, seat, err); err != nil {
			return err
		}
	}
	return nil
}

// replaced reports what is wrong with a record that commits a seat to a chain.
func replaced(t tally, anchor []byte, seat string, version uint64) error {
	switch known, again := t.take(anchor); {
	case !known:
		return fmt.Errorf("%w (%s, record %d)", ErrChainReplaced, seat, version)
	case again:
		return fmt.Errorf("%w: record %d commits %s again to a chain that it had before, whose links are known",
			ErrLogInconsistent, version, seat)
	}
	return nil
}

// anchorOf returns the anchor of a chain in hexadecimal.
func anchorOf(c *logv1.HashChain) string { return hex.EncodeToString(c.GetAnchor()) }

// committed returns the chain that a change of the table commits a seat to; nil if it commits none.
func committed(e *logv1.TableEvent) (seat string, chain *logv1.HashChain) {
	for _, c := range []interface {
		GetSeat() string
		GetChain() *logv1.HashChain
	}{e.GetSeatTaken(), e.GetChainRenewed(), e.GetDiceAnswered()} {
		if c.GetChain() != nil {
			return c.GetSeat(), c.GetChain()
		}
	}
	return "", nil
}

// commitsAnyone reports whether a record commits a seat to a chain.
func commitsAnyone(r *v1.Record) bool {
	return slices.ContainsFunc(tableEvents(r), func(e *logv1.TableEvent) bool {
		_, chain := committed(e)
		return chain != nil
	})
}

// fits reports what is wrong with the server's chain of a seat.
func fits(game *v1.Game, name, seat string, kept *Chain) error {
	state := stateOf(game, seat).GetChain()
	if state == nil || game.GetOver() {
		return nil
	}
	c, err := inUse(game, name, seat, kept)
	switch {
	case err != nil:
		return err
	case game.GetVersion() < c.Version:
		return fmt.Errorf("%w: it is at record %d and was at %d before",
			ErrLogInconsistent, game.GetVersion(), c.Version)
	case state.GetNext() < c.Next && game.GetPendingDice().GetAsked() != c.Version:
		return fmt.Errorf("%w: link %d of %s was revealed before", ErrLogInconsistent, state.GetNext(), seat)
	}
	return nil
}

// mine returns nil instead of a fault of a seat that the caller no longer holds: its chain may be another player's. The
// server's word is not enough, because one false refusal would silence the alarm: the log must say so too.
func (g *Game) mine(ctx context.Context, seat string, wrong error) error {
	if g.refused(ctx, seat) && !g.sits(ctx, seat) {
		return nil
	}
	return wrong
}

// refused reports whether the server says that a seat is not the caller's.
func (g *Game) refused(ctx context.Context, seat string) bool {
	for _, err := range g.Records(ctx, LogQuery{Viewer: seat, PageSize: 1}) {
		return errors.Is(err, ErrNotYourSeat)
	}
	return false
}

// prove reads the log from a record whose hash is known to a later one, and returns the latter. The first record must
// be the known one, and each other must go on from the one before. each may be nil; its errors are returned.
func (g *Game) prove(ctx context.Context, known *Chain, until uint64, each func(*proved) error) (*proved, error) {
	if until < known.Version {
		return nil, fmt.Errorf("%w: it is at record %d and was at %d before", ErrLogInconsistent, until, known.Version)
	}
	return g.proveFrom(ctx, known.Version, known, until, each)
}

// proveFrom is as prove, but begins with a record that may be older than the known one. What is older is proved by the
// hashes that lead to the known one.
func (g *Game) proveFrom(
	ctx context.Context, from uint64, known *Chain, until uint64, each func(*proved) error,
) (*proved, error) {
	var last *proved
	for r, err := range g.Records(ctx, LogQuery{After: max(from, 1) - 1, WholeTree: true, Proofs: true}) {
		if err != nil {
			return nil, err
		}
		p, err := prove(r.GetProof())
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %v", ErrLogInconsistent, err)
		case "games/"+p.header.Game != g.name || p.header.Version != r.GetVersion():
			return nil, fmt.Errorf("%w: record %d is of another place", ErrLogInconsistent, r.GetVersion())
		case last == nil && p.header.Version != from:
			return nil, fmt.Errorf("%w: it has no record %d", ErrLogInconsistent, from)
		case p.header.Version == known.Version && hex.EncodeToString(p.hash[:]) != known.Hash:
			return nil, fmt.Errorf("%w: record %d has another hash than before", ErrLogInconsistent, known.Version)
		case last != nil && (p.header.Version != last.header.Version+1 || !bytes.Equal(p.prev, last.hash[:])):
			return nil,
				fmt.Errorf("%w: record %d does not follow record %d",
					ErrLogInconsistent, p.header.Version, last.header.Version)
		case p.header.Aside && p.header.Asked != 0:
			return nil, fmt.Errorf("%w: record %d is an aside and throws dice", ErrLogInconsistent, p.header.Version)
		case last != nil && p.header.Parent != last.header.Head, !p.placed():
			return nil, fmt.Errorf("%w: record %d leaves the line of play", ErrLogInconsistent, p.header.Version)
		}
		if last = p; each != nil {
			if err := each(p); err != nil {
				return nil, err
			}
		}
		if p.header.Version >= until {
			break
		}
	}
	if last == nil || last.header.Version != until {
		return nil, fmt.Errorf("%w: it has no record %d", ErrLogInconsistent, until)
	}
	return last, nil
}

// placed reports whether a record leaves the head where its kind does. Where an undo or a redo may move it is looked at
// by [steps.between].
func (p *proved) placed() bool {
	switch p.header.Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED, logv1.RecordKind_RECORD_KIND_COMMAND:
		return p.header.Head == p.header.Version
	case logv1.RecordKind_RECORD_KIND_UNDO:
		return p.header.Head < p.header.Parent
	case logv1.RecordKind_RECORD_KIND_REDO:
		return p.header.Head > p.header.Parent
	default:
		return p.header.Head == p.header.Parent
	}
}

// carriesOut reports whether a record is the command for whose dice the record of a version asked.
func (p *proved) carriesOut(asked uint64) bool {
	return p.header.Asked == asked && p.header.Kind == logv1.RecordKind_RECORD_KIND_COMMAND
}

// asking returns the record that asks for a link, if the log goes on from the last record that the chain knows, the
// link that was revealed before has been used, nobody has replaced the chain in between, and no throw was taken back
// without consent.
func (g *Game) asking(ctx context.Context, c, kept *Chain, seat string, asked uint64) (*proved, error) {
	due, t := c.due(), kept.tally(g.name, seat)
	used := due == 0 || asked == c.Version && c.Revealed != 0
	own := c.Asked // a chain that has answered is the seat's; before that the log may hold older ones
	log := make(steps)
	last, err := g.prove(ctx, c, asked, func(p *proved) error {
		log[p.header.Version] = p.step()
		used = used || p.carriesOut(due)
		for _, anchor := range p.commits(seat) {
			if _, known := t[hex.EncodeToString(anchor)]; p.header.Version == c.Version {
				own = own || known
				continue
			}
			err := replaced(t, anchor, seat, p.header.Version)
			if err != nil && (own || errors.Is(err, ErrLogInconsistent)) {
				return err
			}
			own = own || err == nil
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case last.asks() == nil:
		return nil, fmt.Errorf("%w: record %d asks for nothing", ErrLogInconsistent, asked)
	case !used:
		return nil,
			fmt.Errorf("%w: record %d asks again before the command of record %d was carried out",
				ErrLogInconsistent, asked, due)
	}
	undos, err := g.judged(ctx, c, kept, seat, log, asked)
	if err != nil {
		return nil, err
	}
	return last, undos.unasked // a seat that was left is asked for nothing
}

// goesOn checks that the log of a game goes on from what is known of it, that no chain of the seat was begun again, and
// that the link that was revealed last has been used, and that no throw was taken back without consent. If the server
// says that the command is still due, it returns the version of the record that asked: the next chain must wait for the
// command, because the server may lie. sits is true if the player is about to take the seat.
func (g *Game) goesOn(
	ctx context.Context, game *v1.Game, seat string, kept *Chain, sits bool,
) (awaited uint64, undos *judge, err error) {
	c, t := kept.newest(), kept.tally(g.name, seat)
	due, log := c.due(), make(steps)
	used := due == 0
	last, err := g.prove(ctx, c, game.GetVersion(), func(p *proved) error {
		log[p.header.Version] = p.step()
		used = used || p.carriesOut(due)
		for _, anchor := range p.commits(seat) {
			if p.header.Version == c.Version {
				continue
			}
			if err := replaced(t, anchor, seat, p.header.Version); errors.Is(err, ErrLogInconsistent) {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return 0, nil, err
	case hex.EncodeToString(last.hash[:]) != game.GetLastHash():
		return 0, nil, fmt.Errorf("%w: record %d has two hashes", ErrLogInconsistent, game.GetVersion())
	case used:
	case game.GetPendingDice().GetAsked() == due, game.GetOver():
		awaited = due
	default:
		return 0, nil, fmt.Errorf("%w: the command of record %d was never carried out", ErrLogInconsistent, due)
	}
	undos, err = g.judged(ctx, c, kept, seat, log, game.GetVersion())
	if err == nil && !sits {
		err = undos.unasked
	}
	return awaited, undos, err
}

// judged looks at the undos of a part of the log, after the record that a chain knows. The error is an
// [ErrThrowTakenBack] if one took back a throw that the seat had a part in without its player's consent.
func (g *Game) judged(ctx context.Context, c, kept *Chain, seat string, log steps, until uint64) (*judge, error) {
	lowest := c.Version
	for v := c.Version + 1; v <= until; v++ {
		if s := log[v]; s.moves() {
			lowest = min(lowest, s.header.Parent, s.header.Head)
		}
	}
	if lowest < c.Version { // an undo reaches further back than what was read
		if _, err := g.proveFrom(ctx, lowest, c, c.Version, log.add); err != nil {
			return nil, err
		}
	}
	j := newJudge(g.name, seat, kept, c.Left, log)
	for v := lowest; v <= c.Version; v++ {
		if s, known := log[v]; known {
			j.note(s)
		}
	}
	j.left, j.unasked = c.Left, nil
	for v := c.Version + 1; v <= until; v++ {
		if err := j.look(log[v]); err != nil {
			return nil, err
		}
	}
	return j, nil
}
