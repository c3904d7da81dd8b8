package live

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
	"github.com/warledger/warledger/service/internal/tracing"
	"github.com/warledger/warledger/service/ledger"
)

// Game is a game in memory.
type Game struct {
	// ID names the game; its log is the stream streams.Game(ID).
	ID string
	// Ruleset plays it, About describes the ruleset, and Scenario is what is played.
	Ruleset  rules.Ruleset
	About    *rules.About
	Scenario *documents.Loaded
	// Created is the first event.
	Created *logv1.GameCreated
	// Digest and Commitment are the scenario's digest and the commitment of the dice, as they are shown.
	Digest, Commitment string
	// Time is when the game was created.
	Time time.Time
	// Base is the position before the first event.
	Base rules.Game
	past *positions

	// writing holds one token while somebody writes. dead is set, by a writer, when memory and store may differ.
	writing chan struct{}
	dead    atomic.Bool
	salts   *ledger.Salter // the writer's
	ids     requestIDs     // the writer's
	// Sittings are the writer's.
	Sittings Sittings
	now      atomic.Pointer[Moment]

	// watches is how many watch the game; unfollow ends the goroutine that follows it in the store. The lock of the
	// games guards both.
	watches  int
	unfollow context.CancelFunc
	// blind is why the game cannot be followed; nil if it can.
	blind atomic.Pointer[error]
}

// What a game takes in memory, as measured with the shipped rulesets: the game itself, each record, and each position
// with its share of the scenario.
const (
	gameBytes       = 12 << 10
	recordBytes     = 64
	positionBytes   = 10 << 10
	positionPerByte = 8 // bytes of the loaded scenario, which has many times those of its document
)

// weight is about what the game takes in memory, in bytes, without the scenario that it shares with others.
func (l *Game) weight() int {
	position := positionBytes + l.Scenario.DocumentBytes()/positionPerByte
	return gameBytes + recordBytes*int(l.Current().Version()) + position*(1+l.past.count())
}

// Current is the moment that was published last.
func (l *Game) Current() *Moment { return l.now.Load() }

// publish makes a moment the current one and wakes those who wait for it.
func (l *Game) publish(m *Moment) {
	old := l.now.Swap(m)
	if old != nil {
		close(old.Next)
	}
	if m.Tree.HeadAt(m.Version()) == m.Version() { // a new place
		if old != nil {
			l.past.remember(old.Head(), old.Position) // what an undo goes back to, most often
		}
		l.past.pass(m.Version(), m.Tree.Depth(m.Version()), m.Position)
	}
}

// Dropped reports whether the game was dropped from memory, because that may differ from the store. Get it anew then.
func (l *Game) Dropped() bool { return l.dead.Load() }

// kill marks a game whose memory may differ from the store, and wakes those who wait for it. Only its writer may call
// it, and nothing is published afterwards.
func (l *Game) kill() {
	if !l.dead.Swap(true) {
		close(l.Current().Next)
	}
}

// NewGame makes a game of its first record and its secrets. It has no moment yet.
func (g *Games) NewGame(
	id string, set rules.Ruleset, sc *documents.Loaded, created *logv1.GameCreated, meta *logv1.GameMeta,
) (*Game, error) {
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
	return &Game{
		ID: id, Ruleset: set, About: about, Scenario: sc, Created: created,
		Digest: hex.EncodeToString(created.ScenarioDigest), Commitment: hex.EncodeToString(created.DiceCommitment),
		Base: set.New(sc.Rules, options),
		past: newPositions(g.config.MaxPositions), writing: make(chan struct{}, 1),
		salts: ledger.NewSalter(ledger.SaltSecret(salt), id),
	}, nil
}

// Get gives a game as it is stored: from memory, or folded from its log. Call done when it is not needed any more.
func (g *Games) Get(ctx context.Context, id string) (l *Game, done func(), err error) {
	for {
		var folded bool
		if l, done, folded, err = g.load(ctx, id); err != nil || folded {
			return l, done, err
		}
		if err = g.Sync(ctx, l); err == nil {
			return l, done, nil
		}
		done()
		if !errors.Is(err, ErrAgain) {
			return nil, nil, err
		}
	}
}

// load gives a game from memory, or folds it.
func (g *Games) load(ctx context.Context, id string) (l *Game, done func(), folded bool, err error) {
	l, done, err = g.pin(ctx, id, func(ctx context.Context) (*Game, error) {
		folded = true
		ctx, end := tracing.Span(ctx, "fold")
		begun := time.Now()
		l, err := g.fold(ctx, id)
		if err == nil {
			g.config.Metrics.Folded(time.Since(begun))
			g.config.Charge(ctx, l.Current().LogBytes)
		}
		end(err)
		return l, err
	})
	if err == nil {
		g.config.Metrics.Lookup(folded)
	}
	return l, done, folded, err
}

// GameNotFound says that the store has no game of an id.
func GameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %q", id).With("game", id).Resource("game", streams.Games+id)
}

// Corrupt says that a record cannot be folded, unless the error says something else already.
func Corrupt(id string, version uint64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.New(fault.LogCorrupt, "game %s cannot be folded at version %d",
		id, version).With("game", id, "version", version).Because(err)
}
