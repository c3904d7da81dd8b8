package boltstore

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/hub"
	bolt "go.etcd.io/bbolt"
)

// Store is an event store in a bbolt file. Use Open.
type Store struct {
	db  *bolt.DB
	o   Options
	hub *hub.Hub

	queue    chan *request
	kick     chan struct{} // wakes the writer
	stopping chan struct{} // closed by Close: begin nothing more
	done     chan struct{} // closed by the writer: nothing more will be answered
	close    sync.Once

	path   string
	asleep atomic.Bool  // the writer waits to be woken
	crowd  atomic.Int32 // above 0 when several append at once: see collect
	// turn is held by whoever writes. What follows belongs to them.
	turn   sync.Mutex
	batch  []*request
	memory map[string]*streamMemory // see stream_memory.go
	number uint64                   // of the last commit
	kept   int64                    // bytes of commits that are not merged
	lastID uint64                   // the last stream id given
	value  []byte                   // of the last commit, to be used again

	stopped atomic.Pointer[stopped] // why nothing is written any more; nil while it is

	pending atomic.Pointer[pending] // what is not merged yet

	snapshots openSnapshots

	stats counters
}

var _ eventstore.Store = (*Store)(nil)

// counters are the figures of Stats, added to by whoever writes.
type counters struct {
	appends, entries, bytes, refused, batches, failed, largest atomic.Uint64
	commitTime                                                 atomic.Int64
}

// Append implements [eventstore.Store]. What a commit does is encoded here, in the caller's goroutine: the writer has
// less to do, and the caller may use its bytes again as soon as this returns.
func (s *Store) Append(ctx context.Context, a eventstore.Append) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := a.Validate(); err != nil {
		return err
	}
	return s.submit(ctx, newAppend(&a))
}

// SetMeta implements [eventstore.Store].
func (s *Store) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return err
	}
	if err := eventstore.CheckMeta(meta); err != nil {
		return err
	}
	r := &request{stream: stream}
	r.setMeta(meta, expected)
	return s.submit(ctx, r)
}

// begin is the first line of each method.
func (s *Store) begin(ctx context.Context) error {
	select {
	case <-s.stopping:
		return eventstore.ErrClosed
	default:
		return ctx.Err()
	}
}

// Now implements [eventstore.Store].
func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.o.Clock(), s.begin(ctx) }

// Shared implements [eventstore.Store]: the file's lock keeps other processes out.
func (s *Store) Shared() bool { return false }

// Stats implements [eventstore.Store].
func (s *Store) Stats() eventstore.Stats {
	c := &s.stats
	return eventstore.Stats{
		Appends: c.appends.Load(), Entries: c.entries.Load(), Bytes: c.bytes.Load(), Refused: c.refused.Load(),
		Batches: c.batches.Load(), FailedBatches: c.failed.Load(), LargestBatch: c.largest.Load(),
		CommitTime: time.Duration(c.commitTime.Load()), Waiting: s.hub.Waiting(),
	}
}

// Close implements [eventstore.Store]. It waits for the commit and the reads that are going on.
func (s *Store) Close() error {
	var err error
	s.close.Do(func() {
		close(s.stopping)
		s.snapshots.close() // or a commit that needs a larger map would wait for them
		<-s.done
		s.turn.Lock() // a caller may be committing
		defer s.turn.Unlock()
		s.hub.Close()
		_ = s.mergeSafely() // where it fails nothing is lost: it waits in the file
		err = s.db.Close()
	})
	return err
}
