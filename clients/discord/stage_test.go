package discord

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The library's rate limiter has a goroutine that nothing ends, and that waits for a lock for ever once
		// the client is closed.
		goleak.IgnoreAnyFunction("github.com/disgoorg/disgo/rest.(*rateLimiterImpl).cleanup"),
		// The library leaves a goroutine behind where a connection is given up while it is made: at
		// the end of a program.
		goleak.IgnoreAnyFunction("github.com/disgoorg/disgo/gateway.(*gatewayImpl).open.func2.1"))
}

// stage is a Warledger server, a stand-in for Discord and a bridge between them.
type stage struct {
	*standIn
	store eventstore.Store
	addr  string
	file  string
	log   *sheet

	stopServer func()
	stopBridge func()
}

// sheet is where the bridge's log goes.
type sheet struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sheet) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sheet) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{standIn: newStandIn(t), store: memory.New(), file: filepath.Join(t.TempDir(), "bridge.db"),
		log: new(sheet)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	s.serve(l)
	s.bridge()
	t.Cleanup(func() {
		s.stopBridge()
		s.stopServer()
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// serve runs the Warledger server.
func (s *stage) serve(l net.Listener) {
	s.t.Helper()
	registry, err := rules.NewRegistry(toy.Ruleset(), downfall.New(), anniversary.New())
	if err != nil {
		s.t.Fatal(err)
	}
	svc, err := service.New(service.Config{Registry: registry, Store: s.store})
	if err != nil {
		s.t.Fatal(err)
	}
	srv, err := server.New(svc, server.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	s.stopServer = sync.OnceFunc(func() {
		srv.Stop(context.Background(), 0, 0)
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	})
}

// serveAgain starts the server where it was.
func (s *stage) serveAgain() {
	s.t.Helper()
	for {
		if l, err := net.Listen("tcp", s.addr); err == nil {
			s.serve(l)
			return
		}
	}
}

// token is the bot's.
var token = base64.RawStdEncoding.EncodeToString([]byte(applicationID)) + ".bot-secret.value"

// bridge runs the bridge.
func (s *stage) bridge() {
	s.t.Helper()
	client, err := warledger.Dial(s.addr, warledger.WithBackoff(time.Millisecond, 20*time.Millisecond),
		warledger.WithPatience(time.Second))
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, Config{
			live:  s.liveOf(),
			Token: token, Server: client, File: s.file, Settle: 15 * time.Millisecond, Retry: time.Millisecond,
			REST:  s.http.URL,
			Board: "https://play.example/",
			Log:   slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
	}()
	s.stopBridge = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			s.t.Errorf("the bridge ended with %v", err)
		}
		if err := client.Close(); err != nil {
			s.t.Error(err)
		}
		s.cut()
	})
	s.until("a gateway", func() bool { return len(s.links) > 0 })
}

// again stops the bridge and starts it on its file.
func (s *stage) again() {
	s.t.Helper()
	s.stopBridge()
	s.bridge()
}

const channel = "500"

func (s *stage) user(name, id string) user {
	return user{standIn: s.standIn, id: id, name: name, locale: "en-US", channel: channel}
}

// players are two who sit down at a new game, red first.
func (s *stage) players(options ...string) (red, blue user) {
	s.t.Helper()
	red, blue = s.user("alice", "601"), s.user("bob", "602")
	red.says("The game begins", "create", append([]string{"ruleset=toy", "scenario=ridge"}, options...)...)
	red.says("You sit at", "join", "seat=red")
	blue.says("You sit at", "join", "seat=blue")
	// The two sat down one after the other, so they may have been called together or one by one.
	s.until("both called", func() bool {
		n := 0
		for _, m := range calls(s.messages[channel]) {
			n += len(m.Mentions.Users)
		}
		return n >= 2
	})
	return red, blue
}

// says gives a command whose answer must have a text, and be seen by the player alone.
func (u user) says(want, sub string, options ...string) *message {
	u.t.Helper()
	got := u.slash(sub, options...)
	if !strings.Contains(got.message.Content, want) {
		u.t.Fatalf("/%s %v: %q, want %q", sub, options, got.message.Content, want)
	}
	if !got.alone && sub != "show" {
		u.t.Errorf("the answer to /%s is seen by everybody", sub)
	}
	return got.message
}

// table is what the bridge keeps of the game; only while the bridge is stopped.
func (s *stage) table() *table {
	s.t.Helper()
	kept, err := openStore(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer kept.close()
	all, err := kept.tables()
	if err != nil || len(all) != 1 {
		s.t.Fatalf("%d tables, %v", len(all), err)
	}
	return all[0]
}

// asked is a client of the server for the tests themselves.
func (s *stage) asked(tokens ...string) *warledger.Client {
	s.t.Helper()
	c, err := warledger.Dial(s.addr,
		warledger.WithTokens(warledger.TokenFunc(func(context.Context, string) ([]string, error) {
			return tokens, nil
		})))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	return c
}

// game is the only one of the server.
func (s *stage) game() *v1.Game {
	s.t.Helper()
	c := s.asked()
	for g, err := range c.List(s.t.Context(), &v1.ListGamesRequest{}) {
		if err != nil {
			s.t.Fatal(err)
		}
		if g, err = c.Game(g.GetName(), "").Get(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		return g
	}
	s.t.Fatal("there is no game")
	return nil
}

// told waits until the channel was told up to a version.
func (s *stage) told(version uint64) {
	s.t.Helper()
	s.until("record "+itoa(version)+" in the channel", func() bool {
		for _, m := range s.messages[channel] {
			if _, last, ok := tells(m); ok && last >= version {
				return true
			}
		}
		return false
	})
}

// tells reads which records a message tells.
func tells(m *message) (first, last uint64, ok bool) {
	for _, e := range m.Embeds {
		if p := footer.FindStringSubmatch(e.Footer.Text); p != nil && p[1] != "" {
			return uint64(number(p[1])), uint64(number(p[2])), true
		}
	}
	return 0, 0, false
}

// calls are the messages that call somebody, in order.
func calls(all []*message) []*message {
	var found []*message
	for _, m := range all {
		for _, e := range m.Embeds {
			if strings.HasPrefix(e.Footer.Text, "⚑") {
				found = append(found, m)
			}
		}
	}
	return found
}

// once checks that the channel was told every record up to a version exactly once and in order.
func (s *stage) once(version uint64) {
	s.t.Helper()
	next := uint64(1)
	for _, m := range s.in(channel) {
		first, last, ok := tells(m)
		if !ok {
			continue
		}
		if first != next || last < first {
			s.t.Errorf("records %d to %d were told where %d was next", first, last, next)
		}
		next = last + 1
	}
	seen := make(map[string]bool)
	for _, m := range calls(s.in(channel)) {
		if said := m.Embeds[0].Footer.Text; seen[said] {
			s.t.Errorf("called twice: %s", said)
		} else {
			seen[said] = true
		}
	}
	if next != version+1 {
		s.t.Errorf("the channel was told up to record %d, want %d", next-1, version)
	}
}
