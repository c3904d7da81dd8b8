package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	"github.com/warledger/warledger/eventstore/storetest"
)

// mustRefuse wants a database refused, with an error that the test knows.
func mustRefuse(t *testing.T, dsn string, o Options, known func(error) bool) {
	t.Helper()
	s, err := Open(ctx, dsn, o)
	if err == nil {
		_ = s.Close()
		t.Error("it was opened")
	} else if !known(err) {
		t.Errorf("refused with %v", err)
	}
}

// unsafe tells the refusal of a setting.
func unsafe(setting string) func(error) bool {
	return func(err error) bool {
		var u *UnsafeError
		return errors.As(err, &u) && u.Setting == setting
	}
}

// TestUnsafeSettings wants a database refused whose settings would lose acknowledged records, or break what the engine
// relies on, and opened as soon as they are right.
func TestUnsafeSettings(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	dsn, _ := c.Empty(t)
	for _, tt := range []struct{ setting, parameter string }{
		{"synchronous_commit", "synchronous_commit=off"},
		{"synchronous_commit", "synchronous_commit=local"},
		{"default_transaction_isolation", "default_transaction_isolation=serializable"},
		{"default_transaction_isolation", "default_transaction_isolation=repeatable%20read"},
	} {
		mustRefuse(t, dsn+"&"+tt.parameter, Options{}, unsafe(tt.setting))
	}
	for _, good := range []string{"synchronous_commit=remote_apply", "default_transaction_isolation=read%20committed"} {
		if err := mustOpen(t, dsn+"&"+good, Options{}).Close(); err != nil {
			t.Error(err)
		}
	}
	c.MustSQL(t, "create database latin encoding latin1 template template0")
	mustRefuse(t, strings.Replace(dsn, "/postgres?", "/latin?", 1), Options{}, unsafe("server_encoding"))
}

// TestUnsafeServer wants a server refused that does not make durable what it says is, also by connections that are made
// when the store is open already.
func TestUnsafeServer(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, schema := c.Empty(t)
	s := mustOpen(t, dsn, Options{})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	for _, setting := range []string{"fsync", "full_page_writes"} {
		old, found := settled(t, dsn)
		c.MustSQL(t, "alter system set "+setting+" = off", "select pg_reload_conf()")
		waitFor(t, func() bool { return c.MustSQL(t, "show "+setting) == "off" })
		mustRefuse(t, dsn, Options{}, unsafe(setting))
		waitFor(t, func() bool { // connections that were safe are still there
			_, err := s.Count(ctx, "")
			return unsafe(setting)(err) && errors.Is(err, eventstore.ErrIO)
		})
		waitFor(t, func() bool { return unsafe(setting)(found.again(ctx, old)) })
		endConnections(t, c, schema)
		if err := s.Append(ctx, chain.Next("", "x")); !unsafe(setting)(err) || !errors.Is(err, eventstore.ErrIO) {
			t.Errorf("append with %s off: %v", setting, err)
		}
		chain = &storetest.Chain{Stream: "s"}
		c.MustSQL(t, "alter system reset "+setting, "select pg_reload_conf()")
		waitFor(t, func() bool { return c.MustSQL(t, "show "+setting) == "on" })
	}
	waitFor(t, func() bool { _, err := s.Count(ctx, ""); return err == nil })
	if err := s.Append(ctx, chain.Next("", "x")); err != nil {
		t.Errorf("append when all is right again: %v", err)
	}
}

