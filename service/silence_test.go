package service_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// goingOn has a game go on after a minute without answers.
func goingOn(r *v1.CreateGameRequest) {
	r.MutualDice = &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_GO_ON, AnswerTime: durationpb.New(time.Minute)}
}

// TestGameGoesOnWithoutAnswers: after the agreed time, also through a restart, the dice follow from the links that
// came, or from the secret alone. The record names the seats that were missing, and their links are spent.
func TestGameGoesOnWithoutAnswers(t *testing.T) {
	t.Parallel()
	for _, answers := range []bool{true, false} {
		store := memory.New()
		t.Cleanup(func() { must(t, store.Close()) })
		clock := newDial()
		start := func() *host { return open(t, byDial(clock), func(s *setting) { s.store = store }) }
		h := start()
		d := h.dicing(9, goingOn)
		req, out := d.rolling(3)
		roller := out.Record.Seat
		missing := []string{"blue", "red"}
		if answers {
			d.answer(out.Game, roller)
			missing = slices.DeleteFunc(missing, func(s string) bool { return s == roller })
		}
		equal(t, "when it goes on", out.Game.PendingDice.GoOnTime.AsTime(), clock.time().Add(time.Minute))
		h.stop()
		d.table.host = start()
		clock.pass(time.Minute - time.Second)
		if g := d.game(); g.PendingDice == nil {
			t.Fatalf("it went on too soon: %v", g)
		}
		clock.pass(2 * time.Second)
		soon(t, "the game goes on", func() bool { return d.game().PendingDice == nil })
		all := d.records(true, d.token(roller))
		gone, command := all[len(all)-2], all[len(all)-1]
		event := new(logv1.TableEvent)
		must(t, gone.Events[0].Event.UnmarshalTo(event))
		equal(t, "who was missing", event.GetDiceGoneOn().GetMissing(), missing)
		want := logv1.DiceSource_DICE_SOURCE_COMMITTED
		if answers {
			want = logv1.DiceSource_DICE_SOURCE_MUTUAL
		}
		if command.DiceSource != want || command.CommandId != req.CommandId || len(command.Rolls) == 0 ||
			gone.Events[0].Narration == "" {
			t.Errorf("got %v and %v", gone, command)
		}
		late := d.owed(out.Game, missing[0])
		_, err := d.games.AnswerDice(as(d.token(missing[0])), late)
		wantError(t, err, codes.FailedPrecondition, fault.DiceNotOwed)
		// The next link that is asked for is the one after.
		if _, out = d.rolling(5); out != nil {
			for _, o := range out.Game.PendingDice.Owed {
				if o.Link != 2 {
					t.Errorf("asks for %v", o)
				}
			}
			d.answerAll(out.Game)
		}
		must(t, second(d.games.CloseGame(as(d.owner), &v1.CloseGameRequest{Name: d.name, RequestId: id()})))
		if sum := d.audit(); sum.Errors != 0 || sum.Rolls == 0 {
			t.Errorf("audit: %v", sum)
		}
	}
}

// TestDeadlinesCountAgainstWhoOwes: while dice are asked for, only the time of seats that owe a link runs. None of
// them loses the seat, and the server does not play for them; one that forfeits ends the game.
func TestDeadlinesCountAgainstWhoOwes(t *testing.T) {
	t.Parallel()
	for _, lapse := range []logv1.Lapse{logv1.Lapse_LAPSE_NOTICE, logv1.Lapse_LAPSE_OPEN_SEAT, logv1.Lapse_LAPSE_PLAY,
		logv1.Lapse_LAPSE_FORFEIT} {
		clock := newDial()
		d := open(t, byDial(clock)).dicing(9, within(lapse))
		_, out := d.rolling(3)
		roller, other := out.Record.Seat, "red"
		if roller == other {
			other = "blue"
		}
		g := d.answer(out.Game, roller).Game
		for _, c := range g.Clocks {
			if (c.DueTime != nil) != (c.Seat == other) {
				t.Errorf("%v: the clock of %s is %v", lapse, c.Seat, c)
			}
		}
		before := g.Version
		clock.pass(25 * time.Hour)
		soon(t, "the time is up", func() bool { return d.game().Version > before })
		if g = d.game(); lapse == logv1.Lapse_LAPSE_FORFEIT {
			if !g.Over {
				t.Error("nobody forfeits")
			}
		} else if g.PendingDice == nil || !slices.Equal(g.PendingDice.Missing, []string{other}) ||
			g.Version != before+1 {
			t.Errorf("%v: got %v", lapse, g)
		} else if g = d.answer(g, other).Game; g.PendingDice != nil {
			t.Errorf("%v: late answers are not taken: %v", lapse, g)
		}
		d.endSound()
	}
}

