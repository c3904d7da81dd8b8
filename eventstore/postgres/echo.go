package postgres

import (
	"strconv"
	"time"
)

// echoes are the hints that this handle has sent and has not yet heard itself.
type echoes struct {
	last  uint64
	since map[uint64]time.Time // when what a hint tells was stored
}

// mostEchoes is how many hints are remembered: those sent while nobody listens are never heard.
const mostEchoes = 1024

// sent notes a hint and returns its number.
func (e *echoes) sent(since time.Time) (number string) {
	if e.since == nil || len(e.since) >= mostEchoes {
		e.since = make(map[uint64]time.Time)
	}
	e.last++
	e.since[e.last] = since
	return strconv.FormatUint(e.last, 10)
}

// heard forgets a hint, and returns when what it tells was stored.
func (e *echoes) heard(number string) (since time.Time, known bool) {
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return since, false
	}
	since, known = e.since[n]
	delete(e.since, n)
	return since, known
}

// echoed tells the observer how long a hint was under way. A hint in several parts counts once.
func (s *Store) echoed(number string) {
	s.hints.mu.Lock()
	since, known := s.hints.echoes.heard(number)
	s.hints.mu.Unlock()
	if known && s.o.ObserveWake != nil {
		s.o.ObserveWake(time.Since(since))
	}
}
