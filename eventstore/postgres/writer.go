package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/warledger/warledger/eventstore"
)

// writers is how many connections write. While one waits for its commit the other takes what came meanwhile.
const writers = 2

// writer stores batches, one after the other, with a connection of its own.
type writer struct {
	s    *Store
	link *link // nil while it is not connected
}

func (w *writer) run() {
	defer w.drop()
	for {
		batch := w.s.queue.take(w.s.o.BatchAppends, w.s.o.BatchBytes)
		if batch == nil {
			return
		}
		w.serve(batch)
	}
}

// serve stores a batch and answers all of it, at the latest when its time is over.
func (w *writer) serve(batch []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), w.s.o.WriteTimeout+moreTime(batch))
	defer cancel()
	begun := time.Now()
	w.store(ctx, batch)
	ended := time.Now()
	w.s.count(batch, ended.Sub(begun))
	w.s.queue.release(batch)
	w.s.shown(batch)
	for _, r := range batch {
		r.begun, r.ended = begun, ended
		close(r.done)
	}
}

// moreTime is how much longer a batch may take for its size: a second for each MiB.
func moreTime(batch []*request) time.Duration {
	weight := 0
	for _, r := range batch {
		weight += r.weight
	}
	return time.Duration(weight) * time.Second >> 20
}

// fail ends requests with an error.
func fail(batch []*request, err error) {
	for _, r := range batch {
		r.err = err
	}
}

// errWarned stands for a commit that the server answered with a warning: it did not wait for its standby.
var errWarned = errors.New("the database gave a warning: a commit did not wait for its standby")

// errSession stands for a connection that has another session than before. It need not have the store's lock.
var errSession = errors.New("a pooler has given the connection another session: it must keep one for each connection")

// store notes at each request of a batch that it was stored or why it failed. One with neither was refused.
//
// A connection that is lost while the statement runs leaves open what became of it: see resolve. What is found not to
// be stored then is sent again.
func (w *writer) store(ctx context.Context, batch []*request) {
	for len(batch) > 0 {
		if err := w.connect(ctx); err != nil {
			fail(batch, unreachable(err))
			return
		}
		err := w.send(ctx, batch)
		switch {
		case err == nil:
			return
		case errors.Is(err, errWarned):
			w.cut()
			fail(batch, uncertain(err))
			return
		case pgconn.SafeToRetry(err), errors.Is(err, errSession): // nothing was stored
			w.s.release(w.link.Conn, w.link.backend, false)
			w.cut()
		case lost(err):
			gone := w.link.backend
			w.cut()
			if batch, err = w.resolve(ctx, gone, batch, err); err != nil {
				fail(batch, uncertain(err))
				return
			}
		case passing(err):
		case hasCode(err, codeDiskFull, codeReadOnly, codeNoPrivilege):
			w.cut() // one that accepts no writes may have been replaced
			fail(batch, failed(ctx, err))
			return
		case len(batch) > 1: // one of them is to blame, and the others shall not suffer
			for i := range batch {
				w.store(ctx, batch[i:i+1])
			}
			return
		case hasCode(err, codeUniqueness):
			batch[0].clash = true
			return
		default:
			fail(batch, failed(ctx, err))
			return
		}
	}
}

func uncertain(err error) error {
	return fmt.Errorf("%w: %w: %w", eventstore.ErrUncertain, eventstore.ErrIO, err)
}

// connect opens the connection, unless it is open. A handle that has lost the store has none any more.
func (w *writer) connect(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if gone := w.s.gone.Load(); gone != nil {
		w.drop()
		return *gone
	}
	if w.link == nil {
		w.link, err = w.s.link(ctx)
	}
	return err
}

// cut gives up the connection at once. The server finishes what it is doing.
func (w *writer) cut() {
	w.link.cut()
	w.link = nil
}

// drop closes the connection when nothing is under way.
func (w *writer) drop() {
	if w.link == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	w.s.release(w.link.Conn, w.link.backend, false)
	_ = w.link.Close(ctx)
	w.link = nil
}

// send has the database store a batch, and notes what was stored. When the time is over the connection is cut.
func (w *writer) send(ctx context.Context, batch []*request) error {
	if err := w.s.o.hooks.at(beforeStatement); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, w.link.cut)
	defer stop()
	w.link.warned.Store(false)
	var fit []int64
	var pid int32
	if err := w.link.QueryRow(context.Background(), storeBatch, w.arguments(batch)...).
		Scan(&fit, &pid); err != nil {
		return err
	}
	if pid != w.link.pid {
		return errSession
	}
	if w.link.warned.Load() {
		return errWarned
	}
	if err := w.s.o.hooks.at(afterStatement); err != nil {
		return err
	}
	for _, n := range fit {
		batch[n-1].stored = true
	}
	return nil
}

// resolvePause is how long a writer waits before it looks again at what became of a batch.
const resolvePause = 50 * time.Millisecond

// resolve finds out what became of a batch whose connection was lost, and returns those that were not stored. As long
// as the server still works on the statement nobody knows; once it does not, what is not there was not stored. An
// error says that the time was too short for that, or that it cannot be told.
func (w *writer) resolve(ctx context.Context, gone backend, batch []*request, cause error) ([]*request, error) {
	for {
		open, err := w.outcome(ctx, gone, batch)
		if err == nil {
			return open, nil
		}
		if errors.Is(err, ErrLost) {
			return batch, err
		}
		select {
		case <-ctx.Done():
			return batch, fmt.Errorf("%w (%w)", cause, err)
		case <-time.After(resolvePause):
		}
	}
}

var errRunning = errors.New("the database still works on it")

func (w *writer) outcome(ctx context.Context, gone backend, batch []*request) (open []*request, err error) {
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, w.link.cut)
	defer stop()
	defer func() {
		if err != nil && !errors.Is(err, errRunning) && !errors.Is(err, errOverwritten) {
			w.cut()
		}
	}()
	var running bool
	err = w.link.QueryRow(context.Background(), `select exists (select from pg_stat_activity
		where pid = $1 and backend_start = $2::timestamptz)`, gone.pid, gone.begun).Scan(&running)
	if err != nil {
		return nil, err
	}
	if running {
		return nil, errRunning
	}
	for _, r := range batch {
		if r.stored {
			continue
		}
		if r.stored, err = w.found(r); err != nil {
			return nil, err
		}
		if !r.stored {
			open = append(open, r)
		}
	}
	return open, nil
}

// errOverwritten says that metadata have changed, and not to those that were to be set.
var errOverwritten = errors.New("the metadata have been set again since")

// found reports whether what a request asked for is there.
func (w *writer) found(r *request) (found bool, err error) {
	ctx := context.Background()
	if r.appends() {
		last := r.versions[len(r.versions)-1]
		err = w.link.QueryRow(ctx, `select exists (select from wl_stream s join wl_entry e on e.stream = s.id
			where s.name = $1 and e.version = $2 and e.hash = $3)`, r.stream, last, r.hash[:]).Scan(&found)
		return found, err
	}
	var same bool
	var at int64
	err = w.link.QueryRow(ctx,
		`select coalesce(max(meta_version), 0), coalesce(bool_and(coalesce(meta, '') = $2), false)
		from wl_stream where name = $1`, r.stream, r.meta).Scan(&at, &same)
	switch {
	case err != nil:
		return false, err
	case r.metaExpected == eventstore.AnyMeta:
		if same {
			return true, nil
		}
		return false, errOverwritten
	case at <= number(r.metaExpected):
		return false, nil
	case at == number(r.metaExpected)+1 && same:
		return true, nil
	}
	return false, errOverwritten
}
