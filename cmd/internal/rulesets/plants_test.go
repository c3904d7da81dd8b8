package rulesets

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/ledger"
)

// plant is a leak that a test builds into a server, between the service and its callers. A nil one leaks nothing.
type plant struct {
	name string
	// answer spoils the answer of a call.
	answer func(s *site, ctx context.Context, method string, req, out proto.Message)
	// fails spoils an error.
	fails func(s *site, method string, err error) error
	// sends spoils a message of a stream.
	sends func(s *site, method string, out proto.Message)
	// posts spoils what is posted, and mails what is mailed.
	posts, mails func(s *site, body string) string
}

func (p *plant) unary(s *site) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		out, err := handle(ctx, req)
		method := info.FullMethod[strings.LastIndexByte(info.FullMethod, '/')+1:]
		if p != nil && err == nil && p.answer != nil && s.ready {
			p.answer(s, ctx, method, req.(proto.Message), out.(proto.Message))
		}
		if p != nil && err != nil && p.fails != nil && s.ready {
			err = p.fails(s, method, err)
		}
		return out, err
	}
}

func (p *plant) stream(s *site) grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
		if p != nil && p.sends != nil && s.ready {
			stream = &spoilt{stream, s, p, info.FullMethod[strings.LastIndexByte(info.FullMethod, '/')+1:]}
		}
		return handle(srv, stream)
	}
}

// spoilt is a stream with a leak.
type spoilt struct {
	grpc.ServerStream
	s      *site
	p      *plant
	method string
}

// SendMsg sends a copy with the leak, because watchers share the message.
func (w *spoilt) SendMsg(m any) error {
	out := proto.Clone(m.(proto.Message))
	w.p.sends(w.s, w.method, out)
	return w.ServerStream.SendMsg(out)
}

// hidden is everything in the log that a viewer may not see.
func (s *site) hidden() (data []byte) {
	entries, err := s.store.Read(context.Background(), s.name, 1, 1000, 0)
	s.must(err)
	for _, e := range entries {
		r, err := ledger.Parse(e.Data)
		s.must(err)
		for _, l := range r.Leaves() {
			if l.Audience != rules.Everyone {
				data = append(data, l.Data...)
			}
		}
	}
	return data
}

func (s *site) secret() string { return hex.EncodeToString(s.hidden()) }

// number is a number that depends on what is hidden, as a size might.
func (s *site) number() int32 { return int32(crc32.ChecksumIEEE(s.hidden()) & 0xff) }

// tell puts a secret into the narration of the first event.
func tell(s *site, records []*v1.Record) {
	for _, r := range records {
		for _, e := range r.Events {
			e.Narration += s.secret()
			return
		}
	}
}

