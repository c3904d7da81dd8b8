package service_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// within has a game played by deadlines of a day for each command.
func within(lapse logv1.Lapse, set ...func(*logv1.Deadlines)) func(*v1.CreateGameRequest) {
	return func(r *v1.CreateGameRequest) {
		r.Deadlines = &logv1.Deadlines{Allowance: durationpb.New(24 * time.Hour), Lapse: lapse}
		for _, f := range set {
			f(r.Deadlines)
		}
	}
}

func (h *host) deadlines() v1.DeadlineServiceClient { return v1.NewDeadlineServiceClient(h.conn) }

// clockOf is the time of a seat as somebody sees it.
func (g *table) clockOf(seat string, tokens ...string) *v1.SeatClock {
	g.t.Helper()
	for _, c := range g.game(tokens...).Clocks {
		if c.Seat == seat {
			return c
		}
	}
	g.t.Fatalf("%s has no clock", seat)
	return nil
}

// sound audits a game that is over, or closes it first: whatever a clock did must be found in order.
func (g *table) sound() {
	g.t.Helper()
	if !g.game().Over {
		must(g.t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	}
	if found := g.findings(); len(found) > 0 {
		g.t.Errorf("an audit finds %q", found)
	}
}

// newest is the last record as everyone sees it.
func (g *table) newest() *v1.Record {
	g.t.Helper()
	all := g.records(true)
	return all[len(all)-1]
}

func told(r *v1.Record) (all string) {
	for _, e := range r.Events {
		all += e.Narration + "\n"
	}
	return all
}

// TestWhatFollowsALapse: each lapse does what it says when a seat's time is up, no sooner, and an
// audit finds it in order.
func TestWhatFollowsALapse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lapse   logv1.Lapse
		records uint64 // that follow from it
		// want examines the game, in which the time of a seat, with a token, was up.
		want func(t *testing.T, g *table, game *v1.Game, seat, token string)
	}{
		"notice": {logv1.Lapse_LAPSE_NOTICE, 1, func(t *testing.T, g *table, game *v1.Game, seat, token string) {
			if c := g.clockOf(seat); !c.Expired || c.DueTime != nil || game.Over {
				t.Errorf("the clock is %v", c)
			}
			g.do(token, g.legal(token).Actions[0].Command) // late, and welcome
			if c := g.clockOf(seat); c.Expired {
				t.Errorf("%s has acted and has %v", seat, c)
			}
		}},
		"open seat": {logv1.Lapse_LAPSE_OPEN_SEAT, 1, func(t *testing.T, g *table, game *v1.Game, seat, token string) {
			for _, s := range game.Seats {
				if s.Taken == (s.Id == seat) || game.Over {
					t.Errorf("the seats are %v", game.Seats)
				}
			}
			_, err := g.games.ListLegalActions(as(token), &v1.ListLegalActionsRequest{Name: g.name})
			wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
			token = g.sit(seat)
			if c := g.clockOf(seat); c.Expired || c.DueTime == nil {
				t.Errorf("who sits down has %v", c)
			}
			g.do(token, g.legal(token).Actions[0].Command)
		}},
		"forfeit": {logv1.Lapse_LAPSE_FORFEIT, 2, func(t *testing.T, g *table, game *v1.Game, seat, token string) {
			if !game.Over || game.Ending.Level != "forfeited" || len(game.Ending.Winners) != 1 ||
				game.Ending.Winners[0] == seat {
				t.Errorf("the game is %v", game)
			}
			_, err := g.games.SubmitCommand(as(token), g.command("end"))
			wantError(t, err, codes.FailedPrecondition, fault.GameOver)
		}},
		"play": {logv1.Lapse_LAPSE_PLAY, 2, func(t *testing.T, g *table, game *v1.Game, seat, token string) {
			r := g.newest()
			if r.Seat != seat || r.Kind != logv1.RecordKind_RECORD_KIND_COMMAND || r.CommandId == "" {
				t.Errorf("got %v", r)
			}
			if c := g.clockOf(seat); c.Expired {
				t.Errorf("%s was played for and has %v", seat, c)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDial()
			g := open(t, byDial(d)).seated(within(c.lapse))
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0503")
			before := g.game()
			seat := before.WaitingFor[0] // who begins is drawn
			token := g.tokenOf(before.WaitingFor)
			first := g.legal(token).Actions[0].Command
			d.pass(24*time.Hour - time.Second)
			if g.game().Version != before.Version {
				t.Fatal("the time was up too soon")
			}
			d.pass(time.Second)
			soon(t, "the time is up", func() bool { return g.game().Version >= before.Version+c.records })
			game := g.game()
			if game.Version != before.Version+c.records {
				t.Errorf("%d records follow, want %d", game.Version-before.Version, c.records)
			}
			if c.lapse == logv1.Lapse_LAPSE_PLAY {
				if r := g.records(true, token); r[len(r)-1].Notation != first {
					t.Errorf("the server played %q, the first listed is %q", r[len(r)-1].Notation, first)
				}
			}
			c.want(t, g, game, seat, token)
			g.sound()
		})
	}
}

