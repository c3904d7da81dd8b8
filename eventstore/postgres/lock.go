package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// Lock says whom a handle keeps out of a store.
type Lock int

const (
	// Unlocked keeps nobody out, and is kept out by nobody.
	Unlocked Lock = iota
	// LockShared keeps out handles that want the store alone: for servers, of which any number may share a store.
	LockShared
	// LockAlone keeps out all others that lock: for programs that replace what a store holds.
	LockAlone
)

// takes is the function that takes the lock, and seen the condition for the locks that are in its way.
func (l Lock) takes() (function, seen string) {
	if l == LockShared {
		return "pg_try_advisory_lock_shared", "l.mode = 'ExclusiveLock'"
	}
	return "pg_try_advisory_lock", "true"
}

// storeClass is the first half of the advisory lock of a store; the second is a hash of the store's id, which is the
// same however an address names the schema.
const storeClass = 0x776c6f6e

const (
	// lockPatience is how long a handle waits for another one to let go: one that is just ending, or whose process was
	// killed a moment ago.
	lockPatience = 2 * time.Second
	lockPause    = 50 * time.Millisecond
)

// lock takes the lock that the options ask for. It belongs to the session and goes with it.
//
// The server itself asks whether the other end is there, so that the lock of a machine that died is free half a minute
// later.
func (s *Store) lock(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5;
		set tcp_keepalives_count = 3; set tcp_user_timeout = 25000`); err != nil {
		return err
	}
	take, _ := s.o.Lock.takes()
	for begun := time.Now(); ; {
		var taken bool
		if err := conn.QueryRow(ctx, `select `+take+`($1, hashtext($2))`, storeClass, s.id.String()).
			Scan(&taken); err != nil || taken {
			return err
		}
		if time.Since(begun) > lockPatience {
			return s.taken(ctx, conn)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// lockListener takes the lock for the connection that listens. A session that held a store alone before for this handle
// is ended, since the server may not know yet that it was lost.
func (s *Store) lockListener(ctx context.Context, conn *pgx.Conn) error {
	if s.o.Lock == LockAlone && s.alone != (backend{}) {
		if _, err := conn.Exec(ctx, `select pg_terminate_backend(pid) from pg_stat_activity
			where pid = $1 and backend_start = $2::timestamptz`, s.alone.pid, s.alone.begun); err != nil {
			return err
		}
	}
	if err := s.lock(ctx, conn); err != nil || s.o.Lock != LockAlone {
		return err
	}
	return conn.QueryRow(ctx, `select pid, backend_start::text from pg_stat_activity where pid = pg_backend_pid()`).
		Scan(&s.alone.pid, &s.alone.begun)
}

// lockWriter has a connection that writes share the lock of its handle. So nobody has a store alone while a server may
// still write to it, although the connection of the server that listens was lost. What happened to the store before is
// looked at again.
func (s *Store) lockWriter(ctx context.Context, conn *pgx.Conn) error {
	if s.o.Lock != LockShared {
		return nil
	}
	err := s.lock(ctx, conn)
	if err == nil {
		err = s.served(ctx)
	}
	return err
}

// served asks the caller whether the store may still be served. The lock is taken, so nobody changes that meanwhile.
func (s *Store) served(ctx context.Context) error {
	if s.o.Served == nil {
		return nil
	}
	return s.o.Served(ctx, s)
}

// relock takes the lock for a connection that listens in the place of one that was lost, and tells the caller if the
// store is not to be had any more.
func (s *Store) relock(ctx context.Context, conn *pgx.Conn) error {
	err := s.lockListener(ctx, conn)
	gone := errors.Is(err, eventstore.ErrLocked)
	if err == nil {
		err = s.served(ctx)
		gone = err != nil && !errors.Is(err, eventstore.ErrIO) && ctx.Err() == nil && !s.closed.Load()
	}
	if gone && s.o.Lost != nil {
		s.o.Lost(err)
	}
	return err
}

// taken says who has the store.
func (s *Store) taken(ctx context.Context, conn *pgx.Conn) error {
	holder := "another process"
	var from, since string
	_, seen := s.o.Lock.takes()
	err := conn.QueryRow(ctx, `select coalesce(host(a.client_addr), 'the machine of the database'),
			to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
		from pg_locks l join pg_stat_activity a on a.pid = l.pid
		where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::bigint = $1
			and l.objid::bigint = hashtext($2)::bigint & 4294967295
			and l.database = (select oid from pg_database where datname = current_database()) and `+seen+`
		order by a.backend_start limit 1`, int64(storeClass), s.id.String()).Scan(&from, &since)
	if err == nil { // else it has let go meanwhile, or must not be seen
		holder = fmt.Sprintf("a process on %s, connected since %s", from, since)
	}
	return fmt.Errorf("%w: %s", eventstore.ErrLocked, holder)
}
