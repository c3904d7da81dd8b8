package rulesets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/ledger"
)

// methods are the full names of the calls of all public services, derived from the contract.
func methods() map[string]protoreflect.MethodDescriptor {
	out := map[string]protoreflect.MethodDescriptor{}
	protoregistry.GlobalFiles.RangeFilesByPackage("warledger.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			list := f.Services().Get(i).Methods()
			for j := range list.Len() {
				out[string(list.Get(j).Name())] = list.Get(j)
			}
		}
		return true
	})
	return out
}

// TestEveryCallIsHunted: a call that is added to the contract must be added to the hunt.
func TestEveryCallIsHunted(t *testing.T) {
	t.Parallel()
	for name := range methods() {
		if calls[name] == nil {
			t.Errorf("TestNoCallLeaks does not make the call %s: say in calls what it asks", name)
		}
	}
	for name := range calls {
		if methods()[name] == nil {
			t.Errorf("there is no call %s", name)
		}
	}
}

// notHunted are fields of requests that the hunt leaves empty, and why.
var notHunted = map[protoreflect.FullName]string{
	"warledger.v1.CloseGameRequest.reason":             overThen,
	"warledger.v1.CreateGameRequest.scenario_document": another, "warledger.v1.CreateGameRequest.options": another,
	"warledger.v1.CreateGameRequest.dice": another, "warledger.v1.CreateGameRequest.manual_dice": another,
	"warledger.v1.CreateGameRequest.join_policy": another, "warledger.v1.CreateGameRequest.deadlines": another,
	"warledger.v1.CreateGameRequest.mutual_dice": another,
	"warledger.v1.OfferComputerRequest.title":    noGame, "warledger.v1.OfferComputerRequest.description": noGame,
	"warledger.v1.OfferComputerRequest.repertoire": noGame, "warledger.v1.OfferComputerRequest.max_seats": noGame,
	"warledger.v1.OfferComputerRequest.heartbeat": noGame, "warledger.v1.CreateWebhookRequest.secret": noGame,
	"warledger.v1.ImportGameRequest.offset": another, "warledger.v1.WatchGameRequest.resume_token": follows,
	"warledger.v1.ListRulesRequest.page_token": follows, "warledger.v1.ListGamesRequest.page_token": follows,
	"warledger.v1.ListRecordsRequest.page_token":      follows,
	"warledger.v1.ListMessagesRequest.page_token":     follows,
	"warledger.v1.ListLegalActionsRequest.page_token": follows,
}

// Why a field is left empty.
const (
	overThen = "a game that is over shows everything to everyone"
	another  = "it is about another game"
	noGame   = "it is about no game"
	follows  = "the hunt goes on from the answer before"
)

// TestEveryFieldIsHunted: a field that is added to a request must be used in the hunt, or named with a reason.
func TestEveryFieldIsHunted(t *testing.T) {
	t.Parallel()
	p := newPair(t, toy.Ruleset(), 3, nil)
	defer func() {
		for _, g := range p.games {
			g.close()
		}
	}()
	for step := 0; step < 6; step++ {
		p.step(step, p.games[0].game("").WaitingFor[0])
	}
	used := map[protoreflect.FullName]bool{}
	for _, who := range []string{"red", "blue", "owner"} {
		p.games[0].requests(who, p.tried, func(_ string, req proto.Message) { mark(used, req.ProtoReflect()) })
	}
	for name, m := range methods() {
		fields := m.Input().Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			if why := notHunted[f.FullName()]; !used[f.FullName()] && why == "" {
				t.Errorf("no request %s of the hunt has the field %s", name, f.Name())
			} else if used[f.FullName()] && why != "" {
				t.Errorf("the hunt uses %s, which is named as left out", f.FullName())
			}
		}
	}
}

// mark notes the fields of a message that are not empty.
func mark(used map[protoreflect.FullName]bool, m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		used[f.FullName()] = true
		return true
	})
}

// look is one viewer of a site.
type look struct {
	*site
	who     string
	seat    string // the seat that they see for; empty for none
	version uint64
	// tried are commands that others made, which must be refused in the same way; listed are the commands that the
	// seat may make.
	tried, listed []string
	// messages are a few commands that the seat may make, as the ruleset's messages.
	messages []*anypb.Any
	// all also makes the costliest calls, and those that change something.
	all bool
	got map[string]string
}

// shown is what each call returns to a viewer, with the commitments to hidden things blanked.
func (s *site) shown(who string, tried []string, all bool) map[string]string {
	known := methods()
	l := s.look(who, tried, all)
	l.each(func(name string, i int, req proto.Message) { l.call(fmt.Sprint(name, " ", i), known[name], req) })
	return l.got
}

// requests calls do with each request of the last look of a viewer, and sends none.
func (s *site) requests(who string, tried []string, do func(method string, req proto.Message)) {
	s.look(who, tried, true).each(func(name string, _ int, req proto.Message) { do(name, req) })
}

func (s *site) look(who string, tried []string, all bool) *look {
	l := &look{site: s, who: who, tried: tried[max(0, len(tried)-8):], all: all, got: map[string]string{},
		version: s.game("").Version}
	if seat, _, _ := strings.Cut(who, "/"); slices.Contains(s.seats(), seat) {
		l.seat = seat
		for _, a := range s.legal(seat) {
			l.listed = append(l.listed, a.text)
		}
		out, err := s.games.ListLegalActions(s.as(seat),
			&v1.ListLegalActionsRequest{Name: s.name, Seat: seat, PageSize: 2, IncludeCommands: true})
		s.must(err)
		l.messages = out.Commands
	}
	return l
}

