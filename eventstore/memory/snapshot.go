package memory

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/warledger/warledger/eventstore"
)

// snapshot is a store of its own that holds what another held. Entries and metadata are never changed where they lie,
// so the two share them.
type snapshot struct {
	of     *Store
	copied *Store
	closed atomic.Bool
}

// Snapshot implements [eventstore.Store].
func (s *Store) Snapshot(ctx context.Context) (eventstore.Snapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	copied := New()
	copied.names = slices.Clone(s.names)
	for name, st := range s.streams {
		copied.streams[name] = &stream{entries: slices.Clip(st.entries), meta: st.meta, metaVersion: st.metaVersion}
	}
	return &snapshot{of: s, copied: copied}, nil
}

// begin is the first line of each method.
func (v *snapshot) begin(ctx context.Context) error {
	if v.closed.Load() {
		return eventstore.ErrClosed
	}
	v.of.mu.RLock()
	defer v.of.mu.RUnlock()
	return v.of.begin(ctx)
}

// List implements [eventstore.Snapshot].
func (v *snapshot) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	if err := v.begin(ctx); err != nil {
		return nil, err
	}
	return v.copied.List(ctx, prefix, after, limit)
}

// ReadAt implements [eventstore.Snapshot].
func (v *snapshot) ReadAt(ctx context.Context, name string, from uint64, limit, maxBytes int) (eventstore.Page, error) {
	if err := v.begin(ctx); err != nil {
		return eventstore.Page{}, err
	}
	return v.copied.ReadAt(ctx, name, from, limit, maxBytes)
}

// Close implements [eventstore.Snapshot].
func (v *snapshot) Close() error {
	v.closed.Store(true)
	return v.copied.Close()
}
