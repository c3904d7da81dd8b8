package rulesets

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore/memory"
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
	hooks  *sink
	// made is the last command of each seat, to be repeated.
	made map[string]*v1.SubmitCommandRequest
	// whispers are names of messages that some may not read. Some exist at one of two sites only.
	whispers []string
	// since is the version before which notices began, and ready that the site has its game.
	since uint64
	ready bool
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

func newSite(t *testing.T, set rules.Ruleset, scenario string, options map[string]string, plant *plant) *site {
	s := &site{t: t, set: set, store: memory.New(), tokens: map[string]string{"spectator": ""}, hooks: newSink(),
		made: map[string]*v1.SubmitCommandRequest{}}
	reg, err := rules.NewRegistry(set)
	s.must(err)
	s.svc, err = service.New(service.Config{
		Registry: reg, Store: s.store, Entropy: new(counting),
		Clock:   func() time.Time { return time.Unix(1_800_000_000, 0) },
		Signing: signing(t),
		Talk:    service.Talk{PerMinute: 100}, // in the one moment of a site
		Notices: service.Notices{Webhooks: s.hooks.client, Mail: s.hooks, Page: "https://play.example"},
	})
	s.must(err)
	s.srv = grpc.NewServer(grpc.ChainUnaryInterceptor(plant.unary(s), s.svc.Unary),
		grpc.ChainStreamInterceptor(plant.stream(s), s.svc.Stream), grpc.WaitForHandlers(true))
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
		out, err := s.games.TakeSeat(s.as(""),
			&v1.TakeSeatRequest{Name: s.name, Seat: seat, Holder: seat, RequestId: uuidOf("seat", uint64(i))})
		s.must(err)
		s.tokens[seat] = out.SeatToken
	}
	s.makeTokens()
	s.ready = true
	s.hooks.spoil(s, plant)
	return s
}

// makeToken has a viewer make a token, which becomes another viewer's.
func (s *site) makeToken(who, seat, as string, rights v1.Rights) {
	out, err := v1.NewAccessServiceClient(s.conn).CreateToken(s.as(who), &v1.CreateTokenRequest{
		Name: s.name, Seat: seat, Rights: rights, ExpireTime: timestamppb.New(time.Unix(1_800_900_000, 0)),
		RequestId: namedID("made "+as, uint64(rights)),
	})
	s.must(err)
	s.tokens[as] = out.Secret
}

// makeTokens makes every possible token from each token.
func (s *site) makeTokens() {
	make1 := s.makeToken
	for _, seat := range s.seats() {
		make1(seat, seat, seat+"/see", v1.Rights_RIGHTS_SEE)
		make1(seat, seat, seat+"/act", v1.Rights_RIGHTS_ACT)
	}
	make1("owner", "", "owner/made", v1.Rights_RIGHTS_OWN)
	make1("owner", s.seats()[0], "spectator/invited", v1.Rights_RIGHTS_JOIN)
	s.tokens["spectator/unknown"] = "wl_s_" + strings.Repeat("a", 52)
}

