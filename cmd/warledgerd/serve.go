package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

// serve runs until a signal comes or something fails. clean is false if calls had to be cut off.
func serve(ctx context.Context, set *settings, signals <-chan os.Signal, out, errs io.Writer) (clean bool, err error) {
	ports, err := listen(set)
	if err != nil {
		return false, err
	}
	defer ports.close()
	reg, err := rulesets.Registry(set.WithToy)
	if err != nil {
		return false, err
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	store, err := openStore(set.DB, metrics)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := logger(set, errs)
	srv, err := assemble(set, reg, store, metrics, log)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "warledgerd serves %s on %s, by HTTP on %s, games in %s, operations on %s\n",
		offer(reg), ports.grpc.Addr(), portName(ports.web), set.DB, portName(ports.ops))
	return runServer(ctx, srv, ports, set, signals)
}

// ports are the listeners; web and ops are nil if there is none.
type ports struct{ grpc, web, ops net.Listener }

func (p *ports) close() {
	for _, l := range []net.Listener{p.grpc, p.web, p.ops} {
		if l != nil {
			_ = l.Close() // closed already after a stop in good order
		}
	}
}

// portName is where a listener listens, for people.
func portName(l net.Listener) string {
	if l == nil {
		return "no port"
	}
	return l.Addr().String()
}

func listen(set *settings) (*ports, error) {
	p := new(ports)
	for _, port := range []struct {
		listener      *net.Listener
		address, flag string
	}{{&p.grpc, set.Listen, "--listen"}, {&p.web, set.Web, "--web"}, {&p.ops, set.Ops, "--ops"}} {
		if port.address == "off" && port.flag != "--listen" {
			continue
		}
		l, err := listenOn(port.address, port.flag)
		if err != nil {
			p.close()
			return nil, err
		}
		*port.listener = l
	}
	return p, nil
}

// listenOn says in a sentence what is wrong with an address.
func listenOn(address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use, perhaps by another warledgerd; choose another address with %s", address, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q (%s): %w", address, flag, err)
	}
	return l, nil
}

// openStore opens the file of games and counts its commits.
func openStore(path string, metrics prometheus.Registerer) (*boltstore.Store, error) {
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "warledger", Subsystem: "store", Name: name, Help: help, Buckets: buckets})
	}
	size := histogram("batch_appends", "Appends that shared a commit.", prometheus.ExponentialBuckets(1, 2, 11))
	took := histogram("commit_seconds", "Time that a commit took, syncs included.", prometheus.ExponentialBuckets(.0001, 2, 16))
	metrics.MustRegister(size, took)
	store, err := boltstore.Open(path, boltstore.Options{Observe: func(b eventstore.Batch) {
		size.Observe(float64(b.Appends))
		took.Observe(b.Commit.Seconds())
	}})
	if errors.Is(err, eventstore.ErrLocked) {
		return nil, fmt.Errorf("%s is in use by another process; stop it or choose another file with --db", path)
	}
	return store, err
}

func assemble(set *settings, reg *rules.Registry, store eventstore.Store, metrics *prometheus.Registry, log *slog.Logger) (*server.Server, error) {
	svc, err := service.New(service.Config{
		Registry: reg, Store: store, Logger: log, Metrics: metrics,
		Limits: service.Limits{Idle: set.Idle, LiveGames: set.LiveGames, Watchers: set.Watchers, Checkpoints: set.Checkpoints},
	})
	if err != nil {
		return nil, err
	}
	srv, err := server.New(svc, server.Options{
		Reflection: set.Reflection, Origins: set.Origins, Logger: log, Metrics: metrics,
		Ready: func(ctx context.Context) error { _, err := store.List(ctx, "", "", 1); return err },
	})
	if err != nil {
		svc.Close()
	}
	return srv, err
}

// runServer serves until the first signal, then stops; the second signal cuts the stopping short.
func runServer(ctx context.Context, srv *server.Server, p *ports, set *settings, signals <-chan os.Signal) (clean bool, err error) {
	var group errgroup.Group
	failed := make(chan struct{}, 3)
	start := func(serve func() error) {
		group.Go(func() error {
			err := serve()
			if err != nil {
				failed <- struct{}{}
			}
			return err
		})
	}
	start(func() error { return srv.Serve(p.grpc) })
	if p.web != nil {
		start(func() error { return srv.ServeWeb(p.web) })
	}
	if p.ops != nil {
		start(func() error { return srv.ServeOperations(p.ops) })
	}
	select {
	case <-signals:
	case <-failed:
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
	clean = srv.Stop(stopping, set.Drain, set.Grace)
	return clean, group.Wait()
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
