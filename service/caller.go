package service

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"google.golang.org/grpc/metadata"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/keyrings"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/tokens"
)

// caller is who calls, as far as one game is concerned.
type caller struct {
	// seats are those that it sees for, acts those that it may act for, and own those whose own token it has.
	seats, acts, own rules.Seats
	// joins are the seats that it is invited to; former are the free seats that it held last.
	joins, former rules.Seats
	// maker is the owner's token that the call brought, from which its new tokens are made; nil if none exists.
	maker *logv1.TokenMaker
	// owner may do what the owner may; ownsTokens has the owner's own token, or is the owner by name.
	owner, ownsTokens bool
	// may are the seats that the call can be about.
	may rules.Seats
	// void is when the first of its tokens expires; zero is never.
	void time.Time
}

// until makes the caller's rights end when one of its tokens does.
func (c *caller) until(t time.Time) {
	if c.void.IsZero() || t.Before(c.void) {
		c.void = t
	}
}

// identify says what the credentials open. Every token must be one of the game.
func identify(about *rules.About, meta *logv1.GameMeta, creds credentials, now time.Time) (caller, error) {
	var c caller
	for _, token := range creds.tokens {
		hash := tokens.HashOf(token)
		err := c.add(about, meta, hash, now)
		if former := formerSeats(about, meta, hash); err != nil && creds.former && former != 0 {
			c.former |= former
			continue
		}
		if err != nil {
			return caller{}, err
		}
	}
	if p := creds.person; p != nil {
		if !p.Expires.After(now) {
			return caller{}, fault.New(fault.TokenExpired, "the identity token has expired")
		}
		c.until(p.Expires)
		if tokens.Same(tokens.HashOf(p.Subject), meta.OwnerSubjectHash) {
			c.owner, c.ownsTokens = true, true
		}
	}
	// Who brought a file has seen all that is in it, and nobody holds seats there.
	if c.owner && meta.Imported {
		c.seats = about.AllSeats()
	}
	return c, nil
}

// add finds what one token opens. All are compared, so that how long it takes tells nothing.
func (c *caller) add(about *rules.About, meta *logv1.GameMeta, hash tokens.Hash, now time.Time) error {
	found := false
	if tokens.Same(hash, meta.OwnerTokenHash) {
		c.owner, c.ownsTokens, found = true, true, true
		c.maker = &logv1.TokenMaker{TokenHash: meta.OwnerTokenHash}
	}
	for i, seat := range about.Seats {
		if tokens.Same(hash, meta.SeatTokenHashes[seat.ID]) {
			if err := c.untilMaker(meta, seat.ID, now); err != nil {
				return err
			}
			held := rules.SeatsOf(rules.Seat(i))
			c.seats, c.acts, c.own, found = c.seats|held, c.acts|held, c.own|held, true
		}
	}
	for _, g := range meta.Grants {
		if !tokens.Same(hash, g.TokenHash) {
			continue
		}
		if !g.ExpireTime.AsTime().After(now) {
			return fault.New(fault.TokenExpired, "a token of this call has expired")
		}
		found = true
		c.until(g.ExpireTime.AsTime())
		if g.Joins {
			c.joins |= live.SeatSet(about, g.Seat)
			continue
		}
		if g.Seat == "" {
			c.owner = true
			if c.maker == nil {
				c.maker = &logv1.TokenMaker{TokenHash: g.TokenHash, ExpireTime: g.ExpireTime}
			}
			continue
		}
		if err := c.untilMaker(meta, g.Seat, now); err != nil {
			return err
		}
		held := live.SeatSet(about, g.Seat)
		c.seats |= held
		if g.Acts {
			c.acts |= held
		}
	}
	if found {
		return nil
	}
	for _, old := range meta.RevokedTokenHashes {
		if tokens.Same(hash, old) {
			return fault.New(fault.TokenRevoked, "a token of this call was revoked, or its seat has been left")
		}
	}
	return fault.New(fault.TokenUnknown, "a token of this call does not belong to this game")
}

