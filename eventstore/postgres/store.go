package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/hub"
)

// Store is an event store in a PostgreSQL database, which any number of processes may have open. Use [Open].
type Store struct {
	o      Options
	config *pgx.ConnConfig
	id     uuid.UUID // of the store
	alone  backend   // the session that has the store alone, if the options ask for that
	handle string    // tells this handle's notifications from those of others

	pool  *pgxpool.Pool
	queue *queue
	hub   *hub.Hub

	ctx       context.Context // ends when the store is closed
	stop      context.CancelFunc
	closed    atomic.Bool
	working   sync.WaitGroup // the writers
	listening sync.WaitGroup // whoever wakes others
	// unsafe is why nothing is read or written at present, although there are connections: an operator has changed a
	// setting. It is nil as a rule.
	unsafe atomic.Pointer[UnsafeError]
	// gone is why nothing is read or written any more: the handle had the store alone and has lost it.
	gone atomic.Pointer[error]
	// listener is the session of the connection that listens.
	listener backend

	hints struct {
		mu     sync.Mutex
		names  []string
		filled chan struct{}
		// since is when the first of the names was stored; echoes are the hints that are under way to this handle too.
		since  time.Time
		echoes echoes
	}
	snapshots struct {
		mu   sync.Mutex
		open map[*snapshot]bool
	}
	observing sync.Mutex
	stats     struct {
		appends, entries, bytes, refused, batches, failed, largest atomic.Uint64
		commitTime                                                 atomic.Int64
	}
}

var _ eventstore.Store = (*Store)(nil)

// begin is the first line of each method: an error when the context ended, the store is closed or lost, or its database
// has become unsafe.
func (s *Store) begin(ctx context.Context) error {
	if s.closed.Load() {
		return eventstore.ErrClosed
	}
	if err := s.gone.Load(); err != nil {
		return *err
	}
	if err := s.unsafe.Load(); err != nil {
		return unreachable(err)
	}
	return ctx.Err()
}

// count adds a batch to the figures and tells the observer.
func (s *Store) count(batch []*request, took time.Duration) {
	b := eventstore.Batch{Commit: took, Write: took}
	stored := 0
	for _, r := range batch {
		switch {
		case r.err != nil:
			b.Err = r.err
		case r.stored && r.appends():
			b.Appends++
			b.Entries += len(r.versions)
			b.Bytes += r.size
			stored++
		case r.stored:
			stored++
		}
	}
	s.observing.Lock()
	defer s.observing.Unlock()
	c := &s.stats
	switch {
	case b.Err != nil:
		c.failed.Add(1)
	case stored == 0:
		return
	}
	if stored > 0 {
		c.appends.Add(uint64(b.Appends))
		c.entries.Add(uint64(b.Entries))
		c.bytes.Add(uint64(b.Bytes))
		c.batches.Add(1)
		c.largest.Store(max(c.largest.Load(), uint64(b.Appends)))
		c.commitTime.Add(int64(took))
	}
	if s.o.Observe != nil {
		s.o.Observe(b)
	}
}

// Stats implements [eventstore.Store]. They are those of this handle.
func (s *Store) Stats() eventstore.Stats {
	c := &s.stats
	return eventstore.Stats{
		Appends: c.appends.Load(), Entries: c.entries.Load(), Bytes: c.bytes.Load(), Refused: c.refused.Load(),
		Batches: c.batches.Load(), FailedBatches: c.failed.Load(), LargestBatch: c.largest.Load(),
		CommitTime: time.Duration(c.commitTime.Load()), Waiting: s.hub.Waiting(),
	}
}

// Shared implements [eventstore.Store]: others may always write the database.
func (s *Store) Shared() bool { return true }

// Now implements [eventstore.Store]: the time is the database's.
func (s *Store) Now(ctx context.Context) (now time.Time, err error) {
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		return q.QueryRow(ctx, `select clock_timestamp()`).Scan(&now)
	})
	return now.UTC(), err
}

// Close implements [eventstore.Store].
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	for _, r := range s.queue.close() {
		r.err = eventstore.ErrClosed
		close(r.done)
	}
	s.working.Wait()
	s.stop()
	s.hub.Close()
	s.listening.Wait()
	s.snapshots.mu.Lock()
	open := s.snapshots.open
	s.snapshots.open = nil
	s.snapshots.mu.Unlock()
	var failed []error
	for v := range open {
		failed = append(failed, v.Close())
	}
	s.pool.Close()
	return errors.Join(failed...)
}
