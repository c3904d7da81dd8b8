// Package hub wakes those who wait for a stream to come further. It keeps no versions and no data: it says that
// something happened, and whoever wakes up asks the store.
package hub

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/warledger/warledger/eventstore"
)

// Hub holds one topic for each stream that is waited for, and nothing for the others. The zero Hub
// is not ready; use New.
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
	least   eventstore.Mark // of what they have, in entries and in metadata
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

// Streams returns the names of the streams that are waited for.
func (h *Hub) Streams() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.topics))
}

// Reached wakes everyone who waits for the stream if somebody may wait for as much as it has reached.
func (h *Hub) Reached(stream string, m eventstore.Mark) {
	h.mu.Lock()
	t := h.topics[stream]
	behind := t != nil && m.Passes(t.least)
	h.mu.Unlock()
	if behind {
		h.Notify(stream)
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
func (h *Hub) Wait(
	ctx context.Context, stream string, after eventstore.Mark, now func() (eventstore.Mark, error),
) (eventstore.Mark, error) {
	for {
		t := h.join(stream, after)
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

func (h *Hub) join(stream string, after eventstore.Mark) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[stream]
	if t == nil {
		t = &topic{changed: make(chan struct{}), least: after}
		h.topics[stream] = t
	}
	t.least = eventstore.Mark{Version: min(t.least.Version, after.Version), Meta: min(t.least.Meta, after.Meta)}
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