// seat finds the seat that a request is about: the one named, or the only one that the call can be about.
func (c caller) seat(about *rules.About, id string) (rules.Seat, error) {
	if id == "" {
		if c.may.Len() != 1 {
			list := live.SeatList(about, c.may)
			return rules.NoSeat,
				fault.New(fault.SeatRequired, "the caller holds %s: expected one of them in seat",
					list).With("seats", list)
		}
		for seat := range c.may.Each {
			return seat, nil
		}
	}
	seat, err := seatNamed(about, id)
	switch {
	case err != nil || c.may.Has(seat):
		return seat, err
	case c.seats.Has(seat):
		return rules.NoSeat, tooNarrow(id)
	}
	return rules.NoSeat, fault.New(fault.NotYourSeat, "the caller does not hold the seat %s", id).
		With("seat", id, "holds", live.SeatList(about, c.may))
}

func tooNarrow(seat string) error {
	return fault.New(fault.TokenTooNarrow, "the token does not open that for the seat %s", seat).With("seat", seat)
}

func seatNamed(about *rules.About, id string) (rules.Seat, error) {
	seat, ok := about.SeatByID(id)
	if !ok {
		known := live.SeatList(about, about.AllSeats())
		return rules.NoSeat, fault.New(fault.SeatNotFound, "there is no seat %q, expected one of %s", clip(id), known).
			With("seat", clip(id), "known", known).Resource("seat", clip(id))
	}
	return seat, nil
}

// spectatorID is the viewer that holds no seat.
const spectatorID = "spectator"

// view reads the field viewer of a request. A running game shows a caller no seat but its own; one
// that is over shows all.
func (c caller) view(about *rules.About, field string, over bool) (view, error) {
	switch field {
	case "":
		return view{seats: c.seats}, nil
	case spectatorID:
		return view{narrowed: true}, nil
	}
	seat, err := seatNamed(about, field)
	if err != nil {
		return view{}, err
	}
	if !over && !c.seats.Has(seat) {
		return view{}, fault.New(fault.NotYourSeat, "the caller does not hold the seat %s", field).
			With("seat", field, "holds", live.SeatList(about, c.seats))
	}
	return view{seats: rules.SeatsOf(seat), narrowed: true}, nil
}

// untilMaker makes the caller's rights end with the token with which a seat was taken.
func (c *caller) untilMaker(meta *logv1.GameMeta, seat string, now time.Time) error {
	if !tokens.TakenFor(meta, seat, now) {
		return fault.New(fault.TokenExpired, "the token with which the seat %s was taken has expired", seat)
	}
	if expires := meta.SeatMakers[seat].GetExpireTime(); expires != nil {
		c.until(expires.AsTime())
	}
	return nil
}

// formerSeats returns the free seats that a token opened last.
func formerSeats(about *rules.About, meta *logv1.GameMeta, hash tokens.Hash) (seats rules.Seats) {
	for _, seat := range about.Seats {
		if tokens.Same(hash, meta.FormerTokenHashes[seat.ID]) {
			seats |= live.SeatSet(about, seat.ID)
		}
	}
	return seats
}

// expiry ticks when the first of a caller's tokens becomes void; never, if none does.
func (s *Service) expiry(c caller) (<-chan time.Time, func()) {
	if c.void.IsZero() {
		return nil, func() {}
	}
	tick := time.NewTicker(max(c.void.Sub(s.clock()), time.Millisecond))
	return tick.C, tick.Stop
}

// whileValid bounds a call by the life of its caller's tokens.
func whileValid(ctx context.Context, c caller) (context.Context, context.CancelFunc) {
	if c.void.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, c.void, fault.New(fault.TokenExpired, "a token of this call has expired"))
}

// view is how a caller looks at a game.
type view struct {
	// seats whose sight it has.
	seats rules.Seats
	// narrowed is true if the caller asked to see less than it may.
	narrowed bool
}

// viewer is what rules know of it. When the game is over everyone is the auditor, unless they ask for less.
func (w view) viewer(over bool) rules.Viewer {
	return rules.Viewer{Seats: w.seats, All: over && !w.narrowed}
}

