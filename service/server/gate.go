package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/tap"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/edge"
)

// Gate bounds how many calls are under way at once on the public ports, from the moment when their headers have come:
// their memory begins with their bodies.
type Gate interface {
	// Enter takes a place for a call of a method, or for any other path, or returns an error. The context has the peer
	// and the metadata. Enter must not block. Call leave, once or more, when the call has ended or, for a call that
	// stays open, when its request has come.
	Enter(ctx context.Context, method string) (leave func(), err error)
	// Answer returns a function to count an answer to a caller: waits says how many bytes of it lie in memory
	// now, and 0 at the end. It returns an error if too many bytes of answers are unread. It is called by one goroutine
	// at a time.
	Answer(ctx context.Context) (waits func(bytes int) error)
}

// gate applies the Gate of the options; without one every call may begin.
type gate struct {
	Gate
	// gaveUp is told of each answer that is given up, and of the method that made it.
	gaveUp func(method string, err error)
}

// place is the place of a call by gRPC. The handler gives it back, or the end of the call's context if no handler has
// begun. A handler that is still running after its caller has gone keeps the place.
type place struct {
	leave func()
	taken atomic.Bool
}

type placeKey struct{}

// tap lets a call by gRPC begin, before its body is read.
func (g gate) tap(ctx context.Context, info *tap.Info) (context.Context, error) {
	if g.Gate == nil {
		return ctx, nil
	}
	leave, err := g.Enter(ctx, info.FullMethodName)
	if err != nil {
		return nil, err
	}
	p := &place{leave: leave}
	context.AfterFunc(ctx, func() {
		if !p.taken.Swap(true) {
			p.leave()
		}
	})
	return context.WithValue(ctx, placeKey{}, p), nil
}

// begin takes a call's place over from the tap. Call leave when the handler has ended.
func (gate) begin(ctx context.Context) (leave func()) {
	if p, ok := ctx.Value(placeKey{}).(*place); ok && !p.taken.Swap(true) {
		return p.leave
	}
	return func() {}
}

// largeAnswer is the size from which an answer by gRPC is held against the bounds before it is encoded.
const largeAnswer = 32 << 10

func (g gate) unary(ctx context.Context, req any, i *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	defer g.begin(ctx)()
	out, err := handle(ctx, req)
	if m, ok := out.(proto.Message); ok && err == nil && g.Gate != nil {
		if size := proto.Size(m); size > largeAnswer {
			waits := g.Answer(ctx)
			defer func() { _ = waits(0) }() // once it is encoded, its connection counts it
			if err := waits(size); err != nil {
				g.gaveUp(i.FullMethod, err)
				return nil, err
			}
		}
	}
	return out, err
}

func (g gate) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	leave := g.begin(stream.Context())
	defer leave()
	if _, stays, _ := service.Cost(info.FullMethod); stays {
		stream = &arrivingStream{stream, leave}
	}
	return handle(srv, stream)
}

// arrivingStream gives its place back when its request has come: streams that stay open have a bound of their own.
type arrivingStream struct {
	grpc.ServerStream
	leave func()
}

// RecvMsg waits for the request.
func (s *arrivingStream) RecvMsg(m any) error {
	err := s.ServerStream.RecvMsg(m)
	s.leave()
	return err
}

// http lets any request by HTTP begin.
func (g gate) http(next http.Handler) http.Handler {
	if g.Gate == nil {
		return next
	}
	refuse := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leave, err := g.Enter(remote(r), r.URL.Path)
		switch {
		case err == nil:
		case refuse.IsSupported(r):
			_ = refuse.Write(w, r, edge.Translate(err))
			return
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusTooManyRequests)
			return
		}
		defer leave()
		if out := answerOf(r.Context()); out != nil {
			out.waits = &tally{waits: g.Answer(remote(r)), gaveUp: func(err error) { g.gaveUp(r.URL.Path, err) }}
			defer out.waits.end()
		}
		if _, stays, _ := service.Cost(r.URL.Path); stays {
			r.Body = &arriving{r.Body, leave}
		}
		next.ServeHTTP(w, r)
	})
}

// remote returns a request's context with the caller's address, in the form that calls by gRPC have it.
func remote(r *http.Request) context.Context {
	ctx := r.Context()
	if address, err := net.ResolveTCPAddr("tcp", r.RemoteAddr); err == nil && strings.Contains(r.RemoteAddr, ":") {
		ctx = peer.NewContext(ctx, &peer.Peer{Addr: address})
	}
	md := metadata.MD{}
	for _, key := range []string{"x-forwarded-for", "authorization"} {
		md.Append(key, r.Header.Values(key)...)
	}
	return metadata.NewIncomingContext(ctx, md)
}

// arriving is the body of a call that stays open.
type arriving struct {
	io.ReadCloser
	leave func()
}

// Read reads on.
func (b *arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.leave()
	}
	return n, err
}
