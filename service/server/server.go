package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc/filters"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/tap"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/elements"
)

// Sizes of messages in bytes. What comes in may hold a scenario document of 4 MiB.
const (
	MaxReceive = 5 << 20
	MaxSend    = 16 << 20
)

// maxHeaders is how many bytes the headers of a call by gRPC may have, as HTTP/2 counts them: 32 for each field besides
// its text. A field may take a single byte of what is sent, and the default of gRPC lets half a million of them lie in
// memory for headers that never end.
const maxHeaders = 64 << 10

// maxStreams is how many calls one connection may have at once.
const maxStreams = 1024

// Windows are how many bytes may lie under way to the server unread, of one call and of one connection. They are fixed:
// windows that grow with the connection are measured by a ping for each message that comes alone, which doubles the
// packets of a command, and they grow to 16 MiB for each call of a stranger.
const (
	streamWindow = 256 << 10
	connWindow   = 1 << 20
)

// Options tune a server. The zero value is right for one that people play on.
type Options struct {
	// Reflection lets tools ask for the contract.
	Reflection bool
	// Logger gets what concerns the server itself; silent if nil.
	Logger *slog.Logger
	// Metrics is where calls are counted and what /metrics shows; a registry of its own if nil.
	Metrics *prometheus.Registry
	// Origins are the origins of web pages that may call ("https://example.org"); "*" is any.
	Origins []string
	// Hosts are the names under which the HTTP ports answer, besides localhost and the address of the connection;
	// [AnyHost] is every name. HostKnown, if not nil, is asked about other names, such as those of a certificate; it
	// must be safe for several goroutines.
	Hosts     []string
	HostKnown func(host string) bool
	// Patience is how long the server waits for its callers.
	Patience Patience
	// Pages answers on the port for HTTP what no call answers, such as a web board; nothing does if it is nil.
	Pages http.Handler
	// Ready says whether the service can do its work, for health and /readyz; [service.Service.Probe] if nil.
	Ready func(context.Context) error
	// ProbeEvery is how often health asks Ready; 10 seconds.
	ProbeEvery time.Duration
	// Traces gets a span for each call, and for its parts; nil means none.
	Traces trace.TracerProvider
	// AdminToken is what calls of administration must bring, on the port for operations; there are none if it is empty.
	AdminToken string
	// Step is told what Stop does next; nil for nobody.
	Step func(Step)
	// Gate bounds the calls under way on the public ports; nil for no bound.
	Gate Gate
	// Extra are further options of the gRPC server, such as credentials.
	Extra []grpc.ServerOption
}

// Server serves a service.
type Server struct {
	service *service.Service
	grpc    *grpc.Server
	health  *health.Server
	web     *inside
	ops     *inside
	options Options
	calls   *grpcprom.ServerMetrics
	probes  prometheus.Histogram
	// probing lets one probe run at a time; opened is done once the first has been made.
	probing sync.Mutex
	opened  sync.Once
	group   sync.WaitGroup
	// leaving is closed when health's own watches shall end.
	leaving   chan struct{}
	leaveOnce sync.Once
}

