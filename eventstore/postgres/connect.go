package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/warledger/warledger/eventstore"
)

// pinned are settings that each connection sets for itself, whatever role, database or server say.
//
// A statement that the server cancels while a commit waits for its standby is shown as committed, and no standby has
// it: so no time-out of the server may end one. The plans of the engine's statements are always the same, by index:
// one that was made while a table was small would be kept when it has grown.
var pinned = map[string]string{
	"statement_timeout":                   "0",
	"transaction_timeout":                 "0",
	"idle_session_timeout":                "0",
	"idle_in_transaction_session_timeout": "0",
	"lock_timeout":                        "0",
	"jit":                                 "off",
	"plan_cache_mode":                     "force_generic_plan",
	"enable_seqscan":                      "off",
	"enable_mergejoin":                    "off",
}

// place names a database for messages, without its password.
func place(config *pgx.ConnConfig) string {
	hosts := []string{config.Host}
	for _, f := range config.Fallbacks {
		if !slices.Contains(hosts, f.Host) {
			hosts = append(hosts, f.Host)
		}
	}
	return fmt.Sprintf("%s on %s", config.Database, strings.Join(hosts, ", "))
}

// errAddress refuses a connection string without a word of it, since any of them may be the password.
var errAddress = errors.New("the address of the database is malformed: expected postgres://USER@HOST/NAME. In a " +
	"password, write @ as %40, / as %2F, ? as %3F, # as %23 and : as %3A")

// unreadable is why a connection string cannot be read, without the string.
func unreadable(err error) error {
	var part *url.Error
	cause := errors.Unwrap(err)
	if cause == nil || errors.As(err, &part) || !errors.As(err, new(*pgconn.ParseConfigError)) {
		return errAddress
	}
	return fmt.Errorf("the address of the database: %w", cause)
}

// Place names the database of a connection string for people, without its password.
func Place(dsn string) (string, error) {
	config, err := parse(dsn, Options{})
	if err != nil {
		return "", err
	}
	return place(config), nil
}

// parse reads a connection string. Among several hosts the one that accepts writes is taken, whatever
// target_session_attrs says.
func parse(dsn string, o Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, shown := range []string{config.Host, config.Database} {
		if strings.Contains(shown, "@") { // which is a part of the password then, and would be shown
			return nil, errAddress
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = o.ConnectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "warledger"
	}
	// With one host, reads go on while it accepts no writes. Of several, one that accepts none may have been replaced.
	attrs := "read-write"
	if slices.IndexFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port
	}) < 0 {
		attrs = "primary"
	}
	config.ValidateConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if err := pgconn.ValidateConnectTargetSessionAttrsPrimary(ctx, conn); err != nil {
			return fmt.Errorf("%w (%w)", ErrStandby, err)
		}
		if attrs == "primary" {
			return nil
		}
		return pgconn.ValidateConnectTargetSessionAttrsReadWrite(ctx, conn)
	}
	return config, nil
}

// backend is a connection as the database knows it. A pooler tells the client another number.
type backend struct {
	pid int32
	// begun is when the connection was made: the number alone is used again.
	begun string
}

// settings are what a connection found.
type settings struct {
	backend
	values map[string]string
}

// settle pins the connection's settings and reads those that safety depends on. Not every version of PostgreSQL has all
// of the pinned ones. What synchronous_commit is now it stays for the connection: a later reload of the server must not
// weaken what was looked at.
func settle(ctx context.Context, conn *pgx.Conn) (found settings, err error) {
	names := slices.Sorted(maps.Keys(pinned))
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = pinned[name]
	}
	found.values = make(map[string]string)
	var name, value string
	b := new(pgx.Batch)
	b.Queue(`select set_config(name, value, false) from unnest($1::text[], $2::text[]) v (name, value)
		where current_setting(name, true) is not null
		union all select set_config('synchronous_commit', current_setting('synchronous_commit'), false)`, names, values)
	b.Queue(`select pid, backend_start::text from pg_stat_activity where pid = pg_backend_pid()`).
		QueryRow(func(r pgx.Row) error { return r.Scan(&found.pid, &found.begun) })
	b.Queue(readWatched, watched).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&name, &value}, func() error { found.values[name] = value; return nil })
		return err
	})
	return found, conn.SendBatch(ctx, b).Close()
}

// readWatched reads settings by their names.
const readWatched = `select name, current_setting(name) from unnest($1::text[]) name`

// again looks at what was found once more, since an operator may change it while connections stay. It returns an
// [UnsafeError] for what is not safe any more, and errSession for another session.
func (b backend) again(ctx context.Context, conn *pgx.Conn) error {
	now := settings{values: make(map[string]string)}
	rows, _ := conn.Query(ctx, `select v.*, pg_backend_pid() from (`+readWatched+`) v`, watched)
	var name, value string
	_, err := pgx.ForEachRow(rows, []any{&name, &value, &now.pid},
		func() error { now.values[name] = value; return nil })
	switch {
	case err != nil:
		return err
	case now.pid != b.pid:
		return errSession
	}
	return now.safe()
}

