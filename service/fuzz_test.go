package service_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"

	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// fuzzed are the files whose calls are fuzzed. Inputs name calls by their number: add files at the end.
var fuzzed = []protoreflect.FileDescriptor{
	v1.File_warledger_v1_game_service_proto, v1.File_warledger_v1_catalog_service_proto,
	v1.File_warledger_v1_access_service_proto,
	v1.File_warledger_v1_history_service_proto, v1.File_warledger_v1_checkpoint_service_proto,
	adminv1.File_warledger_admin_v1_admin_service_proto,
	v1.File_warledger_v1_deadline_service_proto, v1.File_warledger_v1_notification_service_proto,
	v1.File_warledger_v1_computer_service_proto, v1.File_warledger_v1_talk_service_proto,
	v1.File_warledger_v1_keyring_service_proto,
}

// calls lists every call of the services.
func calls() (all []protoreflect.MethodDescriptor) {
	for _, file := range fuzzed {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				all = append(all, methods.Get(j))
			}
		}
	}
	return all
}

// TestEveryCallIsFuzzed has no call of the contract be forgotten: each is one that FuzzRequests sends requests to, and
// has a request among the seeds that means something to the game, unless it takes none.
func TestEveryCallIsFuzzed(t *testing.T) {
	t.Parallel()
	sent, seeded := map[protoreflect.FullName]bool{}, map[protoreflect.FullName]bool{}
	for _, call := range calls() {
		sent[call.FullName()] = true
	}
	for _, m := range seeds(redBegins(open(t))) {
		seeded[m.ProtoReflect().Descriptor().FullName()] = true
	}
	known := 0
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				call := methods.Get(j)
				if !strings.HasPrefix(string(call.FullName()), "warledger.") {
					continue
				}
				known++
				if !sent[call.FullName()] {
					t.Errorf("no fuzz target sends requests to %s", call.FullName())
				}
				if call.Input().Fields().Len() > 0 && !seeded[call.Input().FullName()] {
					t.Errorf("no seed is a %s", call.Input().Name())
				}
			}
		}
		return true
	})
	if known != len(sent) || known < 30 {
		t.Errorf("%d calls are known, %d are fuzzed", known, len(sent))
	}
}

