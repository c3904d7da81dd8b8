package service

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"

	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// ListTokens lists what opens a game.
func (s *adminServer) ListTokens(
	ctx context.Context, req *adminv1.ListTokensRequest,
) (*adminv1.ListTokensResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	l, done, err := s.games.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m := l.Current()
	out := new(adminv1.ListTokensResponse)
	add := func(hash []byte, seat, rights, note string, expires *timestamppb.Timestamp) {
		if len(hash) > 0 {
			out.Tokens = append(out.Tokens, &adminv1.Token{
				Name: streams.Games + id + "/tokens/" + tokens.NameOfHash(hash), Seat: seat, Rights: rights,
				Holder: m.Table.Holders[seat], ExpireTime: expires, Note: note,
			})
		}
	}
	add(m.Meta.OwnerTokenHash, "", "own", "", nil)
	for _, seat := range l.About.Seats {
		add(m.Meta.SeatTokenHashes[seat.ID], seat.ID, "own", "", nil)
	}
	for _, g := range m.Meta.Grants {
		rights := "see"
		switch {
		case g.Joins:
			rights = "join"
		case g.Acts:
			rights = "act"
		}
		if g.ExpireTime.AsTime().After(s.clock()) {
			add(g.TokenHash, g.Seat, rights, g.Note, g.ExpireTime)
		}
	}
	return out, nil
}

// RevokeToken makes a token void.
func (s *adminServer) RevokeToken(
	ctx context.Context, req *adminv1.RevokeTokenRequest,
) (*adminv1.RevokeTokenResponse, error) {
	var sh shape
	id, token := sh.token("name", req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	err := s.games.Change(ctx, id, func(l *live.Game) error {
		meta := l.Current().Meta
		void := voidBy(meta, token)
		if void == nil {
			for _, old := range meta.RevokedTokenHashes {
				if tokens.NameOfHash(old) == token {
					return nil
				}
			}
			return fault.New(fault.TokenNotFound, "there is no such token").With("token", token).Resource("token",
				req.GetName())
		}
		return s.games.Amend(ctx, l, void)
	})
	if err != nil {
		return nil, err
	}
	return new(adminv1.RevokeTokenResponse), nil
}

// voidBy is the change that makes the token of a name void; nil if none exists.
func voidBy(meta *logv1.GameMeta, token string) func(*logv1.GameMeta) {
	if len(meta.OwnerTokenHash) > 0 && tokens.NameOfHash(meta.OwnerTokenHash) == token {
		return func(meta *logv1.GameMeta) { replaceOwner(meta, nil) }
	}
	for seat, hash := range meta.SeatTokenHashes { // at most one fits
		if tokens.NameOfHash(hash) == token {
			return func(meta *logv1.GameMeta) { tokens.Revoke(meta, seat) }
		}
	}
	for _, g := range meta.Grants {
		if tokens.NameOf(g) == token {
			return func(meta *logv1.GameMeta) {
				tokens.RevokeGrants(meta, func(one *logv1.Grant) bool { return tokens.NameOf(one) == token })
			}
		}
	}
	return nil
}

// replaceOwner makes the owner's token void, with what was made of it, and puts another in its place.
func replaceOwner(meta *logv1.GameMeta, hash []byte) {
	old := meta.OwnerTokenHash
	meta.OwnerTokenHash = hash
	if len(old) > 0 {
		tokens.Void(meta, old)
	}
	tokens.RevokeGrants(meta, func(g *logv1.Grant) bool { return g.Seat == "" || g.Joins })
	tokens.Unsubscribe(meta, "")
}

// ReissueToken gives a new token in place of one that was lost.
func (s *adminServer) ReissueToken(
	ctx context.Context, req *adminv1.ReissueTokenRequest,
) (*adminv1.ReissueTokenResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	sh.id("seat", req.GetSeat())
	request := sh.secretRequest("request_id", req.GetRequestId())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), tokens.BlindID(request)
	out := new(adminv1.ReissueTokenResponse)
	err := s.games.Change(ctx, id, func(l *live.Game) error {
		m := l.Current()
		seat := req.GetSeat()
		old := m.Meta.OwnerTokenHash
		out.Secret = tokens.Owner(m.Meta.TokenSecret, request)
		if seat != "" {
			if _, err := seatNamed(l.About, seat); err != nil {
				return err
			}
			if _, held := m.Table.Holders[seat]; !held {
				return fault.New(fault.SeatFree, "nobody holds the seat %s", seat).With("seat", seat)
			}
			old = m.Meta.SeatTokenHashes[seat]
			out.Secret = tokens.Seat(m.Meta.TokenSecret, seat, request)
		}
		hash := tokens.HashOf(out.Secret)
		if tokens.Same(hash, old) { // a retry
			return nil
		}
		for _, gone := range m.Meta.RevokedTokenHashes {
			if tokens.Same(hash, gone) {
				return fault.New(fault.TokenRevoked, "the token of this request was revoked")
			}
		}
		return s.games.Amend(ctx, l, func(meta *logv1.GameMeta) {
			if seat == "" {
				replaceOwner(meta, hash[:])
				return
			}
			tokens.Revoke(meta, seat)
			if meta.SeatTokenHashes == nil {
				meta.SeatTokenHashes = make(map[string][]byte)
			}
			meta.SeatTokenHashes[seat] = hash[:]
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
