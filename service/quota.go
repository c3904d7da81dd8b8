package service

import (
	"context"
	"sync"

	"github.com/warledger/warledger/service/fault"
)

// tally counts what each game has of something, such as watches.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

// enter counts one more unless there are as many as there may be; 0 is no limit. Call leave for each that was let in.
func (t *tally) enter(game string, limit int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if limit > 0 && t.counts[game] >= limit {
		return false
	}
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	t.counts[game]++
	return true
}

// count is how many a game has now.
func (t *tally) count(game string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[game]
}

func (t *tally) leave(game string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[game]--; t.counts[game] <= 0 {
		delete(t.counts, game)
	}
}

// storedGames is how many games the store keeps, once they have been counted, with those that are being created.
type storedGames struct {
	mu      sync.Mutex
	counted bool
	n       int
}

// roomForGame takes a place for a game that is to be created. The function that it gives says whether the game was.
func (s *Service) roomForGame(ctx context.Context) (made func(bool), err error) {
	limit, g := s.limits.Games, &s.stored
	if limit <= 0 {
		return func(bool) {}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.counted {
		if g.n, err = s.countGames(ctx); err != nil {
			return nil, err
		}
		g.counted = true
	}
	if g.n >= limit {
		return nil, fault.New(fault.TooManyGames, "the server keeps %d games already", g.n).With("limit", limit).Quota("games")
	}
	g.n++
	return func(made bool) {
		if made {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.n--
	}, nil
}

func (s *Service) countGames(ctx context.Context) (n int, err error) {
	for after := ""; ; {
		page, err := s.listStreams(ctx, after, 1000)
		if err != nil || len(page) == 0 {
			return n, err
		}
		n += len(page)
		after = page[len(page)-1].Name
	}
}

// roomFor refuses what makes a game's log grow once it is as large as it may be.
func (s *Service) roomFor(m *moment) error {
	if limit := s.limits.GameBytes; limit > 0 && m.bytes >= limit {
		return fault.New(fault.GameTooLarge, "the game's log has %d bytes", m.bytes).With("limit", limit).Quota("bytes of one game")
	}
	return nil
}
