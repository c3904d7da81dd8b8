package service_test

import (
	"path/filepath"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestMutualGame plays whole games with mutual dice, through a restart after each throw, with chains that end now and
// then. Each log is sound, and says what its dice follow from.
func TestMutualGame(t *testing.T) {
	t.Parallel()
	for _, length := range []uint32{1, 2, 1000} {
		path := filepath.Join(t.TempDir(), "games.db")
		start := func() *host {
			return open(t, func(s *setting) { s.store = openBolt(t, path) })
		}
		h := start()
		d := h.dicing(length)
		throws := 0
		for seed := uint64(7); ; seed++ {
			req, out := d.rolling(seed)
			if req == nil && throws > 6 {
				break
			}
			if req == nil { // a short game
				d = h.dicing(length)
				continue
			}
			throws++
			g := out.Game
			if throws%2 == 0 { // the game is folded anew while it waits
				h.stop()
				must(t, h.store.Close())
				h = start()
				d.table.host = h
				g = d.game()
			}
			d.answerAll(g)
			again, err := d.games.SubmitCommand(as(d.token(out.Record.Seat)), req)
			must(t, err)
			if again.Pending || again.Record.Kind != logv1.RecordKind_RECORD_KIND_COMMAND ||
				again.Record.Asked != out.Record.Version || again.Record.CommandId != req.CommandId {
				t.Fatalf("after all answers the command is %v", again)
			}
		}
		sum := d.audit()
		if sum.Errors != 0 || sum.Rolls == 0 || len(sum.Unchecked) > 1 {
			t.Errorf("audit: %v", sum)
		}
		h.stop()
		must(t, h.store.Close())
	}
}

// TestMutualDiceTakeNothingThatCompetes: while dice are asked for, the game accepts only answers and what ends the
// game. A retry of the command says that it is pending.
func TestMutualDiceTakeNothingThatCompetes(t *testing.T) {
	t.Parallel()
	d := open(t).dicing(50)
	req, out := d.rolling(3)
	roller, other := out.Record.Seat, "red"
	if roller == "red" {
		other = "blue"
	}
	if out.Record.Kind != logv1.RecordKind_RECORD_KIND_ASK || out.Record.Events[0].Narration == "" ||
		out.Game.PendingDice.CommandId != req.CommandId ||
		len(out.Game.WaitingFor) != 2 || out.Game.Head == out.Game.Version {
		t.Fatalf("got %v", out)
	}
	retry, err := d.games.SubmitCommand(as(d.token(roller)), req)
	must(t, err)
	equal(t, "a retry", retry, out)

	another := d.command("pass")
	_, err = d.games.SubmitCommand(as(d.token(roller)), another)
	info := wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	equal(t, "metadata", info, map[string]string{"asked": info["asked"], "missing": "blue,red"})
	_, err = d.games.Undo(as(d.token(roller)), &v1.UndoRequest{Name: d.name, RequestId: id(), Ask: true})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	_, err = d.games.Redo(as(d.token(roller)), &v1.RedoRequest{Name: d.name, RequestId: id()})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	_, err = d.games.LeaveSeat(as(d.token(other)), &v1.LeaveSeatRequest{Name: d.name, Seat: other, RequestId: id()})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	_, err = d.games.LeaveSeat(as(d.owner), &v1.LeaveSeatRequest{Name: d.name, Seat: other, RequestId: id()})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	_, err = d.games.RenewChain(as(d.token(other)),
		&v1.RenewChainRequest{Name: d.name, Chain: newHand(d.name, other, "x", 9).chain(), RequestId: id()})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	_, err = d.games.PreviewCommand(as(d.token(roller)),
		&v1.PreviewCommandRequest{Name: d.name, Form: &v1.PreviewCommandRequest_Notation{Notation: "pass"}})
	wantError(t, err, codes.FailedPrecondition, fault.DiceAwaited)
	if list := d.legal(d.token(roller)); len(list.Actions) != 0 {
		t.Errorf("%d actions are listed while dice are asked for", len(list.Actions))
	}
	// The id of the command is taken, also for other requests.
	_, err = d.games.AnswerDice(as(d.token(other)),
		&v1.AnswerDiceRequest{Name: d.name, Asked: 1, Link: make([]byte, 32), RequestId: req.CommandId})
	wantError(t, err, codes.AlreadyExists, fault.RequestIDReused)

	// Answers: not for others, not wrong, not twice.
	answer := d.owed(out.Game, other)
	_, err = d.games.AnswerDice(as(d.token(roller)), answer)
	wantError(t, err, codes.PermissionDenied, fault.NotYourSeat)
	wrong := d.owed(out.Game, other)
	wrong.Link[0] ^= 1
	_, err = d.games.AnswerDice(as(d.token(other)), wrong)
	wantError(t, err, codes.FailedPrecondition, fault.LinkWrong)
	first, err := d.games.AnswerDice(as(d.token(other)), answer)
	must(t, err)
	equal(t, "who is missing", first.Game.PendingDice.Missing, []string{roller})
	again, err := d.games.AnswerDice(as(d.token(other)), answer)
	must(t, err)
	equal(t, "a retry of the answer", again, first)
	_, err = d.games.AnswerDice(as(d.token(other)), d.owed(out.Game, other))
	wantError(t, err, codes.FailedPrecondition, fault.DiceNotOwed)

	// A player who has answered may leave, and the dice do not wait for a player who comes.
	_, err = d.games.LeaveSeat(as(d.token(other)), &v1.LeaveSeatRequest{Name: d.name, Seat: other, RequestId: id()})
	must(t, err)
	d.sitDown(other)
	done := d.answer(first.Game, roller)
	if !done.Done || done.Game.PendingDice != nil {
		t.Fatalf("got %v", done)
	}
	record := d.records(true)[done.Game.Version-1]
	if record.CommandId != req.CommandId || len(record.Rolls)+int(record.Hidden) == 0 ||
		record.Version != done.Game.Head {
		t.Errorf("got %v", record)
	}
	for _, s := range done.Game.Seats {
		if s.Id == other && s.Chain.Next != 1 || s.Id == roller && s.Chain.Next != 2 {
			t.Errorf("the chain of %s is at %v", s.Id, s.Chain)
		}
	}
	_, err = d.games.CloseGame(as(d.owner), &v1.CloseGameRequest{Name: d.name, RequestId: id()})
	must(t, err)
	if sum := d.audit(); sum.Errors != 0 {
		t.Errorf("audit: %v", sum)
	}
}

// TestMutualGameEndsWhileItWaits: resigning and closing do not wait for dice.
func TestMutualGameEndsWhileItWaits(t *testing.T) {
	t.Parallel()
	d := open(t).dicing(50)
	req, out := d.rolling(3)
	ended, err := d.games.Resign(as(d.red), &v1.ResignRequest{Name: d.name, RequestId: id()})
	must(t, err)
	if !ended.Game.Over || ended.Game.PendingDice != nil || len(ended.Game.WaitingFor) != 0 {
		t.Errorf("got %v", ended)
	}
	_, err = d.games.SubmitCommand(as(d.token(out.Record.Seat)), req)
	wantError(t, err, codes.FailedPrecondition, fault.GameOver)
	if sum := d.audit(); sum.Errors != 0 {
		t.Errorf("audit: %v", sum)
	}
}

// TestMutualDiceNeedChains: nobody sits down without a chain where one is needed, or with one elsewhere.
func TestMutualDiceNeedChains(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.create(mutual)
	take := func(g *table, c *logv1.HashChain) error {
		_, err := g.games.TakeSeat(as(), &v1.TakeSeatRequest{Name: g.name, Seat: "red", RequestId: id(), Chain: c})
		return err
	}
	good := newHand(g.name, "red", "", 5).chain()
	wantError(t, take(g, nil), codes.FailedPrecondition, fault.ChainRequired)
	wantError(t, take(h.create(), good), codes.FailedPrecondition, fault.ChainUnexpected)
	for _, c := range []*logv1.HashChain{
		{}, {Anchor: good.Anchor}, {Anchor: good.Anchor[1:], Length: 5}, {Anchor: good.Anchor, Length: 1<<16 + 1},
	} {
		wantError(t, take(g, c), codes.InvalidArgument, fault.ValidationFailed)
	}
	must(t, take(g, good))
	for name, set := range map[string]func(*v1.CreateGameRequest){
		"terms without mutual dice": func(r *v1.CreateGameRequest) { r.MutualDice = &logv1.MutualDice{} },
		"a time where it waits": func(r *v1.CreateGameRequest) {
			mutual(r)
			r.MutualDice = &logv1.MutualDice{AnswerTime: durationpb.New(60e9)}
		},
		"no time where it goes on": func(r *v1.CreateGameRequest) {
			mutual(r)
			r.MutualDice = &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_GO_ON}
		},
		"an unknown silence": func(r *v1.CreateGameRequest) {
			mutual(r)
			r.MutualDice = &logv1.MutualDice{OnSilence: 7}
		},
	} {
		req := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}}
		set(req)
		_, err := h.games.CreateGame(as(), req)
		t.Log(name)
		wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	}
}
