package warledger

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ServiceConfig is what every client should use: what is safe to retry is retried a few times, only when the server
// could not be reached, and calls have a deadline, a long one where a whole file is audited. Streams have neither:
// [Game.Watch] begins anew by itself.
const ServiceConfig = `{
  "methodConfig": [
    {
      "name": [
        {"service": "warledger.v1.GameService"},
        {"service": "warledger.v1.CatalogService"},
        {"service": "warledger.v1.AccessService"},
        {"service": "warledger.v1.HistoryService"},
        {"service": "warledger.v1.CheckpointService"},
        {"service": "warledger.v1.DeadlineService"},
        {"service": "warledger.v1.NotificationService"},
        {"service": "warledger.v1.ComputerService"},
        {"service": "warledger.v1.TalkService"}
      ],
      "timeout": "30s",
      "retryPolicy": {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"]
      }
    },
    {
      "name": [
        {"service": "warledger.v1.GameService", "method": "WatchGame"},
        {"service": "warledger.v1.TalkService", "method": "WatchMessages"},
        {"service": "warledger.v1.GameService", "method": "AuditGame"},
        {"service": "warledger.v1.GameService", "method": "ExportGame"},
        {"service": "warledger.v1.ComputerService", "method": "OfferComputer"}
      ]
    },
    {
      "name": [{"service": "warledger.v1.HistoryService", "method": "ImportGame"}],
      "timeout": "600s",
      "retryPolicy": {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"]
      }
    }
  ],
  "retryThrottling": {"maxTokens": 20, "tokenRatio": 0.2}
}`

// maxReceive is the largest message taken, in bytes: what the server sends at most.
const maxReceive = 16 << 20

// window is how many bytes may lie under way to the client unread, of one call and of all: a board with its map comes
// in one go. Windows that are measured as the connection goes on cost a ping for each answer.
const window = 1 << 20

// Client is a connection to a server. Use [Dial].
type Client struct {
	conn        *grpc.ClientConn
	games       v1.GameServiceClient
	catalog     v1.CatalogServiceClient
	history     v1.HistoryServiceClient
	access      v1.AccessServiceClient
	checkpoints v1.CheckpointServiceClient
	deadlines   v1.DeadlineServiceClient
	notices     v1.NotificationServiceClient
	computers   v1.ComputerServiceClient
	talk        v1.TalkServiceClient
	tokens      TokenSource
	chains      Chains
	patience    time.Duration
	pause       pause
}

type settings struct {
	tokens    TokenSource
	chains    Chains
	transport credentials.TransportCredentials
	patience  time.Duration
	pause     pause
	extra     []grpc.DialOption
}

// Option changes how a client works.
type Option func(*settings)

// WithTokens says where the tokens of games come from. Without it the client is a spectator everywhere.
func WithTokens(t TokenSource) Option { return func(s *settings) { s.tokens = t } }

// WithChains says where chains for mutual dice are kept. By default that is the source of tokens, if it keeps chains
// too, as [Wallet] does.
func WithChains(c Chains) Option { return func(s *settings) { s.chains = c } }

// WithTLS encrypts the connection; nil is the system's own set-up. It is the default for hosts other than this one.
func WithTLS(c *tls.Config) Option {
	return func(s *settings) { s.transport = credentials.NewTLS(c) }
}

// WithPlaintext does without encryption. Tokens can then be read by whoever sees the traffic. It is the
// default for this host.
func WithPlaintext() Option { return func(s *settings) { s.transport = insecure.NewCredentials() } }

// WithPatience says for how long calls are repeated while the server cannot be reached; 30 seconds if not given. With 0
// gRPC alone tries again, for a second or so.
func WithPatience(d time.Duration) Option { return func(s *settings) { s.patience = d } }

// WithBackoff says how long to wait between attempts: at first about the shortest, then twice as long each time, at
// most the longest. 100 ms and 5 s if not given.
func WithBackoff(shortest, longest time.Duration) Option {
	return func(s *settings) { s.pause = pause{shortest, longest} }
}

