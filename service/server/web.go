package server

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"

	connectcors "connectrpc.com/cors"
	"github.com/rs/cors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/warledger/warledger/service/edge"
)

// Sizes of headers and windows by HTTP.
const (
	maxHeader  = 64 << 10
	pipeBuffer = 256 << 10
	// pipeWindow is how many bytes may lie unread between a call's answer and its caller. They lie in the server's own
	// memory: a stalled watch holds as much.
	pipeWindow = 64 << 10
)

// inside is a gRPC server that is reached from within the process alone, and what speaks HTTP in front of it. It
// has the handlers and interceptors of the port for gRPC and none of its limits on connections, since all that
// comes this way shares one.
type inside struct {
	grpc *grpc.Server
	pipe *bufconn.Listener
	conn *grpc.ClientConn
	http *http.Server
	// served is closed when the gRPC server has stopped.
	served chan struct{}
}

// newInside puts HTTP in front of a gRPC server whose services are registered. What is no call goes to pages, if there
// are any. The dial options are for the calls inside.
func newInside(
	server *grpc.Server, o Options, front func(http.Handler) http.Handler, pages http.Handler, dial ...grpc.DialOption,
) (*inside, error) {
	in := &inside{grpc: server, pipe: bufconn.Listen(pipeBuffer), served: make(chan struct{})}
	var err error
	in.conn, err = grpc.NewClient("passthrough:///inside", append(dial,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return in.pipe.DialContext(ctx)
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxSend), grpc.MaxCallSendMsgSize(MaxReceive)),
		grpc.WithStaticStreamWindowSize(pipeWindow), grpc.WithStaticConnWindowSize(connWindow),
		grpc.WithIdleTimeout(0))...)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	if pages != nil {
		mux.Handle("/", pages)
	}
	mux.HandleFunc("GET /openapi.json", serveOpenAPI)
	services, err := servicesOf(server)
	if err == nil {
		err = edge.Mount(mux, in.conn, edge.Limits{Receive: MaxReceive, Send: MaxSend, Whole: whole}, services...)
	}
	var plain http.Handler
	if err == nil {
		plain, err = edge.Rest(front(mux), services...)
	}
	if err != nil {
		return nil, errors.Join(err, in.conn.Close())
	}
	in.http = newHTTP(o.Patience.patient(plain), o)
	go func() {
		defer close(in.served)
		_ = in.grpc.Serve(in.pipe) // ends when it is stopped; nothing else can end it
	}()
	return in, nil
}

// newHTTP speaks HTTP/1.1 and HTTP/2, with TLS or without.
func newHTTP(h http.Handler, o Options) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler: h, Protocols: protocols, ReadHeaderTimeout: o.Patience.Header, IdleTimeout: o.Patience.Idle,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug), // bytes of strangers that are not HTTP
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: o.Patience.Ping,
			PingTimeout: o.Patience.Pong},
	}
}

// servicesOf are the services of a gRPC server by name, but for those that take streams (reflection), which not
// every browser could send.
func servicesOf(server *grpc.Server) ([]protoreflect.ServiceDescriptor, error) {
	info := server.GetServiceInfo()
	var out []protoreflect.ServiceDescriptor
	for _, name := range slices.Sorted(maps.Keys(info)) {
		if slices.ContainsFunc(info[name].Methods, func(m grpc.MethodInfo) bool { return m.IsClientStream }) {
			continue
		}
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			return nil, err
		}
		out = append(out, d.(protoreflect.ServiceDescriptor))
	}
	return out, nil
}

// crossOrigin lets pages of other origins call. Tokens go in a header that a page must set by
// itself, never in a cookie.
func crossOrigin(origins []string) func(http.Handler) http.Handler {
	if len(origins) == 0 {
		return func(h http.Handler) http.Handler { return h }
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: connectcors.AllowedMethods(),
		AllowedHeaders: append(connectcors.AllowedHeaders(), "Authorization", "Traceparent", "Tracestate",
			"Warledger-Game"),
		ExposedHeaders: connectcors.ExposedHeaders(),
		MaxAge:         7200, // seconds: what browsers keep at most
	}).Handler
}

// stop lets what runs finish until the context ends, and cuts off the rest.
func (in *inside) stop(ctx context.Context) (clean bool) {
	if in.http.Shutdown(ctx) != nil {
		in.cut()
		return false
	}
	in.grpc.GracefulStop() // nobody is left who could call
	<-in.served
	_ = in.conn.Close()
	return true
}

// cut ends everything at once.
func (in *inside) cut() {
	_ = in.http.Close()
	in.grpc.Stop()
	<-in.served
	_ = in.conn.Close()
}

// fromInside gives calls their caller's address, which is not that of the pipe.
func fromInside(ctx context.Context) context.Context {
	if said := metadata.ValueFromIncomingContext(ctx, edge.AddressKey); len(said) > 0 {
		if address, err := net.ResolveTCPAddr("tcp", said[0]); err == nil {
			p, _ := peer.FromContext(ctx)
			known := *p
			known.Addr = address
			return peer.NewContext(ctx, &known)
		}
	}
	return ctx
}

func unaryFromInside(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	return handle(fromInside(ctx), req)
}

func streamFromInside(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	return handle(srv, &boundStream{stream, fromInside(stream.Context())})
}
