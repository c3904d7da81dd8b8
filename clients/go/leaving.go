package warledger

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// leaves stores, beside the chain of a seat, the id of a request by which the player gives up the seat or agrees that
// another player takes it. If the seat is not named, it is stored with every chain. Call drop with the server's error:
// if the server refused, drop deletes the id.
func (g *Game) leaves(ctx context.Context, seat, request string) (drop func(error), err error) {
	drop = func(error) {}
	if g.client.chains == nil {
		return drop, nil
	}
	seats := []string{cmp.Or(seat, g.seat)}
	if seats[0] == "" {
		game, err := g.Get(ctx)
		if err != nil {
			return drop, err
		}
		seats = nil
		for _, s := range game.GetSeats() {
			seats = append(seats, s.GetId())
		}
	}
	seats = slices.DeleteFunc(seats, func(seat string) bool { return !g.uses(seat) })
	for _, seat := range seats {
		err = cmp.Or(err, g.changeChain(ctx, seat, func(c *Chain) {
			c.Leaves = append(slices.Clip(c.Leaves), request)
		}))
	}
	return func(refused error) {
		if !isRefusal(refused) {
			return
		}
		for _, seat := range seats {
			// An id that cannot be deleted does no harm: no record will have it.
			_ = g.changeChain(ctx, seat, func(c *Chain) {
				c.Leaves = slices.DeleteFunc(slices.Clone(c.Leaves), func(id string) bool { return id == request })
			})
		}
	}, err
}

// isRefusal reports whether the server did not carry out a request, and will not.
func isRefusal(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.FailedPrecondition,
		codes.OutOfRange, codes.Unimplemented, codes.Unauthenticated:
		return true
	}
	return false
}

// changeChain changes what is stored of a seat's chain; it does nothing if no chain is stored.
func (g *Game) changeChain(ctx context.Context, seat string, change func(*Chain)) error {
	for race := 0; ; race++ {
		kept, err := g.client.chains.Chain(ctx, g.name, seat)
		if err != nil || kept == nil {
			return err
		}
		next := *kept
		if change(&next); slices.Equal(next.Agreed, kept.Agreed) && slices.Equal(next.Leaves, kept.Leaves) {
			return nil
		}
		err = g.client.chains.KeepChain(ctx, g.name, seat, kept, &next)
		if !errors.Is(err, ErrChainChanged) || race == mostRaces {
			return err
		}
	}
}

// sitting follows whether the player of a chain holds the seat, as far as the player's own client knows.
type sitting struct {
	seat string
	// leaves are the ids of the player's own requests to leave.
	leaves []string
	// own holds the anchors of the chains that were sent from here. comeback holds those that were drawn for taking the
	// seat again after the player left.
	own, comeback map[string]bool
	// left is true while the player has given up the seat: the server then asks the player nothing. It does ask a
	// player whom the owner removed: then out is true.
	left, out bool
	// yields is true once a removed player has agreed that another takes the seat.
	yields bool
}

func newSitting(game, seat string, kept *Chain) sitting {
	s := sitting{seat: seat, leaves: kept.Leaves, own: make(map[string]bool), comeback: make(map[string]bool)}
	for _, anchor := range kept.Anchors(game, seat) {
		s.own[anchor] = true
	}
	for _, c := range kept.all() {
		if c.Left {
			s.comeback[c.anchor(game, seat)] = true
		}
	}
	return s
}

// see processes the next record, and reports whether the player has taken the seat again.
func (s *sitting) see(r step) (back bool) {
	sent := r.header.CommandId != "" && slices.Contains(s.leaves, r.header.CommandId)
	for _, e := range r.events {
		switch {
		case e.GetSeatLeft() != nil && e.GetSeatLeft().GetSeat() == s.seat:
			if e.GetSeatLeft().GetByOwner() {
				s.out, s.yields = true, false
			} else {
				s.left = s.left || sent
			}
		case e.GetResigned().GetGoesOn() && e.GetResigned().GetSeat() == s.seat:
			s.left = s.left || sent
		case e.GetSeatAnswered().GetAgree() && e.GetSeatAnswered().GetSeat() == s.seat:
			s.yields = s.out && sent
		case e.GetSeatTaken() != nil && e.GetSeatTaken().GetSeat() == s.seat:
			back = s.taken(e.GetSeatTaken()) || back
		}
	}
	return back
}

// taken processes that somebody takes the seat.
func (s *sitting) taken(e *logv1.SeatTaken) (back bool) {
	anchor := anchorOf(e.GetChain())
	if s.comeback[anchor] {
		s.left, back = false, true
	}
	if !s.own[anchor] {
		s.left = s.left || s.out && s.yields
	}
	s.out, s.yields = false, false
	return back
}

// sits reports whether the player holds a seat according to the log, read on from what the client knows. If the log
// does not go on from there, it reports true, so that the alarm stands. Without a chain of the seat, or without any
// token of the game, the player does not hold it.
func (g *Game) sits(ctx context.Context, seat string) bool {
	if g.client.chains == nil || g.tokens == nil {
		return false
	}
	kept, err := g.client.chains.Chain(ctx, g.name, seat)
	if err != nil || kept == nil {
		return false
	}
	if tokens, err := g.tokens.Tokens(ctx, g.name); err == nil && len(tokens) == 0 {
		return false
	}
	game, err := g.WithTokens(nil).Get(ctx)
	if err != nil {
		return true
	}
	c, s := kept.newest(), newSitting(g.name, seat, kept)
	held := !c.Left
	_, err = g.WithTokens(nil).prove(ctx, c, game.GetVersion(), func(p *proved) error {
		held = s.holds(held, p.step())
		return nil
	})
	return err != nil || held
}

// holds processes the next record, and returns whether the player then holds the seat. A leaving does not count if it
// was not sent from here and is neither the owner's nor the clock's.
func (s *sitting) holds(held bool, r step) bool {
	sent := slices.Contains(s.leaves, r.header.CommandId)
	for _, e := range r.events {
		left, resigned, taken := e.GetSeatLeft(), e.GetResigned(), e.GetSeatTaken()
		switch {
		case left != nil && left.Seat == s.seat && (sent || left.ByOwner || left.ByClock),
			resigned.GetGoesOn() && resigned.Seat == s.seat && (sent || resigned.ByClock):
			held = false
		case taken != nil && taken.Seat == s.seat && s.own[anchorOf(taken.Chain)]:
			held = true
		}
	}
	return held
}
