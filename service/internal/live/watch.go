package live

import (
	"context"
	"time"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// Times of following a game in the store.
const (
	// lookAgain is how often the head is read although nothing has woken anybody: a store that went back wakes nobody.
	lookAgain = 15 * time.Second
	// followPause is how long to wait after an error.
	followPause = time.Second
)

// Watch has a game come as far as the store whenever others change it there, until stop is called. One goroutine
// follows the game for all who watch it.
func (g *Games) Watch(l *Game) (stop func()) {
	if !g.config.Store.Shared() {
		return func() {}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if l.watches++; l.watches == 1 {
		var ctx context.Context
		ctx, l.unfollow = context.WithCancel(g.closed)
		g.following.Go(func() { g.follow(ctx, l) })
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if l.watches--; l.watches == 0 {
			l.unfollow()
		}
	}
}

// follow reads a game on until the context ends or the game is dropped.
func (g *Games) follow(ctx context.Context, l *Game) {
	defer l.blind.Store(nil)
	for ctx.Err() == nil && !l.Dropped() {
		err := g.followOnce(ctx, l)
		if err == nil {
			l.blind.Store(nil)
			continue
		}
		l.blind.Store(&err)
		select {
		case <-time.After(followPause):
		case <-ctx.Done():
		}
	}
}

// Blind returns why a game that is watched cannot be followed in the store at present; nil if it is.
func (l *Game) Blind() error {
	if err := l.blind.Load(); err != nil {
		return *err
	}
	return nil
}

// followOnce waits until a game has come further in the store, or for a while, and reads it on.
func (g *Games) followOnce(ctx context.Context, l *Game) error {
	waiting, cancel := context.WithTimeout(ctx, lookAgain)
	defer cancel()
	mark, err := g.config.Store.Wait(waiting, streams.Game(l.ID), l.Current().mark())
	switch {
	case err != nil && waiting.Err() == nil:
		return fault.FromStore(err)
	case err == nil && !mark.Passes(l.Current().mark()): // by the game's own writer, who has published it since
		return nil
	}
	return g.Sync(ctx, l)
}
