package warledger

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Consent is an undo that the player asked for or agreed to, and that takes back a throw of the player's seat. It is
// stored before the server is told, serves for one undo, and is deleted with the next link that is revealed.
type Consent struct {
	// Version is the last record that the player knew: this consent does not cover dice thrown later. If the player
	// agreed to a question, it is the record that asked it.
	Version uint64 `json:"version"`
	// Hash is the hash of that record. Older programs did not keep it, and their consent fits any undo to the target.
	Hash string `json:"hash,omitempty"`
	// Target is the version to which the undo moves the head. 0, which older programs kept, fits nothing.
	Target uint64 `json:"target,omitempty"`
	// Request is the id of the player's own request; empty if the player agreed to a question.
	Request string `json:"request,omitempty"`
	// Undo is the version of the undo that used up this consent; 0 if none has.
	Undo uint64 `json:"undo,omitempty"`
}

// fits reports whether the player agreed to that undo, knowing the newest throw that it takes back.
func (c Consent) fits(log steps, undo step, throw uint64) bool {
	h := undo.header
	if c.Target != h.Head || c.Version < throw || c.Version > h.Version || c.Undo != 0 && c.Undo != h.Version {
		return false
	}
	if c.Hash == "" {
		return true
	}
	if log[c.Version].hash != c.Hash {
		return false
	}
	if c.Version == h.Version { // accepted afterwards
		return true
	}
	if h.CommandId != "" { // a seat did it alone
		return c.Request == h.CommandId
	}
	q, asked := log.question(h)
	if !asked || q.undoAsked().Target != h.Head {
		return false
	}
	if c.Request != "" {
		return q.header.CommandId == c.Request
	}
	return q.header.Version == c.Version
}

// wish is an undo that a player is about to ask for or agree to.
type wish struct {
	// target is the version to which the undo moves the head; 0 for the one before the last command. request is the id
	// of the request.
	target  uint64
	request string
	// shown is the question that the player agrees to, as it was shown; nil for a player who asks.
	shown *v1.PendingUndo
}

// agrees stores a wish as consent, with the chain of the handle's seat and of any other seat that the caller holds. It
// returns the target to ask for; if nothing was stored, that is the target of the wish. Call drop with the server's
// error: if the server refused, drop deletes the consent. In a game without mutual dice agrees does nothing.
func (g *Game) agrees(ctx context.Context, w wish) (target uint64, drop func(error), err error) {
	drop = func(error) {}
	if g.client.chains == nil {
		return w.target, drop, nil
	}
	reader := g
	game, err := g.Get(ctx)
	if errors.Is(err, ErrTokenRevoked) { // the token of a seat's last holder agrees for the seat and shows nothing
		reader = g.WithTokens(nil)
		game, err = reader.Get(ctx)
	}
	if err != nil || game.GetDice() != logv1.DiceKind_DICE_KIND_MUTUAL {
		return w.target, drop, err
	}
	target = w.target
	found := make(map[string]Consent)
	for _, s := range game.GetSeats() {
		c, err := g.agreesFor(ctx, reader, game, s.GetId(), w)
		if err != nil {
			return 0, drop, err
		}
		if c != nil {
			found[s.GetId()], target = *c, c.Target
		}
	}
	return target, func(refused error) { g.dropConsents(ctx, found, refused) }, nil
}

// agreesFor stores a wish with the chain of one seat, and returns the stored consent; nil if none was needed.
func (g *Game) agreesFor(ctx context.Context, reader *Game, game *v1.Game, seat string, w wish) (*Consent, error) {
	kept, err := g.client.chains.Chain(ctx, g.name, seat)
	if err != nil || kept == nil || !g.acts(ctx, seat) { // the chain may be another player's
		return nil, err
	}
	var c *Consent
	err = reader.settle(ctx, game, seat, func(game *v1.Game, kept *Chain) error {
		if c = nil; kept == nil {
			return nil
		}
		if w.shown != nil && game.GetPendingUndo().GetAsked() != w.shown.GetAsked() { // the server refuses
			return nil
		}
		found, err := reader.consent(ctx, game, seat, kept, w, g)
		if err != nil || found == nil || slices.Contains(kept.Agreed, *found) {
			return err
		}
		next := *kept
		next.Agreed = append(slices.Clip(kept.Agreed), *found)
		c = found
		return g.client.chains.KeepChain(ctx, g.name, seat, kept, &next)
	})
	return c, err
}

// acts reports whether the caller speaks for a seat. A server that says so of another player's seat must not make this
// client note that player's consent: see [Game.ForSeats]. If a server denies the caller's own seat, no consent is
// noted, and an alarm follows later.
func (g *Game) acts(ctx context.Context, seat string) bool {
	return g.uses(seat) && (seat == g.seat || !g.refused(ctx, seat))
}

