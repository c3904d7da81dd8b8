package service_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// redBegins is a game with manual dice in which both seats have planned and it is red's turn. The log has 5 records.
func redBegins(h *host) *table {
	h.t.Helper()
	g := h.seated(manual(1))
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0503")
	return g
}

func TestRetryGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.command("attack r2 b2", 6)
	g.do(g.red, "move r2 0304")
	first, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	if first.Record.Version != 7 || len(first.Record.Rolls) != 1 {
		t.Fatalf("got %v", first.Record)
	}
	// The attack is not legal any more, and the game has moved on since.
	g.do(g.red, "end")
	for range 2 {
		again, err := g.games.SubmitCommand(as(g.red), req)
		must(t, err)
		equal(t, "record", again.Record, first.Record)
	}
	if v := g.game().Version; v != 8 {
		t.Errorf("retries made records: version %d", v)
	}
}

func TestRetryInOtherWords(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.command("move r2 0304")
	first, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	for _, form := range []*v1.SubmitCommandRequest{
		{Form: &v1.SubmitCommandRequest_Notation{Notation: "  MOVE  r2 0304 "}},
		{Form: &v1.SubmitCommandRequest_Command{Command: packed(t,
			&toyv1.Command{Command: &toyv1.Command_Move{Move: &toyv1.Move{Unit: "r2", To: "0304"}}})}},
	} {
		form.Name, form.CommandId = req.Name, req.CommandId
		again, err := g.games.SubmitCommand(as(g.red), form)
		must(t, err)
		equal(t, "record", again.Record, first.Record)
	}
}

func TestReusedCommandID(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.command("move r2 0304")
	_, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	attack := g.command("attack r2 b2", 6)
	_, err = g.games.SubmitCommand(as(g.red), attack)
	must(t, err)

	other := proto.CloneOf(req)
	other.Form = &v1.SubmitCommandRequest_Notation{Notation: "move r1 0202"}
	unreadable := proto.CloneOf(req)
	unreadable.Form = &v1.SubmitCommandRequest_Notation{Notation: "nonsense"}
	otherDice := proto.CloneOf(attack)
	otherDice.ManualDice = []uint32{5}
	for name, call := range map[string]func() error{
		"other command": func() error { return second(g.games.SubmitCommand(as(g.red), other)) },
		"unreadable":    func() error { return second(g.games.SubmitCommand(as(g.red), unreadable)) },
		"other dice":    func() error { return second(g.games.SubmitCommand(as(g.red), otherDice)) },
		"other seat":    func() error { return second(g.games.SubmitCommand(as(g.blue), req)) },
		"an undo": func() error {
			return second(g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, RequestId: req.CommandId}))
		},
		"a redo": func() error {
			return second(g.games.Redo(as(g.red), &v1.RedoRequest{Name: g.name, RequestId: req.CommandId}))
		},
		"a resignation": func() error {
			return second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: req.CommandId}))
		},
		"leaving a seat": func() error {
			return second(g.games.LeaveSeat(as(g.red),
				&v1.LeaveSeatRequest{Name: g.name, Seat: "red", RequestId: req.CommandId}))
		},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, call(), codes.AlreadyExists, fault.RequestIDReused) })
	}
	if v := g.game().Version; v != 7 {
		t.Errorf("version %d, want 7", v)
	}
}

func second[T any](_ T, err error) error { return err }

func packed(t testing.TB, m proto.Message) *anypb.Any {
	t.Helper()
	a, err := anypb.New(m)
	must(t, err)
	return a
}

func TestExpectedVersion(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	for _, stale := range []uint64{0, 4, 6} {
		req := g.command("move r2 0304")
		req.ExpectedVersion = proto.Uint64(stale)
		meta := wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.Aborted, fault.VersionConflict)
		if meta["current"] != "5" || meta["expected"] != fmt.Sprint(stale) {
			t.Errorf("metadata %v", meta)
		}
	}
	req := g.command("move r2 0304")
	req.ExpectedVersion = proto.Uint64(5)
	_, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	// A retry is no new command: what it expected is past.
	_, err = g.games.SubmitCommand(as(g.red), req)
	must(t, err)
}