// TestWhoeverNeverPlayedForfeitsNothing: a stranger who sits down and never plays leaves the seat when time is up, as
// by resigning. The game is not over for the others, and the seat is not locked.
func TestWhoeverNeverPlayedForfeitsNothing(t *testing.T) {
	t.Parallel()
	d := newDial()
	g := open(t, byDial(d)).seated(within(logv1.Lapse_LAPSE_FORFEIT))
	g.do(g.red, "plan 0303")
	before := g.game().Version
	d.pass(25 * time.Hour)
	soon(t, "the time is up", func() bool { return g.game().Version > before })
	game := g.game()
	if game.Over || game.Version != before+1 || game.Seats[1].Id != "blue" || game.Seats[1].Taken {
		t.Fatalf("the game is %v", game)
	}
	g.blue = g.sit("blue")
	g.do(g.blue, "plan 0503")
	waiting := g.game().WaitingFor[0]
	d.pass(25 * time.Hour)
	soon(t, waiting+" has played and forfeits", func() bool { return g.game().Over })
	g.sound()
}

// TestClocksOfBoth has both seats decide at once: each has its own time, and sees no more of the other's than everyone.
func TestClocksOfBoth(t *testing.T) {
	t.Parallel()
	d := newDial()
	g := open(t, byDial(d)).seated(within(logv1.Lapse_LAPSE_NOTICE,
		func(d *logv1.Deadlines) { d.Bank = durationpb.New(time.Hour) }))
	d.pass(time.Hour)
	g.do(g.red, "plan 0303")
	if c := g.clockOf("blue", g.blue); c.DueTime == nil || c.AllowanceLeft.AsDuration() != 23*time.Hour ||
		c.BankLeft.AsDuration() != time.Hour {
		t.Errorf("blue sees of itself %v", c)
	}
	if c := g.clockOf("blue", g.red); c.AllowanceLeft != nil || c.BankLeft != nil {
		t.Errorf("red sees of blue %v", c)
	}
	if c := g.clockOf("red", g.red); c.DueTime != nil {
		t.Errorf("red has decided and has %v", c)
	}
	g.sound()
}

// TestDeadlinesSurviveARestart: a server that begins anew knows what is due, gives who could not act a while, and
// then does what follows.
func TestDeadlinesSurviveARestart(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	d := newDial()
	again := func() *host {
		return open(t, byDial(d), func(s *setting) { s.store, s.notices.Grace = store, time.Hour })
	}
	g := again().seated(within(logv1.Lapse_LAPSE_FORFEIT))
	idle := g.host.seated() // without deadlines
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0503")
	seat := g.game().WaitingFor[0]
	due := g.clockOf(seat).DueTime.AsTime()
	g.host.stop()
	d.pass(100 * time.Hour)
	g.host = again()
	if got := g.clockOf(seat).DueTime.AsTime(); !got.Equal(due) {
		t.Errorf("the time of %s is up at %s, before it was %s", seat, got, due)
	}
	d.pass(59 * time.Minute)
	if g.game().Over {
		t.Fatalf("%s had no time to come back", seat)
	}
	d.pass(time.Minute)
	soon(t, "the seat forfeits", func() bool { return g.game().Over })
	if text := told(g.records(true)[5]); !strings.Contains(text, "forfeits") {
		t.Errorf("the log tells %q", text)
	}
	g.sound()
	idle.host = g.host
	if idle.game().Over || len(idle.game().Clocks) > 0 {
		t.Errorf("a game without deadlines is %v", idle.game())
	}
}

// TestChangingDeadlines: they hold once all who hold seats agree, the owner for the seats whose tokens come along.
func TestChangingDeadlines(t *testing.T) {
	t.Parallel()
	d := newDial()
	h := open(t, byDial(d))
	ask := func(g *table, allowance time.Duration, tokens ...string) *v1.ProposeDeadlinesResponse {
		t.Helper()
		req := &v1.ProposeDeadlinesRequest{Name: g.name, RequestId: id(),
			Deadlines: &logv1.Deadlines{Allowance: durationpb.New(allowance)}}
		out, err := h.deadlines().ProposeDeadlines(as(tokens...), req)
		must(t, err)
		retried, err := h.deadlines().ProposeDeadlines(as(tokens...), req)
		must(t, err)
		equal(t, "a retry", retried, out)
		return out
	}
	answer := func(g *table, token string, proposed uint64, agree bool) (*v1.AnswerDeadlinesResponse, error) {
		return h.deadlines().AnswerDeadlines(as(token),
			&v1.AnswerDeadlinesRequest{Name: g.name, RequestId: id(), Proposed: proposed, Agree: agree})
	}
	alone := h.create()
	if out := ask(alone, time.Hour, alone.owner); !out.Done ||
		out.Game.Deadlines.GetAllowance().AsDuration() != time.Hour {
		t.Errorf("at an empty table: %v", out)
	}
	g := h.seated()
	if _, err := h.deadlines().ProposeDeadlines(as(g.red),
		&v1.ProposeDeadlinesRequest{Name: g.name, RequestId: id()}); err == nil {
		t.Error("red may propose deadlines")
	}
	out := ask(g, 48*time.Hour, g.owner, g.red)
	if p := out.Game.PendingDeadlines; out.Done || p == nil || !slices.Equal(p.Missing, []string{"blue"}) {
		t.Fatalf("got %v", out)
	}
	wantError(t, second(answer(g, g.red, out.Game.PendingDeadlines.Proposed, true)), codes.FailedPrecondition,
		fault.DeadlinesNotAsked)
	refused, err := answer(g, g.blue, out.Game.PendingDeadlines.Proposed, false)
	must(t, err)
	if refused.Done || refused.Game.PendingDeadlines != nil || refused.Game.Deadlines != nil {
		t.Errorf("blue refused: %v", refused)
	}
	out = ask(g, 48*time.Hour, g.owner)
	must(t, second(answer(g, g.red, out.Game.PendingDeadlines.Proposed, true)))
	agreed, err := answer(g, g.blue, out.Game.PendingDeadlines.Proposed, true)
	must(t, err)
	if !agreed.Done || agreed.Game.Deadlines.GetAllowance().AsDuration() != 48*time.Hour {
		t.Errorf("all agreed: %v", agreed)
	}
	if c := g.clockOf("red"); c.DueTime.AsTime().Sub(d.time()) != 48*time.Hour {
		t.Errorf("red has %v", c)
	}
	// Nobody is bound by what a player agreed to that has played and left.
	g.do(g.red, "plan 0303")
	out = ask(g, time.Hour, g.owner)
	must(t, second(h.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: id()})))
	wantError(t, second(answer(g, g.blue, out.Game.PendingDeadlines.Proposed, true)), codes.FailedPrecondition,
		fault.DeadlinesNotAsked)
	g.sound()
	alone.sound()
}

