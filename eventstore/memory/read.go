package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/warledger/warledger/eventstore"
)

// Meta implements [eventstore.Store].
func (s *Store) Meta(ctx context.Context, name string) ([]byte, error) {
	info, err := s.Head(ctx, name)
	return info.Meta, err
}

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
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	st, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	if maxBytes <= 0 {
		maxBytes = eventstore.DefaultPageBytes
	}
	from = max(from, 1)
	if from > st.version() {
		return nil, nil
	}
	var page []eventstore.Entry
	bytes := 0
	for _, e := range st.entries[from-1:] {
		bytes += len(e.Data)
		if len(page) == limit || len(page) > 0 && bytes > maxBytes {
			break
		}
		e.Data = clone(e.Data)
		page = append(page, e)
	}
	return page, nil
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
func (s *Store) Wait(ctx context.Context, name string, after uint64) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := eventstore.CheckName(name); err != nil {
		return 0, err
	}
	return s.hub.Wait(ctx, name, after, func() (uint64, error) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		if s.closed {
			return 0, eventstore.ErrClosed
		}
		if st := s.streams[name]; st != nil {
			return st.version(), nil
		}
		return 0, nil
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
	at, _ := slices.BinarySearch(s.names, max(prefix, after))
	var page []eventstore.StreamInfo
	for _, name := range s.names[at:] {
		if len(page) == limit || name > prefix && !strings.HasPrefix(name, prefix) {
			break
		}
		if name > after {
			page = append(page, s.streams[name].info(name))
		}
	}
	return page, nil
}