func TestOneOfManyWins(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"memory", "bbolt"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			h := open(t, func(s *setting) {
				if engine == "bbolt" {
					bolt := openBolt(t, filepath.Join(t.TempDir(), "games.db"))
					t.Cleanup(func() { must(t, bolt.Close()) })
					s.store = bolt
				}
			})
			g := redBegins(h)
			errs := make([]error, 16)
			var wg sync.WaitGroup
			for i := range errs {
				wg.Go(func() {
					req := g.command("move r2 0304")
					req.ExpectedVersion = proto.Uint64(5)
					errs[i] = second(g.games.SubmitCommand(as(g.red), req))
				})
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
					continue
				}
				wantError(t, err, codes.Aborted, fault.VersionConflict)
			}
			if won != 1 || g.game().Version != 6 {
				t.Errorf("%d commands won, version %d", won, g.game().Version)
			}
		})
	}
}

func TestSameCommandFromMany(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.command("move r2 0304")
	versions := make([]uint64, 16)
	var wg sync.WaitGroup
	for i := range versions {
		wg.Go(func() {
			out, err := g.games.SubmitCommand(as(g.red), req)
			if err == nil {
				versions[i] = out.Record.Version
			}
		})
	}
	wg.Wait()
	for _, v := range versions {
		if v != 6 {
			t.Errorf("answers name the versions %v, want 6", versions)
			break
		}
	}
}

func TestValidateOnly(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	g.do(g.red, "move r2 0304")
	req := g.command("attack r2 b2")
	req.ValidateOnly = true
	out, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	if out.Record != nil || out.Game.Version != 6 {
		t.Errorf("got %v", out)
	}
	req = g.command("attack r1 b2")
	req.ValidateOnly = true
	wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.FailedPrecondition, fault.IllegalCommand)
	if v := g.game().Version; v != 6 {
		t.Errorf("checking made a record: version %d", v)
	}
}

func TestManualDice(t *testing.T) {
	t.Parallel()
	h := open(t)
	_, err := h.games.CreateGame(as(), &v1.CreateGameRequest{
		RequestId: id(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}, Dice: 2,
	})
	if meta := wantError(t, err, codes.FailedPrecondition, fault.DiceExpected); meta["sides"] != "6" ||
		meta["index"] != "0" {
		t.Errorf("set-up without dice: %v", meta)
	}
	g := redBegins(h)
	g.do(g.red, "move r2 0304")
	for _, c := range []struct {
		dice []uint32
		want map[string]string
	}{
		{nil, map[string]string{"index": "0", "sides": "6", "given": "0"}},
		{[]uint32{7}, map[string]string{"index": "0", "sides": "6", "value": "7"}},
		{[]uint32{0}, map[string]string{"index": "0", "value": "0"}},
		{[]uint32{3, 3}, map[string]string{"given": "2", "used": "1"}},
	} {
		meta := wantError(t, second(g.games.SubmitCommand(as(g.red), g.command("attack r2 b2", c.dice...))),
			codes.FailedPrecondition, fault.DiceExpected)
		for key, value := range c.want {
			if meta[key] != value {
				t.Errorf("dice %v: %s is %q, want %q", c.dice, key, meta[key], value)
			}
		}
	}
	if out := g.do(g.red, "attack r2 b2", 4); out.Record.Rolls[0].Value != 4 {
		t.Errorf("got %v", out.Record)
	}
	committed := h.seated()
	token := committed.tokenOf(committed.game().WaitingFor)
	_, err = h.games.SubmitCommand(as(token), committed.command("plan 0303", 4))
	wantError(t, err, codes.FailedPrecondition, fault.DiceUnexpected)
}