// New makes a server. It serves nothing yet.
func New(s *service.Service, o Options) (*Server, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Patience = o.Patience.orDefaults()
	if o.Ready == nil {
		o.Ready = s.Probe
	}
	if o.ProbeEvery <= 0 {
		o.ProbeEvery = 10 * time.Second
	}
	if o.Step == nil {
		o.Step = func(Step) {}
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	calls := grpcprom.NewServerMetrics(grpcprom.WithServerHandlingTimeHistogram(
		grpcprom.WithHistogramBuckets([]float64{.0002, .0005, .001, .002, .005, .01, .025, .05, .1, .25, .5, 1, 5})))
	probes := prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "warledger", Name: "probe_seconds", Help: "Time that a probe of the store took, its write included.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	})
	for _, c := range []prometheus.Collector{calls, probes} {
		if err := o.Metrics.Register(c); err != nil {
			return nil, err
		}
	}
	out := &Server{service: s, health: health.NewServer(), options: o, calls: calls, probes: probes,
		leaving: make(chan struct{})}
	out.say(healthpb.HealthCheckResponse_NOT_SERVING) // until a probe says otherwise
	// The handler of endings comes last: no other may stand between its context and those of the calls.
	out.grpc = out.newGRPC(slices.Concat(out.connections(), o.Extra, out.traces(),
		[]grpc.ServerOption{grpc.StatsHandler(endings{})})...)
	if o.Reflection {
		reflection.Register(out.grpc)
	}
	calls.InitializeMetrics(out.grpc)
	var err error
	names, shared := newHosts(o.Hosts, o.HostKnown), crossOrigin(o.Origins)
	front := func(h http.Handler) http.Handler { return gate{o.Gate, s.GaveUp}.http(names.guard(shared(h))) }
	answers := newHandOver()
	calling := out.newGRPC(append(out.traces(), grpc.ChainUnaryInterceptor(unaryFromInside, answers.unary),
		grpc.ChainStreamInterceptor(streamFromInside))...)
	if out.web, err = newInside(calling, o, front, o.Pages, grpc.WithUnaryInterceptor(answers.invoke)); err != nil {
		return nil, err
	}
	if out.ops, err = out.newOperations(names); err != nil {
		out.web.cut()
		return nil, err
	}
	return out, nil
}

// callWorkers is how many goroutines wait for calls. They keep the stack that a call has grown, which took 7 % of the
// processor when each call began with a new one; further concurrent calls start a new worker.
const callWorkers = 256

// newGRPC makes a gRPC server with all services. The options come first, interceptors among them.
func (s *Server) newGRPC(options ...grpc.ServerOption) *grpc.Server {
	exemplars := grpcprom.WithExemplarFromContext(exemplar)
	out := grpc.NewServer(append(options,
		grpc.MaxRecvMsgSize(MaxReceive), grpc.MaxSendMsgSize(MaxSend), grpc.WaitForHandlers(true),
		grpc.NumStreamWorkers(callWorkers), grpc.MaxHeaderListSize(maxHeaders),
		grpc.ForceServerCodecV2(elements.Codec(encoding.GetCodecV2(grpcproto.Name))),
		grpc.StaticStreamWindowSize(streamWindow), grpc.StaticConnWindowSize(connWindow),
		// A panic is kept to its call by the service's own interceptors, the innermost.
		grpc.ChainUnaryInterceptor(s.calls.UnaryServerInterceptor(exemplars), s.service.Unary),
		grpc.ChainStreamInterceptor(s.calls.StreamServerInterceptor(exemplars), s.endHealthWatch, s.service.Stream),
	)...)
	s.service.Register(out)
	healthpb.RegisterHealthServer(out, s.health)
	return out
}

// traces tells of each call, if anybody wants to know.
func (s *Server) traces() []grpc.ServerOption {
	if s.options.Traces == nil {
		return nil
	}
	return []grpc.ServerOption{grpc.StatsHandler(otelgrpc.NewServerHandler(
		otelgrpc.WithTracerProvider(s.options.Traces), otelgrpc.WithPropagators(propagation.TraceContext{}),
		otelgrpc.WithFilter(filters.Not(filters.HealthCheck()))))}
}

// exemplar lets a figure of a call lead to the trace of one.
func exemplar(ctx context.Context) prometheus.Labels {
	if c := trace.SpanContextFromContext(ctx); c.IsSampled() {
		return prometheus.Labels{"trace_id": c.TraceID().String()}
	}
	return nil
}

// connections bounds what a connection may do.
func (s *Server) connections() []grpc.ServerOption {
	p, g := s.options.Patience, gate{s.options.Gate, s.service.GaveUp}
	return []grpc.ServerOption{
		grpc.ConnectionTimeout(p.Header),
		grpc.InTapHandle(endings{}.tap(func(ctx context.Context, info *tap.Info) (context.Context, error) {
			ctx, err := g.tap(ctx, info)
			if err != nil {
				return nil, err
			}
			return p.await(ctx, info)
		})),
		grpc.ChainUnaryInterceptor(g.unary, p.unary), grpc.ChainStreamInterceptor(g.stream, p.stream),
		// Streams resume, so the age of a connection is harmless, and it spreads load.
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: p.Ping, Timeout: p.Pong,
			MaxConnectionIdle: p.Idle, MaxConnectionAge: time.Hour, MaxConnectionAgeGrace: 30 * time.Second,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime: 10 * time.Second, PermitWithoutStream: true,
		}),
		grpc.MaxConcurrentStreams(maxStreams),
	}
}

// endHealthWatch ends watches of health when the server leaves: they would hold up the stop for ever.
func (s *Server) endHealthWatch(
	srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler,
) error {
	if info.FullMethod != healthpb.Health_Watch_FullMethodName {
		return handle(srv, stream)
	}
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-s.leaving:
			cancel()
		case <-ended:
		}
	}()
	return handle(srv, &boundStream{stream, ctx})
}

// boundStream is a stream whose context ends sooner.
type boundStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context is the shorter one.
func (s *boundStream) Context() context.Context { return s.ctx }

// Serve answers gRPC calls on a listener until [Server.Stop]; several may serve at once. It returns nil after Stop.
func (s *Server) Serve(l net.Listener) error {
	s.open()
	if err := s.grpc.Serve(l); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// ServeWeb answers Connect, gRPC-Web and gRPC over HTTP on a listener until [Server.Stop]. It returns nil after Stop.
func (s *Server) ServeWeb(l net.Listener) error {
	s.open()
	if err := s.web.http.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeOperations answers /metrics, /healthz, /readyz, /debug/pprof, health and channelz on a listener until
// [Server.Stop]. It returns nil after Stop.
func (s *Server) ServeOperations(l net.Listener) error {
	if err := s.ops.http.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
