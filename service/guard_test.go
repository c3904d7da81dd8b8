package service_test

import (
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

func (g *table) access() v1.AccessServiceClient { return v1.NewAccessServiceClient(g.conn) }

// leave frees a seat, which must succeed.
func (g *table) leave(token, seat string) {
	g.t.Helper()
	must(g.t, second(g.games.LeaveSeat(as(token), &v1.LeaveSeatRequest{Name: g.name, Seat: seat, RequestId: id()})))
}

func (g *table) offer(token, seat string) *v1.Game {
	g.t.Helper()
	out, err := g.access().OfferSeat(as(token), &v1.OfferSeatRequest{Name: g.name, Seat: seat, RequestId: id()})
	must(g.t, err)
	return out.Game
}

func (g *table) agree(token, seat string, agree bool) *v1.AnswerSeatResponse {
	g.t.Helper()
	out, err := g.access().AnswerSeat(as(token),
		&v1.AnswerSeatRequest{Name: g.name, Seat: seat, Offered: g.game().PendingSeat.GetOffered(), Agree: agree,
			RequestId: id()})
	must(g.t, err)
	return out
}

// TestOwnersDoNotTakeWhatTheyFree: the owner, or the holder of a share of that part, frees an opponent's seat and
// wants to sit down on it, to see what it hides. That is refused under every join policy, with any token, and without
// one.
func TestOwnersDoNotTakeWhatTheyFree(t *testing.T) {
	t.Parallel()
	const person = "e30.e30.c2ln"
	for _, policy := range []logv1.JoinPolicy{logv1.JoinPolicy_JOIN_POLICY_OPEN,
		logv1.JoinPolicy_JOIN_POLICY_FIRST_COME, logv1.JoinPolicy_JOIN_POLICY_INVITED} {
		h := open(t, func(s *setting) {
			s.identities = people{
				person: service.Identity{Subject: "https://issuer.example ann", Expires: time.Now().Add(time.Hour)},
			}
		})
		req := newGame()
		req.JoinPolicy = policy
		out, err := h.games.CreateGame(as(person), req)
		must(t, err)
		g := &table{host: h, name: out.Game.Name, owner: out.OwnerToken}
		red, err := g.take("red", id(), g.owner)
		must(t, err)
		blue, err := g.take("blue", id(), g.made(g.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret)
		must(t, err)
		g.red, g.blue = red.SeatToken, blue.SeatToken
		own := g.made(g.owner, "", v1.Rights_RIGHTS_OWN).Secret
		g.do(g.red, "plan 0303")
		g.do(g.blue, "plan 0503")
		if at := g.game().Seats[1].LeaveTime; at != nil {
			t.Errorf("a seat that is held was left at %v", at)
		}
		g.leave(own, "blue")
		now := g.game()
		if blue := now.Seats[1]; blue.Guard != v1.SeatGuard_SEAT_GUARD_ALL ||
			!proto.Equal(blue.LeaveTime, now.UpdateTime) {
			t.Errorf("the game says %v", blue)
		}
		for _, tokens := range [][]string{
			{g.owner}, {own}, {person}, {g.owner, g.red}, {g.made(g.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret},
		} {
			wantError(t, second(g.take("blue", id(), tokens...)), codes.FailedPrecondition, fault.SeatGuarded)
		}
		if policy == logv1.JoinPolicy_JOIN_POLICY_OPEN { // it may be the owner under another name
			wantError(t, second(g.take("blue", id())), codes.FailedPrecondition, fault.SeatGuarded)
			must(t, second(g.take("blue", id(), g.blue))) // who held it knows what it shows
			continue
		}
		wantError(t, second(g.take("blue", id(), g.blue)), codes.PermissionDenied, fault.InvitationRequired)
		must(t, second(g.take("blue", id(), g.blue, g.made(g.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret)))
	}
}

// TestSeatsThatShowNothingAreNotGuarded: before anything is hidden, a stranger who sat down can be replaced without
// consent.
func TestSeatsThatShowNothingAreNotGuarded(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	g.do(g.red, "plan 0303") // red's own secret
	g.leave(g.owner, "blue")
	must(t, second(g.take("blue", id(), g.owner)))
	wantError(t,
		second(g.access().OfferSeat(as(g.owner), &v1.OfferSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})),
		codes.FailedPrecondition, fault.SeatTaken)
	h := open(t).create()
	wantError(t,
		second(h.access().OfferSeat(as(h.owner), &v1.OfferSeatRequest{Name: h.name, Seat: "blue", RequestId: id()})),
		codes.FailedPrecondition, fault.SeatUnguarded)
}

// TestAbandonedSeats: a stranger may take a seat that was left, as the join policy says. The owner, and players whom
// the owner invites, may not.
func TestAbandonedSeats(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	g.leave(g.blue, "blue")
	if guard := g.game().Seats[1].Guard; guard != v1.SeatGuard_SEAT_GUARD_OWNER {
		t.Errorf("the game says %s", guard)
	}
	wantError(t, second(g.take("blue", id(), g.owner)), codes.FailedPrecondition, fault.SeatGuarded)
	wantError(t, second(g.take("blue", id(), g.made(g.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret)),
		codes.FailedPrecondition, fault.SeatGuarded)
	must(t, second(g.take("blue", id())))

	// If only the owner decides who sits down, the others are asked; if there is nobody to ask, the seat stays free.
	g = twins(open(t), "0303")[0]
	g.leave(g.blue, "blue")
	g.leave(g.red, "red")
	wantError(t,
		second(g.access().OfferSeat(as(g.owner), &v1.OfferSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})),
		codes.FailedPrecondition, fault.SeatGuarded)
}

// TestSeatsAreHandedOverByConsent: the others, and the player who was put out, are asked by a record and answer by
// records. A refusal or a change of seats ends the offer. Once all have agreed the owner may sit down.
func TestSeatsAreHandedOverByConsent(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := twins(h, "0303")[0]
	wantError(t,
		second(g.access().OfferSeat(as(g.red), &v1.OfferSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})),
		codes.PermissionDenied, fault.NotOwner)
	g.leave(g.owner, "blue")
	left := g.game().Seats[1].LeaveTime
	if p := g.offer(g.owner, "blue").PendingSeat; p.GetSeat() != "blue" || len(p.GetMissing()) != 2 {
		t.Fatalf("asked %v", p)
	}
	if out := g.agree(g.blue, "blue", false); out.Done || out.Game.PendingSeat != nil {
		t.Errorf("after a refusal: %v", out)
	}
	stale := &v1.AnswerSeatRequest{Name: g.name, Offered: g.game().Version - 1, Agree: true, RequestId: id()}
	wantError(t, second(g.access().AnswerSeat(as(g.red), stale)), codes.FailedPrecondition, fault.SeatNotOffered)
	g.offer(g.owner, "blue")
	wantError(t, second(g.access().AnswerSeat(as(g.owner),
		&v1.AnswerSeatRequest{Name: g.name, Seat: "red", Offered: g.game().Version, Agree: true, RequestId: id()})),
		codes.PermissionDenied, fault.NotYourSeat)
	if out := g.agree(g.red, "", true); out.Done {
		t.Error("one of two answers is enough")
	}
	wantError(t, second(g.take("blue", id(), g.owner)), codes.FailedPrecondition, fault.SeatGuarded)
	// The old token opens only the answer, and shows nothing.
	wantError(t, second(g.games.GetBoard(as(g.blue), &v1.GetBoardRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenRevoked)
	h.stop() // what was asked and answered is in the log
	again := open(t, func(s *setting) { s.store = h.store })
	g.host = again
	if out := g.agree(g.blue, "", true); !out.Done || out.Game.Seats[1].Guard != 0 {
		t.Errorf("all have agreed: %v", out)
	}
	if at := g.game().Seats[1].LeaveTime; left == nil || !proto.Equal(at, left) {
		t.Errorf("the seat was left at %v, and later at %v", left, at)
	}
	must(t, second(g.take("blue", id(), g.owner)))
	if at := g.game().Seats[1].LeaveTime; at != nil {
		t.Errorf("a seat that was taken again was left at %v", at)
	}
	if sum := g.audit(); sum.Errors != 0 {
		t.Errorf("the audit: %v", sum)
	}
}

// TestGamesOfThoseWhoAreGone: the player who was put out never answers, so nobody gets the seat, however often it is
// offered. Closing the game helps: it shows everything to everyone alike, and the game goes on as a fork.
func TestGamesOfThoseWhoAreGone(t *testing.T) {
	t.Parallel()
	g := twins(open(t), "0303")[0]
	g.leave(g.owner, "blue")
	for range 2 {
		g.offer(g.owner, "blue")
		if out := g.agree(g.red, "", true); out.Done {
			t.Error("red gives away what blue has hidden")
		}
		for _, tokens := range [][]string{nil, {g.owner}, {g.owner, g.red}} {
			wantError(t, second(g.take("blue", id(), tokens...)), codes.FailedPrecondition, fault.SeatGuarded)
		}
	}
	history := v1.NewHistoryServiceClient(g.conn)
	fork := &v1.ForkGameRequest{Name: g.name, RequestId: id(), Version: g.game().Head}
	wantError(t, second(history.ForkGame(as(g.owner, g.red), fork)), codes.PermissionDenied, fault.ForkHidden)
	must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	if now := g.game(); !now.Over || now.PendingSeat != nil || now.Seats[1].Guard != 0 {
		t.Errorf("after the end: %v", now)
	}
	out, err := history.ForkGame(as(g.red), fork)
	must(t, err)
	on := &table{host: g.host, name: out.Game.Name, owner: out.OwnerToken}
	blue, err := on.take("blue", id(), on.owner)
	must(t, err)
	on.do(blue.SeatToken, "end")
}

// TestSeatsEndWithTheTokenTheyWereTakenWith: everything made with a token of the owner's becomes void with it, however
// often it was passed on: the seat that it took, the tokens made for that seat, and the streams that these opened.
func TestSeatsEndWithTheTokenTheyWereTakenWith(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.create()
	own := g.made(g.owner, "", v1.Rights_RIGHTS_OWN)
	blue, err := g.take("blue", id(), own.Secret)
	must(t, err)
	g.blue, g.red = blue.SeatToken, g.sit("red")
	see, act := g.made(g.blue, "", v1.Rights_RIGHTS_SEE).Secret, g.made(g.blue, "", v1.Rights_RIGHTS_ACT).Secret
	h.stop() // makers are kept
	h = open(t, func(s *setting) { s.store = h.store })
	g.host = h
	var streams []*watcher
	for _, token := range []string{own.Secret, g.blue, see, act} {
		w := g.watch(after(g.game().Version), token)
		for w.next().GetCaughtUp() == nil {
		}
		streams = append(streams, w)
	}
	must(t, second(g.access().RevokeToken(as(g.owner), &v1.RevokeTokenRequest{Name: own.Token.Name})))
	for i, token := range []string{own.Secret, g.blue, see, act} {
		wantError(t, second(g.games.GetGame(as(token), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
			fault.TokenRevoked)
		_, err := streams[i].stream.Recv()
		wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
	}
	must(t, second(g.games.GetGame(as(g.red), &v1.GetGameRequest{Name: g.name})))
	// The former holder keeps a say, so the token still tells who calls; it opens nothing.
	wantError(t, second(g.take("blue", id(), g.blue)), codes.FailedPrecondition, fault.SeatTaken)
}

// TestSeatsExpireWithTheTokenTheyWereTakenWith: the same when the time of the token is over.
func TestSeatsExpireWithTheTokenTheyWereTakenWith(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := open(t, inMemory(t)).create()
		own, err := g.access().CreateToken(as(g.owner), &v1.CreateTokenRequest{
			// before a heartbeat comes
			Name: g.name, Rights: v1.Rights_RIGHTS_OWN, ExpireTime: timestamppb.New(time.Now().Add(time.Second)),
			RequestId: id(),
		})
		must(t, err)
		blue, err := g.take("blue", id(), own.Secret)
		must(t, err)
		see, err := g.access().CreateToken(as(blue.SeatToken), &v1.CreateTokenRequest{
			Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: timestamppb.New(time.Now().Add(24 * time.Hour)),
			RequestId: id(),
		})
		must(t, err)
		w := g.watch(after(g.game().Version), see.Secret)
		for w.next().GetCaughtUp() == nil {
		}
		time.Sleep(time.Second)
		for _, token := range []string{own.Secret, blue.SeatToken, see.Secret} {
			wantError(t, second(g.games.GetGame(as(token), &v1.GetGameRequest{Name: g.name})), codes.Unauthenticated,
				fault.TokenExpired)
		}
		for {
			if _, err = w.stream.Recv(); err != nil {
				break
			}
		}
		wantError(t, err, codes.Unauthenticated, fault.TokenExpired)
	})
}
