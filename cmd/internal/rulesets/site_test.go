package rulesets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/ledger"
)

// site is a server with one game, and everybody's tokens.
type site struct {
	t      *testing.T
	set    rules.Ruleset
	store  *memory.Store
	svc    *service.Service
	srv    *grpc.Server
	conn   *grpc.ClientConn
	games  v1.GameServiceClient
	name   string
	tokens map[string]string
}

// counting is entropy that is the same for every server.
type counting struct {
	mu sync.Mutex
	n  byte
}

func (c *counting) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range p {
		c.n = c.n*5 + 113
		p[i] = c.n
	}
	return len(p), nil
}

func newSite(t *testing.T, set rules.Ruleset, scenario string, options map[string]string) *site {
	s := &site{t: t, set: set, store: memory.New(), tokens: map[string]string{"spectator": ""}}
	reg, err := rules.NewRegistry(set)
	s.must(err)
	s.svc, err = service.New(service.Config{
		Registry: reg, Store: s.store, Entropy: new(counting), Clock: func() time.Time { return time.Unix(1_800_000_000, 0) },
	})
	s.must(err)
	s.srv = grpc.NewServer(grpc.UnaryInterceptor(s.svc.Unary), grpc.StreamInterceptor(s.svc.Stream), grpc.WaitForHandlers(true))
	s.svc.Register(s.srv)
	pipe := bufconn.Listen(1 << 20)
	go func() { _ = s.srv.Serve(pipe) }() // ends with the server
	s.conn, err = grpc.NewClient("passthrough:///site", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return pipe.DialContext(ctx) }))
	s.must(err)
	s.games = v1.NewGameServiceClient(s.conn)
	out, err := s.games.CreateGame(s.as(""), &v1.CreateGameRequest{
		RequestId: uuidOf("create", 0), Ruleset: "rulesets/" + set.About().Name, Options: options,
		Source: &v1.CreateGameRequest_Scenario{Scenario: scenario},
	})
	s.must(err)
	s.name, s.tokens["owner"] = out.Game.Name, out.OwnerToken
	for i, seat := range s.seats() {
		out, err := s.games.TakeSeat(s.as(""), &v1.TakeSeatRequest{Name: s.name, Seat: seat, Holder: seat, RequestId: uuidOf("seat", uint64(i))})
		s.must(err)
		s.tokens[seat] = out.SeatToken
	}
	return s
}

func (s *site) must(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) close() {
	_ = s.conn.Close()
	s.svc.Leave()
	s.srv.Stop()
	s.svc.Close()
	s.must(s.store.Close())
}

func (s *site) seats() (ids []string) {
	for _, seat := range s.set.About().Seats {
		ids = append(ids, seat.ID)
	}
	return ids
}

// as is a context of somebody's calls.
func (s *site) as(who string) context.Context {
	ctx := context.Background()
	if token := s.tokens[who]; token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	return ctx
}

func (s *site) game(who string) *v1.Game {
	out, err := s.games.GetGame(s.as(who), &v1.GetGameRequest{Name: s.name})
	s.must(err)
	return out.Game
}

func (s *site) legal(seat string) (list []*action) {
	out, err := s.games.ListLegalActions(s.as(seat), &v1.ListLegalActionsRequest{Name: s.name, Seat: seat, PageSize: 10_000})
	s.must(err)
	for _, a := range out.Actions {
		list = append(list, &action{a.Command, a.Kind, a.Offer})
	}
	return list
}

func (s *site) lists(seat, text string) bool {
	for _, a := range s.legal(seat) {
		if a.text == text {
			return true
		}
	}
	return false
}

func (s *site) submit(seat, text, id string) error {
	_, err := s.games.SubmitCommand(s.as(seat), &v1.SubmitCommandRequest{
		Name: s.name, Seat: seat, CommandId: id, Form: &v1.SubmitCommandRequest_Notation{Notation: text},
	})
	return err
}

// stored is the last record as it is stored.
func (s *site) stored() *ledger.Record {
	entries, err := s.store.Read(context.Background(), s.name, s.game("").Version, 1, 0)
	s.must(err)
	r, err := ledger.Parse(entries[0].Data)
	s.must(err)
	return r
}

// revealed reports whether the last command told anybody something, the end of the game included, at which everybody is told everything.
func (s *site) revealed() bool { return s.stored().Header().Revealed || s.game("").Over }

// seesCommand reports whether somebody is shown the last command.
func (s *site) seesCommand(who string) bool {
	out, err := s.games.ListRecords(s.as(who), &v1.ListRecordsRequest{Name: s.name, AfterVersion: s.game("").Version - 1, WholeTree: true})
	s.must(err)
	return len(out.Records) == 1 && out.Records[0].Command != nil
}

// told are the events of the last record that somebody is shown.
func (s *site) told(who string) (events []string) {
	out, err := s.games.ListRecords(s.as(who), &v1.ListRecordsRequest{Name: s.name, AfterVersion: s.game("").Version - 1, WholeTree: true})
	s.must(err)
	for _, r := range out.Records {
		for _, e := range r.Events {
			events = append(events, text(e))
		}
	}
	return events
}

