package warledger

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Grant says what a token shall open that is made of another.
type Grant struct {
	// Rights are to see or to act for the handle's seat, to take it, or to do what the owner may.
	Rights v1.Rights
	// Expires is when the token becomes void: in the future, and within a year.
	Expires time.Time
	// Note says what it is for, at most 80 characters.
	Note string
	// ID of the request, a random UUID and as secret as the token, which it gets again; one is drawn if it is empty.
	ID string
}

// Invite makes an invitation to a seat, for whoever is to take it with [Game.Join]. Owner only. It shows nothing, and
// is void once the seat is left.
func (g *Game) Invite(ctx context.Context, seat string, grant Grant) (*v1.CreateTokenResponse, error) {
	grant.Rights = v1.Rights_RIGHTS_JOIN
	invited := *g
	invited.seat = seat
	return invited.CreateToken(ctx, grant)
}

// CreateToken makes a token that opens less than the caller's own, for a bot, a page or an evening. The caller keeps
// it: the client does not.
func (g *Game) CreateToken(ctx context.Context, grant Grant) (*v1.CreateTokenResponse, error) {
	req := &v1.CreateTokenRequest{Name: g.name, Seat: g.seat, Rights: grant.Rights,
		ExpireTime: timestamppb.New(grant.Expires), Note: grant.Note, RequestId: grant.ID}
	if req.Rights == v1.Rights_RIGHTS_OWN {
		req.Seat = ""
	}
	if req.RequestId == "" {
		req.RequestId = newID()
	}
	return call(ctx, g.client, g.tokens, g.name, req, g.client.access.CreateToken)
}

// ListTokens returns what was made of the caller's own tokens and is still valid, oldest first; not
// the tokens themselves.
func (g *Game) ListTokens(ctx context.Context) ([]*v1.Token, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.ListTokensRequest{Parent: g.name},
		g.client.access.ListTokens)
	return resp.GetTokens(), err
}

// RevokeToken makes a token void at once, by its name ("games/{game}/tokens/{token}"). One that is
// void already is no error.
func (g *Game) RevokeToken(ctx context.Context, name string) error {
	_, err := call(ctx, g.client, g.tokens, g.name, &v1.RevokeTokenRequest{Name: name}, g.client.access.RevokeToken)
	return err
}
