package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/warledger/warledger/eventstore"
)

// Lookup implements [eventstore.Store].
func (s *Store) Lookup(ctx context.Context, name, key string) (uint64, bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return 0, false, err
	}
	if err := eventstore.CheckName(name); err != nil {
		return 0, false, err
	}
	if err := eventstore.CheckKey(key); err != nil {
		return 0, false, err
	}
	if st := s.streams[name]; st != nil {
		v, found := st.keys[key]
		return v, found, nil
	}
	return 0, false, nil
}

// Read implements [eventstore.Store].
func (s *Store) Read(ctx context.Context, name string, from uint64, limit, maxBytes int) ([]eventstore.Entry, error) {
	page, err := s.ReadAt(ctx, name, from, limit, maxBytes)
	return page.Entries, err
}

// ReadAt implements [eventstore.Store].
func (s *Store) ReadAt(ctx context.Context, name string, from uint64, limit, maxBytes int) (eventstore.Page, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return eventstore.Page{}, err
	}
	st, err := s.find(name)
	if err != nil {
		return eventstore.Page{}, err
	}
	return eventstore.Page{Entries: st.page(from, limit, maxBytes), Head: st.info(name)}, nil
}

func (st *stream) page(from uint64, limit, maxBytes int) (page []eventstore.Entry) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	if maxBytes <= 0 {
		maxBytes = eventstore.DefaultPageBytes
	}
	from = max(from, 1)
	if from > st.version() {
		return nil
	}
	bytes := 0
	for _, e := range st.entries[from-1:] {
		bytes += len(e.Data)
		if len(page) == limit || len(page) > 0 && bytes > maxBytes {
			break
		}
		e.Data = clone(e.Data)
		page = append(page, e)
	}
	return page
}

// Head implements [eventstore.Store].
func (s *Store) Head(ctx context.Context, name string) (eventstore.StreamInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return eventstore.StreamInfo{}, err
	}
	st, err := s.find(name)
	if err != nil {
		return eventstore.StreamInfo{}, err
	}
	return st.info(name), nil
}

// Wait implements [eventstore.Store].
func (s *Store) Wait(ctx context.Context, name string, after eventstore.Mark) (eventstore.Mark, error) {
	if err := ctx.Err(); err != nil {
		return eventstore.Mark{}, err
	}
	if err := eventstore.CheckName(name); err != nil {
		return eventstore.Mark{}, err
	}
	return s.hub.Wait(ctx, name, after, func() (eventstore.Mark, error) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		if s.closed {
			return eventstore.Mark{}, eventstore.ErrClosed
		}
		if st := s.streams[name]; st != nil {
			return eventstore.Mark{Version: st.version(), Meta: st.metaVersion}, nil
		}
		return eventstore.Mark{}, nil
	})
}

// List implements [eventstore.Store].
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	var page []eventstore.StreamInfo
	for _, name := range s.namesFrom(prefix, after) {
		if len(page) == limit {
			break
		}
		page = append(page, s.streams[name].info(name))
	}
	return page, nil
}

// Count implements [eventstore.Store].
func (s *Store) Count(ctx context.Context, prefix string) (uint64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	return uint64(len(s.namesFrom(prefix, ""))), nil
}

// namesFrom returns, in order, the names that begin with a prefix and come after a name.
func (d *data) namesFrom(prefix, after string) []string {
	from, found := slices.BinarySearch(d.names, max(prefix, after))
	if found && d.names[from] == after {
		from++
	}
	to := from
	for to < len(d.names) && strings.HasPrefix(d.names[to], prefix) {
		to++
	}
	return d.names[from:to]
}

// Now implements [eventstore.Store].
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.clock(), s.begin(ctx)
}

// Shared implements [eventstore.Store]: it is true once there was a second handle.
func (s *Store) Shared() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.shared
}
