// Package hub wakes those who wait for a stream to come further. It keeps no versions and no data: it says that something
// happened, and whoever wakes up asks the store.
package hub

import (
	"context"
	"sync"

	"github.com/warledger/warledger/eventstore"
)

// Hub holds one topic for each stream that is waited for, and nothing for the others. The zero Hub is not ready; use New.
type Hub struct {
	mu      sync.Mutex
	topics  map[string]*topic
	waiting uint64
	closed  chan struct{}
}

// topic lives from its first waiter to the next notification, or until its last waiter gives up.
type topic struct {
	changed chan struct{}
	waiters int
}

// New returns a hub that nobody waits on.
func New() *Hub {
	return &Hub{topics: make(map[string]*topic), closed: make(chan struct{})}
}

// Notify wakes everyone who waits for the stream. The cost is one lock when nobody does.
func (h *Hub) Notify(stream string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[stream]; t != nil {
		close(t.changed)
		delete(h.topics, stream)
	}
}

// Close wakes everyone for good.
func (h *Hub) Close() { close(h.closed) }

// Waiting returns the number of waiters.
func (h *Hub) Waiting() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waiting
}

// Wait returns how far the stream has come as soon as now says that it is further than after. It asks only after the
// waiter is registered, so a notification between the two is never lost.
func (h *Hub) Wait(ctx context.Context, stream string, after eventstore.Mark, now func() (eventstore.Mark, error)) (eventstore.Mark, error) {
	for {
		t := h.join(stream)
		m, err := now()
		if err != nil || m.Passes(after) {
			h.leave(stream, t)
			return m, err
		}
		select {
		case <-t.changed:
			h.leave(stream, t)
		case <-ctx.Done():
			h.leave(stream, t)
			return eventstore.Mark{}, ctx.Err()
		case <-h.closed:
			h.leave(stream, t)
			return eventstore.Mark{}, eventstore.ErrClosed
		}
	}
}

func (h *Hub) join(stream string) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[stream]
	if t == nil {
		t = &topic{changed: make(chan struct{})}
		h.topics[stream] = t
	}
	t.waiters++
	h.waiting++
	return t
}

func (h *Hub) leave(stream string, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.waiters--
	h.waiting--
	if t.waiters == 0 && h.topics[stream] == t {
		delete(h.topics, stream)
	}
}
