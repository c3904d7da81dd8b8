package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// compressFrom is the size from which answers are compressed for whoever asks for it.
const compressFrom = 1 << 10

// Limits bound messages.
type Limits struct {
	// Receive and Send are sizes of messages in bytes.
	Receive, Send int
	// Whole is called with the size of the answer of a call that is no stream: in protobuf when it has come, and as it
	// is sent when it is encoded. If it returns an error, that is the answer. Nil for no bound.
	Whole func(ctx context.Context, bytes int) error
}

// Mount adds a handler for each call of the services to a mux. Calls are made through conn. A call that takes a stream
// is an error: the contract has none, and not every browser could make one.
func Mount(
	mux *http.ServeMux, conn grpc.ClientConnInterface, limits Limits, services ...protoreflect.ServiceDescriptor,
) error {
	encoder := newEncoder()
	for _, service := range services {
		methods := service.Methods()
		for i := range methods.Len() {
			c, err := newCall(conn, methods.Get(i), encoder)
			if err != nil {
				return err
			}
			mux.Handle(c.procedure, c.handler(limits))
		}
	}
	return nil
}

// call is one call of the contract.
type call struct {
	conn      grpc.ClientConnInterface
	procedure string
	in, out   protoreflect.MessageType
	streams   bool
	// plain is the call's plain path; empty if it has none.
	plain   string
	level   connect.IdempotencyLevel
	whole   func(context.Context, int) error
	encoder *encoder
}

func newCall(conn grpc.ClientConnInterface, m protoreflect.MethodDescriptor, e *encoder) (*call, error) {
	c := &call{conn: conn, encoder: e, procedure: fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()),
		streams: m.IsStreamingServer()}
	if m.IsStreamingClient() {
		return nil, fmt.Errorf("edge: %s takes a stream", c.procedure)
	}
	var err error
	if c.in, err = messageType(m.Input()); err != nil {
		return nil, fmt.Errorf("edge: %s: %w", c.procedure, err)
	}
	if c.out, err = messageType(m.Output()); err != nil {
		return nil, fmt.Errorf("edge: %s: %w", c.procedure, err)
	}
	c.plain = httpRule(m).GetGet()
	if o, ok := m.Options().(*descriptorpb.MethodOptions); ok {
		c.level = connect.IdempotencyLevel(o.GetIdempotencyLevel())
	}
	return c, nil
}

func (c *call) handler(limits Limits) http.Handler {
	if c.whole = limits.Whole; c.whole == nil {
		c.whole = func(context.Context, int) error { return nil }
	}
	options := []connect.HandlerOption{
		codecs(), payloads(c.in), packing(limits.Receive), connect.WithIdempotency(c.level),
		connect.WithCompressMinBytes(compressFrom),
		connect.WithReadMaxBytes(limits.Receive), connect.WithSendMaxBytes(limits.Send),
	}
	if c.streams {
		return c.notUnary(connect.NewServerStreamHandler(c.procedure, c.stream, options...))
	}
	return smallest(connect.NewUnaryHandler(c.procedure, c.unary, options...))
}

// notUnary tells whoever calls a stream as if it had one answer what to do instead.
func (c *call) notUnary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
			next.ServeHTTP(w, r)
			return
		}
		instead := "a client of Connect, gRPC or gRPC-Web (Content-Type: application/connect+json)"
		if c.plain != "" {
			instead = fmt.Sprintf("GET %s for lines of JSON, or %s", c.plain, instead)
		}
		w.Header().Set("Accept-Post", "application/connect+json")
		refuse(w, r, connect.NewError(connect.CodeInvalidArgument,
			fmt.Errorf("%s answers with a stream: use %s", c.procedure, instead)))
	})
}

func (c *call) unary(ctx context.Context, req *connect.Request[payload]) (*connect.Response[payload], error) {
	if req.Msg.wrong != nil {
		return nil, Translate(req.Msg.wrong)
	}
	var data []byte
	if err := c.conn.Invoke(forward(ctx, req.Header(), req.Peer().Addr), c.procedure, req.Msg.m, &data,
		asBytes); err != nil {
		return nil, Translate(err)
	}
	if err := c.whole(ctx, len(data)); err != nil {
		return nil, Translate(err)
	}
	out, err := c.encoder.answer(ctx, data, c.out, req.Msg.json)
	if err != nil {
		return nil, Translate(err)
	}
	if err := c.whole(ctx, len(*out.answer)); err != nil {
		return nil, Translate(err)
	}
	return connect.NewResponse(out), nil
}

func (c *call) stream(ctx context.Context, req *connect.Request[payload], to *connect.ServerStream[payload]) error {
	if req.Msg.wrong != nil {
		return Translate(req.Msg.wrong)
	}
	ctx, cancel := context.WithCancel(ctx) // ends the call inside when the caller has gone
	defer cancel()
	from, err := c.open(forward(ctx, req.Header(), req.Peer().Addr), req.Msg.m)
	if err != nil {
		return Translate(err)
	}
	for {
		var data []byte
		switch err := from.RecvMsg(&data); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return Translate(err)
		}
		out, err := c.encoder.answer(ctx, data, c.out, req.Msg.json)
		if err != nil {
			return Translate(err)
		}
		if err := to.Send(out); err != nil {
			return err
		}
	}
}

func (c *call) open(ctx context.Context, req proto.Message) (grpc.ClientStream, error) {
	from, err := c.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, c.procedure, asBytes)
	if err != nil {
		return nil, err
	}
	// What is wrong with a call that ends at once is told by RecvMsg.
	if err := from.SendMsg(req); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return from, from.CloseSend()
}