// plants are the leaks that the hunt must find: those that an attacker found unnoticed, and others of their kind.
var plants = []plant{
	{name: "the error of a fork tells a size", fails: func(s *site, method string, err error) error {
		if method == "ForkGame" {
			return status.Errorf(codes.PermissionDenied, "record of %d bytes", s.number())
		}
		return err
	}},
	{name: "a game beside itself shows all seats",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if c, ok := out.(*v1.CompareGamesResponse); ok {
				c.Left.Notation = s.secret()
			}
		}},
	{name: "records in Japanese", answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
		if q, ok := req.(*v1.ListRecordsRequest); ok && q.LanguageCode == "ja" {
			tell(s, out.(*v1.ListRecordsResponse).Records)
		}
	}},
	{name: "a trailer with a size", answer: func(s *site, ctx context.Context, method string, _, _ proto.Message) {
		if method == "GetBoard" {
			_ = grpc.SetTrailer(ctx, metadata.Pairs("x-size", fmt.Sprint(s.number())))
		}
	}},
	{name: "later pages of records", answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
		if q, ok := req.(*v1.ListRecordsRequest); ok && q.PageToken != "" {
			tell(s, out.(*v1.ListRecordsResponse).Records)
		}
	}},
	{name: "questions in notices", posts: func(s *site, body string) string {
		return strings.Replace(body, `"questions":[`, `"questions":["`+s.secret()+`",`, 1)
	}},
	{name: "the newest record of a watch", sends: func(s *site, _ string, out proto.Message) {
		if w, ok := out.(*v1.WatchGameResponse); ok && w.GetRecord().GetVersion() == s.game("").Version {
			tell(s, []*v1.Record{w.GetRecord()})
		}
	}},
	{name: "who asks as a spectator", answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
		if q, ok := req.(*v1.GetPositionRequest); ok && q.Viewer == "spectator" {
			out.(*v1.GetPositionResponse).Notation = s.secret()
		}
	}},
	{name: "records that are posted", posts: func(s *site, body string) string {
		return strings.Replace(body, `"narration":"`, `"narration":"`+s.secret(), 1)
	}},
	{name: "a header", answer: func(s *site, ctx context.Context, method string, _, _ proto.Message) {
		if method == "GetGame" {
			_ = grpc.SetHeader(ctx, metadata.Pairs("x-cache", s.secret()))
		}
	}},
	{name: "the error of a refused command", fails: func(s *site, method string, err error) error {
		if method == "SubmitCommand" {
			return status.Errorf(status.Code(err), "%s %x", status.Convert(err).Message(), s.number())
		}
		return err
	}},
	{name: "a preview", answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
		if p, ok := out.(*v1.PreviewCommandResponse); ok {
			p.Assumptions = append(p.Assumptions, s.secret())
		}
	}},
	{name: "how many legal commands there are",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.ListLegalActionsResponse); ok {
				p.TotalSize += s.number()
			}
		}},
	{name: "how much a seat may do next",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.SubmitCommandResponse); ok && p.Next != nil {
				p.Next.Legal.TotalSize += s.number()
			}
		}},
	{name: "the size of an export", sends: func(s *site, _ string, out proto.Message) {
		if p, ok := out.(*v1.ExportGameResponse); ok {
			p.Data = append(p.Data, make([]byte, s.number())...)
		}
	}},
	{name: "a board of the past", answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
		if q, ok := req.(*v1.GetBoardRequest); ok && q.Version != 0 && q.LanguageCode == "ja" {
			out.(*v1.GetBoardResponse).Board.Clock.Text += s.secret()
		}
	}},
	{name: "a finding of an audit", sends: func(s *site, _ string, out proto.Message) {
		if p, ok := out.(*v1.AuditGameResponse); ok && p.GetSummary() != nil {
			p.GetSummary().Rolls += uint64(s.number())
		}
	}},
	{name: "the proof of a record", answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
		if p, ok := out.(*v1.ListRecordsResponse); ok && len(p.Records) > 0 && p.Records[0].Proof != nil {
			p.Records[0].Proof.Leaves[0].Salt = s.hidden()
		}
	}},
	{name: "only to a token that was made to see",
		answer: func(s *site, ctx context.Context, _ string, _, out proto.Message) {
			md, _ := metadata.FromIncomingContext(ctx)
			if g, ok := out.(*v1.GetGameResponse); ok && slices.ContainsFunc(md.Get("authorization"),
				func(v string) bool { return strings.HasPrefix(v, "Bearer wl_v_") }) {
				g.Watches += s.number()
			}
		}},
	{name: "how many records a fork has in common",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.CompareGamesResponse); ok {
				p.Common += uint64(s.number())
			}
		}},
	{name: "mails", mails: func(s *site, body string) string { return body + s.secret() }},
	{name: "legal commands as messages",
		answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
			if p, ok := out.(*v1.ListLegalActionsResponse); ok && len(p.Commands) > 0 {
				p.Commands[0].TypeUrl += s.secret()
			}
		}},
	{name: "a forecast by chosen policies",
		answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
			if q, ok := req.(*v1.PreviewCommandRequest); ok && q.ExpectedVersion != nil {
				out.(*v1.PreviewCommandResponse).Assumptions = []string{s.secret()}
			}
		}},
	{name: "which computers are on offer", answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
		if p, ok := out.(*v1.ListComputersResponse); ok {
			p.Computers = append(p.Computers, &v1.Computer{Title: s.secret()})
		}
	}},
	{name: "what one may know of a position",
		answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
			if q, ok := req.(*v1.GetPositionRequest); ok && q.IncludeKnown {
				out.(*v1.GetPositionResponse).Known += s.secret()
			}
		}},
	{name: "a map beside a board", answer: func(s *site, _ context.Context, _ string, req, out proto.Message) {
		if q, ok := req.(*v1.GetBoardRequest); ok && q.IncludeMap {
			out.(*v1.GetBoardResponse).Board.Clock.Text += s.secret()
		}
	}},
	{name: "the answer to an undo", answer: func(s *site, _ context.Context, _ string, _, out proto.Message) {
		if p, ok := out.(*v1.UndoResponse); ok {
			p.Game.Title = s.secret()
		}
	}},
}

// TestTheHuntFindsPlantedLeaks: a hunt that finds nothing proves something only if it finds leaks that exist.
func TestTheHuntFindsPlantedLeaks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a plant changes answers, not what runs side by side: the run without the race detector finds them")
	}
	for i := range plants {
		t.Run(plants[i].name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(24) {
				p := newPair(t, toy.Ruleset(), seed, &plants[i])
				p.play()
				if p.leak != "" {
					return
				}
			}
			t.Error("the hunt does not find it")
		})
	}
}