func (s *site) must(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) close() {
	_ = s.conn.Close()
	s.svc.Leave()
	s.hooks.close()
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
	out, err := s.games.ListLegalActions(s.as(seat),
		&v1.ListLegalActionsRequest{Name: s.name, Seat: seat, PageSize: 10_000})
	s.must(err)
	for _, a := range slices.Concat(out.Actions, out.Offers) {
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
	req := &v1.SubmitCommandRequest{Name: s.name, Seat: seat, CommandId: id, Form: notation(text),
		Next: everything}
	_, err := s.games.SubmitCommand(s.as(seat), req)
	if err == nil {
		s.made[seat] = req
	}
	if err == nil && s.since > 0 {
		s.settle()
	}
	return err
}

// check asks whether a seat may make a command.
func (s *site) check(seat, text string) error {
	_, err := s.games.SubmitCommand(s.as(seat), &v1.SubmitCommandRequest{Name: s.name, Seat: seat, ValidateOnly: true,
		CommandId: uuidOf("may", 0), Form: notation(text)})
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

// revealed reports whether the last command told anybody something, the end of the game included, at which
// everybody is told everything.
func (s *site) revealed() bool { return s.stored().Header().Revealed || s.game("").Over }

// seesCommand reports whether somebody is shown the last command.
func (s *site) seesCommand(who string) bool {
	out, err := s.games.ListRecords(s.as(who),
		&v1.ListRecordsRequest{Name: s.name, AfterVersion: s.game("").Version - 1, WholeTree: true})
	s.must(err)
	return len(out.Records) == 1 && out.Records[0].Command != nil
}

// told are the events of the last record that somebody is shown.
func (s *site) told(who string) (events []string) {
	out, err := s.games.ListRecords(s.as(who),
		&v1.ListRecordsRequest{Name: s.name, AfterVersion: s.game("").Version - 1, WholeTree: true})
	s.must(err)
	for _, r := range out.Records {
		for _, e := range r.Events {
			events = append(events, text(e))
		}
	}
	return events
}

// text is a message with every commitment blanked, as stable text: fields that are unknown count too.
func text(m proto.Message) string { return readable(framed(m)) }

// frame marks the beginning of a message in the output of a call.
const frame = "\x1e"

// framed is a message with every commitment blanked, as stable bytes behind its name and length. Text for people is
// made of it only where two differ: making all of it took a third of the hunt.
func framed(m proto.Message) string {
	if commits(m.ProtoReflect().Descriptor()) {
		m = proto.Clone(m)
		blank(m.ProtoReflect())
	}
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s%s %d\n%s", frame, m.ProtoReflect().Descriptor().FullName(), len(wire), wire)
}

// readable is the output of a call with each framed message as hexadecimal digits and as text.
func readable(got string) string {
	before, rest, found := strings.Cut(got, frame)
	if !found {
		return got
	}
	var name protoreflect.FullName
	var size int
	head, rest, _ := strings.Cut(rest, "\n")
	if _, err := fmt.Sscan(head, &name, &size); err != nil || size > len(rest) {
		return fmt.Sprintf("%q", got)
	}
	kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		return fmt.Sprintf("%q", got)
	}
	m := kind.New().Interface()
	if err := proto.Unmarshal([]byte(rest[:size]), m); err != nil {
		return fmt.Sprintf("%q", got)
	}
	said := prototext.MarshalOptions{Multiline: true}.Format(m)
	return fmt.Sprintf("%s%x\n%s%s", before, rest[:size], said, readable(rest[size:]))
}

// commitments are the fields that commit to hidden contents, or to a hash of them, and are hashes themselves; a
// real game's salts make them differ anyway. Nothing else may differ but the address of a webhook, which is a port
// of each server's own.
var commitments = map[protoreflect.FullName]bool{
	"warledger.v1.Record.hash": true, "warledger.v1.Game.last_hash": true,
	"warledger.log.v1.ExportHeader.last_hash": true,
	"warledger.log.v1.Record.hash":            true, "warledger.log.v1.Record.prev_hash": true,
	"warledger.log.v1.Leaf.digest":     true,
	"warledger.log.v1.ForkedFrom.hash": true, "warledger.v1.ProveHeadResponse.hash": true,
	"warledger.v1.ProveHeadResponse.hashes":        true,
	"warledger.v1.ProveConsistencyResponse.hashes": true, "warledger.v1.GetCheckpointResponse.checkpoint": true,
	"warledger.v1.Webhook.url": true,
}

// committing tells the kinds of messages that hold a commitment, or a message of any kind, from others that were met.
var committing sync.Map

// commits keeps [blank] out of the many messages that have nothing for it.
func commits(d protoreflect.MessageDescriptor) bool {
	known, ok := committing.Load(d.FullName())
	if !ok {
		known = reaches(d, map[protoreflect.FullName]bool{})
		committing.Store(d.FullName(), known)
	}
	return known.(bool)
}

func reaches(d protoreflect.MessageDescriptor, met map[protoreflect.FullName]bool) bool {
	if d.FullName() == "google.protobuf.Any" {
		return true
	}
	if met[d.FullName()] {
		return false
	}
	met[d.FullName()] = true
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if commitments[f.FullName()] || f.Message() != nil && !f.IsMap() && reaches(f.Message(), met) {
			return true
		}
	}
	return false
}

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
		case commitments[f.FullName()] && f.IsList():
			for i := range v.List().Len() {
				v.List().Set(i, protoreflect.ValueOfBytes(make([]byte, len(v.List().Get(i).Bytes()))))
			}
		case commitments[f.FullName()] && f.Kind() == protoreflect.BytesKind:
			m.Set(f, protoreflect.ValueOfBytes(make([]byte, len(v.Bytes()))))
		case commitments[f.FullName()] && f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(fmt.Sprint(len(v.String()))))
		case f.IsMap() || f.Kind() != protoreflect.MessageKind || !commits(f.Message()):
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
