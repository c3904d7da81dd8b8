package service

import (
	"context"
	"sync"
	"time"
)

// games are the games in memory. Each is loaded by one caller while others wait for it.
type games struct {
	limit int
	mu    sync.Mutex
	slots map[string]*slot
}

// slot holds a game in memory, or one that is being loaded. pins counts who uses it: a pinned game is not let go.
type slot struct {
	ready chan struct{}
	game  *live
	err   error
	pins  int
	used  time.Time
}

func newGames(limit int) *games { return &games{limit: limit, slots: make(map[string]*slot)} }

// get gives a game, loading it if it is not in memory. Whoever gets it must call done when it is not needed any more.
func (g *games) get(ctx context.Context, id string, load func(context.Context) (*live, error)) (l *live, done func(), err error) {
	g.mu.Lock()
	s, found := g.slots[id]
	if !found {
		g.makeRoom()
		s = &slot{ready: make(chan struct{})}
		g.slots[id] = s
	}
	s.pins++
	g.mu.Unlock()
	if !found {
		g.fill(ctx, id, s, load)
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		g.unpin(s)
		return nil, nil, ctx.Err()
	}
	if s.err != nil {
		g.unpin(s)
		return nil, nil, s.err
	}
	return s.game, func() { g.unpin(s) }, nil
}

// fill loads a game. Others may wait for it, so it goes on when its caller gives up.
func (g *games) fill(ctx context.Context, id string, s *slot, load func(context.Context) (*live, error)) {
	s.err = context.Canceled // for those who wait, should load panic
	defer func() {
		if s.err != nil {
			g.forget(id, s)
		}
		close(s.ready)
	}()
	s.game, s.err = load(context.WithoutCancel(ctx))
}

// add puts a game in memory that was just created; the loaded one stays if somebody was quicker.
func (g *games) add(l *live) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, found := g.slots[l.id]; found {
		return
	}
	g.makeRoom()
	s := &slot{ready: make(chan struct{}), game: l, used: time.Now()}
	close(s.ready)
	g.slots[l.id] = s
}

// drop forgets a game that may not be what is stored. Those who use it see that it is dead and get it anew.
func (g *games) drop(l *live) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.slots[l.id]; s != nil && s.game == l {
		delete(g.slots, l.id)
	}
}

func (g *games) forget(id string, s *slot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.slots[id] == s {
		delete(g.slots, id)
	}
}

func (g *games) unpin(s *slot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.pins--
	s.used = time.Now()
}

// makeRoom lets the game go that was not used for longest, if there are as many as there may be. Callers hold the lock.
func (g *games) makeRoom() {
	if len(g.slots) < g.limit {
		return
	}
	oldest := ""
	for id, s := range g.slots {
		if s.pins == 0 && (oldest == "" || s.used.Before(g.slots[oldest].used)) {
			oldest = id
		}
	}
	if oldest != "" {
		delete(g.slots, oldest)
	}
}

// evictIdle lets all games go that nobody has used for a while.
func (g *games) evictIdle(idle time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, s := range g.slots {
		if s.pins == 0 && time.Since(s.used) >= idle {
			delete(g.slots, id)
		}
	}
}

func (g *games) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.slots)
}
