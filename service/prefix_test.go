package service_test

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// TestTokensSayWhatTheyOpen holds the beginning of each token against what it opens.
func TestTokensSayWhatTheyOpen(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	for _, test := range []struct {
		token, prefix string
	}{
		{g.owner, "wl_o_"},
		{g.red, "wl_s_"},
		{g.made(g.red, "red", v1.Rights_RIGHTS_SEE).Secret, "wl_v_"},
		{g.made(g.red, "red", v1.Rights_RIGHTS_ACT).Secret, "wl_a_"},
		{g.made(g.owner, "", v1.Rights_RIGHTS_OWN).Secret, "wl_c_"},
		{g.made(g.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret, "wl_j_"},
	} {
		if !strings.HasPrefix(test.token, test.prefix) || len(test.token) != len(test.prefix)+52 {
			t.Errorf("%s does not begin with %s", test.token, test.prefix)
		}
		must(t, second(g.games.GetGame(as(test.token), &v1.GetGameRequest{Name: g.name})))
	}
	request := &v1.CreateTokenRequest{Name: g.name, Seat: "red", Rights: v1.Rights_RIGHTS_ACT,
		ExpireTime: timestamppb.New(time.Now().Add(time.Hour)), RequestId: id()}
	must(t, second(g.access().CreateToken(as(g.red), request)))
	request.Rights = v1.Rights_RIGHTS_SEE
	wantError(t, second(g.access().CreateToken(as(g.red), request)), codes.AlreadyExists, fault.RequestIDReused)
}

// TestTokensOfOlderServers: tokens that begin with wl_g_ go on opening what they opened, and a request of that time
// that comes again gets its token.
func TestTokensOfOlderServers(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	h := open(t, func(s *setting) { s.store = store })
	g := h.seated()
	request := &v1.CreateTokenRequest{Name: g.name, Seat: "red", Rights: v1.Rights_RIGHTS_ACT,
		ExpireTime: timestamppb.New(time.Now().Add(time.Hour)), RequestId: id()}
	made, err := g.access().CreateToken(as(g.red), request)
	must(t, err)
	h.stop()
	info, err := store.Head(t.Context(), g.name)
	must(t, err)
	meta, err := ledger.DecodeMeta(info.Meta)
	must(t, err)
	older := "wl_g_" + made.Secret[len("wl_g_"):]
	hash := sha256.Sum256([]byte(older))
	meta.Grants[0].TokenHash = hash[:]
	data, err := proto.Marshal(meta)
	must(t, err)
	must(t, store.SetMeta(t.Context(), g.name, data, info.MetaVersion))
	g.host = open(t, func(s *setting) { s.store = store })
	g.do(older, "plan 0303")
	again, err := g.access().CreateToken(as(g.red), request)
	must(t, err)
	if again.Secret != older {
		t.Errorf("the request got %s again, and %s before", again.Secret, older)
	}
	must(t, second(g.access().RevokeToken(as(g.red), &v1.RevokeTokenRequest{Name: again.Token.Name})))
	wantError(t, second(g.games.GetGame(as(older), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
	wantError(t, second(g.access().CreateToken(as(g.red), request)), codes.Unauthenticated, fault.TokenRevoked)
}

// TestHoldersByAPartOfTheOwner: the owner gives a player a token of the owner's part, and the player sits down with it.
// However that token ends, the player is asked before somebody else sees what the seat hides.
func TestHoldersByAPartOfTheOwner(t *testing.T) {
	t.Parallel()
	for _, revoked := range []bool{true, false} {
		g := open(t).create()
		g.red = g.sit("red")
		part := g.made(g.owner, "", v1.Rights_RIGHTS_OWN)
		blue, err := g.take("blue", id(), part.Secret)
		must(t, err)
		g.blue = blue.SeatToken
		g.do(g.red, "plan 0303")
		g.do(g.blue, "plan 0503")
		if revoked {
			must(t, second(g.access().RevokeToken(as(g.owner), &v1.RevokeTokenRequest{Name: part.Token.Name})))
			wantError(t, second(g.games.GetGame(as(g.blue), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
				fault.TokenRevoked)
		}
		g.leave(g.owner, "blue")
		if p := g.offer(g.owner, "blue").PendingSeat; len(p.GetMissing()) != 2 {
			t.Fatalf("revoked %t: asked %v", revoked, p)
		}
		if out := g.agree(g.red, "red", true); out.Done {
			t.Errorf("revoked %t: red alone agreed", revoked)
		}
		wantError(t, second(g.take("blue", id(), g.owner)), codes.FailedPrecondition, fault.SeatGuarded)
		if out := g.agree(g.blue, "blue", true); !out.Done {
			t.Errorf("revoked %t: the former holder agreed: %v", revoked, out)
		}
		must(t, second(g.take("blue", id(), g.owner)))
	}
	// The owner's own token asks nobody more: the holder was the owner.
	g := open(t).create()
	g.red = g.sit("red")
	blue, err := g.take("blue", id(), g.owner)
	must(t, err)
	g.do(g.red, "plan 0303")
	g.do(blue.SeatToken, "plan 0503")
	g.leave(g.owner, "blue")
	if p := g.offer(g.owner, "blue").PendingSeat; len(p.GetMissing()) != 1 {
		t.Errorf("asked %v", p)
	}
}
