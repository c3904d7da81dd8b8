package service_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
)

// trio is Outpost with a third seat, of an onlooker who is never on turn.
type trio struct{ rules.Ruleset }

func (r trio) About() *rules.About {
	about := *r.Ruleset.About()
	green := rules.SeatInfo{ID: "green", Key: about.Seats[0].Key, Color: "#00ff00"}
	about.Seats = append(slices.Clone(about.Seats), green)
	return &about
}

// questions are what may wait for consent. Each is asked of blue and, if somebody sits there, of green.
var questions = map[string]struct {
	// before is what happens before anybody sits down or asks; nil for nothing.
	before  func(g *table)
	ask     func(g *table)
	missing func(*v1.Game) []string
	answer  func(g *table, token, seat string, agree bool) error
	// done reports whether what all agreed to has happened.
	done func(*v1.Game) bool
}{
	"undo": {
		func(g *table) {
			g.do(g.red, "move r2 0304")
			g.do(g.red, "attack r2 b2", 1)
		},
		func(g *table) { must(g.t, second(g.undo(g.red, 5, true))) },
		func(game *v1.Game) []string { return game.PendingUndo.GetMissing() },
		func(g *table, token, seat string, agree bool) error {
			return second(g.games.AnswerUndo(as(token), &v1.AnswerUndoRequest{
				Name: g.name, Seat: seat, Asked: g.game().PendingUndo.GetAsked(), Agree: agree, RequestId: id(),
			}))
		},
		func(game *v1.Game) bool { return game.Head == 5 },
	},
	"deadlines": {
		nil,
		func(g *table) {
			must(g.t, second(g.deadlines().ProposeDeadlines(as(g.owner, g.red), &v1.ProposeDeadlinesRequest{
				Name: g.name, Deadlines: &logv1.Deadlines{Allowance: durationpb.New(time.Hour)}, RequestId: id(),
			})))
		},
		func(game *v1.Game) []string { return game.PendingDeadlines.GetMissing() },
		func(g *table, token, seat string, agree bool) error {
			return second(g.deadlines().AnswerDeadlines(as(token), &v1.AnswerDeadlinesRequest{
				Name: g.name, Seat: seat, Proposed: g.game().PendingDeadlines.GetProposed(), Agree: agree,
				RequestId: id(),
			}))
		},
		func(game *v1.Game) bool { return game.Deadlines != nil },
	},
	"offer": {
		func(g *table) { g.leave(g.red, "red") },
		func(g *table) { g.offer(g.owner, "red") },
		func(game *v1.Game) []string { return game.PendingSeat.GetMissing() },
		func(g *table, token, seat string, agree bool) error {
			return second(g.access().AnswerSeat(as(token), &v1.AnswerSeatRequest{
				Name: g.name, Seat: seat, Offered: g.game().PendingSeat.GetOffered(), Agree: agree, RequestId: id(),
			}))
		},
		func(game *v1.Game) bool { return game.Seats[0].Guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED },
	},
}