// endSound ends the game and wants an audit without errors.
func (d *dicers) endSound() {
	d.t.Helper()
	if !d.game().Over {
		must(d.t, second(d.games.CloseGame(as(d.owner), &v1.CloseGameRequest{Name: d.name, RequestId: id()})))
	}
	if sum := d.audit(); sum.Errors != 0 {
		d.t.Errorf("audit: %v", sum)
	}
}

// TestServerPlaysNothingThatNeedsMutualDice: for a seat whose time is up the server plays the first legal command that
// needs no mutual dice.
func TestServerPlaysNothingThatNeedsMutualDice(t *testing.T) {
	t.Parallel()
	clock := newDial()
	d := open(t, byDial(clock)).dicing(9, within(logv1.Lapse_LAPSE_PLAY))
	for range 12 {
		before := d.game()
		if before.Over {
			break
		}
		clock.pass(25 * time.Hour)
		soon(t, "the server has played or told", func() bool { return d.game().Version > before.Version })
		if g := d.game(); g.PendingDice != nil {
			t.Fatalf("the server asks for dice in the name of a player who is away: %v", g)
		}
	}
	d.endSound()
}

// TestAsksHideWhatIsHidden: two games that wait for dice and differ only in red's plan look the same to everybody but
// red.
func TestAsksHideWhatIsHidden(t *testing.T) {
	t.Parallel()
	h := open(t, func(s *setting) { s.entropy = zeros{} })
	games := map[string]*dicers{}
	for _, plan := range []string{"0303", "0301"} {
		d := h.dicing(9)
		for ; ; d = h.dicing(9) {
			d.do(d.blue, "plan 0503")
			d.do(d.red, "plan "+plan)
			if d.game().WaitingFor[0] == "red" {
				break
			}
		}
		d.do(d.red, "move r2 0304")
		if out := d.do(d.red, "attack r2 b2"); !out.Pending || out.Record.Notation != "attack r2 b2" {
			t.Fatalf("red is told %v", out)
		}
		games[plan] = d
	}
	look := func(plan, who string) (map[string]string, []byte) {
		d := games[plan]
		tokens := map[string][]string{"spectator": nil, "blue": {d.blue}, "owner": {d.owner}, "red": {d.red}}[who]
		var wire bytes.Buffer
		seen := map[string]string{}
		add := func(what string, m proto.Message) {
			data, err := proto.Marshal(m)
			must(t, err)
			wire.Write(data)
			switch m := m.(type) {
			case *v1.Game:
				m.Name, m.LastHash, m.CreateTime, m.UpdateTime, m.PendingDice.CommandId = "", "", nil, nil, ""
				for _, s := range m.Seats {
					s.Chain = nil
				}
			case *v1.Record:
				m.Hash, m.CommandId, m.Time, m.Proof = "", "", nil, nil
				m.Events = slices.DeleteFunc(m.Events, func(e *v1.RecordEvent) bool {
					// of seats and of the ask, whose ids and chains are drawn anew
					return strings.HasSuffix(e.Event.TypeUrl, "TableEvent")
				})
			}
			seen[what] = text(m)
		}
		add("game", d.game(tokens...))
		add("board", d.board(0, tokens...))
		for _, r := range d.records(true, tokens...)[1:] { // the first has the initiative, which follows from the id
			add("record "+r.Kind.String()+string(rune('0'+r.Version)), r)
		}
		return seen, wire.Bytes()
	}
	for _, who := range []string{"spectator", "blue", "owner"} {
		one, wire := look("0303", who)
		two, _ := look("0301", who)
		equal(t, "the sight of "+who, two, one)
		if bytes.Contains(wire, planBytes(t, "0303")) || bytes.Contains(wire, []byte("plan 0303")) {
			t.Errorf("%s is told the plan", who)
		}
	}
	one, wire := look("0303", "red")
	two, _ := look("0301", "red")
	if equalMaps(one, two) || !bytes.Contains(wire, []byte("plan 0303")) {
		t.Error("red sees no difference, so the test proves nothing")
	}
}

