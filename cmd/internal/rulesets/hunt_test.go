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

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
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

// look is one viewer of a site.
type look struct {
	*site
	who     string
	seat    string // the seat that they see for; empty for none
	version uint64
	// tried are commands that others made, which must be refused in the same way; listed are the commands that the
	// seat may make.
	tried, listed []string
	// all also makes the costliest calls, and those that change something.
	all bool
	got map[string]string
}

// shown is what each call returns to a viewer, with the commitments to hidden things blanked.
func (s *site) shown(who string, tried []string, all bool) map[string]string {
	l := &look{site: s, who: who, tried: tried[max(0, len(tried)-8):], all: all, got: map[string]string{},
		version: s.game("").Version}
	if seat, _, _ := strings.Cut(who, "/"); slices.Contains(s.seats(), seat) {
		l.seat = seat
		for _, a := range s.legal(seat) {
			l.listed = append(l.listed, a.text)
		}
	}
	known := methods()
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		for i, req := range calls[name](l) {
			l.call(fmt.Sprint(name, " ", i), known[name], req)
		}
	}
	return l.got
}

// call makes a call and keeps everything that comes back: messages, error, header and trailer. It asks for
// the pages that follow.
func (l *look) call(key string, m protoreflect.MethodDescriptor, req proto.Message) {
	for page := 0; page < 40; page++ {
		messages, got := l.once(m, req)
		l.got[fmt.Sprintf("%s page %d of %s", key, page, text(req))] = got
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