// TestPassersByEndNoQuestion: finding 13-1 of the attack on the table. Somebody who sits down while an undo, deadlines
// or the offer of a seat wait for consent neither ends the question nor has a say until that player has made a command.
// Who leaves without having played is not asked any more. The question is carried out once all have agreed who are
// asked, and an audit of the game finds everything in order.
func TestPassersByEndNoQuestion(t *testing.T) {
	t.Parallel()
	for kind, q := range questions {
		for name, c := range map[string]struct {
			play func(t *testing.T, g *table)
			done bool
		}{
			"sits down and leaves": {func(t *testing.T, g *table) {
				q.ask(g)
				green := g.sit("green")
				equal(t, "asked", q.missing(g.game()), []string{"blue"})
				g.leave(green, "green")
				equal(t, "asked", q.missing(g.game()), []string{"blue"})
				must(t, q.answer(g, g.blue, "blue", true))
			}, true},
			"sits down and says nothing": {func(t *testing.T, g *table) {
				q.ask(g)
				g.sit("green")
				must(t, q.answer(g, g.blue, "blue", true))
			}, true},
			"sits down and refuses": {func(t *testing.T, g *table) {
				q.ask(g)
				green := g.sit("green")
				if q.answer(g, green, "green", false) == nil {
					t.Error("a passer-by has a say")
				}
				must(t, q.answer(g, g.blue, "blue", true))
			}, true},
			"sits down before, and leaves": {func(t *testing.T, g *table) {
				green := g.sit("green")
				q.ask(g)
				g.leave(green, "green")
				equal(t, "asked", q.missing(g.game()), []string{"blue"})
				must(t, q.answer(g, g.blue, "blue", true))
			}, true},
			"leaves last": {func(t *testing.T, g *table) {
				green := g.sit("green")
				q.ask(g)
				must(t, q.answer(g, g.blue, "blue", true))
				equal(t, "asked", q.missing(g.game()), []string{"green"})
				if q.done(g.game()) {
					t.Error("it did not wait for green")
				}
				g.leave(green, "green")
			}, true},
			"agrees last": {func(t *testing.T, g *table) {
				green := g.sit("green")
				q.ask(g)
				must(t, q.answer(g, g.blue, "blue", true))
				must(t, q.answer(g, green, "green", true))
			}, true},
			"agrees, leaves, and another comes": {func(t *testing.T, g *table) {
				green := g.sit("green")
				q.ask(g)
				must(t, q.answer(g, green, "green", true))
				g.leave(green, "green")
				g.sit("green")
				equal(t, "asked", q.missing(g.game()), []string{"blue"})
				must(t, q.answer(g, g.blue, "blue", true))
			}, true},
			"sat down before, and refuses": {func(t *testing.T, g *table) {
				green := g.sit("green")
				q.ask(g)
				must(t, q.answer(g, green, "green", false))
			}, false},
			"is put out": {func(t *testing.T, g *table) {
				q.ask(g)
				g.sit("green")
				g.leave(g.owner, "green")
			}, false},
			"one who played leaves": {func(t *testing.T, g *table) {
				q.ask(g)
				g.sit("green")
				g.leave(g.blue, "blue")
			}, false},
		} {
			t.Run(kind+": "+name, func(t *testing.T) {
				t.Parallel()
				g := redBegins(open(t, func(s *setting) { s.ruleset = trio{toy.Ruleset()} }))
				if q.before != nil {
					q.before(g)
				}
				c.play(t, g)
				if game := g.game(); q.done(game) != c.done || len(q.missing(game)) > 0 {
					t.Errorf("done is %t, want %t; %s are asked", q.done(game), c.done, q.missing(game))
				}
				must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
				for _, found := range g.findings() {
					t.Errorf("an audit finds %q", found)
				}
			})
		}
	}
}

// TestNewcomersAreAskedOnceTheyPlay: deadlines and the offer of a seat wait as long as somebody asked does not answer.
// Otherwise a friend of the owner could keep a question open, and agree to it when it hurts a newcomer most.
func TestNewcomersAreAskedOnceTheyPlay(t *testing.T) {
	t.Parallel()
	for kind, ask := range map[string]func(g *table) (before []string){
		"deadlines": func(g *table) []string {
			must(g.t, second(g.deadlines().ProposeDeadlines(as(g.owner), &v1.ProposeDeadlinesRequest{
				Name: g.name, Deadlines: &logv1.Deadlines{Allowance: durationpb.New(time.Hour)}, RequestId: id(),
			})))
			return []string{"blue", "green"}
		},
		"offer": func(g *table) []string {
			g.leave(g.blue, "blue")
			g.offer(g.owner, "blue")
			return []string{"green"}
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			q, g := questions[kind], redBegins(open(t, func(s *setting) { s.ruleset = trio{toy.Ruleset()} }))
			green := g.sit("green")
			g.leave(g.red, "red")
			before := ask(g)
			red := g.sit("red")
			equal(t, "asked when red has sat down", q.missing(g.game()), before)
			g.do(red, "move r2 0304")
			equal(t, "asked when red has played", q.missing(g.game()), append([]string{"red"}, before...))
			for token, seat := range map[string]string{g.blue: "blue", green: "green"} {
				if slices.Contains(before, seat) {
					must(t, q.answer(g, token, seat, true))
				}
			}
			equal(t, "asked when all others have agreed", q.missing(g.game()), []string{"red"})
			must(t, q.answer(g, red, "red", true))
			equal(t, "still asked", len(q.missing(g.game())), 0)
			must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
			equal(t, "findings of an audit", g.findings(), []string(nil))
		})
	}
}

