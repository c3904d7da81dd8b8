// Package documents keeps scenario documents in the store, each once under its digest, and loaded scenarios in memory
// for the games that share one. shipped.go knows the documents that come with the rulesets, so that a copy of one with
// other blanks counts as the same.
package documents

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

// Store keeps documents in the store, each once, and loaded scenarios in memory, for games that share one.
type Store struct {
	store eventstore.Store
	// limit is how many scenarios without a game in memory are kept, not counting shipped ones.
	limit int
	// charge makes the caller pay for a document that is loaded, by its size.
	charge func(ctx context.Context, bytes int)
	// loads has one place for each document that is being loaded.
	loads chan struct{}
	// Shipped are the documents that come with the rulesets.
	Shipped shipped
	mu      sync.Mutex
	kept    map[Key]*Loaded
	// bytes is the size of all scenarios that are kept here or held by games in memory.
	bytes int
}

// Key names a scenario: its ruleset and the digest of its document.
type Key struct {
	ruleset string
	digest  ledger.Hash
}

// Loaded is a scenario in memory.
type Loaded struct {
	Rules rules.Scenario
	key   Key
	// bytes is about its size.
	bytes int
	// shipped is true for one that comes with its ruleset. It stays, so that documents of strangers cannot push it
	// out.
	shipped bool
	// Tolerated is true if it belongs to a stored game and would be refused if it came now.
	Tolerated bool
	// games is how many games in memory hold it; used is when it was last asked for. The lock of the scenarios guards
	// both.
	games int
	used  time.Time
	// orders are where the spaces stand in other languages than English, by language.
	orders sync.Map
	// packed are its maps as browsers on slow networks get them, by language.
	packed sync.Map
}

// KeyOf names the scenario of a ruleset whose document has a digest.
func KeyOf(set rules.Ruleset, digest ledger.Hash) Key { return Key{set.About().Name, digest} }

// What a loaded scenario takes in memory: the tables of its ruleset's map, and some times its document. Each shipped
// scenario takes less.
const (
	baseBytes     = 2500 << 10
	timesDocument = 16
)

// DocumentBytes is the size of its document, as far as its own size tells.
func (l *Loaded) DocumentBytes() int { return (l.bytes - baseBytes) / timesDocument }

// New makes an empty table of scenarios. limit bounds how many without a game stay in memory,
// loads how many are loaded at the same time.
func New(store eventstore.Store, limit, loads int, charge func(ctx context.Context, bytes int)) *Store {
	return &Store{
		store: store, limit: limit, charge: charge, loads: make(chan struct{}, loads), kept: make(map[Key]*Loaded),
	}
}

// Put stores a document unless it is stored already. It asks admit whether the caller may store its bytes.
func (s *Store) Put(ctx context.Context, document []byte, admit func(context.Context, int) error) (ledger.Hash, error) {
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

// Document reads a stored document.
func (s *Store) Document(ctx context.Context, digest ledger.Hash) ([]byte, error) {
	entries, err := s.store.Read(ctx, streams.Scenario(digest), 1, 1, 0)
	switch {
	case errors.Is(err, eventstore.ErrNotFound), err == nil && len(entries) == 0:
		return nil, fault.New(fault.LogCorrupt, "the scenario document %x is not in the store", digest)
	case err != nil:
		return nil, fault.FromStore(err)
	}
	return entries[0].Data, nil
}

// Find returns a loaded scenario; nil if it is not in memory.
func (s *Store) Find(key Key) *Loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.kept[key]
	if l != nil {
		l.used = time.Now()
	}
	return l
}

// Keep remembers a scenario that was loaded from a document of size bytes. If another caller was quicker, the one that
// is there stays.
func (s *Store) Keep(key Key, sc rules.Scenario, document int, shipped, tolerated bool) *Loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.kept[key]
	if l == nil {
		l = &Loaded{Rules: sc, key: key, bytes: baseBytes + timesDocument*document, shipped: shipped,
			Tolerated: tolerated}
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
func (s *Store) dropOldest(but *Loaded) bool {
	var oldest *Loaded
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

// Hold says that a game in memory is played from a scenario. A scenario that was dropped meanwhile counts again.
func (s *Store) Hold(l *Loaded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.games++; l.games == 1 && s.kept[l.key] != l {
		s.bytes += l.bytes
	}
}

// Release says that a game in memory is no longer played from a scenario.
func (s *Store) Release(l *Loaded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.games--; l.games == 0 && s.kept[l.key] != l {
		s.bytes -= l.bytes
	}
}

// Size is the size of all scenarios in memory, in bytes. If that exceeds the bound, it drops those that no game holds.
func (s *Store) Size(most int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.bytes > most && s.dropOldest(nil) {
	}
	return s.bytes
}

// Load returns the loaded scenario of a digest, reading the document only if it must.
func (s *Store) Load(ctx context.Context, set rules.Ruleset, digest ledger.Hash) (*Loaded, error) {
	key := KeyOf(set, digest)
	if l := s.Find(key); l != nil {
		return l, nil
	}
	document, err := s.Document(ctx, digest)
	if err != nil {
		return nil, err
	}
	var sc rules.Scenario
	var faults rules.Faults
	if err := s.Loading(ctx, len(document), func() { sc, faults = set.LoadScenario(document) }); err != nil {
		return nil, err
	}
	if faults.Fatal() || sc == nil {
		return nil,
			fault.New(fault.LogCorrupt, "the scenario document %x cannot be loaded any more: %v", digest, faults)
	}
	return s.Keep(key, sc, len(document), s.Shipped.Has(set, document), faults.Refused()), nil
}

// Loading runs what loads a document, when it is its turn. Only a few run at once, because a document takes many times
// its size in memory. The price grows with the size.
func (s *Store) Loading(ctx context.Context, size int, load func()) error {
	select {
	case s.loads <- struct{}{}:
		defer func() { <-s.loads }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s.charge(ctx, size)
	load()
	return nil
}
