package service

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/elements"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/unknown"
)

// The methods of this service begin with ownPrefix; health and reflection belong to others. Those with
// publicPrefix are for everybody.
const (
	ownPrefix    = "/warledger."
	publicPrefix = ownPrefix + "v1."
)

// Unary is the interceptor that every call needs: it maps errors, writes a line to the log, keeps a panic to the call
// it happened in and refuses new calls once the service leaves. Put interceptors for metrics before it.
func (s *Service) Unary(
	ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler,
) (out any, err error) {
	if !strings.HasPrefix(info.FullMethod, ownPrefix) {
		return handle(ctx, req)
	}
	grow(len(info.FullMethod))
	ctx, n := withNote(ctx)
	begun := time.Now()
	err = s.guard(ctx, info.FullMethod, func() (err error) {
		if err = understood(info.FullMethod, req); err == nil {
			out, err = handle(ctx, req)
		}
		return err
	})
	return out, s.atEdge(ctx, info.FullMethod, n, begun, err)
}

// Stream is Unary for streams.
func (s *Service) Stream(
	srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler,
) error {
	if !strings.HasPrefix(info.FullMethod, ownPrefix) {
		return handle(srv, &askingStream{stream, s.admission})
	}
	ctx, n := withNote(stream.Context())
	begun := time.Now()
	err := s.guard(ctx, info.FullMethod, func() error { return handle(srv, &notedStream{stream, ctx}) })
	return s.atEdge(ctx, info.FullMethod, n, begun, err)
}

type notedStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context gives handlers the note of their call.
func (s *notedStream) Context() context.Context { return s.ctx }

// RecvMsg waits for the next request, and refuses one that was not decoded because it has too many elements.
func (s *notedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	if m, ok := m.(proto.Message); ok {
		return elements.Err(m.ProtoReflect())
	}
	return nil
}

// askedAs is the call whose price each question of a stream by reflection has: its answer is as large.
const askedAs = v1.CatalogService_ListRulesets_FullMethodName

// askingStream is a stream of another service, such as reflection. Its caller pays for each question: one stream could
// otherwise ask for all the processor.
type askingStream struct {
	grpc.ServerStream
	admission Admission
}

// RecvMsg waits for the next question.
func (s *askingStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	done, err := s.admission.Admit(s.Context(), askedAs)
	if err != nil {
		return fault.AtEdge(err)
	}
	done()
	return nil
}

// guard keeps a panic to its call, and lets only those begin that are admitted.
func (s *Service) guard(ctx context.Context, method string, call func() error) (err error) {
	select {
	case <-s.leaving:
		return fault.New(fault.ShuttingDown, "the server is shutting down")
	default:
	}
	defer func() {
		if p := recover(); p != nil {
			err = fault.New(fault.Internal, "internal error").Because(fault.Panicked(debug.Stack()))
		}
	}()
	if strings.HasPrefix(method, publicPrefix) {
		done, err := s.admission.Admit(ctx, method)
		if err != nil {
			return err
		}
		defer done()
	}
	return call()
}

// atEdge maps a call's error and logs the call.
func (s *Service) atEdge(ctx context.Context, method string, n *callNote, begun time.Time, err error) error {
	out := fault.AtEdge(err)
	code := status.Code(out)
	attrs := []slog.Attr{
		slog.String("method", method[strings.LastIndexByte(method, '.')+1:]), slog.String("code", code.String()),
		slog.Duration("took", time.Since(begun)),
	}
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	var known *fault.Error
	if errors.As(err, &known) {
		add("reason", string(known.Reason))
	}
	annotate(ctx, n, err)
	if err != nil {
		s.metrics.failed(method[strings.LastIndexByte(method, '/')+1:], code.String(), err)
	}
	add("game", n.game)
	if plainSeat.MatchString(n.seat) { // what callers send as a seat may be anything, a token too
		add("seat", n.seat)
	}
	add("request", n.request)
	if n.version != 0 {
		attrs = append(attrs, slog.Uint64("version", n.version))
	}
	level := slog.LevelDebug                               // a line for each call would hide what an operator looks for
	if known != nil && known.Reason == fault.RateLimited { // or a caller who floods the server would flood its log
		s.log.LogAttrs(ctx, level, "call", attrs...)
		return out
	}
	switch code {
	case codes.Internal, codes.DataLoss, codes.Unknown:
		level = slog.LevelError
		add("cause", fault.Cause(err))
	case codes.Unavailable, codes.ResourceExhausted:
		level = slog.LevelWarn
		add("cause", fault.Cause(err))
	}
	s.log.LogAttrs(ctx, level, "call", attrs...)
	return out
}

// GaveUp counts an answer that was given up after the handler of its method had made it, because too many bytes of
// answers were unread. The log has the call as one that went well.
func (s *Service) GaveUp(method string, err error) {
	s.metrics.failed(method[strings.LastIndexByte(method, '/')+1:], status.Code(fault.AtEdge(err)).String(), err)
}

// handlerStack is how much stack a call of this service needs, near enough, in bytes: deciding, encoding
// and answering go deep.
const handlerStack = 8 << 10

// grow has the goroutine of a call grow its stack at once, while there is little on it. Left alone it would grow
// by doubling, and each time copy and mend all that is on it, deep inside the encoding of messages: that took a
// tenth of the processor under load. What it gives means nothing; at is a number that the compiler does not know,
// so that it makes the room.
//
//go:noinline
func grow(at int) byte {
	var room [handlerStack]byte
	return room[at%len(room)]
}

// changing are the methods that change something, according to the contract.
var changing = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				o, _ := m.Options().(*descriptorpb.MethodOptions)
				if o.GetIdempotencyLevel() != descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
					out["/"+string(m.Parent().FullName())+"/"+string(m.Name())] = true
				}
			}
		}
		return true
	})
	return out
})

// understood refuses a request that was not decoded because it has too many elements, and one that would change
// something and has unknown fields. Its client is newer, and would get something else than it asked for. Calls that
// only read may have such fields, as protobuf allows.
func understood(method string, req any) error {
	m, ok := req.(proto.Message)
	if !ok {
		return nil
	}
	if err := elements.Err(m.ProtoReflect()); err != nil || !changing()[method] {
		return err
	}
	return unknown.Err(unknown.InMessage(m.ProtoReflect()))
}
