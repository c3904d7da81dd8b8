// Package late opens an event store that may not be there yet, such as a database that starts after its programs. Until
// the store is open, its calls fail with [eventstore.ErrIO] and the cause, as they do when it goes away later.
package late

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
)

// Options say how a store is opened.
type Options struct {
	// Open opens the store.
	Open func(context.Context) (eventstore.Store, error)
	// Away reports whether an error of Open may pass, so that it is worth trying again.
	Away func(error) bool
	// Every is how long to wait before the next try; 0 means a second.
	Every time.Duration
	// Told, if not nil, is told the outcome of each try, one at a time, if the first one failed with an error that may
	// pass. It is the last one if it succeeded, or if its error does not pass: then the store stays closed.
	Told func(error)
	// Shared is what [eventstore.Store.Shared] reports until the store is open.
	Shared bool
}

// Store is a store that is open now, or will be. Use [Open].
type Store struct {
	o       Options
	inner   atomic.Pointer[eventstore.Store] // nil until it is open
	cause   atomic.Pointer[error]            // why it is not open
	closed  atomic.Bool
	stop    context.CancelFunc
	working sync.WaitGroup
}

var _ eventstore.Store = (*Store)(nil)

// Open tries to open a store. If that fails with an error that may pass, it returns a store that is opened later.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Told == nil {
		o.Told = func(error) {}
	}
	s := &Store{o: o}
	var trying context.Context
	trying, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.try(ctx); err != nil {
		if !o.Away(err) {
			s.stop()
			return nil, err
		}
		o.Told(err)
		s.working.Go(func() { s.keepTrying(trying) })
	}
	return s, nil
}

func (s *Store) try(ctx context.Context) error {
	inner, err := s.o.Open(ctx)
	if err != nil {
		s.cause.Store(&err)
		return err
	}
	s.inner.Store(&inner)
	return nil
}

func (s *Store) keepTrying(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.o.Every):
		}
		err := s.try(ctx)
		if ctx.Err() != nil {
			return
		}
		s.o.Told(err)
		if err == nil || !s.o.Away(err) {
			return
		}
	}
}

// open returns the store, or an error while it is not open.
func (s *Store) open(ctx context.Context) (eventstore.Store, error) {
	if inner := s.inner.Load(); inner != nil {
		return *inner, nil // which knows itself whether it is closed
	}
	if s.closed.Load() {
		return nil, eventstore.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %w", eventstore.ErrIO, *s.cause.Load())
}

// Close implements [eventstore.Store]. It ends the tries.
func (s *Store) Close() error {
	s.closed.Store(true)
	s.stop()
	s.working.Wait()
	if inner := s.inner.Load(); inner != nil {
		return (*inner).Close()
	}
	return nil
}

// Shared implements [eventstore.Store].
func (s *Store) Shared() bool {
	if inner := s.inner.Load(); inner != nil {
		return (*inner).Shared()
	}
	return s.o.Shared
}

// Stats implements [eventstore.Store]: zeros until the store is open.
func (s *Store) Stats() (none eventstore.Stats) {
	if inner := s.inner.Load(); inner != nil {
		return (*inner).Stats()
	}
	return none
}

// Append implements [eventstore.Store].
func (s *Store) Append(ctx context.Context, a eventstore.Append) error {
	inner, err := s.open(ctx)
	if err != nil {
		return err
	}
	return inner.Append(ctx, a)
}

// SetMeta implements [eventstore.Store].
func (s *Store) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	inner, err := s.open(ctx)
	if err != nil {
		return err
	}
	return inner.SetMeta(ctx, stream, meta, expected)
}

// Lookup implements [eventstore.Store].
func (s *Store) Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error) {
	inner, err := s.open(ctx)
	if err != nil {
		return 0, false, err
	}
	return inner.Lookup(ctx, stream, key)
}

// Read implements [eventstore.Store].
func (s *Store) Read(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) ([]eventstore.Entry, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return inner.Read(ctx, stream, from, limit, maxBytes)
}

// ReadAt implements [eventstore.Store].
func (s *Store) ReadAt(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (eventstore.Page, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return eventstore.Page{}, err
	}
	return inner.ReadAt(ctx, stream, from, limit, maxBytes)
}

// Head implements [eventstore.Store].
func (s *Store) Head(ctx context.Context, stream string) (eventstore.StreamInfo, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return eventstore.StreamInfo{}, err
	}
	return inner.Head(ctx, stream)
}

// Wait implements [eventstore.Store]. It does not wait for the store to be opened.
func (s *Store) Wait(ctx context.Context, stream string, after eventstore.Mark) (eventstore.Mark, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return eventstore.Mark{}, err
	}
	return inner.Wait(ctx, stream, after)
}

// List implements [eventstore.Store].
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return inner.List(ctx, prefix, after, limit)
}

// Count implements [eventstore.Store].
func (s *Store) Count(ctx context.Context, prefix string) (uint64, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	return inner.Count(ctx, prefix)
}

// Now implements [eventstore.Store].
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return inner.Now(ctx)
}

// Snapshot implements [eventstore.Store].
func (s *Store) Snapshot(ctx context.Context) (eventstore.Snapshot, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return inner.Snapshot(ctx)
}

// Backup implements [eventstore.Store].
func (s *Store) Backup(ctx context.Context, w io.Writer) (int64, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	return inner.Backup(ctx, w)
}

// Check implements [eventstore.Store].
func (s *Store) Check(
	ctx context.Context, verify func(string, eventstore.Entry) error, report func(eventstore.Fault),
) (eventstore.CheckReport, error) {
	inner, err := s.open(ctx)
	if err != nil {
		return eventstore.CheckReport{}, err
	}
	return inner.Check(ctx, verify, report)
}
