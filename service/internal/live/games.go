package live

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/warledger/warledger/service/fault"
)

// Games are the games in memory. Each is loaded by one caller while others wait for it.
//
// Their size is estimated: a game in memory is many small things, and measuring each would cost more than the estimate
// is wrong.
type Games struct {
	config Config
	limit  int
	// most is how many bytes games and scenarios may take, 0 for no bound; bytes is the size of the games.
	most, bytes int
	mu          sync.Mutex
	slots       map[string]*slot

	// following are the goroutines that follow games in the store; closed ends them.
	following sync.WaitGroup
	closed    context.Context
	close     context.CancelFunc
}

// slot holds a game in memory, or one that is being loaded. pins counts who uses it: a pinned game is not let go.
type slot struct {
	ready chan struct{}
	game  *Game
	err   error
	pins  int
	used  time.Time
	// bytes is its size when it was last used; weighed is true once its size and its scenario are counted.
	bytes   int
	weighed bool
}

// New makes an empty table of games.
func New(c Config) *Games {
	g := &Games{config: c, limit: c.MaxGames, most: c.MaxBytes, slots: make(map[string]*slot)}
	g.closed, g.close = context.WithCancel(context.Background())
	return g
}

// Close ends what goes on in the background. Nobody may watch a game any more.
func (g *Games) Close() {
	g.close()
	g.following.Wait()
}

// pin gives a game, loading it if it is not in memory. Whoever gets it must call done when it is not needed any more.
func (g *Games) pin(
	ctx context.Context, id string, load func(context.Context) (*Game, error),
) (l *Game, done func(), err error) {
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
func (g *Games) fill(ctx context.Context, id string, s *slot, load func(context.Context) (*Game, error)) {
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
func (g *Games) add(l *Game) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, found := g.slots[l.ID]; found {
		return
	}
	if g.makeRoom() != nil { // the next caller that asks for it has it folded, or gets the error
		return
	}
	s := &slot{ready: make(chan struct{}), game: l, used: time.Now()}
	close(s.ready)
	g.slots[l.ID] = s
	g.count(s)
}

// drop forgets a game that may not be what is stored. Those who use it see that it is dead and get it anew.
func (g *Games) drop(l *Game) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.slots[l.ID]; s != nil && s.weighed && s.game == l {
		g.remove(l.ID, s)
	}
}

func (g *Games) forget(id string, s *slot) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.slots[id] == s {
		g.remove(id, s)
	}
}

// remove takes a game out of memory. Callers hold the lock.
func (g *Games) remove(id string, s *slot) {
	delete(g.slots, id)
	g.bytes -= s.bytes
	if s.weighed {
		g.config.Scenarios.Release(s.game.Scenario)
		s.bytes, s.weighed = 0, false
	}
}

// count begins to count the size of a game and its scenario. Callers hold the lock.
func (g *Games) count(s *slot) {
	s.weighed = true
	g.weigh(s)
	g.config.Scenarios.Hold(s.game.Scenario)
}

// weigh updates the size of a game. Callers hold the lock.
func (g *Games) weigh(s *slot) {
	now := s.game.weight()
	g.bytes += now - s.bytes
	s.bytes = now
}

func (g *Games) unpin(s *slot) {
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
func (g *Games) makeRoom() error {
	for len(g.slots) >= g.limit && g.dropOldest() {
	}
	for g.most > 0 && g.size() > g.most {
		if !g.dropOldest() {
			return memoryFull()
		}
	}
	return nil
}

// Beside counts bytes that something else takes in memory or gives back: games get as much less room.
func (g *Games) Beside(bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bytes += bytes
}

// Full makes room for what was counted, and returns an error if games in use leave none.
func (g *Games) Full() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.most > 0 && g.size() > g.most {
		if !g.dropOldest() {
			return memoryFull()
		}
	}
	return nil
}

func memoryFull() error {
	return fault.New(fault.MemoryFull, "the games in use take all the memory that games may take").
		Quota("bytes of games in memory")
}

// Room returns an error if no further game could be let in.
func (g *Games) Room() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.makeRoom()
}

// size is the size of games and scenarios in memory. Callers hold the lock.
func (g *Games) size() int {
	if g.most == 0 {
		return g.bytes + g.config.Scenarios.Size(math.MaxInt)
	}
	return g.bytes + g.config.Scenarios.Size(g.most-g.bytes)
}

// dropOldest drops the least recently used game that nobody uses, if there is one. Callers hold the lock.
func (g *Games) dropOldest() bool {
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

// Taken is the estimated size of games and scenarios in memory, in bytes.
func (g *Games) Taken() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.size()
}

// EvictIdle lets all games go that nobody has used for a while.
func (g *Games) EvictIdle(idle time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, s := range g.slots {
		if s.pins == 0 && time.Since(s.used) >= idle {
			g.remove(id, s)
		}
	}
}

// Has reports whether a game is in memory, or about to be.
func (g *Games) Has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.slots[id] != nil
}

// Number is how many games are in memory.
func (g *Games) Number() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.slots)
}