// settled is a connection of its own, and what it found. It is closed with the test.
func settled(t *testing.T, dsn string) (*pgx.Conn, settings) {
	t.Helper()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	found, err := settle(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	return conn, found
}

// TestAgainTellsSessionsApart wants a connection known for what it was, and neither another session nor a connection
// that is lost taken for it.
func TestAgainTellsSessionsApart(t *testing.T) {
	t.Parallel()
	dsn, _ := cluster(t).Empty(t)
	conn, found := settled(t, dsn)
	if err := found.again(ctx, conn); err != nil {
		t.Errorf("the same session: %v", err)
	}
	_, other := settled(t, dsn)
	if err := other.again(ctx, conn); !errors.Is(err, errSession) {
		t.Errorf("another session: %v", err)
	}
	if err := conn.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if err := found.again(ctx, conn); err == nil || errors.Is(err, errSession) {
		t.Errorf("a connection that is lost: %v", err)
	}
}

// TestWhatIsNotSaidIsTheDefault has options that say nothing, and some that do.
func TestWhatIsNotSaidIsTheDefault(t *testing.T) {
	t.Parallel()
	for given, want := range map[int][3]int{-1: {8, 128, 8 << 20}, 0: {8, 128, 8 << 20}, 1: {1, 1, 1}} {
		o := Options{Readers: given, BatchAppends: given, BatchBytes: given}.withDefaults()
		if got := [3]int{o.Readers, o.BatchAppends, o.BatchBytes}; got != want {
			t.Errorf("%d: readers, appends and bytes of a batch %v, want %v", given, got, want)
		}
	}
	for given, want := range map[time.Duration][3]time.Duration{
		-1: {10 * time.Second, 5 * time.Second, time.Second}, 0: {10 * time.Second, 5 * time.Second, time.Second},
		1: {1, 1, 1},
	} {
		o := Options{WriteTimeout: given, ConnectTimeout: given, Ask: given}.withDefaults()
		if got := [3]time.Duration{o.WriteTimeout, o.ConnectTimeout, o.Ask}; got != want {
			t.Errorf("%d: times %v, want %v", given, got, want)
		}
	}
}

// TestPinnedSettings wants connections to keep what was looked at, whatever the role or a reload says.
func TestPinnedSettings(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, _ := c.Empty(t)
	c.MustSQL(t, "create role hasty superuser login", "alter role hasty set statement_timeout = 9000",
		"alter role hasty set idle_in_transaction_session_timeout = 9000", "alter role hasty set lock_timeout = 9000")
	s := mustOpen(t, strings.Replace(dsn, "user=postgres", "user=hasty", 1), Options{})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	if _, err := s.Count(ctx, ""); err != nil { // makes a connection that reads
		t.Fatal(err)
	}
	c.MustSQL(t, "alter system set synchronous_commit = off", "select pg_reload_conf()")
	waitFor(t, func() bool { return c.MustSQL(t, "show synchronous_commit") == "off" })
	for _, setting := range []string{
		"synchronous_commit", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout",
	} {
		var got string
		err := s.read(ctx, func(ctx context.Context, q querier) error {
			return q.QueryRow(ctx, "select current_setting($1)", setting).Scan(&got)
		})
		if want := map[bool]string{true: "on", false: "0"}[setting == "synchronous_commit"]; got != want || err != nil {
			t.Errorf("%s = %s, %v, want %s", setting, got, err, want)
		}
	}
}

// TestWrongPassword wants a refusal that names the place and not the password.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	dsn, _ := c.Empty(t)
	for _, wrong := range []string{
		strings.Replace(dsn, "user=postgres", "user=nobody&password=hunter2", 1),
		strings.Replace(dsn, "/postgres?", "/nowhere?password=hunter2&", 1),
	} {
		_, err := Open(ctx, wrong, Options{})
		if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), c.Socket()) {
			t.Errorf("opened with %v", err)
		}
	}
	if _, err := Open(ctx, "postgres://%%", Options{}); err == nil {
		t.Error("no connection string was opened")
	}
	const many = "postgres://u:hunter2@one:1,two:2/games?passfile=/f"
	if got, err := Place(many); got != "games on one, two" || err != nil {
		t.Errorf("%s is %q, %v", many, got, err)
	}
	for _, bad := range []string{"postgres://u:hunter2@host/games?sslmode=odd", "postgres://u:hunter2@host:x/games"} {
		if got, err := Place(bad); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s is %q, %v", bad, got, err)
		}
	}
}

// TestFormats wants a schema brought up to date, a newer one refused, and a migration that was cut off gone on with.
func TestFormats(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	dsn, schema := c.Empty(t)
	killed := errors.New("killed")
	kill := Options{hooks: hooks{inMigration: func() error {
		endConnections(t, c, schema)
		return killed
	}}}
	mustRefuse(t, dsn, kill, func(err error) bool { return errors.Is(err, killed) })
	s := mustOpen(t, dsn, Options{})
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	steps := append([]string{}, migrations...)
	steps = append(steps, `alter table wl_stream add column color text`, `alter table wl_stream add column size text`)
	stopped := 0
	for try := range 3 {
		_, err := migrate(ctx, mustConnect(t, s), "here", steps, hooks{inMigration: func() error {
			if stopped++; stopped == 2 {
				return killed
			}
			return nil
		}})
		if (err != nil) != (try == 0) {
			t.Errorf("try %d: %v", try, err)
		}
	}
	if stopped != 3 {
		t.Errorf("%d steps were tried, want one done, one cut off and that one again", stopped)
	}
	mustAppend(t, s, chain.Next("", "an older program that is running goes on"))
	storetest.MustBeSound(t, s)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	mustRefuse(t, dsn, Options{}, func(err error) bool {
		var f *eventstore.FormatError
		return errors.As(err, &f) && f.Found == uint32(len(steps)) && f.Known == uint32(len(migrations))
	})
	c.MustSQL(t, fmt.Sprintf("delete from %s.wl_store", schema))
	mustRefuse(t, dsn, Options{}, func(err error) bool { return strings.Contains(err.Error(), "not whole") })
}

// TestOpenTogether has several processes open a database where there is no store yet: they all have the same one.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	dsn, _ := cluster(t).Empty(t)
	opened := make(chan *Store)
	for range 5 {
		go func() {
			s, err := Open(ctx, dsn, Options{})
			if err != nil {
				t.Error(err)
			}
			opened <- s
		}()
	}
	ids := make(map[string]bool)
	for range 5 {
		if s := <-opened; s != nil {
			ids[s.id.String()] = true
			defer s.Close()
		}
	}
	if len(ids) != 1 {
		t.Errorf("they have the stores %v", ids)
	}
}

