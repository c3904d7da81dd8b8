package service_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// hour is when most tokens of these tests expire.
func hour() *timestamppb.Timestamp {
	return timestamppb.New(time.Now().Add(time.Hour).Truncate(time.Second))
}

// made makes a token that must be made.
func (g *table) made(token, seat string, rights v1.Rights) *v1.CreateTokenResponse {
	g.t.Helper()
	out, err := v1.NewAccessServiceClient(g.conn).CreateToken(as(token), &v1.CreateTokenRequest{
		Name: g.name, Seat: seat, Rights: rights, ExpireTime: hour(), Note: "for a test", RequestId: id(),
	})
	must(g.t, err)
	return out
}

func TestTokensOpenWhatTheyShall(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	access := v1.NewAccessServiceClient(g.conn)
	see, act := g.made(g.red, "", v1.Rights_RIGHTS_SEE).Secret, g.made(g.red, "red", v1.Rights_RIGHTS_ACT).Secret
	own := g.made(g.owner, "", v1.Rights_RIGHTS_OWN).Secret

	equal(t, "what a token that sees is shown", shown(g, see), shown(g, g.red))
	equal(t, "what a token that acts is shown", shown(g, act), shown(g, g.red))
	narrow := func(err error) {
		t.Helper()
		wantError(t, err, codes.PermissionDenied, fault.TokenTooNarrow)
	}
	narrow(second(g.games.SubmitCommand(as(see), g.command("end"))))
	named := g.command("end")
	named.Seat = "red"
	narrow(second(g.games.SubmitCommand(as(see), named)))
	narrow(second(g.games.Undo(as(see), &v1.UndoRequest{Name: g.name, RequestId: id()})))
	narrow(second(g.games.Redo(as(see), &v1.RedoRequest{Name: g.name, RequestId: id()})))
	narrow(second(g.games.Resign(as(see), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	for _, token := range []string{see, act} {
		narrow(second(g.games.LeaveSeat(as(token), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})))
		narrow(second(access.CreateToken(as(token),
			&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), RequestId: id()})))
		narrow(second(access.ListTokens(as(token), &v1.ListTokensRequest{Parent: g.name})))
	}
	wantError(t, second(access.CreateToken(as(g.red),
		&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_OWN, ExpireTime: hour(), RequestId: id()})),
		codes.PermissionDenied, fault.NotOwner)
	narrow(second(access.CreateToken(as(own),
		&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_OWN, ExpireTime: hour(), RequestId: id()})))
	// an owner sees no more than anybody
	for token, want := range map[string]fault.Reason{g.owner: fault.SeatRequired, own: fault.SeatRequired} {
		err := second(access.CreateToken(as(token),
			&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), RequestId: id()}))
		wantError(t, err, codes.InvalidArgument, want)
	}
	wantError(t, second(access.CreateToken(as(g.owner),
		&v1.CreateTokenRequest{Name: g.name, Seat: "red", Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(),
			RequestId: id()})),
		codes.PermissionDenied, fault.NotYourSeat)

	token := g.tokenOf(g.game().WaitingFor)
	if token == g.red {
		token = act
	} else {
		token = g.made(g.blue, "", v1.Rights_RIGHTS_ACT).Secret
	}
	list := g.legal(token)
	g.do(token, list.Actions[0].Command)
	must(t, second(g.games.CloseGame(as(own), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
}

func TestTokensAreListedRevokedAndRemembered(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.seated()
	access := v1.NewAccessServiceClient(g.conn)
	one, two := g.made(g.red, "", v1.Rights_RIGHTS_SEE), g.made(g.red, "", v1.Rights_RIGHTS_ACT)
	blue := g.made(g.blue, "", v1.Rights_RIGHTS_ACT)
	listed := func(token string) []string {
		t.Helper()
		out, err := access.ListTokens(as(token), &v1.ListTokensRequest{Parent: g.name})
		must(t, err)
		var names []string
		for _, token := range out.Tokens {
			names = append(names, token.Name)
		}
		return names
	}
	if got := listed(g.red); !slices.Equal(got, []string{one.Token.Name, two.Token.Name}) {
		t.Errorf("red has %v", got)
	}
	if got := listed(g.owner); len(got) != 0 {
		t.Errorf("the owner has %v", got)
	}
	w := g.watch(after(g.game().Version), one.Secret)
	for w.next().GetCaughtUp() == nil {
	}
	wantError(t, second(access.RevokeToken(as(g.blue), &v1.RevokeTokenRequest{Name: one.Token.Name})), codes.NotFound,
		fault.TokenNotFound)
	for range 2 { // the second time it is void already
		must(t, second(access.RevokeToken(as(g.red), &v1.RevokeTokenRequest{Name: one.Token.Name})))
	}
	_, err := w.stream.Recv()
	wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
	wantError(t, second(g.games.GetGame(as(one.Secret), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
	must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
	wantError(t, second(g.games.GetGame(as(two.Secret), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)

	h.stop() // what is kept beside the log is all that has to survive
	again := open(t, func(s *setting) { s.store = h.store })
	must(t, second(again.games.GetGame(as(blue.Secret), &v1.GetGameRequest{Name: g.name})))
	wantError(t, second(again.games.GetGame(as(one.Secret), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
}

func TestRetriesOfCreateToken(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	access := v1.NewAccessServiceClient(g.conn)
	req := &v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), Note: "a",
		RequestId: id()}
	first, err := access.CreateToken(as(g.red), req)
	must(t, err)
	again, err := access.CreateToken(as(g.red), req)
	must(t, err)
	equal(t, "a retry", again, first)
	req.Note = "b"
	wantError(t, second(access.CreateToken(as(g.red), req)), codes.AlreadyExists, fault.RequestIDReused)
	req.Note = "a"
	wantError(t, second(access.CreateToken(as(g.blue), req)), codes.AlreadyExists, fault.RequestIDReused)
	must(t, second(access.RevokeToken(as(g.red), &v1.RevokeTokenRequest{Name: first.Token.Name})))
	wantError(t, second(access.CreateToken(as(g.red), req)), codes.Unauthenticated, fault.TokenRevoked)
}

func TestTokensHaveBounds(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	access := v1.NewAccessServiceClient(g.conn)
	for name, req := range map[string]*v1.CreateTokenRequest{
		"no rights": {Seat: "red", ExpireTime: hour()}, "no expiry": {Rights: v1.Rights_RIGHTS_SEE},
		"in the past": {Rights: v1.Rights_RIGHTS_SEE,
			ExpireTime: timestamppb.New(time.Now().Add(-time.Second))},
		"for ever": {Rights: v1.Rights_RIGHTS_SEE,
			ExpireTime: timestamppb.New(time.Now().AddDate(2, 0, 0))},
		"an owner's for a seat": {Rights: v1.Rights_RIGHTS_OWN, Seat: "red", ExpireTime: hour()},
	} {
		req.Name, req.RequestId = g.name, id()
		if _, err := access.CreateToken(as(g.red), req); err == nil {
			t.Errorf("%s: a token is made", name)
		} else {
			wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
		}
	}
	for range 64 {
		g.made(g.red, "", v1.Rights_RIGHTS_SEE)
	}
	err := second(access.CreateToken(as(g.red),
		&v1.CreateTokenRequest{Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), RequestId: id()}))
	wantError(t, err, codes.ResourceExhausted, fault.TooManyTokens)
}

// TestTokensExpire has a token end its stream and its calls when its time comes, and make room for another.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := open(t, inMemory(t)).seated()
		soon := timestamppb.New(time.Now().Add(time.Second)) // before a heartbeat comes
		out, err := v1.NewAccessServiceClient(g.conn).CreateToken(as(g.red), &v1.CreateTokenRequest{
			Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: soon, RequestId: id(),
		})
		must(t, err)
		w := g.watch(after(g.game().Version), out.Secret)
		for w.next().GetCaughtUp() == nil {
		}
		_, err = w.stream.Recv()
		wantError(t, err, codes.Unauthenticated, fault.TokenExpired)
		wantError(t, second(g.games.GetGame(as(out.Secret), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
			fault.TokenExpired)
		list, err := v1.NewAccessServiceClient(g.conn).ListTokens(as(g.red), &v1.ListTokensRequest{Parent: g.name})
		must(t, err)
		if len(list.Tokens) != 0 {
			t.Errorf("still valid: %v", list.Tokens)
		}
	})
}
