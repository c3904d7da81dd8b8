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
		return "pg_try_advisory_lock_shared", fmt.Sprintf(
			"(l.mode = 'ExclusiveLock' or l.classid::int = %d)", aloneClass)
	}
	return "pg_try_advisory_lock", "true"
}

// The first halves of the advisory locks of a store; the second is a hash of the store's id, which is the same however
// an address names the schema.
const (
	// storeClass is the lock that [Lock] says how to take.
	storeClass = 0x776c6f6e
	// aloneClass is what connections share that write for a handle that has the store alone. They may still be writing
	// when the connection that listens is lost, and with it the store: so whoever takes it next waits for them.
	aloneClass = storeClass + 1
)

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
		free, err := s.tryLock(ctx, conn, take, storeClass)
		if err == nil && free {
			if free, err = s.quiet(ctx, conn); free {
				return err
			}
			if err == nil {
				_, err = conn.Exec(ctx, `select `+s.unlockCall(true), storeClass, s.id.String())
			}
		}
		if err != nil {
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

// tryLock takes an advisory lock if it is free.
func (s *Store) tryLock(ctx context.Context, conn *pgx.Conn, take string, class int32) (taken bool, err error) {
	err = conn.QueryRow(ctx, `select `+take+`($1, hashtext($2))`, class, s.id.String()).Scan(&taken)
	return taken, err
}

// quiet reports whether nobody still writes who had the store alone before.
func (s *Store) quiet(ctx context.Context, conn *pgx.Conn) (quiet bool, err error) {
	err = conn.QueryRow(ctx, `select not exists (select `+fromLocks("$1", "$2")+`)`, aloneClass, s.id.String()).
		Scan(&quiet)
	return quiet, err
}

// lockListener takes the lock for the connection that listens.
func (s *Store) lockListener(ctx context.Context, conn *pgx.Conn) error {
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
	switch s.o.Lock {
	case LockShared:
		if err := s.lock(ctx, conn); err != nil {
			return err
		}
		return s.served(ctx)
	case LockAlone:
		return s.lockAlone(ctx, conn)
	}
	return nil
}

// lockAlone has a connection write for the handle that has the store alone. It announces itself first and looks then
// whether the store still is the handle's, and whoever takes the store does it the other way round. So of two who meet
// one sees the other.
func (s *Store) lockAlone(ctx context.Context, conn *pgx.Conn) error {
	taken, err := s.tryLock(ctx, conn, "pg_try_advisory_lock_shared", aloneClass)
	if err == nil && taken {
		err = conn.QueryRow(ctx, `select exists (select `+fromLocks("$1", "$2")+` and a.pid = $3
			and a.backend_start = $4::timestamptz)`, storeClass, s.id.String(), s.alone.pid, s.alone.begun).
			Scan(&taken)
	}
	if err == nil && !taken {
		err = s.markLost(errors.New("its session has ended"))
	}
	return err
}

// ErrLost says that a handle had the store alone, and does not any more: the connection that held the lock was lost. A
// handle does not take the store again, since nobody knows what others have written to it meanwhile.
var ErrLost = errors.New("the lock of the store was lost")

// markLost ends all work of a handle that had the store alone, and returns the error that all calls get from now on.
func (s *Store) markLost(cause error) error {
	err := unreachable(fmt.Errorf("%w: %w", ErrLost, cause))
	if s.gone.CompareAndSwap(nil, &err) && s.o.Lost != nil && !s.closed.Load() {
		s.o.Lost(err)
	}
	return err
}

// release lets go of the lock that a connection has taken, which is about to be closed: one that listens, or one that
// writes. The database does that itself when the session ends; but a pooler may go on with it. If the pooler has given
// the connection another session already, the one that has the lock is ended.
func (s *Store) release(conn *pgx.Conn, session backend, listens bool) {
	if s.o.Lock == Unlocked || session == (backend{}) || conn.IsClosed() {
		return
	}
	class := storeClass
	if s.o.Lock == LockAlone && !listens {
		class = aloneClass
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, `select case when a.pid = pg_backend_pid() then `+s.unlockCall(listens)+`
			else pg_terminate_backend(a.pid) end `+fromLocks("$1", "$2")+`
			and a.pid = $3 and a.backend_start = $4::timestamptz limit 1`,
		class, s.id.String(), session.pid, session.begun)
}

// abandon lets go of the lock of a start that failed. The connection may have broken in the moment that it got the
// lock, and a pooler may keep its session: so another connection releases it then.
func (s *Store) abandon(conn *pgx.Conn) {
	if conn.IsClosed() && s.o.Lock != Unlocked && s.listener != (backend{}) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		other, err := pgx.ConnectConfig(ctx, s.config.Copy())
		if err != nil {
			return
		}
		defer func() { _ = other.Close(ctx) }()
		conn = other
	}
	s.release(conn, s.listener, true)
}

// unlockCall is the SQL call that releases the lock of a connection.
func (s *Store) unlockCall(listens bool) string {
	if s.o.Lock == LockAlone && listens {
		return "pg_advisory_unlock($1::int, hashtext($2))"
	}
	return "pg_advisory_unlock_shared($1::int, hashtext($2))"
}

// served asks the caller whether the store may still be served. The lock is taken, so nobody changes that meanwhile.
func (s *Store) served(ctx context.Context) error {
	if s.o.Served == nil {
		return nil
	}
	return s.o.Served(ctx, s)
}

// relock takes the lock of a server for a connection that listens in the place of one that was lost, and tells the
// caller if the store is not to be had any more.
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
		`+fromLocks("any($1)", "$2")+` and `+seen+`
		order by a.backend_start limit 1`,
		[]int32{storeClass, aloneClass}, s.id.String()).Scan(&from, &since)
	if err == nil { // else it has let go meanwhile, or must not be seen
		holder = fmt.Sprintf("a process on %s, connected since %s", from, since)
	}
	return fmt.Errorf("%w: %s", eventstore.ErrLocked, holder)
}

// fromLocks is the part of a query that finds the advisory locks of a store and the sessions that hold them.
func fromLocks(class, id string) string {
	return `from pg_locks l join pg_stat_activity a on a.pid = l.pid
		where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::int = ` + class + `
			and l.objid::bigint = hashtext(` + id + `)::bigint & 4294967295
			and l.database = (select oid from pg_database where datname = current_database())`
}