// shown is what each call gives somebody, with what commits to hidden things blanked. What they try are commands that others made, which
// must be refused alike. The costliest calls are made only if all are asked for.
func (s *site) shown(who string, tried []string, all bool) map[string]string {
	got := map[string]string{}
	keep := func(call string, m proto.Message, err error) {
		if err != nil {
			m = status.Convert(err).Proto()
		}
		got[call] = text(m)
	}
	ctx, version := s.as(who), s.game(who).Version
	keep("GetGame", s.game(who), nil)
	games, err := s.games.ListGames(ctx, &v1.ListGamesRequest{})
	keep("ListGames", games, err)
	for _, v := range []uint64{version, version - 1, version / 2} {
		for _, lang := range []string{"en", "ja"} {
			board, err := s.games.GetBoard(ctx, &v1.GetBoardRequest{Name: s.name, Version: v, LanguageCode: lang, IncludeMap: all})
			keep(fmt.Sprint("GetBoard ", v, lang), board, err)
		}
		position, err := s.games.GetPosition(ctx, &v1.GetPositionRequest{Name: s.name, Version: v})
		keep(fmt.Sprint("GetPosition ", v), position, err)
	}
	records, err := s.games.ListRecords(ctx, &v1.ListRecordsRequest{Name: s.name, WholeTree: true, PageSize: 1000, IncludeProofs: true})
	keep("ListRecords", records, err)
	s.watched(who, version, keep)
	s.asked(who, tried, all, keep)
	if all {
		s.exported(who, keep)
		s.audited(who, keep)
	}
	return got
}

// asked is what a seat may do and what it is told of what it may not.
func (s *site) asked(who string, tried []string, all bool, keep func(string, proto.Message, error)) {
	ctx := s.as(who)
	list, err := s.games.ListLegalActions(ctx, &v1.ListLegalActionsRequest{Name: s.name, IncludeCommands: true, PageSize: 10_000})
	keep("ListLegalActions", list, err)
	for i, a := range list.GetActions() {
		if i < 3 {
			tried = append(tried, a.Command)
		}
	}
	for i, command := range tried[max(0, len(tried)-8):] {
		check, err := s.games.SubmitCommand(ctx, &v1.SubmitCommandRequest{
			Name: s.name, CommandId: uuidOf("check", uint64(i)), ValidateOnly: true, Form: &v1.SubmitCommandRequest_Notation{Notation: command},
		})
		keep("validating "+command, check, err)
		if !all {
			continue
		}
		preview, err := s.games.PreviewCommand(ctx, &v1.PreviewCommandRequest{Name: s.name, Form: &v1.PreviewCommandRequest_Notation{Notation: command}})
		keep("previewing "+command, preview, err)
	}
}

// watched is a watch from the beginning until it follows.
func (s *site) watched(who string, version uint64, keep func(string, proto.Message, error)) {
	ctx, cancel := context.WithCancel(s.as(who))
	defer cancel()
	stream, err := s.games.WatchGame(ctx, &v1.WatchGameRequest{Name: s.name, IncludeProofs: true})
	s.must(err)
	for n := 0; ; n++ {
		m, err := stream.Recv()
		keep(fmt.Sprint("WatchGame ", n), m, err)
		if err != nil || m.GetCaughtUp() != nil {
			return
		}
	}
}

// exported is the file that somebody gets, record by record, and its size.
func (s *site) exported(who string, keep func(string, proto.Message, error)) {
	stream, err := s.games.ExportGame(s.as(who), &v1.ExportGameRequest{Name: s.name})
	s.must(err)
	var file bytes.Buffer
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		s.must(err)
		file.Write(part.Data)
	}
	keep("size of ExportGame", &v1.ListRecordsRequest{AfterVersion: uint64(file.Len())}, nil)
	e, err := ledger.ReadExport(bytes.NewReader(file.Bytes()))
	s.must(err)
	keep("header of ExportGame", e.Header(), nil)
	n := 0
	for data, err := range e.Records() {
		s.must(err)
		r := new(logv1.Record)
		s.must(proto.Unmarshal(data, r))
		keep(fmt.Sprint("ExportGame ", n), r, nil)
		n++
	}
}

func (s *site) audited(who string, keep func(string, proto.Message, error)) {
	stream, err := s.games.AuditGame(s.as(who), &v1.AuditGameRequest{Name: s.name})
	s.must(err)
	for n := 0; ; n++ {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		keep(fmt.Sprint("AuditGame ", n), m, err)
		s.must(err)
	}
}

// text is a message with every commitment blanked, as stable text: fields that are unknown count too.
func text(m proto.Message) string {
	m = proto.Clone(m)
	blank(m.ProtoReflect())
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x\n%s", wire, prototext.MarshalOptions{Multiline: true}.Format(m))
}

// commitments are the fields that commit to hidden contents: hashes, and digests of salted contents.
var commitments = map[protoreflect.Name]bool{"hash": true, "last_hash": true, "prev_hash": true, "digest": true}

func blank(m protoreflect.Message) {
	if a, ok := m.Interface().(*anypb.Any); ok { // its bytes have maps in any order
		if inner, err := a.UnmarshalNew(); err == nil {
			blank(inner.ProtoReflect())
			a.Value, _ = proto.MarshalOptions{Deterministic: true}.Marshal(inner)
		}
		return
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case commitments[f.Name()] && f.Kind() == protoreflect.BytesKind:
			m.Set(f, protoreflect.ValueOfBytes(make([]byte, len(v.Bytes()))))
		case commitments[f.Name()] && f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(fmt.Sprint(len(v.String()))))
		case f.IsMap() || f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := range v.List().Len() {
				blank(v.List().Get(i).Message())
			}
		default:
			blank(v.Message())
		}
		return true
	})
}
