package postgres

import (
	"context"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// snapshot is a transaction that reads, on a connection of its own.
type snapshot struct {
	s      *Store
	conn   *pgx.Conn
	turn   chan struct{} // holds one token: one call at a time reads
	ctx    context.Context
	cancel context.CancelFunc
	closed atomic.Bool
}

// Snapshot implements [eventstore.Store]. While it is open the database keeps what it replaces in any of its tables.
func (s *Store) Snapshot(ctx context.Context) (eventstore.Snapshot, error) { return s.snapshot(ctx) }

func (s *Store) snapshot(ctx context.Context) (*snapshot, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, failed(ctx, err)
	}
	v := &snapshot{s: s, conn: conn, turn: make(chan struct{}, 1)}
	v.ctx, v.cancel = context.WithCancel(s.ctx)
	v.turn <- struct{}{}
	if _, err = s.admit(ctx, conn); err == nil {
		// The first statement decides what moment it is.
		_, err = conn.Exec(ctx, `begin isolation level repeatable read, read only; select from wl_store`)
	}
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	switch {
	case err != nil:
		err = failed(ctx, err)
	case s.snapshots.open == nil:
		err = eventstore.ErrClosed
	default:
		s.snapshots.open[v] = true
		return v, nil
	}
	v.cancel()
	_ = conn.Close(context.WithoutCancel(ctx))
	return nil, err
}

// begin is the first line of each method.
func (v *snapshot) begin(ctx context.Context) error {
	if v.closed.Load() {
		return eventstore.ErrClosed
	}
	return v.s.begin(ctx)
}

// look has f read the snapshot. A call that gives up does not break the connection, which the next one needs: what it
// has begun ends by itself.
func look[T any](ctx context.Context, v *snapshot, f func(context.Context, querier) (T, error)) (none T, err error) {
	if err := v.begin(ctx); err != nil {
		return none, err
	}
	select {
	case <-v.turn:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-v.ctx.Done():
		return none, eventstore.ErrClosed
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f(v.ctx, v.conn)
		v.turn <- struct{}{}
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		switch {
		case r.err == nil:
			return r.value, nil
		case v.ctx.Err() != nil:
			return none, eventstore.ErrClosed
		}
		return none, failed(ctx, r.err)
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// List implements [eventstore.Snapshot].
func (v *snapshot) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	return look(ctx, v, func(ctx context.Context, q querier) ([]eventstore.StreamInfo, error) {
		return list(ctx, q, prefix, after, limit)
	})
}

// ReadAt implements [eventstore.Snapshot].
func (v *snapshot) ReadAt(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (eventstore.Page, error) {
	if err := v.begin(ctx); err != nil {
		return eventstore.Page{}, err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return eventstore.Page{}, err
	}
	return look(ctx, v, func(ctx context.Context, q querier) (eventstore.Page, error) {
		return readAt(ctx, q, stream, from, limit, maxBytes)
	})
}

// Close implements [eventstore.Snapshot].
func (v *snapshot) Close() error {
	if v.closed.Swap(true) {
		return nil
	}
	v.cancel()
	<-v.turn // what is being read ends, since its context has
	v.s.snapshots.mu.Lock()
	delete(v.s.snapshots.open, v)
	v.s.snapshots.mu.Unlock()
	_ = v.conn.Close(context.Background())
	return nil
}
