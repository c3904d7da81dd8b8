package service

import (
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// Bounds of tokens that are made of others.
const (
	maxGrants    = 64
	longestGrant = 366 * 24 * time.Hour
	maxTokenNote = 80 // characters
)

// CreateToken makes a token that opens less than the caller's own.
func (s *accessServer) CreateToken(ctx context.Context, req *v1.CreateTokenRequest) (*v1.CreateTokenResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	sh.id("seat", req.GetSeat())
	sh.text("note", req.GetNote(), maxTokenNote)
	request := sh.secretRequest("request_id", req.GetRequestId())
	switch r := req.GetRights(); {
	case r < v1.Rights_RIGHTS_SEE || r > v1.Rights_RIGHTS_JOIN:
		sh.faults.Add("rights", "expected RIGHTS_SEE, RIGHTS_ACT, RIGHTS_OWN or RIGHTS_JOIN")
	case r == v1.Rights_RIGHTS_OWN && req.GetSeat() != "":
		sh.faults.Add("seat", "expected none for RIGHTS_OWN")
	case r == v1.Rights_RIGHTS_JOIN && req.GetSeat() == "":
		sh.faults.Add("seat", "expected the seat that the invitation is for")
	}
	if req.GetExpireTime().CheckValid() != nil {
		sh.faults.Add("expire_time", "expected a time")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), tokens.BlindID(request)
	out := new(v1.CreateTokenResponse)
	err := s.write(ctx, v1.AccessService_CreateToken_FullMethodName, id, rules.English, func(v *visit) error {
		grant, err := v.newGrant(req)
		if err != nil {
			return err
		}
		m := v.Current()
		secret := tokens.Grant(m.Meta, grant, request)
		hash := tokens.HashOf(secret)
		grant.TokenHash, grant.CreateTime = hash[:], timestamppb.New(s.clock())
		kept, err := s.grant(ctx, v, m, grant)
		if err != nil {
			return err
		}
		out.Secret, out.Token = secret, tokenMessage(id, kept)
		return nil
	})
	return answer(out, err)
}

// newGrant reads what the token shall open, which must be the caller's own.
func (v *visit) newGrant(req *v1.CreateTokenRequest) (*logv1.Grant, error) {
	rights := req.GetRights()
	g := &logv1.Grant{
		Acts: rights == v1.Rights_RIGHTS_ACT || rights == v1.Rights_RIGHTS_OWN, Joins: rights == v1.Rights_RIGHTS_JOIN,
		ExpireTime: req.GetExpireTime(), Note: req.GetNote(),
	}
	if rights == v1.Rights_RIGHTS_OWN || g.Joins {
		switch {
		case v.caller.ownsTokens && g.Joins:
			seat, err := seatNamed(v.About, req.GetSeat())
			g.Seat, g.MakerHash = v.About.SeatID(seat), v.caller.maker.GetTokenHash()
			return g, err
		case v.caller.ownsTokens:
			g.MakerHash = v.caller.maker.GetTokenHash()
			return g, nil
		case v.caller.owner:
			return nil, tooNarrow("")
		}
		return nil, fault.New(fault.NotOwner, "only the owner of the game may do that")
	}
	seat, err := v.caller.seat(v.About, req.GetSeat())
	g.Seat = v.About.SeatID(seat)
	g.MakerHash = v.Current().Meta.SeatTokenHashes[g.Seat]
	return g, err
}

// grant keeps a grant, or finds it if it was made before. Those that have expired are forgotten. The caller
// is the game's writer.
func (s *Service) grant(ctx context.Context, v *visit, m *live.Moment, g *logv1.Grant) (*logv1.Grant, error) {
	now := g.CreateTime.AsTime()
	for _, old := range m.Meta.Grants {
		if tokens.Same(tokens.Hash(g.TokenHash), old.TokenHash) {
			if old.Seat != g.Seat || old.Acts != g.Acts || old.Joins != g.Joins || old.Note != g.Note ||
				!old.ExpireTime.AsTime().Equal(g.ExpireTime.AsTime()) {
				return nil, live.Reused(m.Version())
			}
			return old, nil
		}
	}
	for _, old := range m.Meta.RevokedTokenHashes {
		if tokens.Same(tokens.Hash(g.TokenHash), old) {
			return nil, fault.New(fault.TokenRevoked, "the token of this request was revoked")
		}
	}
	if until := g.ExpireTime.AsTime(); !until.After(now) || until.After(now.Add(longestGrant)) {
		var faults fault.Violations
		faults.Add("expire_time", "expected a time in the future and within %d days", longestGrant/(24*time.Hour))
		return nil, faults.Err(fault.ValidationFailed)
	}
	valid := slices.DeleteFunc(slices.Clone(m.Meta.Grants),
		func(old *logv1.Grant) bool { return !old.ExpireTime.AsTime().After(now) })
	if len(valid) >= maxGrants {
		return nil, fault.New(fault.TooManyTokens, "the game has %d tokens already", len(valid)).
			With("limit", maxGrants).Quota("tokens")
	}
	return g, s.games.Amend(ctx, v.Game, func(meta *logv1.GameMeta) { meta.Grants = append(valid, g) })
}

// ListTokens lists the tokens that were made of the caller's own.
func (s *accessServer) ListTokens(ctx context.Context, req *v1.ListTokensRequest) (*v1.ListTokensResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	v, done, err := s.enter(ctx, v1.AccessService_ListTokens_FullMethodName, id, rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	out, now := new(v1.ListTokensResponse), s.clock()
	for _, g := range v.Current().Meta.Grants {
		if v.caller.made(v.About, g) && g.ExpireTime.AsTime().After(now) {
			out.Tokens = append(out.Tokens, tokenMessage(id, g))
		}
	}
	return out, nil
}

// RevokeToken makes a token void.
func (s *accessServer) RevokeToken(ctx context.Context, req *v1.RevokeTokenRequest) (*v1.RevokeTokenResponse, error) {
	var sh shape
	id, token := sh.token("name", req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	err := s.write(ctx, v1.AccessService_RevokeToken_FullMethodName, id, rules.English, func(v *visit) error {
		meta := v.Current().Meta
		for _, g := range meta.Grants {
			if tokens.NameOf(g) == token && v.caller.made(v.About, g) {
				return s.games.Amend(ctx, v.Game, func(meta *logv1.GameMeta) {
					tokens.RevokeGrants(meta, func(one *logv1.Grant) bool { return tokens.NameOf(one) == token })
				})
			}
		}
		for _, old := range meta.RevokedTokenHashes {
			if tokens.NameOfHash(old) == token {
				return nil
			}
		}
		return fault.New(fault.TokenNotFound, "there is no such token").With("token", token).Resource("token",
			req.GetName())
	})
	if err != nil {
		return nil, err
	}
	return new(v1.RevokeTokenResponse), nil
}

// made reports whether a grant was made of what the caller has: its seat's own token or the owner's.
func (c *caller) made(about *rules.About, g *logv1.Grant) bool {
	if g.Seat == "" || g.Joins {
		return c.ownsTokens
	}
	return c.own&live.SeatSet(about, g.Seat) != 0
}

func tokenMessage(game string, g *logv1.Grant) *v1.Token {
	rights := v1.Rights_RIGHTS_SEE
	switch {
	case g.Joins:
		rights = v1.Rights_RIGHTS_JOIN
	case g.Seat == "":
		rights = v1.Rights_RIGHTS_OWN
	case g.Acts:
		rights = v1.Rights_RIGHTS_ACT
	}
	return &v1.Token{
		Name: streams.Games + game + "/tokens/" + tokens.NameOf(g), Seat: g.Seat, Rights: rights,
		CreateTime: g.CreateTime, ExpireTime: g.ExpireTime, Note: g.Note,
	}
}