// TestAnotherStore wants a store that was replaced by another one in its place neither read nor written.
func TestAnotherStore(t *testing.T) {
	t.Parallel()
	s, _, schema := fresh(t, Options{})
	mustAppend(t, s, (&storetest.Chain{Stream: "s"}).Next("", "x"))
	c := cluster(t)
	c.MustSQL(t, fmt.Sprintf("update %s.wl_store set id = gen_random_uuid()", schema))
	endConnections(t, c, schema)
	if err := s.Append(ctx, (&storetest.Chain{Stream: "t"}).Next("", "x")); !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("append: %v", err)
	}
	if _, err := s.Head(ctx, "s"); err == nil {
		t.Error("it was read")
	}
}

// TestNoRights has roles that may only read, or nothing.
func TestNoRights(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	s, dsn, schema := fresh(t, Options{})
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	c.MustSQL(t, "create role reader login", "create role stranger login", "grant usage on schema "+schema+" to reader",
		"grant select on all tables in schema "+schema+" to reader")
	reader := mustOpen(t, strings.Replace(dsn, "user=postgres", "user=reader", 1), Options{})
	defer reader.Close()
	if head, err := reader.Head(ctx, "s"); head.Version != 1 || err != nil {
		t.Errorf("head = %+v, %v", head, err)
	}
	next := *chain
	err := reader.Append(ctx, next.Next("", "y"))
	if !errors.Is(err, eventstore.ErrReadOnly) || errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append: %v", err)
	}
	mustRefuse(t, strings.Replace(dsn, "user=postgres", "user=stranger", 1), Options{}, func(err error) bool {
		return strings.Contains(err.Error(), "permission denied") || strings.Contains(err.Error(), "no schema")
	})
}

// TestReadOnly opens a store that is there to be read, and makes or changes none.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	dsn, schema := c.Empty(t)
	read := Options{ReadOnly: true}
	says := func(words string) func(error) bool {
		return func(err error) bool {
			return errors.Is(err, eventstore.ErrReadOnly) && strings.Contains(err.Error(), words)
		}
	}
	mustRefuse(t, dsn, read, says("there is no event store"))
	if got := c.MustSQL(t, "select count(*) from pg_tables where schemaname = '"+schema+"'"); got != "0" {
		t.Errorf("it made %s tables", got)
	}
	s := mustOpen(t, dsn, Options{})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	reader := mustOpen(t, dsn, read)
	defer reader.Close()
	storetest.MustBeSound(t, reader)
	next := *chain
	if err := reader.Append(ctx, next.Next("", "y")); !errors.Is(err, eventstore.ErrReadOnly) {
		t.Errorf("append: %v", err)
	}
	if err := reader.SetMeta(ctx, "s", []byte("m"), 0); !errors.Is(err, eventstore.ErrReadOnly) {
		t.Errorf("metadata: %v", err)
	}
	if head, err := s.Head(ctx, "s"); head.Version != 1 || head.MetaVersion != 0 || err != nil {
		t.Errorf("head = %+v, %v", head, err)
	}
	c.MustSQL(t, "update "+schema+".wl_store set format = 99")
	mustRefuse(t, dsn, read, func(err error) bool {
		var f *eventstore.FormatError
		return errors.As(err, &f) && f.Found == 99
	})
	if _, err := current(ctx, mustConnect(t, s), "here", 100); !says("it has format 99")(err) {
		t.Errorf("an older format: %v", err)
	}
}

// TestAway tells databases that may serve later from those that never will as they are.
func TestAway(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t, "max_connections=20", "superuser_reserved_connections=0")
	dsn, _ := c.Empty(t)
	standby := c.Standby(t)
	for name, tt := range map[string]struct {
		dsn  string
		away bool
	}{
		"no server":          {strings.Replace(dsn, c.Socket(), "/nowhere", 1), true},
		"an unknown host":    {"postgres://postgres@host.invalid/postgres", true},
		"a standby":          {strings.Replace(dsn, c.Socket(), standby.Socket(), 1), true},
		"an unknown role":    {strings.Replace(dsn, "user=postgres", "user=nobody", 1), false},
		"an unknown base":    {strings.Replace(dsn, "/postgres?", "/nowhere?", 1), false},
		"unsafe settings":    {dsn + "&synchronous_commit=off", false},
		"a schema not there": {strings.Replace(dsn, "search_path=", "search_path=no_", 1), false},
		"no connection string": {
			"postgres://%%", false},
		"one is away, and one refuses": {
			strings.Replace(dsn, "host="+c.Socket(), "user=nobody&host=/nowhere,"+c.Socket(), 1), false},
	} {
		if _, err := Open(ctx, tt.dsn, Options{AcceptLoss: true}); err == nil || Away(err) != tt.away {
			t.Errorf("%s: %v, away: %v", name, err, Away(err))
		}
	}
	if err := c.Stop("fast"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, dsn, Options{}); !Away(err) {
		t.Errorf("a server that was stopped: %v", err)
	}
}
