package live

import (
	"sync"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// Newest is the record that made a moment, and what watchers with the same sight get of it, made once. Most watchers of
// a game wait for its next record, and all of them want it at once.
type Newest struct {
	// Record made the moment.
	Record *ledger.Record
	mu     sync.Mutex
	shown  map[SightKey]*v1.WatchGameResponse
}

// SightKey is what a message to a watcher depends on, besides the moment and the record.
type SightKey struct {
	Viewer ViewerKey
	Lang   rules.Lang
	Proofs bool
}

// Message gives what a watcher with that sight gets, made by the first who asks. It is shared: nobody may change it.
func (n *Newest) Message(
	k SightKey, show func(*ledger.Record) (*v1.WatchGameResponse, error),
) (*v1.WatchGameResponse, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m := n.shown[k]; m != nil {
		return m, nil
	}
	m, err := show(n.Record)
	if err != nil {
		return nil, err
	}
	if n.shown == nil {
		n.shown = make(map[SightKey]*v1.WatchGameResponse)
	}
	n.shown[k] = m
	return m, nil
}

// ViewerKey names a viewer in a resume token: a byte for how it was narrowed, then the seats.
type ViewerKey [5]byte
