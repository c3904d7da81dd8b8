package service

import (
	"context"
	"encoding/hex"
	"errors"
	"sync/atomic"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// live is a game in memory.
type live struct {
	id      string
	set     rules.Ruleset
	about   *rules.About
	sc      *documents.Loaded
	created *logv1.GameCreated
	// digest and commitment are those of created, as they are shown.
	digest, commitment string
	time               time.Time
	// base is the position before the first event.
	base rules.Game
	past *positions

	// writing holds one token while somebody writes. dead is set, by a writer, when memory and store may differ.
	writing chan struct{}
	dead    atomic.Bool
	salts   *ledger.Salter // the writer's
	ids     requestIDs     // the writer's
	now     atomic.Pointer[moment]
}

// What a game takes in memory, as measured with the shipped rulesets: the game itself, each record, and each position
// with its share of the scenario.
const (
	liveBytes       = 12 << 10
	recordBytes     = 64
	positionBytes   = 10 << 10
	positionPerByte = 8 // bytes of the loaded scenario, which has many times those of its document
)

// weight is about what the game takes in memory, in bytes, without the scenario that it shares with others.
func (l *live) weight() int {
	position := positionBytes + l.sc.DocumentBytes()/positionPerByte
	return liveBytes + recordBytes*int(l.current().version()) + position*(1+l.past.count())
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
		if old != nil {
			l.past.remember(old.head(), old.game) // what an undo goes back to, most often
		}
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
func (s *Service) newLive(id string, set rules.Ruleset, sc *documents.Loaded, created *logv1.GameCreated, meta *logv1.GameMeta) (*live, error) {
	about := set.About()
	options, err := about.NewOptions(created.Options)
	if err != nil {
		return nil, fault.New(fault.LogCorrupt, "game %s: %v", id, err)
	}
	salt := meta.SaltSecret
	if meta.Imported && len(salt) == 0 { // nothing is ever added to its log
		salt = make([]byte, len(ledger.SaltSecret{}))
	}
	if len(salt) != len(ledger.SaltSecret{}) || len(meta.TokenSecret) == 0 {
		return nil, fault.New(fault.LogCorrupt, "game %s has lost its secrets", id)
	}
	return &live{
		id: id, set: set, about: about, sc: sc, created: created,
		digest: hex.EncodeToString(created.ScenarioDigest), commitment: hex.EncodeToString(created.DiceCommitment), base: set.New(sc.Rules, options),
		past: newPositions(s.limits.Checkpoints), writing: make(chan struct{}, 1),
		salts: ledger.NewSalter(ledger.SaltSecret(salt), id),
	}, nil
}

// game gives a game, from memory or folded from its log. Call done when it is not needed any more.
func (s *Service) game(ctx context.Context, id string) (l *live, done func(), err error) {
	from := fromMemory
	l, done, err = s.games.get(ctx, id, func(ctx context.Context) (*live, error) {
		from = fromLog
		ctx, end := span(ctx, "fold")
		begun := time.Now()
		l, err := s.fold(ctx, id)
		if err == nil {
			s.metrics.folded(time.Since(begun))
			s.worked(ctx, l.current().bytes)
		}
		end(err)
		return l, err
	})
	if err == nil {
		s.metrics.lookups.WithLabelValues(from).Inc()
	}
	return l, done, err
}

func gameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %q", id).With("game", id).Resource("game", streams.Games+id)
}

// corrupt says that a record cannot be folded, unless the error says something else already.
func corrupt(id string, version uint64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.New(fault.LogCorrupt, "game %s cannot be folded at version %d", id, version).With("game", id, "version", version).Because(err)
}
