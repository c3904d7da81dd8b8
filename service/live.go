package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// gamePrefix begins the names of the streams that hold games.
const gamePrefix = "games/"

func gameStream(id string) string { return gamePrefix + id }

// live is a game in memory.
type live struct {
	id      string
	set     rules.Ruleset
	about   *rules.About
	sc      rules.Scenario
	created *logv1.GameCreated
	time    time.Time
	// base is the position before the first event.
	base rules.Game
	past *positions

	// writing holds one token while somebody writes. dead is set, by a writer, when memory and store may differ.
	writing chan struct{}
	dead    atomic.Bool
	salts   *ledger.Salter // the writer's
	now     atomic.Pointer[moment]
}

// current is the moment that was published last.
func (l *live) current() *moment { return l.now.Load() }

// publish makes a moment the current one and wakes those who wait for it.
func (l *live) publish(m *moment) {
	old := l.now.Swap(m)
	if old != nil {
		close(old.next)
	}
	if m.tree.HeadAt(m.version()) == m.version() { // a new place
		l.past.pass(m.version(), m.tree.Depth(m.version()), m.game)
	}
}

// kill marks a game whose memory may differ from the store, and wakes those who wait for it. Only its writer may, and nothing is
// published after it.
func (l *live) kill() {
	if !l.dead.Swap(true) {
		close(l.current().next)
	}
}

// newLive makes a game of its first record and its secrets. It has no moment yet.
func (s *Service) newLive(id string, set rules.Ruleset, sc rules.Scenario, created *logv1.GameCreated, meta *logv1.GameMeta) (*live, error) {
	about := set.About()
	options, err := about.NewOptions(created.Options)
	if err != nil {
		return nil, fault.New(fault.LogCorrupt, "game %s: %v", id, err)
	}
	if len(meta.SaltSecret) != len(ledger.SaltSecret{}) || len(meta.TokenSecret) == 0 {
		return nil, fault.New(fault.LogCorrupt, "game %s has lost its secrets", id)
	}
	return &live{
		id: id, set: set, about: about, sc: sc, created: created, base: set.New(sc, options),
		past: newPositions(s.limits.Checkpoints), writing: make(chan struct{}, 1),
		salts: ledger.NewSalter(ledger.SaltSecret(meta.SaltSecret), id),
	}, nil
}

// game gives a game, from memory or folded from its log. Call done when it is not needed any more.
func (s *Service) game(ctx context.Context, id string) (l *live, done func(), err error) {
	return s.games.get(ctx, id, func(ctx context.Context) (*live, error) {
		begun := time.Now()
		l, err := s.fold(ctx, id)
		if err == nil {
			s.metrics.folded(time.Since(begun))
		}
		return l, err
	})
}

// fold reads a game's log from the beginning.
func (s *Service) fold(ctx context.Context, id string) (*live, error) {
	f := folder{s: s, id: id}
	for next := uint64(1); ; {
		page, err := s.store.Read(ctx, gameStream(id), next, 0, 0)
		switch {
		case errors.Is(err, eventstore.ErrNotFound):
			return nil, gameNotFound(id)
		case err != nil:
			return nil, fault.FromStore(err)
		case len(page) == 0:
			return f.finish(ctx)
		}
		for i := range page {
			if err := f.add(ctx, page[i].Data); err != nil {
				return nil, corrupt(id, page[i].Version, err)
			}
		}
		next += uint64(len(page))
	}
}

func gameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %q", id).With("game", id).Resource("game", gamePrefix+id)
}

// corrupt says that a record cannot be folded, unless the error says something else already.
func corrupt(id string, version uint64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.New(fault.LogCorrupt, "game %s cannot be folded at version %d", id, version).With("game", id, "version", version).Because(err)
}

// folder makes a live game of its records.
type folder struct {
	s      *Service
	id     string
	l      *live
	m      *moment
	replay *ledger.Replayer
}

func (f *folder) add(ctx context.Context, data []byte) error {
	r, err := ledger.Parse(data)
	if err != nil {
		return err
	}
	if f.l == nil {
		if err := f.begin(ctx, r); err != nil {
			return err
		}
	}
	m, err := f.m.follow(f.l.about, r)
	if err != nil {
		return err
	}
	f.m = m
	if m.head() != r.Version() { // no new place
		return nil
	}
	if parent := r.Header().Parent; f.replay.At() != parent { // the head was moved since
		g, err := f.s.positionAt(ctx, f.l, m, parent)
		if err != nil {
			return err
		}
		f.replay = ledger.NewReplayer(g.Clone(), parent)
	}
	if err := f.replay.Add(r); err != nil {
		return err
	}
	if depth := m.tree.Depth(r.Version()); f.l.past.wants(depth) {
		f.l.past.pass(r.Version(), depth, f.replay.Game().Clone())
	}
	return nil
}

