package service_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestReadsOfTwoServers has one server change a game that another has in memory. What the other then shows is what was
// stored last, and what it decides is decided on that.
func TestReadsOfTwoServers(t *testing.T) {
	t.Parallel()
	same := func(t *testing.T, g, there *table) {
		t.Helper()
		for _, token := range []string{g.red, g.blue} {
			equal(t, "the game", there.game(token), g.game(token))
			equal(t, "the board", there.board(0, token), g.board(0, token))
			equal(t, "the list of legal commands", there.legal(token), g.legal(token))
		}
		last := g.game().Version
		for version := uint64(1); version <= last; version += 1 + last/20 {
			equal(t, fmt.Sprintf("the board at version %d", version), there.board(version), g.board(version))
		}
		equal(t, "the records", there.records(true), g.records(true))
	}
	for name, tt := range map[string]func(t *testing.T, g, there *table){
		"records": func(_ *testing.T, g, _ *table) { g.play(5, 1) },
		"the end": func(_ *testing.T, g, _ *table) { g.play(400, 2) },
		"an undo": func(t *testing.T, g, there *table) {
			g.do(g.red, "plan 0303")
			there.game()
			must(t, second(g.undo(g.red, 0, false)))
		},
		"an undo and another line": func(t *testing.T, g, there *table) {
			g.do(g.red, "plan 0303")
			there.game()
			must(t, second(g.undo(g.red, 0, false)))
			g.do(g.red, "plan 0503")
			g.do(g.blue, "plan 0503")
		},
		"more than a page of undo and redo": func(t *testing.T, g, _ *table) {
			g.do(g.red, "plan 0303")
			for range 150 {
				must(t, second(g.undo(g.red, 0, false)))
				must(t, second(g.redo(g.red)))
			}
		},
		"another player": func(t *testing.T, g, there *table) {
			must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
			old := g.red
			g.red = g.sit("red")
			there.red = g.red
			_, err := there.games.GetGame(as(old), &v1.GetGameRequest{Name: g.name})
			wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
		},
		"a new token": func(_ *testing.T, g, there *table) {
			token := g.made(g.red, "", v1.Rights_RIGHTS_ACT).Secret
			there.game(token)
			there.do(token, "plan 0303")
		},
		"commands by turns": func(t *testing.T, g, there *table) {
			for i, over := 0, false; !over && i < 400; i++ {
				over = []*table{g, there}[i%2].play(1, uint64(i))
			}
			if !g.game().Over {
				t.Error("the game is not over")
			}
		},
		"an undo that the other agrees to": func(t *testing.T, g, there *table) {
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0503")
			asked, err := g.undo(g.red, 0, true)
			must(t, err)
			must(t, second(there.answer(there.blue, asked.Game.PendingUndo.Asked, true)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hosts := cluster(t, 2)
			g := hosts[0].seated()
			there := g.on(hosts[1])
			there.game()
			tt(t, g, there)
			same(t, g, there)
		})
	}
}

// TestRetriesAtAnotherServer repeats requests at a server that has the game in memory as it was before them: each gets
// its first answer, and nothing is done twice.
func TestRetriesAtAnotherServer(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	g := hosts[0].create()
	there := g.on(hosts[1])
	there.game()
	sit := &v1.TakeSeatRequest{Name: g.name, Seat: "red", Holder: "Ann", RequestId: id(), Entropy: []byte("red")}
	sat, err := g.games.TakeSeat(as(), sit)
	must(t, err)
	again, err := there.games.TakeSeat(as(), sit)
	must(t, err)
	equal(t, "the seat", again, sat)
	g.red, g.blue = sat.SeatToken, g.sit("blue")
	command := g.command("plan 0303")
	command.ExpectedVersion = &g.game().Version
	first, err := g.games.SubmitCommand(as(g.red), command)
	must(t, err)
	second, err := there.games.SubmitCommand(as(g.red), command)
	must(t, err)
	equal(t, "the command", second, first)
	leave := &v1.LeaveSeatRequest{Name: g.name, RequestId: id()}
	left, err := g.games.LeaveSeat(as(g.red), leave)
	must(t, err)
	leftAgain, err := there.games.LeaveSeat(as(g.red), leave)
	must(t, err)
	equal(t, "leaving", leftAgain, left)
	token := &v1.CreateTokenRequest{Name: g.name, RequestId: id(), Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour()}
	made, err := v1.NewAccessServiceClient(g.conn).CreateToken(as(g.blue), token)
	must(t, err)
	madeAgain, err := v1.NewAccessServiceClient(there.conn).CreateToken(as(g.blue), token)
	must(t, err)
	equal(t, "the token", madeAgain, made)
	if version := there.game().Version; version != left.Game.Version {
		t.Errorf("version %d, want %d", version, left.Game.Version)
	}
}

// TestDiceOfTwoServers plays a game with mutual dice, in which one server asks for the dice and another gets them.
func TestDiceOfTwoServers(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	d := hosts[0].dicing(64)
	there := *d
	there.table = d.on(hosts[1])
	for seed := range uint64(4) {
		there.game()
		_, out := d.rolling(seed)
		if !out.Pending {
			break
		}
		if g := there.answerAll(out.Game); g.Version <= out.Game.Version {
			t.Errorf("version %d after the dice, %d before", g.Version, out.Game.Version)
		}
		equal(t, "the game", d.game(), there.game())
	}
}

// TestChangesOfManyServers has three servers change one game at once: nothing is refused, lost or done twice.
func TestChangesOfManyServers(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 3)
	g := hosts[0].seated()
	const each = 5
	var planned atomic.Int32
	var wg sync.WaitGroup
	for _, h := range hosts {
		at := g.on(h)
		for _, token := range []string{g.red, g.blue} {
			wg.Go(func() {
				for range each {
					_, err := v1.NewAccessServiceClient(at.conn).CreateToken(as(token), &v1.CreateTokenRequest{
						Name: g.name, RequestId: id(), Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(),
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Go(func() {
			for range each {
				if _, err := at.games.SubmitCommand(as(g.red), g.command("plan 0303")); err == nil {
					planned.Add(1)
				} else if got := status.Code(err); got != codes.FailedPrecondition {
					t.Errorf("got %v", err)
				}
			}
		})
	}
	wg.Wait()
	if n := planned.Load(); n != 1 {
		t.Errorf("red has planned %d times", n)
	}
	for _, h := range hosts {
		for _, token := range []string{g.red, g.blue} {
			out, err := v1.NewAccessServiceClient(h.conn).ListTokens(as(token), &v1.ListTokensRequest{Parent: g.name})
			if must(t, err); len(out.Tokens) != each*len(hosts) {
				t.Errorf("%d tokens, want %d", len(out.Tokens), each*len(hosts))
			}
		}
	}
}

// TestWatchesOfTwoServers watches a game at a server while another changes it: the records come, each once, and the
// watch ends when its token is revoked, before anything that came later is shown.
func TestWatchesOfTwoServers(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	g := hosts[0].seated()
	there := g.on(hosts[1])
	token := g.made(g.red, "", v1.Rights_RIGHTS_SEE)
	version := g.game().Version
	w, void := there.watch(after(version), g.blue), there.watch(after(version), token.Secret)
	for _, one := range []*watcher{w, void} {
		if m := one.next(); m.GetCaughtUp() == nil {
			t.Fatalf("got %v, want that it has caught up", m)
		}
	}
	g.do(g.red, "plan 0303")
	for _, one := range []*watcher{w, void} {
		if r := one.record(); r.Version != version+1 {
			t.Fatalf("record %d, want %d", r.Version, version+1)
		}
	}
	_, err := v1.NewAccessServiceClient(g.conn).RevokeToken(as(g.red), &v1.RevokeTokenRequest{Name: token.Token.Name})
	must(t, err)
	g.do(g.blue, "plan 0503")
	_, err = void.stream.Recv()
	wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
	g.play(20, 7)
	for v := version + 2; v <= g.game().Version; v++ {
		if r := w.record(); r.Version != v {
			t.Fatalf("record %d, want %d", r.Version, v)
		}
	}
	g.play(3, 8) // a watch at a server that is behind goes on where one at another ended
	there = g.on(hosts[1])
	w = g.watch(after(version), g.blue)
	for v := version + 1; v <= g.game().Version; v++ {
		w.record()
	}
	there.watch(resume(w.token), g.blue).next()
}

// TestWatchEndsByRevocationAlone revokes a token at one server, and changes nothing else: a watch with it at another
// ends.
func TestWatchEndsByRevocationAlone(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	g := hosts[0].seated()
	token := g.made(g.red, "", v1.Rights_RIGHTS_SEE)
	w := g.on(hosts[1]).watch(after(g.game().Version), token.Secret)
	w.next()
	_, err := v1.NewAccessServiceClient(g.conn).RevokeToken(as(g.red), &v1.RevokeTokenRequest{Name: token.Token.Name})
	must(t, err)
	_, err = w.stream.Recv()
	wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
}
