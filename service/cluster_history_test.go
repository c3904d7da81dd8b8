package service_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
)

// history is one play of a game by many clients at several servers, while servers are paused, cut off and killed. What
// went wrong is collected: a history with a planted fault must have something.
type history struct {
	t     *testing.T
	seed  uint64
	d     *dial
	nodes []*node
	set   []func(*setting)
	game  *table
	// begin is the version at which clients begin.
	begin uint64
	// limit is how long to wait for what must come.
	limit time.Duration
	// sharing is how much is shared while the game is played.
	sharing sharing
	over    chan struct{}

	mu    sync.Mutex
	ops   []porcupine.Operation
	acked map[string]uint64 // versions that were answered, by the id of the request
	read  map[uint64]string // hashes that were answered, by version
	wrong []string
}

// node is a server and its way to the store. The server may be killed, and another takes its place.
type node struct {
	link *link
	host atomic.Pointer[host]
}

// newHistory starts three servers on handles of one store.
func newHistory(t *testing.T, seed uint64, handle func() eventstore.Store, change func(*link)) *history {
	t.Helper()
	h := &history{t: t, seed: seed, d: newDial(), limit: patience, sharing: usualSharing,
		over: make(chan struct{}), acked: make(map[string]uint64), read: make(map[uint64]string)}
	sign := newSigning(t)
	h.set = []func(*setting){posting(t), byDial(h.d), func(s *setting) {
		s.signing, s.limits = sign, service.Limits{MinHeartbeat: time.Millisecond}
	}}
	for range 3 {
		n := &node{link: newLink(handle())}
		n.link.clock = h.d.time
		change(n.link)
		h.nodes = append(h.nodes, n)
	}
	for _, n := range h.nodes {
		h.start(n)
	}
	deadlines := within(logv1.Lapse_LAPSE_NOTICE, func(d *logv1.Deadlines) { d.Allowance = minutes(2) })
	h.game = h.nodes[0].host.Load().seated(deadlines)
	h.begin = h.game.game().Version
	return h
}

func (h *history) start(n *node) {
	n.host.Store(open(h.t, append(slices.Clone(h.set), func(s *setting) { s.store = n.link })...))
}

// fault takes note of something that must not be.
func (h *history) fault(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

// waited reports whether something comes in time, and takes note if it does not.
func (h *history) waited(what string, done func() bool) bool {
	for begun := time.Now(); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begun) > h.limit {
			h.fault("waited in vain until %s", what)
			return false
		}
	}
	return true
}

// client is somebody who calls now this server, now that one.
type client struct {
	*history
	rng *rand.Rand
	id  int
}

func (h *history) client(id int) *client {
	return &client{history: h, id: id, rng: rand.New(rand.NewPCG(h.seed, uint64(id)))}
}

// call repeats a request, each time at any server, until its answer is definite.
func (c *client) call(f func(g *table) error) error {
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		g := c.game.on(c.nodes[c.rng.IntN(len(c.nodes))].host.Load())
		err := f(g)
		switch status.Code(err) {
		case codes.Unavailable, codes.Canceled, codes.Unknown, codes.DeadlineExceeded:
			if time.Since(begun) < c.limit {
				continue
			}
		}
		return err
	}
}

// request is what a client asked for: to append with an id, or to read.
type request struct{ id string }

// timed runs a request and keeps when it was asked and answered, if the answer is that it was done.
func (c *client) timed(id string, f func(g *table) (*v1.Game, uint64, error)) (*v1.Game, error) {
	var game *v1.Game
	var version uint64
	begun := time.Now().UnixNano()
	err := c.call(func(g *table) (err error) {
		game, version, err = f(g)
		return err
	})
	ended := time.Now().UnixNano()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ops = append(c.ops, porcupine.Operation{ClientId: c.id, Input: request{id}, Output: version, Call: begun,
		Return: ended})
	if old, known := c.read[game.Version]; known && old != game.LastHash {
		c.wrong = append(c.wrong, fmt.Sprintf("version %d has the hashes %s and %s", game.Version, old, game.LastHash))
	}
	c.read[game.Version] = game.LastHash
	if id != "" {
		c.acked[id] = version
	}
	return game, nil
}

// look reads the game.
func (c *client) look(token string) (*v1.Game, error) {
	return c.timed("", func(g *table) (*v1.Game, uint64, error) {
		out, err := g.games.GetGame(as(token), &v1.GetGameRequest{Name: g.name})
		return out.GetGame(), out.GetGame().GetVersion(), err
	})
}