// begin reads what is played from the first record, and the secrets from beside the log.
func (f *folder) begin(ctx context.Context, r *ledger.Record) error {
	created, err := r.Created()
	if err != nil {
		return err
	}
	set, ok := f.s.registry.Find(created.Ruleset)
	if !ok {
		return fault.New(fault.GameUnplayable, "this server has no ruleset %q", created.Ruleset).With("ruleset", created.Ruleset)
	}
	if v := set.About().Version; created.RulesVersion > v {
		return fault.New(fault.GameUnplayable, "the game is of version %d of %s, this server has %d", created.RulesVersion, created.Ruleset, v).
			With("ruleset", created.Ruleset)
	}
	if len(created.ScenarioDigest) != len(ledger.Hash{}) {
		return errors.New("the scenario's digest is damaged")
	}
	sc, err := f.s.scenarios.load(ctx, set, ledger.Hash(created.ScenarioDigest))
	if err != nil {
		return err
	}
	info, err := f.s.store.Meta(ctx, gameStream(f.id))
	if err != nil {
		return fault.FromStore(err)
	}
	meta, err := ledger.DecodeMeta(info)
	if err != nil {
		return err
	}
	if f.l, err = f.s.newLive(f.id, set, sc, created, meta); err != nil {
		return err
	}
	f.l.time = r.Header().Time.AsTime()
	f.m = f.l.zero(meta)
	f.replay = ledger.NewReplayer(f.l.base.Clone(), 0)
	return nil
}

// zero is the moment before the first record.
func (l *live) zero(meta *logv1.GameMeta) *moment {
	return &moment{meta: meta, game: l.base, table: table{holders: map[string]string{}, resigned: rules.NoSeat}, next: make(chan struct{})}
}

func (f *folder) finish(ctx context.Context) (*live, error) {
	if f.l == nil {
		return nil, gameNotFound(f.id)
	}
	f.m.game = f.replay.Game()
	if head := f.m.head(); f.replay.At() != head {
		g, err := f.s.positionAt(ctx, f.l, f.m, head)
		if err != nil {
			return nil, corrupt(f.id, head, err)
		}
		f.m.game = g
	}
	f.l.publish(f.m)
	return f.l, nil
}

// positionAt is the position after a place of the tree. It must not be changed: clone it.
func (s *Service) positionAt(ctx context.Context, l *live, m *moment, place uint64) (rules.Game, error) {
	if cur := l.current(); cur != nil && cur.head() == place {
		return cur.game, nil
	}
	game, at, between := l.past.nearest(&m.tree, place)
	if len(between) == 0 && game != nil {
		return game, nil
	}
	if game == nil {
		game, at = l.base, 0
	}
	replay := ledger.NewReplayer(game.Clone(), at)
	for len(between) > 0 {
		n, err := s.foldRun(ctx, l, replay, between)
		if err != nil {
			return nil, err
		}
		between = between[n:]
	}
	l.past.remember(place, replay.Game())
	return replay.Game(), nil
}

// foldRun folds the next places of a line that stand close together in the log, with one read, and says how many.
func (s *Service) foldRun(ctx context.Context, l *live, replay *ledger.Replayer, places []uint64) (int, error) {
	first, last := places[0], places[0]
	for _, p := range places {
		if p > last+16 || p-first >= eventstore.DefaultPage {
			break
		}
		last = p
	}
	page, err := s.store.Read(ctx, gameStream(l.id), first, int(last-first+1), 0)
	if err != nil {
		return 0, fault.FromStore(err)
	}
	n := 0
	for i := range page {
		if n == len(places) || page[i].Version != places[n] {
			continue
		}
		r, err := ledger.Parse(page[i].Data)
		if err == nil {
			err = replay.Add(r)
		}
		if err != nil {
			return 0, corrupt(l.id, page[i].Version, err)
		}
		n++
	}
	if n == 0 {
		return 0, corrupt(l.id, first, fmt.Errorf("record %d is missing", first))
	}
	return n, nil
}

// record reads one stored record.
func (s *Service) record(ctx context.Context, id string, version uint64) (*ledger.Record, error) {
	page, err := s.store.Read(ctx, gameStream(id), version, 1, 0)
	if err != nil {
		return nil, fault.FromStore(err)
	}
	if len(page) == 0 {
		return nil, corrupt(id, version, fmt.Errorf("record %d is missing", version))
	}
	r, err := ledger.Parse(page[0].Data)
	if err != nil {
		return nil, corrupt(id, version, err)
	}
	return r, nil
}