func (w view) key() (k live.ViewerKey) {
	if w.narrowed {
		k[0] = 1
	}
	binary.BigEndian.PutUint32(k[1:], uint32(w.seats))
	return k
}

// credentials are what a call brought to say who makes it.
type credentials struct {
	tokens []string
	// person is nil unless an identity provider vouches for one.
	person *Identity
	// former is true for calls that the last holder of a free seat may make with the seat's old token.
	former bool
}

func (c credentials) count() int {
	if c.person != nil {
		return len(c.tokens) + 1
	}
	return len(c.tokens)
}

// credentials reads the bearer tokens of a call.
func (s *Service) credentials(ctx context.Context) (credentials, error) {
	var c credentials
	md, _ := metadata.FromIncomingContext(ctx)
	for _, value := range md.Get("authorization") {
		// Some clients can set a header only once and join the values as HTTP does.
		for one := range strings.SplitSeq(value, ",") {
			scheme, token, ok := strings.Cut(strings.TrimSpace(one), " ")
			token = strings.TrimSpace(token)
			switch {
			case ok && strings.EqualFold(scheme, "bearer") && tokens.WellFormed(token):
				c.tokens = append(c.tokens, token)
			case ok && strings.EqualFold(scheme, "bearer") && s.identities != nil && c.person == nil &&
				strings.Count(token, ".") == 2:
				who, err := s.identities.Identify(ctx, token)
				if err != nil && ctx.Err() != nil { // a caller who gave up has not brought a bad token
					return credentials{}, ctx.Err()
				}
				var known *fault.Error
				if errors.As(err, &known) {
					return credentials{}, known
				}
				if err != nil {
					return credentials{},
						fault.New(fault.IdentityInvalid, "the identity token is not valid here").Because(err)
				}
				c.person = &who
			default:
				return credentials{},
					fault.New(fault.TokenMalformed, "expected \"Bearer wl_…\" in the metadata \"authorization\"")
			}
		}
	}
	if len(c.tokens) > 2*rules.MaxSeats {
		return credentials{}, fault.New(fault.TokenMalformed, "%d tokens, more than a game has seats", len(c.tokens))
	}
	return c, nil
}

// keyringOf is whose keyring a call is about.
func (s *Service) keyringOf(ctx context.Context) (keyrings.Credential, error) {
	creds, err := s.credentials(ctx)
	switch {
	case err != nil:
		return keyrings.Credential{}, err
	case creds.count() == 0:
		return keyrings.Credential{}, fault.New(fault.TokenRequired,
			"the call needs an identity token, or the secret of a keyring")
	case creds.count() > 1 || creds.person == nil && !tokens.IsKeyring(creds.tokens[0]):
		return keyrings.Credential{}, fault.New(fault.TokenMalformed,
			"expected one token: an identity token, or the secret of a keyring")
	case creds.person == nil:
		return keyrings.Credential{Secret: creds.tokens[0]}, nil
	case !creds.person.Expires.After(s.clock()):
		return keyrings.Credential{}, fault.New(fault.TokenExpired, "the identity token has expired")
	}
	return keyrings.Credential{Subject: creds.person.Subject}, nil
}

// newOwner is who an identity provider says makes a call that creates a game; nil if none is asked.
func (s *Service) newOwner(ctx context.Context) (*Identity, error) {
	if s.identities == nil {
		return nil, nil
	}
	creds, err := s.credentials(ctx)
	if err != nil {
		return nil, err
	}
	if creds.person == nil && s.ownersLogIn {
		return nil, fault.New(fault.TokenRequired,
			"the server lets only people who have signed in create games: an identity token is needed")
	}
	return creds.person, nil
}

// ownedBy reports whether a game that was created by a request of this id is of this person, or of
// nobody in particular.
func ownedBy(meta *logv1.GameMeta, owner *Identity) bool {
	if owner == nil {
		return len(meta.OwnerSubjectHash) == 0
	}
	return tokens.Same(tokens.HashOf(owner.Subject), meta.OwnerSubjectHash)
}
