package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/heads"
	"github.com/warledger/warledger/service/internal/keyrings"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/talk"
	"github.com/warledger/warledger/service/internal/uploads"
)

// headReplaced tells whoever runs the server that a game is not what was signed.
func (s *Service) headReplaced(id string, version uint64) {
	s.metrics.replaced.Inc()
	s.log.Error("the game is not what was signed: its head does not go on from the one in the log of heads",
		slog.String("game", id), slog.Uint64("version", version))
}

// New makes a service. Close it before the store.
func New(c Config) (*Service, error) {
	if c.Registry == nil || c.Store == nil {
		return nil, errors.New("service: a registry and a store are needed")
	}
	s := &Service{
		registry: c.Registry, store: c.Store, ownClock: c.Clock, entropy: c.Entropy, log: c.Logger,
		admission: c.Admission, room: c.Room, identities: c.Identities, ownersLogIn: c.OwnersLogIn,
		limits: c.Limits.withDefaults(), leaving: make(chan struct{}), closed: make(chan struct{}),
	}
	if s.admission == nil {
		s.admission = anyone{}
	}
	if s.ownClock == nil {
		s.ownClock = time.Now
	}
	if s.entropy == nil {
		s.entropy = rand.Reader
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.metrics = newMetrics()
	s.watchers = make(chan struct{}, s.limits.Watchers)
	s.audits = make(chan struct{}, s.limits.Audits)
	s.previews = make(chan struct{}, s.limits.Previews)
	s.lists = make(chan struct{}, s.limits.Lists)
	s.scenarios = documents.New(s.store, s.limits.Scenarios, s.limits.Loads, s.worked)
	s.games = live.New(live.Config{
		Registry: s.registry, Store: s.store, Scenarios: s.scenarios, Clock: s.clock,
		MaxGames: s.limits.LiveGames, MaxBytes: s.limits.LiveBytes, MaxPositions: s.limits.Checkpoints,
		Charge: s.worked, Admit: s.roomToStore, Changed: s.changed, Followed: s.followed,
		Metrics: s.metrics, Log: s.log,
		Lasting: render.LastingSummary, Passing: render.PassingSummary,
	})
	s.listings.Limit = s.limits.Listings
	s.imports = uploads.New(s.limits.Imports, s.limits.CallerImports, s.limits.ImportMemory)
	s.heads = heads.New(heads.Config{Store: s.store, Signing: c.Signing, Replaced: s.headReplaced, Logger: s.log})
	if alarm := c.Notices.Alarm; alarm != nil { // it goes by the server's own clock
		c.Notices.Alarm = func(at time.Time) (<-chan time.Time, func()) {
			return alarm(at.Add(-time.Duration(s.skew.Load())))
		}
	}
	s.talk = talk.New(talk.Host{Store: s.store, Clock: s.clock, Limits: c.Talk.WithDefaults(),
		Beside: s.games.Beside, Charge: s.admission.Store})
	s.notices = notice.New(c.Notices, notice.Host{
		Store: s.store, Clock: s.clock, Games: s.games, Log: s.log, Lapse: s.watchClock, Metrics: s.metrics,
		Hear: s.hearAs,
	})
	if err := s.openDesk(c.House); err != nil {
		return nil, err
	}
	var err error
	if s.keyrings, err = keyrings.New(c.Keyrings, keyrings.Host{Store: s.store, Clock: s.clock, Who: s.keyringOf,
		Charge: s.admission.Store, Room: s.roomBeside, Provider: c.SignIn, Required: s.ownersLogIn}); err != nil {
		return nil, err
	}
	if err := s.metrics.register(c.Metrics, s); err != nil {
		return nil, err
	}
	if err := s.admitSigner(); err != nil {
		return nil, err
	}
	s.janitor.Add(1)
	go s.tidy()
	s.janitor.Go(s.sweepKeyrings)
	s.notices.Begin()
	if c.Signing != nil && c.Signing.Every > 0 {
		s.janitor.Go(func() { s.heads.KeepSealing(c.Signing.Every, s.closed) })
	}
	return s, nil
}

// signerPatience is how long the store may take to say which key its servers sign with. A server may begin while the
// store is away.
const signerPatience = 5 * time.Second

// admitSigner returns an error if other servers of the store sign with another key.
func (s *Service) admitSigner() error {
	ctx, cancel := context.WithTimeout(context.Background(), signerPatience)
	defer cancel()
	err := s.heads.Admit(ctx)
	if fault.ReasonOf(err) == string(fault.CheckpointsOff) {
		return fmt.Errorf("service: %w", err)
	}
	return nil
}

// changed has those who follow games look at one that has changed.
func (s *Service) changed(l *live.Game, m *live.Moment, recorded bool) {
	if recorded {
		s.heads.Touch(l.ID)
	}
	s.notices.Changed(l, m)
}

// followed has them look at one that another server has changed.
func (s *Service) followed(l *live.Game, m *live.Moment) {
	s.heads.Touch(l.ID)
	s.notices.Followed(l, m)
}

// Register adds the services to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	v1.RegisterCatalogServiceServer(r, &catalogServer{Service: s})
	v1.RegisterGameServiceServer(r, &gameServer{Service: s})
	v1.RegisterAccessServiceServer(r, &accessServer{Service: s})
	v1.RegisterHistoryServiceServer(r, &historyServer{Service: s})
	v1.RegisterCheckpointServiceServer(r, &checkpointServer{Service: s})
	v1.RegisterDeadlineServiceServer(r, &deadlineServer{Service: s})
	v1.RegisterComputerServiceServer(r, &computerServer{Service: s})
	v1.RegisterTalkServiceServer(r, &talkServer{Service: s})
	v1.RegisterKeyringServiceServer(r, s.keyrings)
	v1.RegisterNotificationServiceServer(r, &notificationServer{Service: s})
}

