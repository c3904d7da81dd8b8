package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// aloneClass is the first half of the advisory lock of whoever has a store alone; the second is the schema.
const aloneClass = 0x776c6f6e

const (
	// alonePatience is how long a handle waits for another one to let go: one that is just ending, or whose process was
	// killed a moment ago.
	alonePatience = 2 * time.Second
	alonePause    = 50 * time.Millisecond
)

// takeAlone takes the lock of whoever has the store alone. It belongs to the session and goes with it. A session that
// held it before for this handle is ended, since the server may not know yet that it was lost.
//
// The server itself asks whether the other end is there, so that the lock of a machine that died is free half a minute
// later.
func (s *Store) takeAlone(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5;
		set tcp_keepalives_count = 3; set tcp_user_timeout = 25000`)
	if err == nil && s.alone != (backend{}) {
		_, err = conn.Exec(ctx, `select pg_terminate_backend(pid) from pg_stat_activity
			where pid = $1 and backend_start = $2::timestamptz`, s.alone.pid, s.alone.begun)
	}
	if err != nil {
		return err
	}
	for begun := time.Now(); ; {
		var taken bool
		if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1, hashtext(current_schema()))`, aloneClass).
			Scan(&taken); err != nil {
			return err
		}
		if taken {
			s.alone.pid = conn.PgConn().PID()
			return conn.QueryRow(ctx, `select backend_start::text from pg_stat_activity where pid = pg_backend_pid()`).
				Scan(&s.alone.begun)
		}
		if time.Since(begun) > alonePatience {
			return s.taken(ctx, conn)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(alonePause):
		}
	}
}

// taken says who has the store.
func (s *Store) taken(ctx context.Context, conn *pgx.Conn) error {
	holder := "another process"
	var from, since string
	err := conn.QueryRow(ctx, `select coalesce(host(a.client_addr), 'the machine of the database'),
			to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
		from pg_locks l join pg_stat_activity a on a.pid = l.pid
		where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::bigint = $1
			and l.objid::bigint = hashtext(current_schema())::bigint & 4294967295
			and l.database = (select oid from pg_database where datname = current_database())`,
		int64(aloneClass)).Scan(&from, &since)
	if err == nil { // else it has let go meanwhile, or must not be seen
		holder = fmt.Sprintf("a process on %s, connected since %s", from, since)
	}
	return fmt.Errorf("%w: %s", eventstore.ErrLocked, holder)
}