func TestRefusalsTeach(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.command("move r2 0503")
	req.LanguageCode = "ja"
	_, err := g.games.SubmitCommand(as(g.red), req)
	meta := wantError(t, err, codes.FailedPrecondition, fault.IllegalCommand)
	if meta["rule"] != "TY 4.1" || meta["distance"] == "" || meta["ruleset"] != "toy" {
		t.Errorf("metadata %v", meta)
	}
	st := status.Convert(err)
	if !strings.Contains(st.Message(), "1 is allowed") || !strings.Contains(st.Message(), "TY 4.1") {
		t.Errorf("message %q", st.Message())
	}
	if m := detail[*errdetails.LocalizedMessage](st); m == nil || m.Locale != "ja" ||
		!strings.Contains(m.Message, "ヘクス") {
		t.Errorf("localized message %v", m)
	}
	if p := detail[*errdetails.PreconditionFailure](st); p == nil || p.Violations[0].Subject != "TY 4.1" {
		t.Errorf("precondition %v", p)
	}
	if h := detail[*errdetails.Help](st); h == nil || h.Links[0].Description != "TY 4.1 移動" {
		t.Errorf("help %v", h)
	}
}

func TestUnreadableCommands(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	broken := packed(t, &toyv1.Command{})
	broken.Value = []byte{0xff, 0xff}
	for name, req := range map[string]*v1.SubmitCommandRequest{
		"notation":  g.command("dance r2"),
		"words":     g.command("move r2"),
		"type":      {Form: &v1.SubmitCommandRequest_Command{Command: packed(t, &toyv1.Event{})}},
		"bytes":     {Form: &v1.SubmitCommandRequest_Command{Command: broken}},
		"no kind":   {Form: &v1.SubmitCommandRequest_Command{Command: packed(t, &toyv1.Command{})}},
		"url alone": {Form: &v1.SubmitCommandRequest_Command{Command: &anypb.Any{TypeUrl: "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			req.Name, req.CommandId = g.name, id()
			wantError(t, second(g.games.SubmitCommand(as(g.red), req)), codes.InvalidArgument, fault.MalformedCommand)
		})
	}
	wantError(t, second(g.games.SubmitCommand(as(g.red), g.command("move r9 0303"))), codes.FailedPrecondition,
		fault.UnknownPiece)
	wantError(t, second(g.games.SubmitCommand(as(g.red), g.command("move r2 9999"))), codes.FailedPrecondition,
		fault.UnknownSpace)
	wantError(t, second(g.games.SubmitCommand(as(g.blue), g.command("move b2 0304"))), codes.FailedPrecondition,
		fault.NotYourDecision)
}

// newer is a message of a client with a newer contract: it has a field that this program does not know.
func newer[M proto.Message](m M) M {
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 999, protowire.VarintType), 1))
	return m
}

// TestUnknownFieldsInBytes: a call that changes something refuses unknown fields also in protobuf's binary form,
// because a newer client would get something else than it asked for. A call that only reads ignores them.
func TestUnknownFieldsInBytes(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	was := g.game().Version
	err := second(g.games.SubmitCommand(as(g.red), newer(g.command("move r2 0304"))))
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	if b := detail[*errdetails.BadRequest](status.Convert(err)); b == nil || b.FieldViolations[0].Field != "999" {
		t.Errorf("details %v", b)
	}
	inside := g.command("")
	moved := packed(t, &toyv1.Command{Command: &toyv1.Command_Move{Move: newer(&toyv1.Move{Unit: "r2", To: "0304"})}})
	inside.Form = &v1.SubmitCommandRequest_Command{Command: moved}
	err = second(g.games.SubmitCommand(as(g.red), inside))
	wantError(t, err, codes.InvalidArgument, fault.MalformedCommand)
	if !strings.Contains(status.Convert(err).Message(), "move.999") {
		t.Errorf("%v", err)
	}
	wantError(t, second(g.games.Resign(as(g.red), newer(&v1.ResignRequest{Name: g.name, RequestId: id()}))),
		codes.InvalidArgument, fault.ValidationFailed)
	out, err := g.games.GetGame(as(), newer(&v1.GetGameRequest{Name: g.name}))
	must(t, err)
	if out.Game.Version != was {
		t.Errorf("version %d, was %d", out.Game.Version, was)
	}
}