// seeds are requests that mean something to the game, so that the fuzzer begins behind the first checks.
func seeds(g *table) []proto.Message {
	uuid := "0b8f5c1e-7d6a-4f0e-9a52-3c8e1d2f4b60"
	return []proto.Message{
		&v1.CreateGameRequest{RequestId: uuid, Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: g.document("ford")}},
		&v1.TakeSeatRequest{Name: g.name, Seat: "red", RequestId: uuid},
		&v1.SubmitCommandRequest{Name: g.name, CommandId: uuid,
			Form: &v1.SubmitCommandRequest_Notation{Notation: "plan 0303"}, ManualDice: []uint32{1}},
		g.command("move r2 0304"),
		&v1.CalculateBattleRequest{Name: g.name, Space: "0304", Attacker: &v1.BattleForce{Entered: true,
			Numbers: map[string]int32{"infantry": 1}, Traits: []string{"radar"}, Losses: []string{"infantry"}}},
		&v1.PreviewCommandRequest{Name: g.name, Form: &v1.PreviewCommandRequest_Notation{Notation: "move r2 0304"},
			Policies: map[string]string{"hit": "stand"}},
		&v1.AnswerDiceRequest{Name: g.name, RequestId: uuid, Asked: 6, Link: make([]byte, 32),
			Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 3}},
		&v1.RenewChainRequest{Name: g.name, RequestId: uuid,
			Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 3}},
		&v1.UndoRequest{Name: g.name, RequestId: uuid, Target: 1, Ask: true},
		&v1.AnswerUndoRequest{Name: g.name, RequestId: uuid, Asked: 6, Agree: true},
		&v1.RedoRequest{Name: g.name, RequestId: uuid},
		&v1.LeaveSeatRequest{Name: g.name, RequestId: uuid, Seat: "blue"},
		&v1.ListLegalActionsRequest{Name: g.name, Seat: "red", PageSize: 2, Kind: "move", Piece: "r2", Space: "0304"},
		&v1.GetBoardRequest{Name: g.name, Version: 3, Viewer: "red", LanguageCode: "ja", IncludeMap: true,
			PackedMap: true, RangesOf: []string{"r2"}, ThreatsTo: "0304", OnlyIncluded: true},
		&v1.ListRecordsRequest{Name: g.name, AfterVersion: 1, PageSize: 2, WholeTree: true, Viewer: "spectator"},
		&v1.WatchGameRequest{Name: g.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: 1},
			Heartbeat: durationpb.New(time.Second)},
		&v1.CreateMessageRequest{Parent: g.name, RequestId: uuid, Message: &v1.Message{Seat: "red", Text: "here",
			Audience: v1.Audience_AUDIENCE_SIDE, Pin: &v1.Message_Space{Space: "0303"}}},
		&v1.ListMessagesRequest{Parent: g.name, PageSize: 2, Viewer: "red"},
		&v1.DeleteMessageRequest{Name: g.name + "/messages/aaaaaaaaaaaaaaaa"},
		&v1.WatchMessagesRequest{Parent: g.name, Backlog: proto.Int32(2), Heartbeat: durationpb.New(time.Second)},
		&v1.GetTalkRequest{Name: g.name + "/talk"},
		&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: proto.Bool(true)},
		&v1.MuteSeatRequest{Name: g.name, Muted: "blue", Seat: "red"},
		&v1.UnmuteSeatRequest{Name: g.name, Muted: "blue", ForAll: true},
		&v1.ReportMessageRequest{Name: g.name + "/messages/aaaaaaaaaaaaaaaa", Seat: "red", Reason: "rude"},
		&v1.ListReportsRequest{Parent: g.name},
		&v1.ListGamesRequest{PageSize: 3, Ruleset: "rulesets/toy"},
		&v1.ListRulesRequest{Parent: "rulesets/toy", PageSize: 3},
		&v1.CreateTokenRequest{Name: g.name, Seat: "red", Rights: v1.Rights_RIGHTS_ACT, ExpireTime: hour(),
			RequestId: uuid},
		&v1.ListTokensRequest{Parent: g.name},
		&v1.RevokeTokenRequest{Name: g.name + "/tokens/aaaaaaaaaaaaaaaa"},
		&v1.OfferSeatRequest{Name: g.name, Seat: "blue", RequestId: uuid},
		&v1.AnswerSeatRequest{Name: g.name, Seat: "red", Offered: 6, Agree: true, RequestId: uuid},
		&v1.GetScenarioRequest{Name: "rulesets/toy/scenarios/ford"},
		&v1.GetGameRequest{Name: g.name, LanguageCode: "ja"},
		&v1.GetPositionRequest{Name: g.name, Version: 2, Viewer: "blue"},
		&v1.ResignRequest{Name: g.name, Seat: "red", RequestId: uuid},
		&v1.CloseGameRequest{Name: g.name, Reason: "enough", RequestId: uuid},
		&v1.AuditGameRequest{Name: g.name},
		&v1.ExportGameRequest{Name: g.name},
		&v1.ListRulesetsRequest{LanguageCode: "ja"},
		&v1.GetRulesetRequest{Name: "rulesets/toy"},
		&v1.ListScenariosRequest{Parent: "rulesets/toy"},
		&v1.ValidateScenarioRequest{Parent: "rulesets/toy", Document: g.document("ford")},
		&v1.GetRuleRequest{Parent: "rulesets/toy", Id: "TOY 1"},
		&v1.ImportGameRequest{RequestId: uuid, Data: g.export(g.name, g.red, g.blue), Last: true},
		&v1.ForkGameRequest{Name: g.name, RequestId: uuid, Version: 1, Title: "What if",
			Dice: logv1.DiceKind_DICE_KIND_MANUAL},
		&v1.ResolveVersionRequest{Name: g.name, At: &v1.ResolveVersionRequest_Turn{Turn: 1}},
		&v1.CompareGamesRequest{Left: &v1.Line{Name: g.name, Version: 1}, Right: &v1.Line{Name: g.name}},
		&v1.ProveConsistencyRequest{OldSize: 1, NewSize: 1},
		&v1.ProveHeadRequest{Name: g.name, TreeSize: 1},
		&v1.ProposeDeadlinesRequest{Name: g.name, RequestId: uuid, Deadlines: &logv1.Deadlines{
			Allowance: durationpb.New(72 * time.Hour), Bank: durationpb.New(time.Hour),
			Lapse:       logv1.Lapse_LAPSE_FORFEIT,
			HolidayDays: 10,
			Reminders:   []*durationpb.Duration{durationpb.New(time.Hour)},
			DaysOff:     []logv1.Weekday{logv1.Weekday_WEEKDAY_SUNDAY}, UtcOffset: durationpb.New(9 * time.Hour),
		}},
		&v1.AnswerDeadlinesRequest{Name: g.name, RequestId: uuid, Proposed: 6, Agree: true},
		&v1.TakeHolidayRequest{Name: g.name, RequestId: uuid, Days: 3},
		&v1.CreateWebhookRequest{Parent: g.name, RequestId: uuid, Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			Webhook: &v1.Webhook{
				Seat: "red", Url: "https://192.0.2.1/hook",
				Kinds: []logv1.NoticeKind{logv1.NoticeKind_NOTICE_KIND_ASKED}, LanguageCode: "ja", Note: "a bot",
			}},
		&v1.GetWebhookRequest{Name: g.name + "/webhooks/aaaaaaaaaaaaaaaa"},
		&v1.ListWebhooksRequest{Parent: g.name},
		&v1.DeleteWebhookRequest{Name: g.name + "/webhooks/aaaaaaaaaaaaaaaa"},
		&v1.PingWebhookRequest{Name: g.name + "/webhooks/aaaaaaaaaaaaaaaa"},
		&v1.CreateMailboxRequest{Parent: g.name, RequestId: uuid,
			Mailbox: &v1.Mailbox{Address: "ann@example.org", MinInterval: durationpb.New(time.Hour)}},
		&v1.ListMailboxesRequest{Parent: g.name},
		&v1.ConfirmMailboxRequest{Name: g.name + "/mailboxes/aaaaaaaaaaaaaaaa", Code: "aaaaaaaaaaaaaaaaaaaaaaaaaa"},
		&v1.DeleteMailboxRequest{Name: g.name + "/mailboxes/aaaaaaaaaaaaaaaa", Code: "aaaaaaaaaaaaaaaaaaaaaaaaaa"},
		&v1.ListComputersRequest{Ruleset: "rulesets/toy", Scenario: "ford"},
		&v1.SeatComputerRequest{Name: g.name, Seat: "blue", Computer: "computers/thumb", RequestId: uuid},
		&v1.UnseatComputerRequest{Name: g.name, Seat: "blue", RequestId: uuid},
		&v1.OfferComputerRequest{Title: "Thumb", MaxSeats: 2, Heartbeat: durationpb.New(time.Second),
			Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy", Strength: v1.Strength_STRENGTH_EASY}}},
		exchange("good"), &v1.UpdateKeyringRequest{Keyring: &v1.Keyring{Content: []byte("tokens")}},
		&adminv1.ListTokensRequest{Parent: g.name},
		&adminv1.RevokeTokenRequest{Name: g.name + "/tokens/aaaaaaaaaaaaaaaa"},
		&adminv1.ReissueTokenRequest{Parent: g.name, Seat: "red", RequestId: uuid},
	}
}

