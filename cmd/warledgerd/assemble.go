package main

import (
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
	"github.com/warledger/warledger/cmd/internal/build"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/login"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

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

// identities knows people by their provider, and signs them in; nil if none exists.
func identities(set *settings) (*login.Provider, error) {
	if set.OIDCIssuer == "" {
		return nil, nil
	}
	secret := ""
	if set.OIDCClientSecretFile != "" {
		data, err := os.ReadFile(set.OIDCClientSecretFile)
		if err != nil {
			return nil, fmt.Errorf("--oidc-client-secret-file: %w", err)
		}
		secret = strings.TrimSpace(string(data))
	}
	p, err := login.New(set.OIDCIssuer, set.OIDCAudience, secret)
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

func assemble(set *settings, reg *rules.Registry, store *games, i *instruments) (*server.Server, error) {
	admin, err := adminToken(set)
	if err != nil {
		return nil, err
	}
	people, err := identities(set)
	if err != nil {
		return nil, err
	}
	signs, sealing, err := signing(set)
	if err != nil {
		return nil, err
	}
	notices, err := noticesOf(set)
	if err != nil {
		return nil, err
	}
	config := service.Config{
		Notices:   notices,
		Admission: i.throttle, Room: store.room, Signing: signs,
		OwnersLogIn: set.OIDCRequired,
		Keyrings: service.Keyrings{
			Keep: time.Duration(set.KeyringDays) * 24 * time.Hour, Secret: sealing, Most: set.Keyrings,
		},
		House:    house(),
		Registry: reg, Store: store.Store, Logger: i.log, Metrics: i.metrics,
		Talk: service.Talk{Off: !set.Talk, Characters: set.TalkCharacters, Messages: set.TalkMessages,
			Bytes: set.TalkBytes, PerMinute: set.TalkPerMinute},
		Limits: service.Limits{
			Idle: set.Idle, LiveGames: set.LiveGames, Watchers: set.Watchers, Checkpoints: set.Checkpoints,
			LiveBytes: i.memory / 100 * set.LivePercent,
			Games:     set.Games, OwnerGames: set.OwnerGames, GameBytes: set.GameBytes, GameWatchers: set.GameWatchers,
			Computers: orNone(set.ComputerOffers), CallerComputers: orUnbounded(set.AddressComputerOffers),
			ComputerSeats: orUnbounded(set.ComputerSeats), CallerComputerSeats: orUnbounded(set.AddressComputerSeats),
		},
	}
	if people != nil {
		config.Identities, config.SignIn = people, people
	}
	svc, err := service.New(config)
	if err != nil {
		return nil, err
	}
	playing := new(crews)
	srv, err := server.New(svc, server.Options{
		Gate: i.throttle, Extra: []grpc.ServerOption{grpc.StatsHandler(i.throttle.Answers())},
		Reflection: set.Reflection, Origins: set.Origins, Hosts: hosts(set), HostKnown: i.hostKnown, Logger: i.log,
		Metrics: i.metrics, Traces: i.traces, AdminToken: admin,
		Pages: svc.MailPages(web.Handler()),
		Step: func(s server.Step) {
			if s == server.StepLeave {
				playing.stop()
			}
			onStep(string(s))
		},
	})
	if err != nil {
		svc.Close()
		return nil, err
	}
	return srv, playing.start(set, reg, svc, srv, i.metrics, i.log)
}

// buildInfo is a metric that tells the version of the program, for whoever compares servers.
func buildInfo() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "warledger", Name: "build_info", Help: "1; the label says which version of the program runs.",
		ConstLabels: prometheus.Labels{"version": build.Version()},
	}, func() float64 { return 1 })
}
