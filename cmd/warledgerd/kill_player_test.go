package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

// gone reports whether an error says that the server is not there any more.
func gone(err error) bool { return status.Code(err) == codes.Unavailable }

// player plays both seats of one game after another and keeps account of every answer.
type player struct {
	t     *testing.T
	rnd   *rand.Rand
	games []*played
	begun bool // the last game has not been watched yet
	// pending is the request that had no answer when the server was killed; nil if none.
	pending          *request
	done             []*request
	answers, retried int
}

// played is a game as its player knows it.
type played struct {
	name             string
	owner, red, blue string
	over             bool
	// acked is the hash of each version that an answer named.
	acked map[uint64]string
	// stored are the records that were found after the last start.
	stored []*v1.Record

	mu    sync.Mutex
	seen  []*v1.Record // by the watcher
	token string       // of the watcher
}

// request is one that changes something. Its answer is what must be said again when it is sent again.
type request struct {
	id     string
	send   func(context.Context, v1.GameServiceClient) (answer string, after *v1.Game, err error)
	answer string
	game   *played
}

func (p *player) game() *played {
	if len(p.games) == 0 {
		return nil
	}
	return p.games[len(p.games)-1]
}

func bearer(ctx context.Context, token string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// step makes one request: it begins a game, takes a seat, plays, or takes a move back.
func (p *player) step(ctx context.Context, games v1.GameServiceClient) error {
	r, err := p.next(ctx, games)
	if err != nil || r == nil {
		return err
	}
	p.pending = r
	answer, after, err := r.send(ctx, games)
	if gone(err) {
		return err
	}
	p.pending = nil
	if status.Code(err) == codes.FailedPrecondition { // an undo that cannot be: an answer that changed nothing
		return nil
	}
	if err != nil {
		return err
	}
	p.keep(r, answer, after)
	return nil
}

func (p *player) keep(r *request, answer string, after *v1.Game) {
	r.answer = answer
	if r.game != nil && after != nil {
		r.game.acked[after.Version] = after.LastHash
		r.game.over = after.Over
	}
	p.answers++
	p.done = append(p.done, r)
}

func (p *player) next(ctx context.Context, games v1.GameServiceClient) (*request, error) {
	g := p.game()
	switch {
	case g == nil || g.over:
		return p.create(), nil
	case g.red == "":
		return g.sit("red", func(token string) { g.red = token }), nil
	case g.blue == "":
		return g.sit("blue", func(token string) { g.blue = token }), nil
	}
	now, err := games.GetGame(ctx, &v1.GetGameRequest{Name: g.name})
	if err != nil {
		return nil, err
	}
	if g.over = now.Game.Over; g.over {
		return nil, nil
	}
	token := g.red
	if now.Game.WaitingFor[0] == "blue" {
		token = g.blue
	}
	if p.rnd.IntN(6) == 0 {
		return g.undo(token), nil
	}
	list, err := games.ListLegalActions(bearer(ctx, token), &v1.ListLegalActionsRequest{Name: g.name})
	if err != nil {
		return nil, err
	}
	return g.command(token, list.Actions[p.rnd.IntN(len(list.Actions))].Command), nil
}

func (p *player) create() *request {
	req := &v1.CreateGameRequest{RequestId: uuid.NewString(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}}
	r := &request{id: req.RequestId}
	r.send = func(ctx context.Context, games v1.GameServiceClient) (string, *v1.Game, error) {
		out, err := games.CreateGame(ctx, req)
		if err != nil {
			return "", nil, err
		}
		if r.game == nil {
			r.game = &played{name: out.Game.Name, owner: out.OwnerToken, acked: map[uint64]string{}}
			p.games, p.begun = append(p.games, r.game), true
		}
		return out.Game.Name + " " + out.OwnerToken, out.Game, nil
	}
	return r
}

func (g *played) sit(seat string, took func(token string)) *request {
	req := &v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: seat, RequestId: uuid.NewString(),
		Entropy: []byte(seat)}
	return &request{id: req.RequestId, game: g,
		send: func(ctx context.Context, games v1.GameServiceClient) (string, *v1.Game, error) {
			out, err := games.TakeSeat(ctx, req)
			if err != nil {
				return "", nil, err
			}
			took(out.SeatToken)
			return out.SeatToken, out.Game, nil
		}}
}

func (g *played) command(token, text string) *request {
	req := &v1.SubmitCommandRequest{Name: g.name, CommandId: uuid.NewString(),
		Form: &v1.SubmitCommandRequest_Notation{Notation: text}}
	return &request{id: req.CommandId, game: g,
		send: func(ctx context.Context, games v1.GameServiceClient) (string, *v1.Game, error) {
			out, err := games.SubmitCommand(bearer(ctx, token), req)
			if err != nil {
				return "", nil, err
			}
			// The end of the game shows the whole of a record, where its player saw less before: what stays is the
			// record's hash and place.
			return fmt.Sprint(out.Record.Version, " ", out.Record.Parent, " ", out.Record.Notation, " ",
				out.Record.Hash), out.Game, nil
		}}
}

