package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// scenarios keeps documents in the store, each once, and loaded scenarios in memory, for games that share one.
type scenarios struct {
	store eventstore.Store
	// limit is how many scenarios without a game in memory are kept, not counting shipped ones.
	limit int
	mu    sync.Mutex
	kept  map[scenarioKey]*loaded
	// bytes is the size of all scenarios that are kept here or held by games in memory.
	bytes int
}

type scenarioKey struct {
	ruleset string
	digest  ledger.Hash
}

// loaded is a scenario in memory.
type loaded struct {
	rules rules.Scenario
	key   scenarioKey
	// bytes is about its size.
	bytes int
	// shipped is true for one that comes with its ruleset. It stays, so that documents of strangers cannot push it
	// out.
	shipped bool
	// tolerated is true if it belongs to a stored game and would be refused if it came now.
	tolerated bool
	// games is how many games in memory hold it; used is when it was last asked for. The lock of the scenarios guards
	// both.
	games int
	used  time.Time
}

// What a loaded scenario takes in memory: the tables of its ruleset's map, and some times its document. Each shipped
// scenario takes less.
const (
	loadedBytes = 2500 << 10
	loadedTimes = 16
)

func newScenarios(store eventstore.Store, limit int) *scenarios {
	return &scenarios{store: store, limit: limit, kept: make(map[scenarioKey]*loaded)}
}

// put stores a document unless it is stored already. It asks admit whether the caller may store its bytes.
func (s *scenarios) put(ctx context.Context, document []byte, admit func(context.Context, int) error) (ledger.Hash, error) {
	digest := ledger.ScenarioDigest(document)
	if _, err := s.store.Head(ctx, streams.Scenario(digest)); err == nil {
		return digest, nil
	}
	if err := admit(ctx, len(document)); err != nil {
		return digest, err
	}
	err := s.store.Append(ctx, eventstore.Append{
		Stream:  streams.Scenario(digest),
		Entries: []eventstore.Entry{{Hash: digest, Data: document}},
	})
	var conflict *eventstore.ConflictError
	if errors.As(err, &conflict) { // another was quicker with the same bytes
		return digest, nil
	}
	if err != nil {
		return digest, fault.FromStore(err)
	}
	return digest, nil
}

// document reads a stored document.
func (s *scenarios) document(ctx context.Context, digest ledger.Hash) ([]byte, error) {
	entries, err := s.store.Read(ctx, streams.Scenario(digest), 1, 1, 0)
	switch {
	case errors.Is(err, eventstore.ErrNotFound), err == nil && len(entries) == 0:
		return nil, fault.New(fault.LogCorrupt, "the scenario document %x is not in the store", digest)
	case err != nil:
		return nil, fault.FromStore(err)
	}
	return entries[0].Data, nil
}

// find returns a loaded scenario; nil if it is not in memory.
func (s *scenarios) find(key scenarioKey) *loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.kept[key]
	if l != nil {
		l.used = time.Now()
	}
	return l
}

// keep remembers a scenario that was loaded from a document of size bytes. If another caller was quicker, the one that
// is there stays.
func (s *scenarios) keep(key scenarioKey, sc rules.Scenario, document int, shipped, tolerated bool) *loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.kept[key]
	if l == nil {
		l = &loaded{rules: sc, key: key, bytes: loadedBytes + loadedTimes*document, shipped: shipped, tolerated: tolerated}
		s.kept[key] = l
		s.bytes += l.bytes
	}
	l.used = time.Now()
	free := 0
	for _, other := range s.kept {
		if other.games == 0 && !other.shipped && other != l {
			free++
		}
	}
	for ; free >= s.limit; free-- {
		s.dropOldest(l)
	}
	return l
}

// dropOldest drops the least recently used scenario that no game holds. Callers hold the lock.
func (s *scenarios) dropOldest(but *loaded) bool {
	var oldest *loaded
	for _, l := range s.kept {
		if l.games == 0 && !l.shipped && l != but && (oldest == nil || l.used.Before(oldest.used)) {
			oldest = l
		}
	}
	if oldest == nil {
		return false
	}
	delete(s.kept, oldest.key)
	s.bytes -= oldest.bytes
	return true
}

// hold says that a game in memory is played from a scenario, release that it no longer is. A scenario that was dropped
// meanwhile counts again.
func (s *scenarios) hold(l *loaded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.games++; l.games == 1 && s.kept[l.key] != l {
		s.bytes += l.bytes
	}
}

func (s *scenarios) release(l *loaded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.games--; l.games == 0 && s.kept[l.key] != l {
		s.bytes -= l.bytes
	}
}

// size is the size of all scenarios in memory, in bytes. If that exceeds the bound, it drops those that no game holds.
func (s *scenarios) size(most int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.bytes > most && s.dropOldest(nil) {
	}
	return s.bytes
}

// scenario returns the loaded scenario of a digest, reading the document only if it must.
func (s *Service) scenario(ctx context.Context, set rules.Ruleset, digest ledger.Hash) (*loaded, error) {
	key := scenarioKey{set.About().Name, digest}
	if l := s.scenarios.find(key); l != nil {
		return l, nil
	}
	document, err := s.scenarios.document(ctx, digest)
	if err != nil {
		return nil, err
	}
	var sc rules.Scenario
	var faults rules.Faults
	if err := s.loading(ctx, len(document), func() { sc, faults = set.LoadScenario(document) }); err != nil {
		return nil, err
	}
	if faults.Fatal() || sc == nil {
		return nil, fault.New(fault.LogCorrupt, "the scenario document %x cannot be loaded any more: %v", digest, faults)
	}
	return s.scenarios.keep(key, sc, len(document), s.shipped.has(set, document), faults.Refused()), nil
}

// loading runs what loads a document, when it is its turn. Only a few run at once, because a document takes many times
// its size in memory. The price grows with the size.
func (s *Service) loading(ctx context.Context, size int, load func()) error {
	select {
	case s.loads <- struct{}{}:
		defer func() { <-s.loads }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s.admission.Charge(ctx, size/workedByUnit)
	load()
	return nil
}
