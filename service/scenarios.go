package service

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// scenarioPrefix begins the names of the streams that hold scenario documents: one entry each, named by its digest.
const scenarioPrefix = "scenarios/"

// scenarios keeps documents in the store, each once, and loaded scenarios in memory, for games that share one.
type scenarios struct {
	store eventstore.Store
	limit int
	mu    sync.Mutex
	kept  map[scenarioKey]rules.Scenario
}

type scenarioKey struct {
	ruleset string
	digest  ledger.Hash
}

func newScenarios(store eventstore.Store, limit int) *scenarios {
	return &scenarios{store: store, limit: limit, kept: make(map[scenarioKey]rules.Scenario)}
}

func scenarioStream(digest ledger.Hash) string { return scenarioPrefix + hex.EncodeToString(digest[:]) }

// put stores a document unless it is stored already.
func (s *scenarios) put(ctx context.Context, document []byte) (ledger.Hash, error) {
	digest := ledger.ScenarioDigest(document)
	if _, err := s.store.Head(ctx, scenarioStream(digest)); err == nil {
		return digest, nil
	}
	err := s.store.Append(ctx, eventstore.Append{
		Stream:  scenarioStream(digest),
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
	entries, err := s.store.Read(ctx, scenarioStream(digest), 1, 1, 0)
	switch {
	case errors.Is(err, eventstore.ErrNotFound), err == nil && len(entries) == 0:
		return nil, fault.New(fault.LogCorrupt, "the scenario document %x is not in the store", digest)
	case err != nil:
		return nil, fault.FromStore(err)
	}
	return entries[0].Data, nil
}

// load gives the loaded scenario of a digest, reading the document only if it must.
func (s *scenarios) load(ctx context.Context, set rules.Ruleset, digest ledger.Hash) (rules.Scenario, error) {
	key := scenarioKey{set.About().Name, digest}
	s.mu.Lock()
	sc := s.kept[key]
	s.mu.Unlock()
	if sc != nil {
		return sc, nil
	}
	document, err := s.document(ctx, digest)
	if err != nil {
		return nil, err
	}
	sc, faults := set.LoadScenario(document)
	if faults.Fatal() || sc == nil {
		return nil, fault.New(fault.LogCorrupt, "the scenario document %x cannot be loaded any more: %v", digest, faults)
	}
	s.keep(key, sc)
	return sc, nil
}

func (s *scenarios) keep(key scenarioKey, sc rules.Scenario) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= s.limit {
		for old := range s.kept { // any will do: games in memory hold their own
			delete(s.kept, old)
			break
		}
	}
	s.kept[key] = sc
}
