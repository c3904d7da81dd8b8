package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"github.com/warledger/warledger/clients/web"
	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/login"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

// openStore opens the file of games and counts its commits.
func openStore(set *settings, metrics prometheus.Registerer) (*boltstore.Store, error) {
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "warledger", Subsystem: "store", Name: name, Help: help, Buckets: buckets,
		})
	}
	size := histogram("batch_appends", "Appends that shared a commit.", prometheus.ExponentialBuckets(1, 2, 11))
	took := histogram("commit_seconds", "Time that a commit took, syncs included.",
		prometheus.ExponentialBuckets(.0001, 2, 16))
	wrote := histogram("write_seconds", "Time that the device took for a commit: writing to the file and syncing it.",
		prometheus.ExponentialBuckets(.0001, 2, 16))
	merge := histogram("merge_seconds",
		"Time that a merge of recent commits into their games took; appends wait meanwhile.",
		prometheus.ExponentialBuckets(.001, 2, 14))
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Subsystem: "store", Name: name, Help: help,
		})
	}
	merged, failed := counter("merged_entries_total", "Records that merges put into their games."),
		counter("failed_merges_total", "Merges of recent commits into their games that failed.")
	stopped := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "warledger", Subsystem: "store", Name: "stopped",
		Help: "1 from a failed write or sync until the server is restarted: the store writes nothing meanwhile."})
	metrics.MustRegister(size, took, wrote, merge, merged, failed, stopped)
	store, err := boltstore.Open(set.DB, boltstore.Options{ObserveStop: func(error) { stopped.Set(1) },
		MaxSize: set.DBBytes, Observe: func(b eventstore.Batch) {
			size.Observe(float64(b.Appends))
			took.Observe(b.Commit.Seconds())
			if b.Err == nil {
				wrote.Observe(b.Write.Seconds())
			}
		}, ObserveMerge: func(took time.Duration, entries int, err error) {
			merge.Observe(took.Seconds())
			if err != nil {
				failed.Inc()
				return
			}
			merged.Add(float64(entries))
		}})
	if errors.Is(err, eventstore.ErrLocked) {
		return nil, fmt.Errorf("%s is in use by another process; stop it or choose another file with --db", set.DB)
	}
	return store, err
}

// mostUnread is how many bytes of answers may lie unread in all: those of eight addresses, as with calls.
const mostUnread = 512 << 20

// allUnread is mostUnread, or a quarter of the memory if that is less.
func allUnread(memory int) int { return min(mostUnread, memory/4) }

// admission bounds what one caller may ask for, and what is under way and open in all.
//
// memory is what the program may take, in bytes.
func admission(set *settings, memory int, metrics prometheus.Registerer) *throttle.Throttle {
	t := throttle.New(throttle.Options{
		CallerRate: set.CallerRate, AddressRate: set.AddressRate, Watches: set.AddressWatches,
		Calls: set.AddressCalls, AllCalls: set.Calls, AllUnread: allUnread(memory), Connections: set.AddressConnections,
		AllConnections: set.Connections,
		Games:          set.AddressGames, Bytes: set.AddressBytes,
		Proxies: set.TrustedProxies, Free: set.FreeAddresses,
		Cost: func(method string) (c throttle.Cost) {
			c.Units, c.Stays, c.Stranger = service.Cost(method)
			return c
		},
	})
	for name, figure := range map[string]struct {
		help  string
		value func() int
	}{
		"calls":         {"Calls under way on the public ports.", t.Calls},
		"unread_bytes":  {"Bytes of answers that are not sent yet.", t.Unread},
		"connections":   {"Connections open on the public ports.", t.Connections},
		"callers_known": {"Addresses and checked tokens that are remembered.", t.Known},
	} {
		metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "warledger", Name: name, Help: figure.help,
		}, func() float64 { return float64(figure.value()) }))
	}
	metrics.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: "warledger", Name: "turned_away_total",
		Help: "Calls and connections that were refused before they were read.",
	}, func() float64 { return float64(t.TurnedAway()) }))
	return t
}

// roomForGames reports whether the file of games has room for new ones: its last tenth is kept for existing games. A
// file that cannot be looked at counts as having room; whoever writes to it learns what is wrong.
func roomForGames(set *settings) func() bool {
	return func() bool {
		info, err := os.Stat(set.DB)
		return set.DBBytes == 0 || err != nil || info.Size() < int64(set.DBBytes)/10*9
	}
}

// identities knows people by their provider; nil if none exists.
func identities(set *settings) (service.Identities, error) {
	if set.OIDCIssuer == "" {
		return nil, nil
	}
	p, err := login.New(set.OIDCIssuer, set.OIDCAudience)
	if err != nil {
		return nil, fmt.Errorf("--oidc-issuer: %w", err)
	}
	return p, nil
}

// leastToken is the shortest admin token in characters, so that nobody guesses it.
const leastToken = 32

func adminToken(set *settings) (string, error) {
	if set.AdminTokenFile == "" {
		return "", nil
	}
	data, err := os.ReadFile(set.AdminTokenFile)
	if err != nil {
		return "", fmt.Errorf("--admin-token-file: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < leastToken {
		return "",
			fmt.Errorf("--admin-token-file: %s holds %d characters, at least %d are needed",
				set.AdminTokenFile, len(token), leastToken)
	}
	return token, nil
}

// hosts lists the names in the settings under which the HTTP ports are reached.
func hosts(set *settings) []string {
	out := slices.Clone(set.Hosts)
	for _, address := range []string{set.Listen, set.Web, set.Ops} {
		if name, _, err := net.SplitHostPort(address); err == nil && name != "" {
			out = append(out, name)
		}
	}
	if u, err := url.Parse(set.PublicURL); err == nil && u.Hostname() != "" {
		out = append(out, u.Hostname())
	}
	return out
}

func assemble(set *settings, reg *rules.Registry, store eventstore.Store, i *instruments) (*server.Server, error) {
	admin, err := adminToken(set)
	if err != nil {
		return nil, err
	}
	people, err := identities(set)
	if err != nil {
		return nil, err
	}
	signs, err := signing(set)
	if err != nil {
		return nil, err
	}
	notices, err := noticesOf(set)
	if err != nil {
		return nil, err
	}
	svc, err := service.New(service.Config{
		Notices:   notices,
		Admission: i.throttle, Room: roomForGames(set), Signing: signs, Identities: people,
		OwnersLogIn: set.OIDCRequired,
		Registry:    reg, Store: store, Logger: i.log, Metrics: i.metrics,
		Limits: service.Limits{
			Idle: set.Idle, LiveGames: set.LiveGames, Watchers: set.Watchers, Checkpoints: set.Checkpoints,
			LiveBytes: i.memory / 100 * set.LivePercent,
			Games:     set.Games, OwnerGames: set.OwnerGames, GameBytes: set.GameBytes, GameWatchers: set.GameWatchers,
		},
	})
	if err != nil {
		return nil, err
	}
	srv, err := server.New(svc, server.Options{
		Gate: i.throttle, Extra: []grpc.ServerOption{grpc.StatsHandler(i.throttle.Answers())},
		Reflection: set.Reflection, Origins: set.Origins, Hosts: hosts(set), HostKnown: i.hostKnown, Logger: i.log,
		Metrics: i.metrics, Traces: i.traces, AdminToken: admin,
		Pages: svc.MailPages(web.Handler()),
		Step:  func(s server.Step) { onStep(string(s)) },
	})
	if err != nil {
		svc.Close()
	}
	return srv, err
}
