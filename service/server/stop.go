package server

import (
	"context"
	"log/slog"
	"time"
)

// Step is a part of stopping.
type Step string

// The steps of [Server.Stop], in order.
const (
	// StepNotServing has health say NOT_SERVING, so that load balancers look elsewhere.
	StepNotServing Step = "not serving"
	// StepDrain goes on serving for as long as they need to notice.
	StepDrain Step = "drain"
	// StepLeave refuses new calls and ends watches with a last message.
	StepLeave Step = "leave"
	// StepCalls lets running calls finish, and cuts off those that take too long.
	StepCalls Step = "calls"
	// StepClose lets memory and the port for operations go.
	StepClose Step = "close"
)

// Stop stops in good order. drain is how long to go on after saying NOT_SERVING, grace how long running calls may take.
// It reports whether all calls ended by themselves.
func (s *Server) Stop(ctx context.Context, drain, grace time.Duration) (clean bool) {
	s.options.Step(StepNotServing)
	s.health.Shutdown()
	s.options.Logger.Info("stopping", slog.Duration("drain", drain), slog.Duration("grace", grace))
	s.options.Step(StepDrain)
	wait(ctx, drain)
	s.options.Step(StepLeave)
	s.service.Leave()
	s.leaveOnce.Do(func() { close(s.leaving) })
	s.options.Step(StepCalls)
	clean = s.stopCalls(ctx, grace)
	s.options.Step(StepClose)
	s.opened.Do(func() {}) // a Serve that comes too late starts no probes; one that has begun is waited for
	s.service.Close()
	s.group.Wait()
	s.ops.cut() // last, so that whoever looks after the server can see it stop
	s.options.Logger.Info("stopped", slog.Bool("clean", clean))
	return clean
}

// stopCalls lets running calls finish and cuts off those that take too long.
func (s *Server) stopCalls(ctx context.Context, grace time.Duration) (clean bool) {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	web := make(chan bool, 1)
	go func() { web <- s.web.stop(ctx) }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.grpc.GracefulStop()
	}()
	clean = true
	select {
	case <-ended:
	case <-ctx.Done():
		s.grpc.Stop()
		<-ended
		clean = false
	}
	return <-web && clean
}

func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
