package service

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/service/fault"
)

// The methods of this service begin with ownPrefix; health and reflection belong to others. Those with publicPrefix are for everybody.
const (
	ownPrefix    = "/warledger."
	publicPrefix = ownPrefix + "v1."
)

// Unary is the interceptor that every call needs: it maps errors, writes a line to the log, keeps a panic to the call it happened in and refuses new
// calls once the service leaves. Put interceptors for metrics before it.
func (s *Service) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (out any, err error) {
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
func (s *Service) Stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	if !strings.HasPrefix(info.FullMethod, ownPrefix) {
		return handle(srv, stream)
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

var plainSeat = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// Admission decides whether a call may begin, by who makes it and how much it has asked for lately. The context has the peer and the
// metadata of the call. done is called when the call has ended.
type Admission interface {
	// Admit lets a call begin, or says why it may not.
	Admit(ctx context.Context, method string) (done func(), err error)
	// Caller names who makes a call, for what callers share; empty for one who is not bounded.
	Caller(ctx context.Context) string
	// Checked is called once the tokens of a call were checked. It says whether they opened something, and names the
	// person whom an identity provider knows, if any. An unchecked token counts for nothing: it may be invented.
	Checked(ctx context.Context, person string, opened bool)
	// Charge takes units for work that a call turned out to need, such as folding a game. It refuses nothing.
	Charge(ctx context.Context, units int)
	// Game takes a place for a game that a call creates, or returns an error. undo gives it back if the game was not
	// created.
	Game(ctx context.Context) (undo func(), err error)
	// Store counts bytes that are to be stored for a call, or returns an error if they may not be.
	Store(ctx context.Context, bytes int) error
}

// anyone admits every call.
type anyone struct{}

func (anyone) Admit(context.Context, string) (func(), error) { return func() {}, nil }
func (anyone) Caller(context.Context) string                 { return "" }
func (anyone) Checked(context.Context, string, bool)         {}
func (anyone) Charge(context.Context, int)                   {}
func (anyone) Game(context.Context) (func(), error)          { return func() {}, nil }
func (anyone) Store(context.Context, int) error              { return nil }

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
	level := slog.LevelInfo
	if known != nil && known.Reason == fault.RateLimited { // or who floods the server would flood its log
		s.log.LogAttrs(ctx, slog.LevelDebug, "call", attrs...)
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