// oldest is the oldest version of PostgreSQL that the engine works with.
const oldest = 140000

// watched are the settings that safety depends on.
var watched = []string{
	"fsync", "full_page_writes", "synchronous_commit", "default_transaction_isolation", "server_encoding",
	"server_version_num",
}

// safe returns an [UnsafeError] for settings that would lose what was acknowledged, or that the engine cannot work
// with.
func (f settings) safe() error {
	const lose = "on, or a crash of the machine loses acknowledged records"
	for _, rule := range []struct {
		setting string
		good    func(value string) bool
		want    string
	}{
		{"fsync", is("on"), "it must be " + lose},
		{"full_page_writes", is("on"), "it must be " + lose},
		{"synchronous_commit", func(v string) bool { return v != "off" && v != "local" },
			"it must be on, remote_apply or remote_write, or a crash loses acknowledged records"},
		{"default_transaction_isolation", is("read committed"),
			"it must be read committed: set it so for the role, the database, or in the connection string"},
		{"server_encoding", is("UTF8"), "it must be UTF8: make the database anew with that encoding"},
		{"server_version_num", func(v string) bool { return len(v) == 6 && v >= fmt.Sprint(oldest) },
			fmt.Sprintf("it must be at least %d", oldest)},
	} {
		if value := f.values[rule.setting]; !rule.good(value) {
			return &UnsafeError{Setting: rule.setting, Value: value, Want: rule.want}
		}
	}
	return nil
}

func is(want string) func(string) bool { return func(value string) bool { return value == want } }

// standbys returns an [UnsafeError] where the database has standbys and none is synchronous. A role without
// pg_monitor does not see what a connection is for, but its name: a base backup has two, and neither takes over.
func standbys(ctx context.Context, conn *pgx.Conn) error {
	var count int
	var names string
	err := conn.QueryRow(ctx, `select count(*), current_setting('synchronous_standby_names') from pg_stat_replication r
		where coalesce(state, '') <> 'backup' and application_name not in ('pg_basebackup', 'pg_receivewal')
			and not exists (
			select from pg_replication_slots l where l.active_pid = r.pid and l.slot_type = 'logical')`).
		Scan(&count, &names)
	if err == nil && count > 0 && strings.TrimSpace(names) == "" {
		err = &UnsafeError{
			Setting: "synchronous_standby_names", Value: "''",
			Want: fmt.Sprintf("it must name a standby, since there are %d: when one that "+
				"is not synchronous takes over, "+
				"acknowledged records are lost", count),
		}
	}
	return err
}

// admit prepares a new connection, and refuses it where it would not be safe or is another store's.
func (s *Store) admit(ctx context.Context, conn *pgx.Conn) (backend, error) {
	found, err := settle(ctx, conn)
	if err == nil {
		err = found.safe()
	}
	if err != nil {
		return found.backend, err
	}
	var id uuid.UUID
	if err = conn.QueryRow(ctx, `select id from wl_store`).Scan(&id); err == nil && id != s.id {
		err = fmt.Errorf("the database holds the store %s now, and held %s when it was opened", id, s.id)
	}
	return found.backend, err
}

// link is a connection that writes. Nobody ever cancels its statements: see pinned.
type link struct {
	*pgx.Conn
	backend
	net    atomic.Pointer[net.Conn]
	warned atomic.Bool // the server gave a warning
}

// link connects. The client library asks the server to cancel the statement of a connection that fails, and dials for
// that: once there is a connection, dialling fails.
func (s *Store) link(ctx context.Context) (*link, error) {
	l := new(link)
	config := s.config.Copy()
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if l.Conn != nil {
			return nil, errors.New("a connection that writes is never cancelled")
		}
		conn, err := dial(ctx, network, address)
		if err == nil {
			l.net.Store(&conn)
		}
		return conn, err
	}
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if n.SeverityUnlocalized == "WARNING" {
			l.warned.Store(true)
		}
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	l.Conn = conn
	if l.backend, err = s.admit(ctx, conn); err == nil {
		err = s.lockWriter(ctx, conn)
	}
	if err != nil {
		s.release(conn, l.backend, false)
		l.cut()
		return nil, err
	}
	return l, nil
}

// cut ends the connection at once, whatever it is doing. It may be called from any goroutine.
func (l *link) cut() {
	if conn := l.net.Load(); conn != nil {
		_ = (*conn).Close()
	}
}

// unreachable says that there is no connection. Nothing was sent.
func unreachable(err error) error { return fmt.Errorf("%w: %w", eventstore.ErrIO, err) }
