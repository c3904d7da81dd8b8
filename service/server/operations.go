package server

import (
	"fmt"
	"net/http"
	"net/http/pprof"
	"os"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	channelz "google.golang.org/grpc/channelz/service"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"google.golang.org/grpc"
)

// newOperations makes the port for whoever looks after the server: plain HTTP for machines, and calls (health,
// channelz) in every protocol of the second port.
func (s *Server) newOperations(names *hosts) (*inside, error) {
	a := newAdmin(s.options.AdminToken)
	calls := grpc.NewServer(
		grpc.WaitForHandlers(true), grpc.MaxSendMsgSize(MaxSend), grpc.MaxHeaderListSize(maxHeaders),
		grpc.ChainUnaryInterceptor(unaryFromInside, s.calls.UnaryServerInterceptor(), s.service.Unary, a.unary),
		grpc.ChainStreamInterceptor(streamFromInside, s.calls.StreamServerInterceptor(), s.endHealthWatch,
			s.service.Stream, a.stream))
	s.registerAdmin(calls)
	channelz.RegisterChannelzServiceToServer(calls)
	healthpb.RegisterHealthServer(calls, s.health)
	return newInside(calls, s.options, func(h http.Handler) http.Handler { return s.operations(names, h) }, nil)
}

// operations answers the requests of machines that look after the server. Probes reveal only that all is well, and may
// use any name.
func (s *Server) operations(names *hosts, calls http.Handler) http.Handler {
	mux, probes := http.NewServeMux(), http.NewServeMux()
	mux.Handle("/", calls)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.options.Metrics, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	probes.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	probes.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.ready(r.Context()); err != nil {
			s.options.Logger.Warn("not ready", "error", err)
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index) // named profiles too
	// Without the arguments, which may hold a password.
	mux.HandleFunc("/debug/pprof/cmdline", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, os.Args[0]) })
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	probes.Handle("/", names.guard(mux))
	return probes
}
