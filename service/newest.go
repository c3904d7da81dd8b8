package service

import (
	"sync"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// newest is the record that made a moment, and what watchers with the same sight get of it, made once: most watchers of a game wait for its next
// record, and all of them want it at once.
type newest struct {
	record *ledger.Record
	mu     sync.Mutex
	shown  map[sightKey]*v1.WatchGameResponse
}

// sightKey is what a message to a watcher depends on, besides the moment and the record.
type sightKey struct {
	viewer viewerKey
	lang   rules.Lang
	proofs bool
}

// message gives what a watcher with that sight gets, made by the first who asks. It is shared: nobody may change it.
func (n *newest) message(k sightKey, show func(*ledger.Record) (*v1.WatchGameResponse, error)) (*v1.WatchGameResponse, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m := n.shown[k]; m != nil {
		return m, nil
	}
	m, err := show(n.record)
	if err != nil {
		return nil, err
	}
	if n.shown == nil {
		n.shown = make(map[sightKey]*v1.WatchGameResponse)
	}
	n.shown[k] = m
	return m, nil
}