func TestHolidays(t *testing.T) {
	t.Parallel()
	d := newDial()
	h := open(t, byDial(d))
	take := func(g *table, token string, days int32) (*v1.Game, error) {
		out, err := h.deadlines().TakeHoliday(as(token),
			&v1.TakeHolidayRequest{Name: g.name, Days: days, RequestId: id()})
		return out.GetGame(), err
	}
	g := h.seated(within(logv1.Lapse_LAPSE_FORFEIT, func(d *logv1.Deadlines) { d.HolidayDays = 3 }))
	g.do(g.red, "plan 0303")
	must(t, second(take(g, g.blue, 2)))
	if meta := wantError(t, second(take(g, g.blue, 2)), codes.FailedPrecondition,
		fault.HolidaysSpent); meta["left"] != "1" {
		t.Errorf("metadata %v", meta)
	}
	must(t, second(take(g, g.blue, 1)))
	c := g.clockOf("blue")
	if want := 4 * 24 * time.Hour; c.DueTime.AsTime().Sub(d.time()) != want || c.HolidaysLeft != 0 ||
		c.HolidayUntil == nil {
		t.Errorf("blue has %v", c)
	}
	d.pass(90 * time.Hour)
	if g.game().Over {
		t.Error("blue's time did not stand still")
	}
	plain := h.seated()
	wantError(t, second(take(plain, plain.red, 1)), codes.FailedPrecondition, fault.NoDeadlines)
	g.sound()
}

// TestFaultyDeadlines are refused with the fields at fault.
func TestFaultyDeadlines(t *testing.T) {
	t.Parallel()
	h := open(t)
	req := newGame()
	req.Dice, req.Deadlines = logv1.DiceKind_DICE_KIND_MANUAL, &logv1.Deadlines{Lapse: logv1.Lapse_LAPSE_PLAY}
	_, err := h.games.CreateGame(as(), req)
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	equal(t, "fields", violations(err), []string{"deadlines.allowance", "deadlines.lapse"})
	g := h.create(manual(1))
	_, err = h.deadlines().ProposeDeadlines(as(g.owner), &v1.ProposeDeadlinesRequest{
		Name: g.name, RequestId: id(),
		Deadlines: &logv1.Deadlines{Allowance: durationpb.New(time.Hour), Lapse: logv1.Lapse_LAPSE_PLAY},
	})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

// TestForksKeepDeadlines: a fork for others is played by the same deadlines, a line of one's own by none.
func TestForksKeepDeadlines(t *testing.T) {
	t.Parallel()
	d := newDial()
	g := open(t, byDial(d)).seated(within(logv1.Lapse_LAPSE_NOTICE))
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0503")
	history := v1.NewHistoryServiceClient(g.conn)
	for _, private := range []bool{false, true} {
		out, err := history.ForkGame(as(g.red, g.blue),
			&v1.ForkGameRequest{Name: g.name, RequestId: id(), Private: private})
		must(t, err)
		if got := out.Game.Deadlines != nil; got == private {
			t.Errorf("private %v: deadlines %v", private, out.Game.Deadlines)
		}
		fork := &table{host: g.host, name: out.Game.Name, owner: out.OwnerToken}
		if !private {
			fork.red, fork.blue = fork.sit("red"), fork.sit("blue")
			if c := fork.game().Clocks; len(c) != 2 || c[0].DueTime == nil && c[1].DueTime == nil {
				t.Errorf("the clocks are %v", c)
			}
			fork.sound()
		}
	}
}