func (g *played) undo(token string) *request {
	req := &v1.UndoRequest{Name: g.name, RequestId: uuid.NewString()}
	return &request{id: req.RequestId, game: g,
		send: func(ctx context.Context, games v1.GameServiceClient) (string, *v1.Game, error) {
			out, err := games.Undo(bearer(ctx, token), req)
			if err != nil {
				return "", nil, err
			}
			return fmt.Sprint("done ", out.Done), out.Game, nil
		}}
}

// sendAgain sends the request that had no answer, and of those that had one the latest and some others.
func (p *player) sendAgain(ctx context.Context, games v1.GameServiceClient) error {
	if r := p.pending; r != nil {
		answer, after, err := r.send(ctx, games)
		switch {
		case gone(err):
			return err
		case status.Code(err) == codes.FailedPrecondition:
		case err != nil:
			return err
		default:
			p.keep(r, answer, after)
		}
		p.pending = nil
		p.retried++
	}
	for n := range 24 {
		i := len(p.done) - 1 - n
		if n >= 12 {
			i = p.rnd.IntN(max(1, len(p.done)))
		}
		if i < 0 || i >= len(p.done) {
			continue
		}
		r := p.done[i]
		answer, _, err := r.send(ctx, games)
		if gone(err) {
			return err
		}
		if err != nil || answer != r.answer {
			p.t.Errorf("%s: request %s had the answer %q, and now %q, %v", p.where(), r.id, r.answer, answer, err)
		}
		p.retried++
	}
	return nil
}

// find looks whether the game at hand holds what was acknowledged.
func (p *player) find(ctx context.Context, games v1.GameServiceClient) error {
	if g := p.game(); g != nil {
		return g.find(ctx, p, games)
	}
	return nil
}

// findAll does so for all games, and holds what the watchers saw against them.
func (p *player) findAll(ctx context.Context, games v1.GameServiceClient) error {
	for _, g := range p.games {
		if err := g.find(ctx, p, games); err != nil {
			return err
		}
		for i, r := range g.seen {
			if i >= len(g.stored) || r.Hash != g.stored[i].Hash || !proto.Equal(r.Time, g.stored[i].Time) {
				p.t.Errorf("%s: the watcher saw a record %d that is not the log's", g.name, i+1)
			}
		}
	}
	return nil
}

func (g *played) find(ctx context.Context, p *player, games v1.GameServiceClient) error {
	var all []*v1.Record
	for page := ""; ; {
		out, err := games.ListRecords(ctx,
			&v1.ListRecordsRequest{Name: g.name, WholeTree: true, IncludeProofs: true, PageSize: 500, PageToken: page})
		if err != nil {
			return err
		}
		all = append(all, out.Records...)
		if page = out.NextPageToken; page == "" {
			break
		}
	}
	for version, hash := range g.acked {
		if version > uint64(len(all)) || all[version-1].Hash != hash {
			p.t.Errorf("%s: version %d was acknowledged with hash %s and is gone or changed; there are %d",
				g.name, version, hash, len(all))
		}
	}
	for i, r := range g.stored {
		if i >= len(all) || all[i].Hash != r.Hash {
			p.t.Errorf("%s: record %d was there before and is gone or changed", g.name, i+1)
		}
	}
	g.wantChain(p, all)
	g.stored = all
	return nil
}

// wantChain proves that the records are one chain, each with an id of its own, and that what nobody was told of
// is what was under way.
func (g *played) wantChain(p *player, all []*v1.Record) {
	var chain ledger.Chain
	last := uint64(0)
	for version := range g.acked {
		last = max(last, version)
	}
	for i, r := range all {
		proof, err := ledger.OpenMessage(r.Proof)
		if err == nil {
			err = chain.Add(proof)
		}
		if err != nil {
			p.t.Errorf("%s: record %d: %v", g.name, i+1, err)
			return
		}
		if r.Version > last && r.Kind == logv1.RecordKind_RECORD_KIND_COMMAND &&
			(p.pending == nil || r.CommandId != p.pending.id) {
			p.t.Errorf("%s: nobody knows of record %d", g.name, r.Version)
		}
	}
	// a command that ends the game comes with the release of its secrets
	if extra := uint64(len(all)) - last; extra > 2 {
		p.t.Errorf("%s: %d records beyond those acknowledged", g.name, extra)
	}
}

// watch follows the game through one life of the server.
func (g *played) watch(ctx context.Context, t *testing.T, games v1.GameServiceClient) {
	g.mu.Lock()
	defer g.mu.Unlock()
	req := &v1.WatchGameRequest{Name: g.name,
		Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: uint64(len(g.seen))}}
	if g.token != "" {
		req.Start = &v1.WatchGameRequest_ResumeToken{ResumeToken: g.token}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := games.WatchGame(ctx, req)
	for err == nil {
		var m *v1.WatchGameResponse
		if m, err = stream.Recv(); err != nil {
			break
		}
		g.token = m.ResumeToken
		if r := m.GetRecord(); r != nil {
			if r.Version != uint64(len(g.seen))+1 {
				t.Errorf("%s: the watcher got record %d after %d", g.name, r.Version, len(g.seen))
			}
			g.seen = append(g.seen, r)
		}
	}
	if !gone(err) && err != io.EOF && ctx.Err() == nil {
		t.Errorf("%s: the watcher was ended with %v", g.name, err)
	}
}
