package service_test

import (
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// TestOwnersLogIn has a person create a game and later do as its owner, with any token of theirs that is
// valid, and nobody else.
func TestOwnersLogIn(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(time.Hour)
	who := people{
		"ann.first.x": {Subject: "issuer ann", Expires: later}, "ann.second.x": {Subject: "issuer ann", Expires: later},
		"bob.first.x": {Subject: "issuer bob", Expires: later},
		"ann.old.x":   {Subject: "issuer ann", Expires: time.Now().Add(-time.Second)},
	}
	h := open(t, func(s *setting) { s.identities, s.ownersLogIn = who, true })
	req := newGame()
	wantError(t, second(h.games.CreateGame(as(), req)), codes.Unauthenticated, fault.TokenRequired)
	wantError(t, second(h.games.CreateGame(as("eve.forged.x"), req)), codes.Unauthenticated, fault.IdentityInvalid)
	made, err := h.games.CreateGame(as("ann.first.x"), req)
	must(t, err)
	wantError(t, second(h.games.CreateGame(as("bob.first.x"), req)), codes.AlreadyExists, fault.RequestIDReused)
	must(t, second(h.games.CreateGame(as("ann.second.x"), req)))

	closing := func(token string) error {
		return second(h.games.CloseGame(as(token), &v1.CloseGameRequest{Name: made.Game.Name, RequestId: id()}))
	}
	wantError(t, closing("bob.first.x"), codes.PermissionDenied, fault.NotOwner)
	wantError(t, closing("ann.old.x"), codes.Unauthenticated, fault.TokenExpired)
	wantError(t, closing("eve.forged.x"), codes.Unauthenticated, fault.IdentityInvalid)
	// who has signed in may look and sit down like anybody
	for _, tokens := range [][]string{{"bob.first.x"}, {"ann.first.x"}} {
		must(t, second(h.games.GetGame(as(tokens...), &v1.GetGameRequest{Name: made.Game.Name})))
	}
	out, err := v1.NewAccessServiceClient(h.conn).CreateToken(as("ann.first.x"), &v1.CreateTokenRequest{
		Name: made.Game.Name, Rights: v1.Rights_RIGHTS_OWN, ExpireTime: hour(), RequestId: id(),
	})
	must(t, err)
	must(t, closing(out.Secret))
}

// TestIdentityTokensNeedAProvider has a server without one say that it does not know such tokens.
func TestIdentityTokensNeedAProvider(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.create()
	wantError(t, second(h.games.GetGame(as("ann.first.x"), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenMalformed)
}

// TestStreamsEndWithIdentity has what the provider said expire while a stream runs.
func TestStreamsEndWithIdentity(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, inMemory(t), func(s *setting) {
			s.identities = people{
				"ann.first.x": service.Identity{Subject: "issuer ann", Expires: time.Now().Add(time.Second)},
			}
		})
		g := h.create()
		w := g.watch(after(0), "ann.first.x")
		for w.next().GetCaughtUp() == nil {
		}
		_, err := w.stream.Recv()
		wantError(t, err, codes.Unauthenticated, fault.TokenExpired)
	})
}
