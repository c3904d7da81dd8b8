package postgres

import (
	"flag"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	"go.uber.org/goleak"
)

// shared is the server of all tests that leave it running.
var shared pgtest.Shared

func TestMain(m *testing.M) {
	// The suite's model opens the store anew every few steps, and a connection costs a process.
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == checks })
	if !asked {
		_ = flag.Set(checks, "15")
	}
	goleak.VerifyTestMain(shared.Removing(m))
}

// checks is rapid's flag for the number of its runs.
const checks = "rapid.checks"

// cluster is the shared server.
func cluster(t testing.TB) *pgtest.Cluster {
	t.Helper()
	return shared.Cluster(t)
}

// mustOpen opens a store that the caller closes.
func mustOpen(t testing.TB, dsn string, o Options) *Store {
	t.Helper()
	s, err := Open(ctx, dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fresh is an empty store, the place where it lies, and the schema that its tables are in. It is closed with the test.
func fresh(t testing.TB, o Options) (s *Store, dsn, schema string) {
	t.Helper()
	dsn, schema = cluster(t).Empty(t)
	s = mustOpen(t, dsn, o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s, dsn, schema
}

func mustAppend(t testing.TB, s eventstore.Store, a eventstore.Append) {
	t.Helper()
	if err := s.Append(ctx, a); err != nil {
		t.Fatal(err)
	}
}

// mustConnect is a connection beside those of a store.
func mustConnect(t testing.TB, s *Store) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	return conn
}

// endConnections has the server end those of a schema's stores.
func endConnections(t testing.TB, c *pgtest.Cluster, schema string) {
	t.Helper()
	c.MustSQL(t, "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = '"+schema+"'")
}

// waitFor returns when something has come about.
func waitFor(t testing.TB, about func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !about(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came about")
		}
	}
}
