package service

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
)

// games are the games in memory. Each is loaded by one caller while others wait for it.
//
// Their size is estimated: a game in memory is many small things, and measuring each would cost more than the estimate
// is wrong.
type games struct {
	limit int
	// most is how many bytes games and scenarios may take, 0 for no bound; bytes is the size of the games.
	most, bytes int
	scenarios   *documents.Store
	mu          sync.Mutex
	slots       map[string]*slot
}

// slot holds a game in memory, or one that is being loaded. pins counts who uses it: a pinned game is not let go.
type slot struct {
	ready chan struct{}
	game  *live
	err   error
	pins  int
	used  time.Time
	// bytes is its size when it was last used; weighed is true once its size and its scenario are counted.
	bytes   int
	weighed bool
}

func newGames(limit, most int, scenarios *documents.Store) *games {
	return &games{limit: limit, most: most, scenarios: scenarios, slots: make(map[string]*slot)}
}

// get gives a game, loading it if it is not in memory. Whoever gets it must call done when it is not needed any more.
func (g *games) get(ctx context.Context, id string, load func(context.Context) (*live, error)) (l *live, done func(), err error) {
	g.mu.Lock()
	s, found := g.slots[id]
	if !found {
		if err := g.makeRoom(); err != nil {
			g.mu.Unlock()
			return nil, nil, err
		}
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
	if s.err == nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.slots[id] == s {
			g.count(s)
		}
	}
}

// add puts a game in memory that was just created; the loaded one stays if somebody was quicker.
func (g *games) add(l *live) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, found := g.slots[l.id]; found {
		return
	}
	if g.makeRoom() != nil { // the next caller that asks for it has it folded, or gets the error
		return
	}
	s := &slot{ready: make(chan struct{}), game: l, used: time.Now()}
	close(s.ready)
	g.slots[l.id] = s
	g.count(s)
}

// drop forgets a game that may not be what is stored. Those who use it see that it is dead and get it anew.
func (g *games) drop(l *live) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.slots[l.id]; s != nil && s.weighed && s.game == l {
		g.remove(l.id, s)
	}
}

func (g *games) forget(id string, s *slot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.slots[id] == s {
		g.remove(id, s)
	}
}

// remove takes a game out of memory. Callers hold the lock.
func (g *games) remove(id string, s *slot) {
	delete(g.slots, id)
	g.bytes -= s.bytes
	if s.weighed {
		g.scenarios.Release(s.game.sc)
		s.bytes, s.weighed = 0, false
	}
}

// count begins to count the size of a game and its scenario. Callers hold the lock.
func (g *games) count(s *slot) {
	s.weighed = true
	g.weigh(s)
	g.scenarios.Hold(s.game.sc)
}

// weigh updates the size of a game. Callers hold the lock.
func (g *games) weigh(s *slot) {
	now := s.game.weight()
	g.bytes += now - s.bytes
	s.bytes = now
}

func (g *games) unpin(s *slot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.pins--
	s.used = time.Now()
	if s.weighed {
		g.weigh(s)
	}
}

// makeRoom drops the least recently used games until their number and size are below the bounds. Games in use stay; if
// they alone exceed the bound, it refuses another game. Callers hold the lock.
func (g *games) makeRoom() error {
	for len(g.slots) >= g.limit && g.dropOldest() {
	}
	for g.most > 0 && g.size() > g.most {
		if !g.dropOldest() {
			return fault.New(fault.MemoryFull, "the games in use take all the memory that games may take").Quota("bytes of games in memory")
		}
	}
	return nil
}

// room returns an error if no further game could be let in.
func (g *games) room() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.makeRoom()
}

// size is the size of games and scenarios in memory. Callers hold the lock.
func (g *games) size() int {
	if g.most == 0 {
		return g.bytes + g.scenarios.Size(math.MaxInt)
	}
	return g.bytes + g.scenarios.Size(g.most-g.bytes)
}

// dropOldest drops the least recently used game that nobody uses, if there is one. Callers hold the lock.
func (g *games) dropOldest() bool {
	oldest := ""
	for id, s := range g.slots {
		if s.pins == 0 && (oldest == "" || s.used.Before(g.slots[oldest].used)) {
			oldest = id
		}
	}
	if oldest == "" {
		return false
	}
	g.remove(oldest, g.slots[oldest])
	return true
}

// taken is the estimated size of games and scenarios in memory, in bytes.
func (g *games) taken() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.size()
}

// evictIdle lets all games go that nobody has used for a while.
func (g *games) evictIdle(idle time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, s := range g.slots {
		if s.pins == 0 && time.Since(s.used) >= idle {
			g.remove(id, s)
		}
	}
}

func (g *games) number() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.slots)
}