// Leave ends every watch with a last message and refuses new calls. Calls that run are answered.
func (s *Service) Leave() {
	s.leaveOnce.Do(func() {
		close(s.leaving)
		s.notices.Leave()
	})
}

// Close does what Leave does and releases the service's own memory and goroutine. The store stays open.
func (s *Service) Close() {
	s.Leave()
	s.closeOnce.Do(func() { close(s.closed) })
	s.janitor.Wait()
	s.notices.Close()
	s.talk.Close()
	s.games.Close()
}

// tidy lets games go that nobody asks for.
func (s *Service) tidy() {
	defer s.janitor.Done()
	tick := time.NewTicker(max(s.limits.Idle/4, time.Second))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.games.EvictIdle(s.limits.Idle)
			s.imports.Forget(time.Now())
			s.listings.Forget(time.Now(), s.limits.Idle)
		case <-s.closed:
			return
		}
	}
}

// sweepFirst is how long after its start a server looks for keyrings that nobody has written for too long, and
// sweepEvery how often after that. Servers that share a store sweep every sweepShared instead, since only then do they
// count what others have emptied.
const (
	sweepFirst  = 10 * time.Minute
	sweepEvery  = 24 * time.Hour
	sweepShared = time.Hour
)

// SweepKeyrings empties the keyrings in the store that nobody has written for too long, and counts those that hold
// nothing.
func (s *Service) SweepKeyrings(ctx context.Context) (removed int, err error) {
	return s.keyrings.Sweep(ctx)
}

// sweepKeyrings removes keyrings that nobody writes. Until then they count as removed anyway.
func (s *Service) sweepKeyrings() {
	ctx, cancel := context.WithCancel(context.Background())
	s.janitor.Go(func() {
		<-s.closed
		cancel()
	})
	every := sweepEvery
	if s.store.Shared() {
		every = sweepShared
	}
	next := time.NewTimer(sweepFirst)
	defer next.Stop()
	for {
		select {
		case <-next.C:
		case <-s.closed:
			return
		}
		n, err := s.SweepKeyrings(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("old keyrings could not all be removed", slog.Any("cause", err))
		}
		if n > 0 {
			s.log.Info("keyrings that nobody had written for long were removed", slog.Int("keyrings", n))
		}
		next.Reset(every)
	}
}

// mostSkew is how far a server's clock may be from that of a store that it shares with others.
const mostSkew = time.Second