// TestForkOfMutualDice: a fork has a secret, seats and chains of its own, so that it tells nothing of the dice of its
// origin; a line of one's own has committed dice.
func TestForkOfMutualDice(t *testing.T) {
	t.Parallel()
	d := open(t).dicing(50)
	req, out := d.rolling(3)
	d.answerAll(out.Game)
	must(t, second(d.games.CloseGame(as(d.owner), &v1.CloseGameRequest{Name: d.name, RequestId: id()})))
	fork, made, err := d.table.fork(func(r *v1.ForkGameRequest) { r.Version = out.Record.Version - 1 })
	must(t, err)
	if made.Game.Dice != logv1.DiceKind_DICE_KIND_MUTUAL || made.Game.DiceFormat != 2 ||
		fork.diceSecret() == d.diceSecret() {
		t.Fatalf("got %v", made)
	}
	f := &dicers{table: fork, hands: map[string]*hand{}, length: 20}
	f.red, f.blue = f.sitDown("red"), f.sitDown("blue")
	again := f.command(req.GetNotation())
	asked, err := f.games.SubmitCommand(as(f.token(out.Record.Seat)), again)
	must(t, err)
	if !asked.Pending {
		t.Fatalf("got %v", asked)
	}
	f.answerAll(asked.Game)
	f.endSound()

	_, private, err := d.table.fork(func(r *v1.ForkGameRequest) { r.Version, r.Private = out.Record.Version-1, true })
	must(t, err)
	if private.Game.Dice != logv1.DiceKind_DICE_KIND_COMMITTED || private.Game.MutualDice != nil {
		t.Errorf("a private line has %v", private.Game.Dice)
	}
	_, kind, err := d.table.fork(func(r *v1.ForkGameRequest) {
		r.Version, r.Dice = out.Record.Version-1, logv1.DiceKind_DICE_KIND_MANUAL
	})
	must(t, err)
	if kind.Game.DiceFormat != 0 || kind.Game.MutualDice != nil || kind.Game.DiceCommitment != "" {
		t.Errorf("a fork with manual dice: %v", kind.Game)
	}
}

// TestMutualGameMoves: a game with mutual dice, over or waiting, exports to the same file byte for byte after an
// import.
func TestMutualGameMoves(t *testing.T) {
	t.Parallel()
	here, there := open(t), open(t)
	d := here.dicing(50)
	d.rolling(3)
	running := here.export(d.name, d.red, d.blue)
	out, err := there.load(running, id(), 1<<20)
	must(t, err)
	if !out.Game.ReadOnly || out.Game.PendingDice == nil ||
		!bytes.Equal(there.export(out.Game.Name, out.OwnerToken), running) {
		t.Errorf("a game that waits: %v", out.Game)
	}
	_, err = there.games.AnswerDice(as(out.OwnerToken),
		&v1.AnswerDiceRequest{Name: out.Game.Name, Seat: "red", Asked: 1, Link: make([]byte, 32), RequestId: id()})
	if err == nil {
		t.Error("a game that came in a file takes answers")
	}
	elsewhere := open(t)
	must(t, second(d.games.CloseGame(as(d.owner), &v1.CloseGameRequest{Name: d.name, RequestId: id()})))
	over := here.export(d.name)
	out, err = elsewhere.load(over, id(), 1<<20)
	must(t, err)
	if !out.Game.Over || !bytes.Equal(elsewhere.export(out.Game.Name, out.OwnerToken), over) {
		t.Errorf("a game that is over: %v", out.Game)
	}
}