// TestNobodySitsDownToAgree: while the player is asked whom the owner has put out, somebody takes that player's seat.
// Nobody can answer for the player any more: the question ends, and to leave the seat again carries nothing out.
func TestNobodySitsDownToAgree(t *testing.T) {
	t.Parallel()
	g, before := thrown(open(t), "after")
	asked, err := g.undo(g.red, before, true)
	must(t, err)
	equal(t, "asked", asked.Game.PendingUndo.GetMissing(), []string{"blue"})
	back, err := g.take("blue", id(), g.blue)
	must(t, err)
	if p := g.game().PendingUndo; p != nil {
		t.Errorf("%v is still asked", p.Missing)
	}
	must(t, second(g.undo(g.red, before, true))) // asked anew, of the holder
	g.leave(back.SeatToken, "blue")
	if game := g.game(); game.PendingUndo != nil || game.Head == before {
		t.Errorf("who sat down left, and the head is %d with %v", game.Head, game.PendingUndo)
	}
	wantError(t, second(g.undo(g.red, before, true)), codes.FailedPrecondition, fault.UndoBarrier)
}

// TestLapseOfAPasserByEndsNoQuestion: nor does it end one that a passer-by's time is up.
func TestLapseOfAPasserByEndsNoQuestion(t *testing.T) {
	t.Parallel()
	d := newDial()
	g := open(t, byDial(d)).seated(within(logv1.Lapse_LAPSE_OPEN_SEAT))
	g.do(g.red, "plan 0303") // the game waits for blue, who has not played
	must(t, second(g.deadlines().ProposeDeadlines(as(g.owner, g.red), &v1.ProposeDeadlinesRequest{
		Name: g.name, Deadlines: &logv1.Deadlines{Allowance: durationpb.New(time.Hour)}, RequestId: id(),
	})))
	before := g.game().Version
	d.pass(24 * time.Hour)
	soon(t, "the time is up", func() bool { return g.game().Version > before })
	game := g.game()
	if game.PendingDeadlines != nil || game.Deadlines.GetAllowance().AsDuration() != time.Hour {
		t.Errorf("the deadlines are %v, and %v wait", game.Deadlines, game.PendingDeadlines)
	}
	g.sound()
}

// TestComputersEndNoQuestion: a computer that comes and goes, and never plays, ends no more than a person does who sits
// down and leaves. Whoever was invited to a seat could end any question so.
func TestComputersEndNoQuestion(t *testing.T) {
	t.Parallel()
	for kind, q := range questions {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			h := open(t, withHouse, func(s *setting) { s.ruleset = trio{toy.Ruleset()} })
			_, _, thumb := h.offered(h.service.HouseToken("thumb"), "Thumb")
			g := h.seated()
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0301")
			switch kind {
			case "undo":
				must(t, second(g.undo(g.red, g.game().Head-1, true)))
			case "offer":
				q.before(g)
				fallthrough
			default:
				q.ask(g)
			}
			before := q.missing(g.game())
			must(t, second(g.give(g.owner, "green", thumb.Name, id())))
			equal(t, "who is asked with the computer", q.missing(g.game()), before)
			must(t, second(g.takeBack(g.owner, "green")))
			equal(t, "who is asked without it", q.missing(g.game()), before)
			if len(before) == 0 {
				t.Error("nobody was asked")
			}
			equal(t, "findings of an audit", len(g.findings()), 0)
		})
	}
}