// Probe asks whether the service can do its work: the store must be open and take a small write, and if others share
// it, the clocks must agree. It leaves the time of the probe in the store, beside the games.
func (s *Service) Probe(ctx context.Context) error {
	err := s.probeStore(ctx)
	if err != nil {
		s.notices.StoreAway()
		return err
	}
	if !s.store.Shared() {
		return nil
	}
	s.comparing.Lock() // or the answer of an older probe could be the one that stays
	defer s.comparing.Unlock()
	before := s.ownClock()
	theirs, err := s.store.Now(ctx)
	if err != nil {
		return err
	}
	if theirs.Before(before.Add(-mostSkew)) || theirs.After(s.ownClock().Add(mostSkew)) {
		s.skew.Store(int64(theirs.Sub(before)))
		return fmt.Errorf("the server's clock says %s, that of the store %s", before.UTC().Format(time.RFC3339Nano),
			theirs.UTC().Format(time.RFC3339Nano))
	}
	s.skew.Store(0)
	return nil
}

// probeStore writes to the store.
func (s *Service) probeStore(ctx context.Context) error {
	now := strconv.AppendInt(nil, s.clock().UnixMilli(), 10)
	err := s.store.SetMeta(ctx, streams.Probe, now, eventstore.AnyMeta)
	if !errors.Is(err, eventstore.ErrNotFound) {
		return err
	}
	var conflict *eventstore.ConflictError
	err = s.store.Append(ctx,
		eventstore.Append{Stream: streams.Probe, Entries: []eventstore.Entry{{Version: 1, Data: []byte("probe")}},
			Meta: now})
	if errors.As(err, &conflict) { // another probe was quicker
		return nil
	}
	return err
}

// register shows what is counted, and what the parts of the service know anyway. A nil registerer shows nothing.
func (m *metrics) register(reg prometheus.Registerer, s *Service) error {
	if reg == nil {
		return nil
	}
	for _, c := range append([]prometheus.Collector{m.commands, m.folds, m.legal, m.appends,
		m.failures, m.readOn, m.replaced, m.previews, m.errors, m.lookups, m.lag, m.findings, m.notices, m.disabled,
		m.lapses}, gauges(s, m)...) {
		if err := reg.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// gauges read what the service and the store know anyway.
func gauges(s *Service, m *metrics) []prometheus.Collector {
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "warledger", Name: name, Help: help}, value)
	}
	counter := func(name, help string, value func(eventstore.Stats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "warledger", Subsystem: "store", Name: name, Help: help,
		},
			func() float64 { return value(s.store.Stats()) })
	}
	return []prometheus.Collector{
		gauge("notices_overdue", "Webhooks and mailboxes that are being served or wait to be.", func() float64 {
			return float64(s.notices.Overdue(s.clock()))
		}),
		gauge("clocks", "Games in which the time of a seat runs.",
			func() float64 { return float64(s.notices.Running()) }),
		gauge("live_games", "Games in memory.", func() float64 { return float64(s.games.Number()) }),
		gauge("live_bytes", "Estimated size of games and scenarios in memory.",
			func() float64 { return float64(s.games.Taken()) }),
		gauge("live_bytes_limit", "Bound on the memory of games and scenarios; 0 for no bound.",
			func() float64 { return float64(s.limits.LiveBytes) }),
		gauge("watchers", "Watches that are served.", func() float64 { return float64(len(s.watchers)) }),
		gauge("watchers_behind", "Watches that have not yet sent all that there is.",
			func() float64 { return float64(m.behind.Load()) }),
		gauge("watchers_limit", "How many watches are served at most.",
			func() float64 { return float64(s.limits.Watchers) }),
		gauge("computers", "Computers on offer at this server.",
			func() float64 { return float64(s.computers.Number()) }),
		gauge("computer_seats", "Seats that computers play, at all servers of the store; NaN if it cannot be read.",
			s.computerSeats),
		gauge("computer_seats_limit", "How many seats computers play at most.",
			func() float64 { return float64(s.limits.ComputerSeats) }),
		counter("appends_total", "Appends stored.", func(t eventstore.Stats) float64 { return float64(t.Appends) }),
		counter("entries_total", "Entries stored.", func(t eventstore.Stats) float64 { return float64(t.Entries) }),
		counter("bytes_total", "Bytes of entries stored.",
			func(t eventstore.Stats) float64 { return float64(t.Bytes) }),
		counter("batches_total", "Commits: appends by batches is how many share a sync.",
			func(t eventstore.Stats) float64 { return float64(t.Batches) }),
		counter("failed_batches_total", "Commits that failed.",
			func(t eventstore.Stats) float64 { return float64(t.FailedBatches) }),
		counter("commit_seconds_total", "Time spent in commits.",
			func(t eventstore.Stats) float64 { return t.CommitTime.Seconds() }),
	}
}