// consent returns what must be stored for a seat before a wish is sent; nil if the undo takes back no throw of the
// seat. It relies only on the log, read on from the record that the chain knows. The server's word is not enough: it
// could claim a later version, and then take back dice thrown up to it.
func (g *Game) consent(
	ctx context.Context, game *v1.Game, seat string, kept *Chain, w wish, caller *Game,
) (*Consent, error) {
	p := &past{game: g, chain: kept.newest(), log: make(steps)}
	p.lowest = p.chain.Version
	last, err := g.prove(ctx, p.chain, game.GetVersion(), p.log.add)
	if err != nil {
		return nil, err
	}
	hash := hex.EncodeToString(last.hash[:])
	if hash != game.GetLastHash() {
		return nil, fmt.Errorf("%w: record %d has two hashes", ErrLogInconsistent, game.GetVersion())
	}
	head := last.header.Head
	c := &Consent{Version: last.header.Version, Hash: hash, Target: w.target, Request: w.request}
	switch {
	case w.shown != nil:
		err = p.agreed(ctx, c, w.shown)
	case w.target == 0:
		c.Target, err = p.beforeLast(ctx, head, func(seat string) bool { return caller.acts(ctx, seat) })
	}
	if err != nil || c.Target == 0 || c.Target >= head {
		return nil, err // the server refuses
	}
	if err := p.reach(ctx, c.Target); err != nil {
		return nil, err
	}
	back, whole := p.log.line(head, c.Target)
	if !whole || p.log.newestThrow(back, seat, kept.Since) == 0 {
		return nil, nil
	}
	return c, nil
}

// past holds the log, as far back as it was needed.
type past struct {
	game   *Game
	chain  *Chain
	log    steps
	lowest uint64
}

// reach reads the log from an older record on.
func (p *past) reach(ctx context.Context, version uint64) error {
	if version >= p.lowest {
		return nil
	}
	_, err := p.game.proveFrom(ctx, version, p.chain, p.chain.Version, p.log.add)
	p.lowest = version
	return err
}

// agreed turns the consent into one to a question, if the log asks what the player was shown. A server could show a
// small undo, ask for a large one in the log, and have the player agree to that.
func (p *past) agreed(ctx context.Context, c *Consent, shown *v1.PendingUndo) error {
	asked := shown.GetAsked()
	if err := p.reach(ctx, asked); err != nil {
		return err
	}
	s, known := p.log[asked]
	q := s.undoAsked()
	switch {
	case !known || q == nil:
		return fmt.Errorf("%w: record %d asks for no undo", ErrLogInconsistent, asked)
	case q.GetTarget() != shown.GetTarget() || q.GetSeat() != shown.GetSeat():
		return fmt.Errorf("%w: in record %d %s asks to go back to %d, and shown was that %s asks to go back to %d",
			ErrLogInconsistent, asked, q.GetSeat(), q.GetTarget(), shown.GetSeat(), shown.GetTarget())
	}
	*c = Consent{Version: asked, Hash: s.hash, Target: q.GetTarget()}
	return nil
}

// beforeLast returns the target of an undo that names none: the version before the last command. It skips asides of
// others.
func (p *past) beforeLast(ctx context.Context, head uint64, acts func(string) bool) (uint64, error) {
	for {
		if err := p.reach(ctx, head); err != nil {
			return 0, err
		}
		s, known := p.log[head]
		if !known || s.header.Parent >= head {
			return 0, fmt.Errorf("%w: the head is at %d, which is no command", ErrLogInconsistent, head)
		}
		if !s.header.Aside || acts(s.header.Seat) {
			return s.header.Parent, nil
		}
		head = s.header.Parent
	}
}

// dropConsents deletes the consents stored for a wish that the server refused. If the wish may have been carried out,
// they stay.
func (g *Game) dropConsents(ctx context.Context, found map[string]Consent, refused error) {
	if !isRefusal(refused) {
		return
	}
	for seat, c := range found {
		// A consent that cannot be deleted does no harm: it fits no other request.
		_ = g.changeConsents(ctx, seat, func(agreed []Consent) []Consent {
			return slices.DeleteFunc(agreed, func(one Consent) bool { return one == c })
		})
	}
}

// changeConsents replaces the stored consents of a seat; it does nothing if no chain is stored.
func (g *Game) changeConsents(ctx context.Context, seat string, change func([]Consent) []Consent) error {
	return g.changeChain(ctx, seat, func(c *Chain) { c.Agreed = change(slices.Clone(c.Agreed)) })
}

// AcceptUndo lets the handle's seat continue after an [ErrThrowTakenBack]. Call it if the player agreed to that undo
// with another program, or accepts it now. It tells the server nothing.
func (g *Game) AcceptUndo(ctx context.Context, undo uint64) error {
	if g.client.chains == nil {
		return ErrNoChain
	}
	err := g.acceptUndo(ctx, undo, g)
	if errors.Is(err, ErrTokenRevoked) { // the token of a seat's last holder shows nothing
		err = g.acceptUndo(ctx, undo, g.WithTokens(nil))
	}
	return err
}

func (g *Game) acceptUndo(ctx context.Context, undo uint64, reader *Game) error {
	query := LogQuery{After: max(undo, 1) - 1, WholeTree: true, PageSize: 1, Proofs: true}
	for r, err := range reader.Records(ctx, query) {
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
		c := Consent{Version: undo, Hash: hex.EncodeToString(p.hash[:]), Target: p.header.Head, Undo: undo}
		return g.changeConsents(ctx, g.seat, func(agreed []Consent) []Consent {
			if slices.Contains(agreed, c) {
				return agreed
			}
			return append(agreed, c)
		})
	}
	return fmt.Errorf("%w: record %d is not an undo", ErrVersionNotFound, undo)
}
