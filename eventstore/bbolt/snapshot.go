package boltstore

import (
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// snapshot is a read transaction, and what was not merged when it began. Its lock keeps the transaction while it is
// read.
type snapshot struct {
	s *Store

	mu      sync.Mutex
	tx      *bolt.Tx // nil once it is closed
	pending *pending
}

// openSnapshots are those of a store that are open: the file cannot be closed before them.
type openSnapshots struct {
	mu  sync.Mutex
	all map[*snapshot]bool
}

// Snapshot implements [eventstore.Store]. Like a backup it keeps pages from being used again, and a commit that needs
// more addresses than [Options.MapSize] waits for it.
func (s *Store) Snapshot(ctx context.Context) (eventstore.Snapshot, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	v := &snapshot{s: s}
	var err error
	if v.tx, err = s.between(func() { v.pending = s.pending.Load().copied() }); err != nil {
		return nil, err
	}
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	if err := s.begin(ctx); err != nil { // Close has closed the others by now
		return nil, errors.Join(err, v.tx.Rollback())
	}
	if s.snapshots.all == nil {
		s.snapshots.all = make(map[*snapshot]bool)
	}
	s.snapshots.all[v] = true
	return v, nil
}

// copied is what is pending now, without the keys.
func (p *pending) copied() *pending {
	p.mu.RLock()
	defer p.mu.RUnlock()
	c := &pending{streams: make(map[string]*unmerged, len(p.streams))}
	for name, l := range p.streams {
		kept := *l
		kept.keys = nil // they are added to while others read
		c.streams[name] = &kept
	}
	return c
}

// read runs f with what the snapshot holds.
func (v *snapshot) read(ctx context.Context, stream string, f func(b buckets) error) (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.tx == nil {
		return eventstore.ErrClosed
	}
	if err := v.s.begin(ctx); err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err = recovered(recover(), stream, err) }()
	b := bucketsOf(v.tx)
	b.pending = v.pending
	return f(b)
}

// List implements [eventstore.Snapshot].
func (v *snapshot) List(
	ctx context.Context, prefix, after string, limit int,
) (page []eventstore.StreamInfo, err error) {
	err = v.read(ctx, "", func(b buckets) error {
		page, err = b.list(prefix, after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// ReadAt implements [eventstore.Snapshot].
func (v *snapshot) ReadAt(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (page eventstore.Page, err error) {
	if err := eventstore.CheckName(stream); err != nil {
		return eventstore.Page{}, err
	}
	err = v.read(ctx, stream, func(b buckets) error {
		p, err := b.locate(stream)
		if err == nil {
			page, err = b.pageAt(p, from, limit, maxBytes)
		}
		return err
	})
	if err != nil {
		return eventstore.Page{}, err
	}
	return page, nil
}

// Close implements [eventstore.Snapshot].
func (v *snapshot) Close() error {
	open := &v.s.snapshots
	open.mu.Lock()
	delete(open.all, v)
	open.mu.Unlock()
	return v.end()
}

// end lets go of the transaction, when nobody reads it any more.
func (v *snapshot) end() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.tx == nil {
		return nil
	}
	tx := v.tx
	v.tx, v.pending = nil, nil
	return tx.Rollback()
}

// close closes all that are open, when no more can be opened.
func (o *openSnapshots) close() {
	o.mu.Lock()
	all := slices.Collect(maps.Keys(o.all))
	o.all = nil
	o.mu.Unlock()
	for _, v := range all {
		_ = v.end()
	}
}
