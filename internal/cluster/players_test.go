//go:build linux

package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// world is what one seed plays in. What goes wrong is collected: a world with planted faults must have something.
type world struct {
	t       testing.TB
	seed    uint64
	network *network
	// players is where all callers are, and who gets the notices.
	players  *namespace
	nodes    []*node
	receiver *receiver
	// over is closed when nothing fails any more, and players come to an end.
	over chan struct{}
	// limit is how long a call is repeated.
	limit time.Duration
	// quick says that the servers' clocks run quickly, so that deadlines pass and claims end while the seed is played.
	quick bool

	mu         sync.Mutex
	games      []*game
	idle       []*game
	wrong      []string
	checkpoint *warledger.Checkpoint
	counts     map[string]int
}

// mostAlike is how often the same thing is said.
const mostAlike = 5

// fault takes note of something that must not be.
func (w *world) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts["faults: "+format]++
	if w.counts["faults: "+format] <= mostAlike {
		w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
	}
}

func (w *world) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[what]++
}

// ended reports whether the players shall come to an end.
func (w *world) ended() bool {
	select {
	case <-w.over:
		return true
	default:
		return false
	}
}

// client is somebody who calls now this server, now that one.
type client struct {
	*world
	id  int
	rng *rand.Rand
	at  []*warledger.Client
}

func (w *world) client(id int) *client {
	w.t.Helper()
	c := &client{world: w, id: id, rng: rand.New(rand.NewPCG(w.seed, uint64(100+id)))}
	for _, n := range w.nodes {
		there, err := warledger.Dial("passthrough:///"+n.target(), warledger.WithPlaintext(), warledger.WithPatience(0),
			warledger.WithBackoff(50*time.Millisecond, 500*time.Millisecond),
			warledger.WithGRPC(grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
				return w.players.dial(ctx, address)
			})))
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { _ = there.Close() })
		c.at = append(c.at, there)
	}
	return c
}

// attempt is how long one server may take for an answer, before another is asked.
const attempt = 4 * time.Second

// call repeats a request, each time at any server, until its answer is definite.
func (c *client) call(f func(context.Context, *warledger.Client) error) error {
	for begun := time.Now(); ; c.rest(40) {
		ctx, cancel := context.WithTimeout(context.Background(), attempt)
		err := f(ctx, c.at[c.rng.IntN(len(c.at))])
		cancel()
		if !definite(err) && time.Since(begun) < c.limit {
			c.count("calls repeated")
			continue
		}
		return err
	}
}

// definite reports whether an answer says whether the request was done.
func definite(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Canceled, codes.Unknown, codes.DeadlineExceeded, codes.ResourceExhausted:
		return false
	}
	return true
}

// rest waits up to some milliseconds.
func (c *client) rest(ms int) { time.Sleep(time.Duration(c.rng.IntN(ms*1000)+1) * time.Microsecond) }

// bearing has a context bear a token, if there is one.
func bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return warledger.WithBearer(ctx, token)
}

// play makes commands in a lane's games until the end.
func (c *client) play(l *lane) {
	for !c.ended() {
		c.rest(60)
		if g := l.now(c); g != nil {
			c.turn(g)
		}
	}
}

// turn makes a legal command if the game waits for a seat.
func (c *client) turn(g *game) {
	now, err := c.look(g, "")
	if err != nil {
		c.fault("%s: looking: %v", g.name, err)
		return
	}
	if now.Over {
		g.setOver()
		return
	}
	if len(now.WaitingFor) == 0 {
		return
	}
	seat := now.WaitingFor[c.rng.IntN(len(now.WaitingFor))]
	token := g.tokens[seat]
	var legal *v1.ListLegalActionsResponse
	err = c.call(func(ctx context.Context, at *warledger.Client) (err error) {
		legal, err = at.Games().ListLegalActions(bearing(ctx, token),
			&v1.ListLegalActionsRequest{Name: g.name, Seat: seat})
		return err
	})
	if err != nil || len(legal.Actions) == 0 {
		return // another was quicker
	}
	action := legal.Actions[c.rng.IntN(len(legal.Actions))]
	if action.Offer {
		return
	}
	done, err := c.submit(g, seat, action.Command)
	if err == nil && done.Game.GetOver() {
		g.setOver()
	}
}

