package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// Conflicts of several machines. A change is decided again after a pause by chance of at most firstPause, twice as long
// each time.
const (
	mostTries  = 6
	firstPause = 2 * time.Millisecond
)

// ErrAgain asks to make a change again, on the game as it is stored: memory had fallen behind.
var ErrAgain = errors.New("the game has changed in the store")

// Sync reads on what other machines have stored of a game, so that nothing older is shown or decided on than what was
// stored when it was called. A store that nobody shares is not asked.
func (g *Games) Sync(ctx context.Context, l *Game) error {
	if !g.config.Store.Shared() {
		return nil
	}
	m := l.Current() // before the head: what it has, the head must have
	head, err := g.config.Store.Head(ctx, streams.Game(l.ID))
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		head = eventstore.StreamInfo{}
	case err != nil:
		return fault.FromStore(err)
	case m.is(head):
		return nil
	}
	select {
	case l.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.writing }()
	if l.dead.Load() {
		return ErrAgain
	}
	if m.beyond(head) {
		return g.wentBack(l, head)
	}
	return g.readOn(ctx, l)
}

// is reports whether a head is the moment's own.
func (m *Moment) is(head eventstore.StreamInfo) bool {
	return m.mark() == head.Mark() && m.Hash == head.Hash
}

// beyond reports whether a moment has what a later head has not.
func (m *Moment) beyond(head eventstore.StreamInfo) bool {
	return m.mark().Passes(head.Mark()) || m.Version() == head.Version && m.Hash != head.Hash
}

// mark is how far the game was stored at the moment.
func (m *Moment) mark() eventstore.Mark {
	return eventstore.Mark{Version: m.Version(), Meta: m.metaVersion}
}

// readOn folds what is stored after the current moment, and publishes the moment after it. The caller is the game's
// writer.
func (g *Games) readOn(ctx context.Context, l *Game) error {
	before := l.Current()
	m := *before
	f, p := folder{g: g, id: l.ID, l: l, m: &m}, new(decoded)
	for more := true; more; {
		g.decode(ctx, l.ID, m.Version()+1, p)
		switch {
		case p.err != nil && len(p.records) == 0:
			return p.err
		case m.beyond(p.head), len(p.records) > 0 && p.prev != m.Hash:
			return g.wentBack(l, p.head)
		}
		var err error
		if more, err = f.page(ctx, p); err != nil {
			g.lose(l)
			return err
		}
	}
	if m.mark() == before.mark() && f.head.MetaVersion == before.metaVersion {
		return nil
	}
	if err := f.finish(ctx); err != nil {
		g.lose(l)
		return err
	}
	g.config.Metrics.ReadOn(int(m.Version() - before.Version()))
	g.config.Followed(l, &m)
	return nil
}

// wentBack drops a game from memory that has more than the store, or something else: the store was restored, or
// another took its place that had not all of it. The caller is the game's writer.
func (g *Games) wentBack(l *Game, head eventstore.StreamInfo) error {
	m := l.Current()
	short := func(name string, hash eventstore.Hash) slog.Attr {
		return slog.String(name, fmt.Sprintf("%x", hash[:8]))
	}
	g.config.Log.Error("the store has gone back: commands acknowledged since then are lost",
		slog.String("game", l.ID), slog.Uint64("version", m.Version()), slog.Uint64("stored", head.Version),
		short("hash", m.Hash), short("stored_hash", head.Hash))
	g.lose(l)
	return ErrAgain
}

// lose drops a game from memory that may differ from the store. The caller is its writer.
func (g *Games) lose(l *Game) {
	g.drop(l)
	l.kill()
}

// pause waits before a change is decided again, by chance, so that those who were in each other's way are not again.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(rand.N(firstPause << attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
