package live

import (
	"context"
	"errors"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/internal/streams"
)

// Times of following a game in the store.
const (
	// lookAgain is how often the head is read although nothing has woken anybody: a store that went back wakes nobody.
	lookAgain = 15 * time.Second
	// followPause is how long to wait after an error.
	followPause = time.Second
	// blind is for how long the store may fail before those who watch are told. They may find it from another machine.
	blind = 10 * time.Second
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
	var failing time.Time // since when
	for {
		err := g.followOnce(ctx, l)
		switch {
		case ctx.Err() != nil, l.Dropped():
			return
		case err == nil:
			failing = time.Time{}
			continue
		case failing.IsZero():
			failing = time.Now()
		}
		if errors.Is(err, eventstore.ErrClosed) || time.Since(failing) >= blind {
			g.abandon(ctx, l)
			return
		}
		select {
		case <-time.After(followPause):
		case <-ctx.Done():
		}
	}
}

// followOnce waits until a game has come further in the store, or for a while, and reads it on.
func (g *Games) followOnce(ctx context.Context, l *Game) error {
	waiting, cancel := context.WithTimeout(ctx, lookAgain)
	defer cancel()
	mark, err := g.config.Store.Wait(waiting, streams.Game(l.ID), l.Current().mark())
	switch {
	case err != nil && waiting.Err() == nil:
		return err
	case err == nil && !mark.Passes(l.Current().mark()): // by the game's own writer, who has published it since
		return nil
	}
	return g.Sync(ctx, l)
}

// abandon drops a game that cannot be followed.
func (g *Games) abandon(ctx context.Context, l *Game) {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
		g.lose(l)
	case <-ctx.Done():
	}
}