// WithGRPC adds options of gRPC.
func WithGRPC(o ...grpc.DialOption) Option {
	return func(s *settings) { s.extra = append(s.extra, o...) }
}

// Dial makes a client of the server at a target, as in "localhost:7480". It does not wait for the
// connection. Close it after use.
func Dial(target string, opts ...Option) (*Client, error) {
	s := settings{patience: 30 * time.Second, pause: pause{100 * time.Millisecond, 5 * time.Second}}
	for _, o := range opts {
		o(&s)
	}
	if s.transport == nil {
		s.transport = usualTransport(target)
	}
	if both, ok := s.tokens.(Chains); ok && s.chains == nil {
		s.chains = both
	}
	conn, err := grpc.NewClient(target, append([]grpc.DialOption{
		grpc.WithTransportCredentials(s.transport),
		grpc.WithDefaultServiceConfig(ServiceConfig),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: s.pause.shortest, Multiplier: 1.6, Jitter: 0.2,
				MaxDelay: s.pause.longest}, MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceive)),
		grpc.WithStaticStreamWindowSize(window), grpc.WithStaticConnWindowSize(window),
		grpc.WithChainUnaryInterceptor(typedUnary),
		grpc.WithChainStreamInterceptor(typedStream),
	}, s.extra...)...)
	if err != nil {
		return nil, fmt.Errorf("warledger: server %q: %w", target, err)
	}
	return &Client{
		conn: conn, games: v1.NewGameServiceClient(conn), catalog: v1.NewCatalogServiceClient(conn),
		history: v1.NewHistoryServiceClient(conn), access: v1.NewAccessServiceClient(conn),
		checkpoints: v1.NewCheckpointServiceClient(conn),
		deadlines:   v1.NewDeadlineServiceClient(conn), notices: v1.NewNotificationServiceClient(conn),
		computers: v1.NewComputerServiceClient(conn),
		talk:      v1.NewTalkServiceClient(conn),
		tokens:    s.tokens, chains: s.chains, patience: s.patience, pause: s.pause,
	}, nil
}

// usualTransport encrypts unless the server is on this host.
func usualTransport(target string) credentials.TransportCredentials {
	if OnThisHost(target) {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(nil)
}

// OnThisHost reports whether a target as [Dial] takes it is on this host, so that by default nothing is encrypted.
func OnThisHost(target string) bool {
	scheme, rest, ok := strings.Cut(target, "://")
	switch {
	case !ok && !strings.HasPrefix(target, "unix:"):
		rest = target
	case ok && (scheme == "dns" || scheme == "passthrough"):
		rest = rest[strings.LastIndexByte(rest, '/')+1:]
	default:
		scheme = "unix"
	}
	if strings.HasPrefix(scheme, "unix") && (ok || strings.HasPrefix(target, "unix:")) {
		return true
	}
	host, _, err := net.SplitHostPort(rest)
	if err != nil {
		host = rest
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Close ends the connection and everything that goes over it.
func (c *Client) Close() error { return c.conn.Close() }

// Catalog asks what can be played. Its errors are typed.
func (c *Client) Catalog() v1.CatalogServiceClient { return c.catalog }

// History is the service of histories as it is. Its errors are typed; tokens are the caller's
// business, see [WithBearer].
func (c *Client) History() v1.HistoryServiceClient { return c.history }

// Checkpoints is the service of checkpoints as it is. Its errors are typed.
func (c *Client) Checkpoints() v1.CheckpointServiceClient { return c.checkpoints }

// Access is the service of tokens as it is. Its errors are typed; tokens are the caller's business, see [WithBearer].
func (c *Client) Access() v1.AccessServiceClient { return c.access }

// Games is the service of games as it is. Its errors are typed; tokens are the caller's business, see [WithBearer].
func (c *Client) Games() v1.GameServiceClient { return c.games }

// KeepingChains returns a client that keeps chains for mutual dice elsewhere, on the same connection. It is for a
// program that opens its own store after it has dialed. Closing either closes both.
func (c *Client) KeepingChains(chains Chains) *Client {
	other := *c
	other.chains = chains
	return &other
}