// play makes a legal command if it is its turn.
func (c *client) play() {
	game, err := c.look(c.game.red)
	if err != nil {
		c.fault("looking: %v", err)
		return
	}
	token := c.game.tokenOf(game.WaitingFor)
	if token == "" {
		return
	}
	var legal *v1.ListLegalActionsResponse
	err = c.call(func(g *table) (err error) {
		legal, err = g.games.ListLegalActions(as(token), &v1.ListLegalActionsRequest{Name: g.name})
		return err
	})
	if err != nil || len(legal.Actions) == 0 {
		return // another was quicker
	}
	command := c.game.command(legal.Actions[c.rng.IntN(len(legal.Actions))].Command)
	_, _ = c.timed(command.CommandId, func(g *table) (*v1.Game, uint64, error) {
		out, err := g.games.SubmitCommand(as(token), command)
		return out.GetGame(), out.GetRecord().GetVersion(), err
	})
}

// share makes a token, uses it, revokes it, and finds it void.
func (c *client) share() {
	req := &v1.CreateTokenRequest{Name: c.game.name, RequestId: id(), Rights: v1.Rights_RIGHTS_SEE,
		ExpireTime: hour()}
	var made *v1.CreateTokenResponse
	err := c.call(func(g *table) (err error) {
		made, err = v1.NewAccessServiceClient(g.conn).CreateToken(as(c.game.red), req)
		return err
	})
	if err != nil {
		c.fault("making a token: %v", err)
		return
	}
	if _, err := c.look(made.Secret); err != nil {
		c.fault("a token that was made does not open the game: %v", err)
	}
	err = c.call(func(g *table) error {
		_, err := v1.NewAccessServiceClient(g.conn).RevokeToken(as(c.game.red),
			&v1.RevokeTokenRequest{Name: made.Token.Name})
		return err
	})
	if err != nil {
		c.fault("revoking a token: %v", err)
	}
	for range 4 {
		if _, err := c.look(made.Secret); status.Code(err) != codes.Unauthenticated {
			c.fault("a revoked token opens the game: %v", err)
		}
	}
}

// sign asks for checkpoints, of which each must be as large as any that was answered before it was asked for.
func (c *client) sign(least uint64) uint64 {
	var out *v1.GetCheckpointResponse
	err := c.call(func(g *table) (err error) {
		out, err = v1.NewCheckpointServiceClient(g.conn).GetCheckpoint(as(), new(v1.GetCheckpointRequest))
		return err
	})
	if err != nil || out.TreeSize < least {
		c.fault("a checkpoint of %d heads after one of %d: %v", out.GetTreeSize(), least, err)
	}
	return out.GetTreeSize()
}

// watch follows the game at any server, and goes on at another when a watch ends, until it has seen the version that
// until returns once it is known.
func (c *client) watch(until func() uint64) {
	at, begun := c.begin, time.Now()
	for resumed := after(at); ; time.Sleep(time.Millisecond) {
		if end := until(); end > 0 && at >= end {
			return
		}
		if time.Since(begun) > 2*c.limit {
			c.fault("a watcher saw the records up to %d", at)
			return
		}
		ctx, stop := context.WithTimeout(as(c.game.blue), time.Second)
		g := c.game.on(c.nodes[c.rng.IntN(len(c.nodes))].host.Load())
		resumed.Name = g.name
		stream, err := g.games.WatchGame(ctx, resumed)
		for err == nil {
			var m *v1.WatchGameResponse
			if m, err = stream.Recv(); err != nil {
				break
			}
			resumed = resume(m.ResumeToken)
			if r := m.GetRecord(); r != nil {
				if r.Version != at+1 {
					c.fault("a watcher saw record %d after %d", r.Version, at)
				}
				at = r.Version
			}
			if end := until(); end > 0 && at >= end {
				break
			}
		}
		stop()
		if code := status.Code(err); code == codes.OutOfRange {
			c.fault("a watcher that saw record %d is ahead: %v", at, err)
			return
		}
	}
}

// weather makes trouble until the clients have ended.
func (h *history) weather() {
	rng := rand.New(rand.NewPCG(h.seed, math.MaxUint64))
	ms := func(n int) { time.Sleep(time.Duration(rng.IntN(n)+1) * time.Millisecond) }
	for {
		select {
		case <-h.over:
			return
		default:
		}
		n := h.nodes[rng.IntN(len(h.nodes))]
		switch rng.IntN(5) {
		case 0: // cut off from the store
			n.link.away.Store(true)
			ms(20)
			n.link.away.Store(false)
		case 1: // an append is stored, and its answer lost
			n.link.onStored(func() { n.link.away.Store(true) })
			ms(20)
			n.link.away.Store(false)
		case 2: // paused between two calls to the store
			var once sync.Once
			op := []string{"append", "set", "read", "head"}[rng.IntN(4)]
			pause := time.Duration(rng.IntN(30)+1) * time.Millisecond
			n.link.on(func(now, _ string) {
				if now == op {
					once.Do(func() { time.Sleep(pause) })
				}
			})
		case 3: // killed, and started again
			n.link.away.Store(true)
			n.host.Load().stop()
			n.link.on(nil)
			n.link.away.Store(false)
			h.start(n)
		case 4:
			ms(10)
		}
	}
}