// lasting is a test's own T for what outlives one input. Whoever ends it calls end.
type lasting struct {
	testing.TB
	ends []func()
}

// Helper does nothing: the T of the moment may be another.
func (*lasting) Helper() {}

// Cleanup keeps what is to be done at the end.
func (l *lasting) Cleanup(f func()) { l.ends = append(l.ends, f) }

func (l *lasting) end() {
	for _, f := range slices.Backward(l.ends) {
		f()
	}
	l.ends = nil
}

// arena is a server with a game that is the same for every input: one that changed it gets the next a new one. The name
// of the game never changes.
type arena struct {
	lasting
	game  *table
	admin *grpc.ClientConn
	set   []func(*setting)
}

// enter has the arena ready for an input.
func (a *arena) enter(t testing.TB) *table {
	a.TB = t
	if a.game == nil {
		h := open(a, a.set...)
		a.game = h.seated(manual(1),
			func(r *v1.CreateGameRequest) { r.RequestId = "5c2a3f52-2a4c-4d9e-8a53-9d1f0c6b7e11" })
		a.game.do(a.game.red, "plan 0303")
		a.game.do(a.game.blue, "plan 0503")
		a.admin = administration(a, h)
	}
	return a.game
}

// leave ends what an input has changed.
func (a *arena) leave() {
	a.game = nil
	a.end()
}

