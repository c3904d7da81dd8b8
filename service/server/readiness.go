package server

import (
	"context"
	"fmt"
	"time"

	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// probeTime is how long a store may take to answer a probe before it counts as out of order.
const probeTime = 5 * time.Second

// services are the names that health answers for; "" is the server as a whole.
func services() []string {
	return []string{"", v1.CatalogService_ServiceDesc.ServiceName, v1.GameService_ServiceDesc.ServiceName,
		v1.AccessService_ServiceDesc.ServiceName, v1.HistoryService_ServiceDesc.ServiceName,
		v1.CheckpointService_ServiceDesc.ServiceName, v1.ComputerService_ServiceDesc.ServiceName}
}

func (s *Server) say(status healthpb.HealthCheckResponse_ServingStatus) {
	for _, name := range services() {
		s.health.SetServingStatus(name, status) // nothing changes any more once the server stops
	}
}

// ready probes the store, tells health the result, and says whether the server should be sent calls.
func (s *Server) ready(ctx context.Context) error {
	s.probing.Lock()
	defer s.probing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	begun := time.Now()
	err := s.options.Ready(ctx)
	s.probes.Observe(time.Since(begun).Seconds())
	if err != nil {
		s.say(healthpb.HealthCheckResponse_NOT_SERVING)
		return err
	}
	s.say(healthpb.HealthCheckResponse_SERVING)
	answer, err := s.health.Check(ctx, &healthpb.HealthCheckRequest{})
	if err == nil && answer.Status != healthpb.HealthCheckResponse_SERVING {
		err = fmt.Errorf("the server says %s", answer.Status) // it stops
	}
	return err
}

// open makes the first probe before the first call is taken, and goes on probing until the server leaves.
func (s *Server) open() {
	s.opened.Do(func() {
		if err := s.ready(context.Background()); err != nil {
			s.options.Logger.Error("not ready", "error", err)
		}
		s.group.Go(func() {
			tick := time.NewTicker(s.options.ProbeEvery)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					if err := s.ready(context.Background()); err != nil {
						s.options.Logger.Error("not ready", "error", err)
					}
				case <-s.leaving:
					return
				}
			}
		})
	})
}