// policies are a choice for each way in which a forecast may be asked to choose; one that does not exist if the ruleset
// has none.
func (l *look) policies() map[string]string {
	out := map[string]string{}
	if len(l.set.Policies()) == 0 {
		out["none"] = "none"
	}
	for _, p := range l.set.Policies() {
		out[p.ID] = p.Values[len(p.Values)-1].Value
	}
	return out
}

// each calls do with each request of a look, in order.
func (l *look) each(do func(method string, i int, req proto.Message)) {
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		for i, req := range calls[name](l) {
			do(name, i, req)
		}
	}
}

// call makes a call and keeps everything that comes back: messages, error, header and trailer. It asks for
// the pages that follow.
func (l *look) call(key string, m protoreflect.MethodDescriptor, req proto.Message) {
	for page := 0; page < 40; page++ {
		messages, got := l.once(m, req)
		l.got[fmt.Sprintf("%s page %d of %s", key, page, text(req))] = got
		if w, ok := req.(*v1.WatchGameRequest); ok && l.all && len(messages) > 1 && w.GetResumeToken() == "" {
			at := messages[0].(*v1.WatchGameResponse).ResumeToken
			w = proto.CloneOf(w)
			w.Start = &v1.WatchGameRequest_ResumeToken{ResumeToken: at}
			req = w
			continue
		}
		if len(messages) != 1 {
			return
		}
		f := messages[0].ProtoReflect().Descriptor().Fields().ByName("next_page_token")
		if f == nil || messages[0].ProtoReflect().Get(f).String() == "" {
			return
		}
		req = proto.Clone(req)
		req.ProtoReflect().Set(req.ProtoReflect().Descriptor().Fields().ByName("page_token"),
			messages[0].ProtoReflect().Get(f))
	}
}

func (l *look) once(m protoreflect.MethodDescriptor, req proto.Message) (messages []proto.Message, got string) {
	ctx, cancel := context.WithCancel(l.as(l.who))
	defer cancel()
	desc := &grpc.StreamDesc{ServerStreams: true}
	stream, err := l.conn.NewStream(ctx, desc, fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()))
	l.must(err)
	l.must(stream.SendMsg(req))
	l.must(stream.CloseSend())
	kind, err := protoregistry.GlobalTypes.FindMessageByName(m.Output().FullName())
	l.must(err)
	var b strings.Builder
	for {
		out := kind.New().Interface()
		err = stream.RecvMsg(out)
		if err != nil {
			break
		}
		messages = append(messages, out)
		if _, isFile := out.(*v1.ExportGameResponse); !isFile {
			b.WriteString(framed(out))
		}
		if w, ok := out.(*v1.WatchMessagesResponse); ok && w.GetCaughtUp() != nil {
			cancel()
			break
		}
		if w, ok := out.(*v1.WatchGameResponse); ok && w.GetCaughtUp() != nil {
			cancel()
			l.unwatched()
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.WriteString(framed(status.Convert(err).Proto()))
	}
	if err != nil {
		b.WriteString(l.file(messages))
		header, _ := stream.Header()
		fmt.Fprint(&b, "header ", meta(header), " trailer ", meta(stream.Trailer()))
	}
	return messages, b.String()
}

// unwatched waits until the server has noticed that a watch has ended: a game says how many follow it.
func (s *site) unwatched() {
	for range 10_000 {
		out, err := s.games.GetGame(context.Background(), &v1.GetGameRequest{Name: s.name})
		s.must(err)
		if out.Watches == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	s.t.Fatal("a watch that was left goes on")
}

// meta renders metadata as stable text.
func meta(md metadata.MD) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(md)) {
		if key == "grpc-status-details-bin" { // has maps in any order
			st := new(spb.Status)
			if len(md[key]) == 1 && proto.Unmarshal([]byte(md[key][0]), st) == nil {
				fmt.Fprintf(&b, "%s=%d bytes, %s ", key, len(md[key][0]), framed(st))
				continue
			}
		}
		fmt.Fprintf(&b, "%s=%q ", key, md[key])
	}
	return b.String()
}

// file is an exported file, record by record, and its size.
func (l *look) file(parts []proto.Message) string {
	var file bytes.Buffer
	for _, m := range parts {
		if part, ok := m.(*v1.ExportGameResponse); ok {
			file.Write(part.Data)
		}
	}
	if file.Len() == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d parts, %d bytes\n", len(parts), file.Len())
	e, err := ledger.ReadExport(bytes.NewReader(file.Bytes()))
	if err != nil {
		return b.String() + err.Error()
	}
	b.WriteString(framed(e.Header()))
	for data, err := range e.Records() {
		if err != nil {
			return b.String() + err.Error()
		}
		r := new(logv1.Record)
		l.must(proto.Unmarshal(data, r))
		b.WriteString(framed(r))
	}
	return b.String()
}

// derived are a viewer, and the holders of tokens that were made from the viewer's.
func derived(s *site, who string) []string {
	list := []string{who}
	for _, other := range slices.Sorted(maps.Keys(s.tokens)) {
		if strings.HasPrefix(other, who+"/") {
			list = append(list, other)
		}
	}
	return list
}
