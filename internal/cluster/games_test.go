//go:build linux

package cluster

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func newID() string { return uuid.NewString() }

// month is a time that the quickest clocks do not reach.
func month() *timestamppb.Timestamp { return timestamppb.New(time.Now().Add(30 * 24 * time.Hour)) }

// game is a game with all that was answered about it.
type game struct {
	name   string
	owner  string
	seats  []string
	tokens map[string]string
	// begin is the version at which players begin.
	begin uint64
	over  atomic.Bool
	// last is its version in the end; 0 before.
	last     atomic.Uint64
	watching sync.WaitGroup
	// idle are the seats that must decide in a game that nobody plays.
	idle []string

	mu    sync.Mutex
	ops   []porcupine.Operation
	acked map[string]place  // by the id of the request
	asked map[string]int64  // when a request was first sent
	shown map[uint64]string // hashes, by version
	void  []string          // tokens that were revoked
}

// place is a record's in its log.
type place struct {
	version uint64
	hash    string
}

// request is what a client asked for: to append, or to read.
type request struct{ append bool }

func (g *game) setOver() { g.over.Store(true) }

func (g *game) revoked(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.void = append(g.void, token)
}

// saw takes note of a hash that a server showed for a version, which no server may show otherwise.
func (g *game) saw(c *client, version uint64, hash, what string) {
	g.mu.Lock()
	old, known := g.shown[version]
	g.shown[version] = hash
	g.mu.Unlock()
	if known && old != hash {
		c.fault("%s: %s version %d with hash %.8s, another was shown as %.8s", g.name, what, version, hash, old)
	}
}

// done keeps a request that was answered, with when it was asked for and answered.
func (g *game) done(c *client, r request, begun int64, at place) {
	g.saw(c, at.version, at.hash, "an answer has")
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ops = append(g.ops, porcupine.Operation{ClientId: c.id, Input: r, Output: at, Call: begun,
		Return: time.Now().UnixNano()})
}

// look reads the game.
func (c *client) look(g *game, token string) (*v1.Game, error) {
	var out *v1.GetGameResponse
	begun := time.Now().UnixNano()
	err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
		out, err = at.Games().GetGame(bearing(ctx, token), &v1.GetGameRequest{Name: g.name})
		return err
	})
	if err != nil {
		return nil, err
	}
	c.count("reads")
	g.done(c, request{}, begun, place{out.Game.Version, out.Game.LastHash})
	return out.Game, nil
}

// submit makes a command, under an id that it keeps for all its attempts.
func (c *client) submit(g *game, seat, notation string) (*v1.SubmitCommandResponse, error) {
	id, begun := newID(), time.Now().UnixNano()
	g.mu.Lock()
	g.asked[id] = begun
	g.mu.Unlock()
	var out *v1.SubmitCommandResponse
	err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
		out, err = at.Game(g.name, seat).WithTokens(warledger.TokenFunc(
			func(context.Context, string) ([]string, error) { return []string{g.tokens[seat]}, nil },
		)).Submit(ctx, warledger.Move{Notation: notation, ID: id})
		return err
	})
	if err != nil {
		if !definite(err) {
			c.fault("%s: a command had no answer for %v: %v", g.name, c.limit, err)
		}
		c.count("commands refused")
		return nil, err
	}
	c.count("commands")
	at := place{out.Record.Version, out.Record.Hash}
	g.done(c, request{append: true}, begun, at)
	g.saw(c, out.Game.Version, out.Game.LastHash, "an answer has")
	g.mu.Lock()
	defer g.mu.Unlock()
	g.acked[id] = at
	return out, nil
}

// lane is games that are played one after another.
type lane struct {
	ruleset, scenario string

	mu   sync.Mutex
	last *game
}

// now is the game that is played in the lane; nil if none could be made.
func (l *lane) now(c *client) *game {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil && !l.last.over.Load() {
		return l.last
	}
	g := c.create(l.ruleset, l.scenario, false)
	if g == nil {
		return nil
	}
	if !c.hook(g) {
		return nil
	}
	for i := range 2 {
		w := c.client(1000 + 10*c.id + i)
		g.watching.Go(func() { w.watch(g, g.last.Load) })
	}
	c.mu.Lock()
	c.games = append(c.games, g)
	c.mu.Unlock()
	l.last = g
	return g
}

// create begins a game and sits down at all seats.
func (c *client) create(ruleset, scenario string, deadlines bool) *game {
	req := &v1.CreateGameRequest{RequestId: newID(), Ruleset: "rulesets/" + ruleset,
		Source: &v1.CreateGameRequest_Scenario{Scenario: scenario}}
	if deadlines {
		req.Deadlines = &logv1.Deadlines{Allowance: durationpb.New(time.Minute), Lapse: logv1.Lapse_LAPSE_NOTICE}
	}
	var made *v1.CreateGameResponse
	err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
		made, err = at.Games().CreateGame(ctx, req)
		return err
	})
	if err != nil {
		c.fault("creating a game: %v", err)
		return nil
	}
	g := &game{name: made.Game.Name, owner: made.OwnerToken, tokens: make(map[string]string),
		acked: make(map[string]place), asked: make(map[string]int64), shown: make(map[uint64]string)}
	for _, s := range made.Game.Seats {
		req := &v1.TakeSeatRequest{Name: g.name, Seat: s.Id, Holder: s.Id, RequestId: newID(), Entropy: []byte(s.Id)}
		var sat *v1.TakeSeatResponse
		err := c.call(func(ctx context.Context, at *warledger.Client) (err error) {
			sat, err = at.Games().TakeSeat(ctx, req)
			return err
		})
		if err != nil {
			c.fault("%s: sitting down: %v", g.name, err)
			return nil
		}
		g.seats, g.tokens[s.Id] = append(g.seats, s.Id), sat.SeatToken
		g.begin, g.idle = sat.Game.Version, sat.Game.WaitingFor
	}
	c.count("games")
	return g
}

// hook has all records of a game posted to the receiver.
func (c *client) hook(g *game) bool {
	req := &v1.CreateWebhookRequest{Parent: g.name, RequestId: newID(), Webhook: &v1.Webhook{
		Url: c.receiver.url(g), Kinds: []logv1.NoticeKind{logv1.NoticeKind_NOTICE_KIND_RECORD}}}
	err := c.call(func(ctx context.Context, at *warledger.Client) error {
		_, _, err := at.Game(g.name, "").WithTokens(warledger.TokenFunc(
			func(context.Context, string) ([]string, error) { return []string{g.owner}, nil },
		)).CreateWebhook(ctx, warledger.Hook{URL: req.Webhook.Url, Kinds: req.Webhook.Kinds, ID: req.RequestId})
		return err
	})
	if err != nil {
		c.fault("%s: making a webhook: %v", g.name, err)
	}
	return err == nil
}
