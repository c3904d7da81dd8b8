package service_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func joining(p logv1.JoinPolicy) func(*v1.CreateGameRequest) {
	return func(r *v1.CreateGameRequest) { r.JoinPolicy = p }
}

// take tries to take a seat.
func (g *table) take(seat, request string, tokens ...string) (*v1.TakeSeatResponse, error) {
	return g.games.TakeSeat(as(tokens...),
		&v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: "somebody", RequestId: request})
}

// TestInvitations has the owner say who takes a seat: strangers are refused, an invitation opens its seat and nothing
// else, and it is void once the seat is left.
func TestInvitations(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.create(joining(logv1.JoinPolicy_JOIN_POLICY_INVITED))
	if p := g.game().JoinPolicy; p != logv1.JoinPolicy_JOIN_POLICY_INVITED {
		t.Errorf("the game says %s", p)
	}
	if meta := wantError(t, second(g.take("red", id())), codes.PermissionDenied,
		fault.InvitationRequired); meta["seat"] != "red" {
		t.Errorf("metadata %v", meta)
	}
	red := g.made(g.owner, "red", v1.Rights_RIGHTS_JOIN)
	if red.Token.Rights != v1.Rights_RIGHTS_JOIN || red.Token.Seat != "red" {
		t.Errorf("made %v", red.Token)
	}
	wantError(t, second(g.take("blue", id(), red.Secret)), codes.PermissionDenied, fault.InvitationRequired)
	equal(t, "what an invitation shows", g.board(0, red.Secret), g.board(0))
	wantError(t,
		second(g.games.ListLegalActions(as(red.Secret), &v1.ListLegalActionsRequest{Name: g.name, Seat: "red"})),
		codes.PermissionDenied, fault.NotYourSeat)
	wantError(t,
		second(g.games.LeaveSeat(as(red.Secret), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})),
		codes.PermissionDenied, fault.NotYourSeat)

	request := id()
	first, err := g.take("red", request, red.Secret)
	must(t, err)
	again, err := g.take("red", request, red.Secret)
	must(t, err)
	equal(t, "the token told again", again.SeatToken, first.SeatToken)
	wantError(t, second(g.take("red", id(), red.Secret)), codes.FailedPrecondition, fault.SeatTaken)
	must(t, second(g.take("blue", id(), g.owner))) // the owner needs none

	// In the middle of the game the seat is left: neither strangers nor who held it can take it again.
	g.do(first.SeatToken, "plan 0303")
	must(t, second(g.games.LeaveSeat(as(first.SeatToken), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
	wantError(t, second(g.take("red", id())), codes.PermissionDenied, fault.InvitationRequired)
	wantError(t, second(g.take("red", id(), red.Secret)), codes.Unauthenticated, fault.TokenRevoked)
	next := g.made(g.owner, "red", v1.Rights_RIGHTS_JOIN)
	listed, err := v1.NewAccessServiceClient(g.conn).ListTokens(as(g.owner), &v1.ListTokensRequest{Parent: g.name})
	must(t, err)
	if len(listed.Tokens) != 1 || !proto.Equal(listed.Tokens[0], next.Token) {
		t.Errorf("listed %v, want the invitation", listed.Tokens)
	}
	must(t, second(v1.NewAccessServiceClient(g.conn).RevokeToken(as(g.owner),
		&v1.RevokeTokenRequest{Name: next.Token.Name})))
	wantError(t, second(g.take("red", id(), next.Secret)), codes.Unauthenticated, fault.TokenRevoked)
}

// TestInvitationsAreTheOwners: nobody else makes one, and every one is for a seat.
func TestInvitationsAreTheOwners(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	access := v1.NewAccessServiceClient(g.conn)
	invite := func(seat, token string) error {
		return second(access.CreateToken(as(token), &v1.CreateTokenRequest{
			Name: g.name, Seat: seat, Rights: v1.Rights_RIGHTS_JOIN, ExpireTime: hour(), RequestId: id(),
		}))
	}
	wantError(t, invite("red", g.red), codes.PermissionDenied, fault.NotOwner)
	wantError(t, invite("", g.owner), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, invite("green", g.owner), codes.NotFound, fault.SeatNotFound)
	own := g.made(g.owner, "", v1.Rights_RIGHTS_OWN).Secret
	if err := invite("red", own); err == nil {
		t.Error("a made token makes an invitation")
	}
	listed, err := access.ListTokens(as(g.red), &v1.ListTokensRequest{Parent: g.name})
	must(t, err)
	must(t, invite("red", g.owner))
	after, err := access.ListTokens(as(g.red), &v1.ListTokensRequest{Parent: g.name})
	must(t, err)
	equal(t, "what red is shown of invitations", after, listed)
}

// TestFirstCome opens a seat to anyone until it has been held.
func TestFirstCome(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated(joining(logv1.JoinPolicy_JOIN_POLICY_FIRST_COME))
	must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
	wantError(t, second(g.take("red", id())), codes.PermissionDenied, fault.InvitationRequired)
	must(t, second(g.take("red", id(), g.made(g.owner, "red", v1.Rights_RIGHTS_JOIN).Secret)))

	// A fork has the policy of its origin unless it is given another; its seats are new.
	for want, given := range map[logv1.JoinPolicy]logv1.JoinPolicy{
		logv1.JoinPolicy_JOIN_POLICY_FIRST_COME: 0,
		logv1.JoinPolicy_JOIN_POLICY_INVITED:    logv1.JoinPolicy_JOIN_POLICY_INVITED,
	} {
		f, out, err := g.fork(func(r *v1.ForkGameRequest) { r.Version, r.JoinPolicy = 1, given })
		must(t, err)
		if out.Game.JoinPolicy != want {
			t.Errorf("the fork says %s, want %s", out.Game.JoinPolicy, want)
		}
		if _, err := f.take("red", id()); (err == nil) != (want == logv1.JoinPolicy_JOIN_POLICY_FIRST_COME) {
			t.Errorf("%s: a stranger takes a seat: %v", want, err)
		}
	}
	_, _, err := g.fork(func(r *v1.ForkGameRequest) {
		r.JoinPolicy, r.Private = logv1.JoinPolicy_JOIN_POLICY_OPEN, true
	})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	_, err = h.games.CreateGame(as(),
		&v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}, JoinPolicy: 9})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

// TestJoinPolicyIsKept: it outlives the server, is shown in lists, and is a part of what a retry must ask for again.
func TestJoinPolicyIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	req := newGame()
	req.JoinPolicy = logv1.JoinPolicy_JOIN_POLICY_INVITED
	out, err := h.games.CreateGame(as(), req)
	must(t, err)
	open1 := h.create().game()
	if open1.JoinPolicy != logv1.JoinPolicy_JOIN_POLICY_OPEN {
		t.Errorf("without a policy: %s", open1.JoinPolicy)
	}
	h.stop()
	h = open(t, func(s *setting) { s.store = h.store })
	g := &table{host: h, name: out.Game.Name}
	wantError(t, second(g.take("red", id())), codes.PermissionDenied, fault.InvitationRequired)
	listed, err := h.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	for _, one := range listed.Games {
		if want := (&table{host: h, name: one.Name}).game().JoinPolicy; one.JoinPolicy != want {
			t.Errorf("the list says %s, the game %s", one.JoinPolicy, want)
		}
	}
	must(t, second(h.games.CreateGame(as(), req)))
	req.JoinPolicy = logv1.JoinPolicy_JOIN_POLICY_OPEN
	wantError(t, second(h.games.CreateGame(as(), req)), codes.AlreadyExists, fault.RequestIDReused)
}
