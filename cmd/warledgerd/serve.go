package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/cmd/warledgerd/internal/keypair"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

// signals are what the system tells the program.
type signals struct {
	// stop makes it stop, in good order; a second one at once.
	stop <-chan os.Signal
	// reload has it read its certificate again.
	reload <-chan os.Signal
}

// liveHeap is the figure of the memory that was in use after the last collection, which shows a leak first.
var liveHeap = regexp.MustCompile(`^/gc/heap/live:bytes$`)

// serve runs until a signal comes or something fails.
func serve(ctx context.Context, set *settings, sig signals, out, errs io.Writer) (path, error) {
	ports, err := listen(set)
	if err != nil {
		return failed, err
	}
	defer ports.close()
	reg, err := rulesets.Registry(set.WithToy)
	if err != nil {
		return failed, err
	}
	log := logger(set, errs)
	memory, err := tuneMemory(set.MemoryPercent)
	if err != nil {
		log.Warn("no memory limit is set", "error", err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(
			collectors.GoRuntimeMetricsRule{Matcher: liveHeap})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo())
	certificate, err := openCertificate(set, metrics, log)
	if err != nil {
		return failed, err
	}
	traces, flush, err := openTraces(ctx, set, log)
	if err != nil {
		return failed, err
	}
	defer flush()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	store, err := openGames(ctx, set, metrics, log, fail)
	if err != nil {
		return failed, err
	}
	tools := &instruments{metrics: metrics, traces: traces, log: log, throttle: admission(set, memory, metrics),
		memory: memory}
	if certificate != nil {
		tools.hostKnown = certificate.Names
	}
	srv, err := assemble(set, reg, store, tools)
	if err != nil {
		return failed, errors.Join(err, store.Close())
	}
	ports.bound(tools.throttle)
	if certificate != nil {
		ports.encrypt(certificate)
		go certificate.Keep(ctx, certificateEvery, sig.reload)
	}
	fmt.Fprintf(out, "warledgerd serves %s on %s, by HTTP on %s, games in %s, operations on %s\n",
		offer(reg), ports.grpc.Addr(), portName(ports.web), store.place, portName(ports.ops))
	path, err := runServer(ctx, srv, ports, set, sig.stop)
	onStep(stepClosing)
	if lost := context.Cause(ctx); lost != ctx.Err() {
		path, err = failed, errors.Join(lost, err) // the store cannot be served any more
	}
	return path, errors.Join(err, store.Close())
}

// certificateEvery is how often the files of the certificate are looked at.
const certificateEvery = time.Minute

func openCertificate(set *settings, metrics prometheus.Registerer, log *slog.Logger) (*keypair.Pair, error) {
	if set.TLSCert == "" {
		return nil, nil
	}
	pair, err := keypair.Load(set.TLSCert, set.TLSKey, set.TLSClientCA, log)
	if err != nil {
		return nil, err
	}
	for _, c := range pair.Collectors() {
		if err := metrics.Register(c); err != nil {
			return nil, err
		}
	}
	return pair, nil
}

// instruments are what tells about the server.
type instruments struct {
	metrics *prometheus.Registry
	traces  trace.TracerProvider
	log     *slog.Logger
	// throttle bounds strangers.
	throttle *throttle.Throttle
	// memory is what the program may take, in bytes.
	memory int
	// hostKnown reports whether the certificate is for a name; nil without one.
	hostKnown func(host string) bool
}

// path is how the program came to its end: its exit code.
type path int

// The ways to end.
const (
	clean   path = 0 // every call ended by itself
	failed  path = 1 // it could not run
	misused path = 2 // its settings are wrong
	cutOff  path = 3 // calls took longer than the grace and were cut off
	hurried path = 4 // a second signal came and calls were cut off
)

// stepClosing is the step after the server's own: the file of games is closed.
const stepClosing = "closing the store"

// onStep is told of each step of stopping; tests end the program there.
var onStep = func(string) {}

// runServer serves until the first signal, then stops; the second signal cuts the stopping short.
func runServer(
	ctx context.Context, srv *server.Server, p *ports, set *settings, signals <-chan os.Signal,
) (path, error) {
	var group errgroup.Group
	broken := make(chan struct{}, 3)
	start := func(serve func(net.Listener) error, l net.Listener) {
		if l == nil {
			return
		}
		group.Go(func() error {
			err := serve(l)
			if err != nil {
				broken <- struct{}{}
			}
			return err
		})
	}
	start(srv.Serve, p.grpc)
	start(srv.ServeWeb, p.web)
	start(srv.ServeOperations, p.ops)
	select {
	case <-signals:
	case <-broken:
	case <-ctx.Done():
	}
	stopping, hurry := context.WithCancel(context.WithoutCancel(ctx))
	defer hurry()
	go func() {
		select {
		case <-signals:
			hurry()
		case <-stopping.Done():
		}
	}()
	end := clean
	if !srv.Stop(stopping, set.Drain, set.Grace) {
		end = cutOff
		if stopping.Err() != nil {
			end = hurried
		}
	}
	if err := group.Wait(); err != nil {
		return failed, err
	}
	return end, nil
}

func offer(reg *rules.Registry) string {
	var names []string
	for _, set := range reg.All() {
		names = append(names, set.About().Name)
	}
	if len(names) == 0 {
		return "no rulesets"
	}
	return strings.Join(names, ", ")
}

func logger(set *settings, w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(set.LogLevel)) // one of the names that it knows
	options := &slog.HandlerOptions{Level: level}
	if set.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