// administration serves the calls of whoever runs the server; on the port for operations they have a token before them.
func administration(t testing.TB, h *host) *grpc.ClientConn {
	l := bufconn.Listen(1 << 20)
	srv := grpc.NewServer(grpc.UnaryInterceptor(h.service.Unary), grpc.StreamInterceptor(h.service.Stream))
	h.service.RegisterAdmin(srv)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	conn, err := grpc.NewClient("passthrough:///admin", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }))
	must(t, err)
	t.Cleanup(func() {
		must(t, conn.Close())
		srv.Stop()
		must(t, <-served)
	})
	return conn
}

// FuzzRequests sends any bytes as the request of every call: nothing may panic, and nothing may be answered with a code
// that says that the server is at fault.
func FuzzRequests(f *testing.F) {
	all := calls()
	seedRequests(f, all)
	sign := newSigning(f)
	hooks := webhook.New(webhook.Options{Timeout: time.Millisecond})
	f.Cleanup(hooks.Close)
	a := &arena{set: []func(*setting){func(s *setting) {
		s.signing, s.signIn, s.keyrings = sign, &provider{}, service.Keyrings{Keep: keyringKeep}
		s.notices.Webhooks, s.notices.Mail, s.notices.Page = hooks, nowhere{}, "https://play.example"
	}}}
	f.Cleanup(a.leave)
	f.Fuzz(func(t *testing.T, which, who uint8, data []byte) {
		call := all[int(which)%len(all)]
		kind, err := protoregistry.GlobalTypes.FindMessageByName(call.Input().FullName())
		must(t, err)
		req := kind.New().Interface()
		if proto.Unmarshal(data, req) != nil {
			return
		}
		g := a.enter(t)
		conn := g.conn
		if strings.HasPrefix(string(call.FullName()), "warledger.admin.") {
			conn = a.admin
		}
		var tokens []string
		for i, token := range []string{g.red, g.blue, g.owner, secretOf("somebody")} {
			if who&(1<<i) != 0 {
				tokens = append(tokens, token)
			}
		}
		err = invoke(as(tokens...), conn, call, req)
		if err == nil && call.Options().(*descriptorpb.MethodOptions).GetIdempotencyLevel() !=
			descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
			defer a.leave()
		}
		answered(t, call, req, err)
	})
}

// nowhere takes no mail.
type nowhere struct{}

// Send refuses a mail.
func (nowhere) Send(context.Context, mail.Message) (mail.Result, error) {
	return mail.Result{Failure: mail.FailedRefused}, nil
}

// seedRequests adds every seed for its call, and an empty request for each.
func seedRequests(f *testing.F, all []protoreflect.MethodDescriptor) {
	var a arena
	defer a.leave()
	g := a.enter(f)
	for _, m := range seeds(g) {
		data, err := proto.Marshal(m)
		must(f, err)
		for i, call := range all {
			if call.Input().FullName() == m.ProtoReflect().Descriptor().FullName() {
				f.Add(uint8(i), uint8(3), data)
				f.Add(uint8(i), uint8(4), data)
			}
		}
	}
	for i := range all {
		f.Add(uint8(i), uint8(0), []byte{})
	}
}

// answered wants an answer that does not say that the server is at fault.
func answered(t *testing.T, call protoreflect.MethodDescriptor, req proto.Message, err error) {
	t.Helper()
	if err == nil {
		return
	}
	switch code := status.Code(err); code {
	case codes.Internal, codes.Unknown, codes.DataLoss, codes.Unimplemented:
		t.Errorf("%s answers %s: %v\n%v", call.Name(), code, err, req)
	}
	if m := status.Convert(err).Message(); len(m) > 2000 || strings.Contains(m, "\n\n") {
		t.Errorf("%s: an error of %d characters: %.200s", call.Name(), len(m), m)
	}
}

// invoke makes a call; of a stream it reads a few messages.
func invoke(ctx context.Context, conn *grpc.ClientConn, call protoreflect.MethodDescriptor, req proto.Message) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	path := "/" + string(call.Parent().FullName()) + "/" + string(call.Name())
	kind, err := protoregistry.GlobalTypes.FindMessageByName(call.Output().FullName())
	if err != nil {
		return err
	}
	if !call.IsStreamingServer() {
		return conn.Invoke(ctx, path, req, kind.New().Interface())
	}
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return err
	}
	if err := stream.SendMsg(req); err != nil {
		return nil // the stream's own error comes with the first message
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	err = stream.RecvMsg(kind.New().Interface())
	if err != nil && err.Error() == "EOF" {
		return nil
	}
	return err
}
