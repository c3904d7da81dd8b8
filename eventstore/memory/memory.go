// Package memory is an event store that lives in memory, for tests of what uses one. It keeps every promise of the
// contract but durability: closing it forgets everything. Several handles on one store stand for several processes.
package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/hub"
)

// Store is a handle on an event store in memory. Use New, and Share for further handles.
type Store struct {
	*data
	hub *hub.Hub

	// The lock of data guards these too.
	stats  eventstore.Stats
	closed bool
}

// data is what all handles of a store have in common.
type data struct {
	clock func() time.Time

	mu      sync.RWMutex
	streams map[string]*stream
	names   []string // sorted, for List
	handles []*Store // that are open
	shared  bool
}

type stream struct {
	entries     []eventstore.Entry
	keys        map[string]uint64
	meta        []byte
	metaVersion uint64
}

var _ eventstore.Store = (*Store)(nil)

// Option is a setting of New.
type Option func(*data)

// WithClock has the store tell the time by a clock of the test's.
func WithClock(clock func() time.Time) Option { return func(d *data) { d.clock = clock } }

// New returns an empty store.
func New(options ...Option) *Store {
	d := &data{streams: make(map[string]*stream), clock: time.Now}
	for _, set := range options {
		set(d)
	}
	return d.open()
}

// Share returns another handle on the same store, as another process would have it. From then on all handles say that
// the store is shared. What is stored is forgotten when the last handle is closed.
func (s *Store) Share() *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared = true
	return s.open()
}

func (d *data) open() *Store {
	s := &Store{data: d, hub: hub.New()}
	d.handles = append(d.handles, s)
	return s
}

// notify wakes those who wait for a stream, at whichever handle.
func (d *data) notify(stream string) {
	for _, s := range d.handles {
		s.hub.Notify(stream)
	}
}

func (st *stream) version() uint64 { return uint64(len(st.entries)) }

func (st *stream) info(name string) eventstore.StreamInfo {
	last := st.entries[len(st.entries)-1]
	return eventstore.StreamInfo{
		Name: name, Version: last.Version, Hash: last.Hash, Meta: clone(st.meta), MetaVersion: st.metaVersion,
	}
}

// clone copies, and makes empty nil as a stored value would come back.
func clone(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return slices.Clone(b)
}

// begin is the first line of each method: an error when the context ended or the store is closed.
func (s *Store) begin(ctx context.Context) error {
	if s.closed {
		return eventstore.ErrClosed
	}
	return ctx.Err()
}

func (s *Store) find(name string) (*stream, error) {
	if err := eventstore.CheckName(name); err != nil {
		return nil, err
	}
	st := s.streams[name]
	if st == nil {
		return nil, fmt.Errorf("%w: %q", eventstore.ErrNotFound, name)
	}
	return st, nil
}

// Append implements [eventstore.Store]; nothing is durable here.
func (s *Store) Append(ctx context.Context, a eventstore.Append) error {
	start := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := a.Validate(); err != nil {
		return err
	}
	st := s.streams[a.Stream]
	if st == nil {
		st = &stream{keys: make(map[string]uint64)}
	}
	if err := st.accepts(&a); err != nil {
		s.stats.Refused++
		return err
	}
	if s.streams[a.Stream] == nil {
		at, _ := slices.BinarySearch(s.names, a.Stream)
		s.names = slices.Insert(s.names, at, a.Stream)
		s.streams[a.Stream] = st
	}
	s.stats.Bytes += st.add(&a)
	s.stats.Appends++
	s.stats.Batches++
	s.stats.LargestBatch = 1
	s.stats.Entries += uint64(len(a.Entries))
	s.stats.CommitTime += time.Since(start)
	s.notify(a.Stream)
	return nil
}

func (st *stream) accepts(a *eventstore.Append) error {
	for _, e := range a.Entries {
		if v, used := st.keys[e.Key]; used {
			return &eventstore.KeyUsedError{Stream: a.Stream, Key: e.Key, Version: v}
		}
	}
	if st.version() != a.Expected {
		return &eventstore.ConflictError{Stream: a.Stream, Expected: a.Expected, Current: st.version()}
	}
	if a.Meta != nil {
		if err := st.acceptsMeta(a.Stream, a.MetaExpected); err != nil {
			return err
		}
	}
	var head eventstore.Hash
	if a.Expected > 0 {
		head = st.entries[a.Expected-1].Hash
	}
	if prev := a.Entries[0].Prev; prev != head {
		return &eventstore.LinkError{Stream: a.Stream, Version: a.Expected + 1, Prev: prev, Want: head}
	}
	return nil
}

func (st *stream) acceptsMeta(name string, expected uint64) error {
	if expected != eventstore.AnyMeta && expected != st.metaVersion {
		return &eventstore.MetaConflictError{Stream: name, Expected: expected, Current: st.metaVersion}
	}
	return nil
}

func (st *stream) setMeta(meta []byte) { st.meta, st.metaVersion = clone(meta), st.metaVersion+1 }

func (st *stream) add(a *eventstore.Append) (bytes uint64) {
	for _, e := range a.Entries {
		e.Version = st.version() + 1
		e.Data = clone(e.Data)
		bytes += uint64(len(e.Data))
		st.entries = append(st.entries, e)
		if e.Key != "" {
			st.keys[e.Key] = e.Version
		}
	}
	if a.Meta != nil {
		st.setMeta(a.Meta)
	}
	return bytes
}

// SetMeta implements [eventstore.Store].
func (s *Store) SetMeta(ctx context.Context, name string, meta []byte, expected uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := eventstore.CheckMeta(meta); err != nil {
		return err
	}
	if err := eventstore.CheckName(name); err != nil {
		return err
	}
	st, err := s.find(name)
	if err == nil {
		err = st.acceptsMeta(name, expected)
	}
	if err != nil {
		s.stats.Refused++
		return err
	}
	st.setMeta(meta)
	s.notify(name)
	return nil
}

// Stats implements [eventstore.Store].
func (s *Store) Stats() eventstore.Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	stats := s.stats
	stats.Waiting = s.hub.Waiting()
	return stats
}

// Close implements [eventstore.Store]. With the last handle everything is forgotten.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.handles = slices.DeleteFunc(s.handles, func(h *Store) bool { return h == s })
	if len(s.handles) == 0 {
		s.streams, s.names = nil, nil
	}
	s.hub.Close()
	return nil
}