// share makes a token, uses it, revokes it, and finds it void at every server.
func (c *client) share(l *lane) {
	for !c.ended() {
		c.rest(300)
		g := l.now(c)
		if g == nil {
			continue
		}
		seat := g.seats[c.rng.IntN(len(g.seats))]
		req := &v1.CreateTokenRequest{Name: g.name, RequestId: newID(), Rights: v1.Rights_RIGHTS_SEE,
			ExpireTime: month()}
		var made *v1.CreateTokenResponse
		err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
			made, err = at.Access().CreateToken(bearing(ctx, g.tokens[seat]), req)
			return err
		})
		if err != nil {
			c.fault("%s: making a token: %v", g.name, err)
			continue
		}
		if _, err := c.look(g, made.Secret); err != nil {
			c.fault("%s: a token that was made does not open the game: %v", g.name, err)
		}
		err = c.call(func(ctx context.Context, at *warledger.Client) error {
			_, err := at.Access().RevokeToken(bearing(ctx, g.tokens[seat]),
				&v1.RevokeTokenRequest{Name: made.Token.Name})
			return err
		})
		if err != nil {
			c.fault("%s: revoking a token: %v", g.name, err)
			continue
		}
		c.count("tokens revoked")
		g.revoked(made.Secret)
		for range 3 {
			c.void(g, made.Secret)
			c.rest(100)
		}
	}
}

// void looks whether a token that was revoked opens anything.
func (c *client) void(g *game, token string) {
	if _, err := c.look(g, token); status.Code(err) != codes.Unauthenticated {
		c.fault("%s: a revoked token opens the game: %v", g.name, err)
	}
}

// sign asks for checkpoints: each holds all that was in one that was answered before, whoever asked for that.
func (c *client) sign() {
	for !c.ended() {
		c.rest(1000)
		c.signOnce()
	}
}

func (c *client) signOnce() {
	c.mu.Lock()
	last := c.checkpoint
	c.mu.Unlock()
	var next *warledger.Checkpoint
	err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
		next, err = at.Checkpoint(ctx, last)
		return err
	})
	if err != nil {
		c.fault("a checkpoint: %v", err)
		return
	}
	c.count("checkpoints")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.checkpoint == nil || next.Size() > c.checkpoint.Size() {
		c.checkpoint = next
	}
}

// watch follows a game at any server, and goes on at another when a watch ends, until it has seen the version that
// until returns once it is known.
func (c *client) watch(g *game, until func() uint64) {
	at, begun := g.begin, time.Time{}
	from := &v1.WatchGameRequest{Name: g.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: at}}
	for ; ; c.rest(100) {
		end := until()
		switch {
		case end > 0 && at >= end:
			return
		case end > 0 && begun.IsZero():
			begun = time.Now()
		case end > 0 && time.Since(begun) > c.limit:
			c.fault("%s: a watcher saw the records up to %d of %d", g.name, at, end)
			return
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Duration(1+c.rng.IntN(8))*time.Second)
		stream, err := c.at[c.rng.IntN(len(c.at))].Games().WatchGame(bearing(ctx, g.tokens[g.seats[0]]), from)
		for err == nil {
			var m *v1.WatchGameResponse
			if m, err = stream.Recv(); err != nil {
				break
			}
			if m.ResumeToken != "" {
				from.Start = &v1.WatchGameRequest_ResumeToken{ResumeToken: m.ResumeToken}
			}
			if r := m.GetRecord(); r != nil {
				if r.Version != at+1 {
					c.fault("%s: a watcher saw record %d after %d", g.name, r.Version, at)
				}
				at = r.Version
				g.saw(c, r.Version, r.Hash, "a watcher saw")
			}
			if end := until(); end > 0 && at >= end {
				break
			}
		}
		stop()
		if status.Code(err) == codes.OutOfRange {
			c.fault("%s: a watcher that saw record %d is ahead: %v", g.name, at, err)
			return
		}
	}
}

// leave begins games with deadlines of a minute that nobody plays.
func (c *client) leave() {
	for !c.ended() {
		if g := c.create("toy", "ridge", true); g != nil {
			c.mu.Lock()
			c.idle = append(c.idle, g)
			c.mu.Unlock()
		}
		c.rest(4000)
	}
}
