package postgres

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// isLocked tells the refusal of a store that another handle has.
func isLocked(err error) bool {
	holder := regexp.MustCompile(`a process on the machine of the database, connected since \d+-.* UTC`)
	return errors.Is(err, eventstore.ErrLocked) && holder.MatchString(err.Error())
}

// mustClose closes a handle.
func mustClose(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestLocks has each kind of handle meet each other one, in both orders.
func TestLocks(t *testing.T) {
	t.Parallel()
	refused := map[[2]Lock]bool{
		{LockShared, LockAlone}: true, {LockAlone, LockShared}: true, {LockAlone, LockAlone}: true,
	}
	s, dsn, _ := fresh(t, Options{})
	mustClose(t, s)
	for _, first := range []Lock{Unlocked, LockShared, LockAlone} {
		for _, second := range []Lock{Unlocked, LockShared, LockAlone} {
			a := mustOpen(t, dsn, Options{Lock: first})
			b, err := Open(ctx, dsn, Options{Lock: second})
			if want := refused[[2]Lock{first, second}]; want != isLocked(err) || want != (err != nil) {
				t.Errorf("%d meets %d: %v", second, first, err)
			}
			if b != nil {
				mustClose(t, b)
			}
			mustClose(t, a)
		}
	}
	mustClose(t, mustOpen(t, dsn, Options{Lock: LockAlone}))
}

// TestLocksAreOfAStore wants a store in another schema of the same database to be free.
func TestLocksAreOfAStore(t *testing.T) {
	t.Parallel()
	for range 2 {
		s, _, _ := fresh(t, Options{Lock: LockAlone})
		mustAppend(t, s, (&storetest.Chain{Stream: "s"}).Next("", "x"))
	}
}

// TestLocksByEveryPath wants an address that finds the store by another search path to meet the lock, also if a schema
// that comes before the store's is made while a server runs.
func TestLocksByEveryPath(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	_, schema := c.Empty(t)
	path := "search_path=" + schema + "_later," + schema
	dsn := c.DSN(path, "application_name="+schema)
	s := mustOpen(t, dsn, Options{Lock: LockShared})
	c.MustSQL(t, "create schema "+schema+"_later")
	mustRefuse(t, dsn, Options{Lock: LockAlone}, isLocked)
	mustRefuse(t, c.DSN("search_path="+schema), Options{Lock: LockAlone}, isLocked)
	mustClose(t, s)
}

// TestAnotherSession has a pooler give a connection that writes another session, which has no lock. Nothing is stored
// by that one.
func TestAnotherSession(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{Lock: LockShared})
	w := &writer{s: s}
	if err := w.connect(ctx); err != nil {
		t.Fatal(err)
	}
	defer w.drop()
	w.link.pid++
	first := (&storetest.Chain{Stream: "s"}).Next("", "x")
	r := newRequest(newAppend(&first))
	if err := w.send(ctx, []*request{r}); !errors.Is(err, errSession) || r.stored {
		t.Errorf("sent: %v, stored %t", err, r.stored)
	}
	if _, err := s.Head(ctx, "s"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("the stream: %v", err)
	}
	if w.store(ctx, []*request{r}); !r.stored || r.err != nil { // by a connection that is admitted anew
		t.Errorf("stored %t, %v", r.stored, r.err)
	}
}

// TestRelease wants connections that end to let go of their locks, since a pooler goes on with their sessions: by
// themselves, or by another session that the pooler has given them.
func TestRelease(t *testing.T) {
	t.Parallel()
	for _, lock := range []Lock{LockShared, LockAlone} {
		s, _, schema := fresh(t, Options{})
		for _, listens := range []bool{true, false} {
			for _, same := range []bool{true, false} {
				handle := &Store{o: Options{Lock: lock}, id: s.id}
				listener := mustConnect(t, s)
				found, err := settle(ctx, listener)
				if err == nil {
					err = handle.lockListener(ctx, listener)
				}
				conn, session := listener, found.backend
				if !listens && err == nil {
					conn = mustConnect(t, s)
					found, err = settle(ctx, conn)
					session = found.backend
					err = errors.Join(err, handle.lockWriter(ctx, conn))
				}
				if err != nil {
					t.Fatal(err)
				}
				by := conn
				if !same {
					by = mustConnect(t, s)
				}
				handle.release(by, session, listens)
				waitFor(t, func() bool {
					held := strings.Split(cluster(t).MustSQL(t, holders(schema)), ",")
					return !slices.Contains(held, fmt.Sprint(session.pid))
				})
				if same && conn.Ping(ctx) != nil {
					t.Errorf("lock %d: the connection has failed", lock)
				}
				_ = errors.Join(listener.Close(ctx), conn.Close(ctx))
			}
		}
	}
}

// holders are the sessions that have the lock of a schema's store.
func holders(schema string) string {
	return `select coalesce(string_agg(l.pid::text, ','), '') from pg_locks l, ` + schema + `.wl_store s
		where l.locktype = 'advisory' and l.objid::bigint = hashtext(s.id::text)::bigint & 4294967295`
}

// TestLockAfterALostConnection has a server take the lock again when its connections were lost.
func TestLockAfterALostConnection(t *testing.T) {
	t.Parallel()
	o := Options{
		Lock: LockShared, Ask: 40 * time.Millisecond, Lost: func(err error) { t.Errorf("lost: %v", err) },
	}
	s, dsn, schema := fresh(t, o)
	c := cluster(t)
	before := c.MustSQL(t, holders(schema))
	endConnections(t, c, schema)
	waitFor(t, func() bool { now := c.MustSQL(t, holders(schema)); return now != "" && now != before })
	mustRefuse(t, dsn, Options{Lock: LockAlone}, isLocked)
	mustClose(t, s)
	mustClose(t, mustOpen(t, dsn, Options{Lock: LockAlone}))
}

// TestAloneNoMore ends the session by which a handle has the store alone. Nothing more is stored by that handle, and
// nobody else gets the store while its connections that write are there.
func TestAloneNoMore(t *testing.T) {
	t.Parallel()
	lost := make(chan error, 100)
	s, dsn, schema := fresh(t, Options{Lock: LockAlone, Lost: func(err error) { lost <- err }})
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	c := cluster(t)
	c.MustSQL(t, `select pg_terminate_backend(pid, 10000) from pg_stat_activity
		where application_name = '`+schema+`' and pid in (select pid from pg_locks l, `+schema+`.wl_store s where
			l.locktype = 'advisory' and l.mode = 'ExclusiveLock'
			and l.objid::bigint = hashtext(s.id::text)::bigint & 4294967295)`)
	for _, lock := range []Lock{LockShared, LockAlone} {
		mustRefuse(t, dsn, Options{Lock: lock}, isLocked)
	}
	if err := s.Append(ctx, chain.Next("", "y")); !errors.Is(err, ErrLost) || !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("append: %v", err)
	}
	if err := <-lost; !errors.Is(err, ErrLost) {
		t.Errorf("told of %v", err)
	}
	if _, err := s.Head(ctx, "s"); !errors.Is(err, ErrLost) {
		t.Errorf("head: %v", err)
	}
	mustClose(t, s)
	after := mustOpen(t, dsn, Options{Lock: LockShared})
	defer mustClose(t, after)
	if head, err := after.Head(ctx, "s"); err != nil || head.Version != 1 || len(lost) > 0 {
		t.Errorf("the stream has version %d, %v; told %d times more", head.Version, err, len(lost))
	}
}

// TestAloneBySession wants a connection of a handle whose session has ended to write nothing, although neither has seen
// that yet.
func TestAloneBySession(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{Lock: LockAlone, Ask: time.Hour})
	first := (&storetest.Chain{Stream: "s"}).Next("", "x")
	w := &writer{s: s}
	if err := w.connect(ctx); err != nil {
		t.Fatal(err)
	}
	defer w.drop()
	s.alone.pid++
	r := newRequest(newAppend(&first))
	if err := w.send(ctx, []*request{r}); !errors.Is(err, errSession) || r.stored {
		t.Errorf("sent: %v, stored %t", err, r.stored)
	}
	if w.store(ctx, []*request{r}); r.stored || !errors.Is(r.err, ErrLost) {
		t.Errorf("stored %t, %v", r.stored, r.err)
	}
}

// TestLost tells a server that lost its connection, and with it the store to another handle.
func TestLost(t *testing.T) {
	t.Parallel()
	lost := make(chan error, 100)
	_, dsn, schema := fresh(t, Options{Lock: LockShared, Ask: 2 * time.Second, Lost: func(err error) { lost <- err }})
	endConnections(t, cluster(t), schema)
	other := mustOpen(t, dsn, Options{Lock: LockAlone})
	waitFor(t, func() bool { return len(lost) > 0 })
	if err := <-lost; !isLocked(err) {
		t.Errorf("told of %v", err)
	}
	mustClose(t, other)
}

// TestAWriterHoldsTheStore keeps a store from whoever wants it alone as long as a server has a connection that writes,
// although the one that listens was lost.
func TestAWriterHoldsTheStore(t *testing.T) {
	t.Parallel()
	s, dsn, schema := fresh(t, Options{Lock: LockShared, Ask: time.Hour})
	mustAppend(t, s, (&storetest.Chain{Stream: "s"}).Next("", "x"))
	c := cluster(t)
	c.MustSQL(t, `select pg_terminate_backend(pid, 10000) from pg_stat_activity
		where application_name = '`+schema+`' and query not like '%with me%'`)
	if held := c.MustSQL(t, holders(schema)); held == "" || strings.Contains(held, ",") {
		t.Fatalf("the lock is held by %q, want one connection", held)
	}
	mustRefuse(t, dsn, Options{Lock: LockAlone}, isLocked)
}

// TestServedIsAskedAgain has somebody have the store alone while a server was cut off. The server writes nothing more,
// and is told why.
func TestServedIsAskedAgain(t *testing.T) {
	t.Parallel()
	moved, lost := errors.New("the store was moved"), make(chan error, 100)
	var ended atomic.Bool
	s, dsn, schema := fresh(t, Options{
		Lock: LockShared, Ask: 4 * time.Second, Lost: func(err error) { lost <- err },
		Served: func(ctx context.Context, store eventstore.Store) error {
			if _, err := store.Head(ctx, "none"); !errors.Is(err, eventstore.ErrNotFound) {
				return err
			}
			if ended.Load() {
				return moved
			}
			return nil
		},
	})
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("", "x"))
	endConnections(t, cluster(t), schema)
	mustClose(t, mustOpen(t, dsn, Options{Lock: LockAlone}))
	ended.Store(true)
	if err := s.Append(ctx, chain.Next("", "y")); !errors.Is(err, moved) || !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("append: %v", err)
	}
	waitFor(t, func() bool { return len(lost) > 0 })
	if err := <-lost; !errors.Is(err, moved) {
		t.Errorf("told of %v", err)
	}
}

// TestAbandonedStart breaks the connection of a start that got the lock, while a pooler keeps its session. The store is
// free all the same.
func TestAbandonedStart(t *testing.T) {
	t.Parallel()
	for _, lock := range []Lock{LockShared, LockAlone} {
		s, _, schema := fresh(t, Options{})
		handle := &Store{o: Options{Lock: lock}, id: s.id, config: s.config}
		kept := mustConnect(t, s) // as the pooler has it
		found, err := settle(ctx, kept)
		if err == nil {
			err = handle.lockListener(ctx, kept)
		}
		broken := mustConnect(t, s)
		if err = errors.Join(err, broken.Close(ctx)); err != nil {
			t.Fatal(err)
		}
		handle.listener = found.backend
		handle.abandon(broken)
		waitFor(t, func() bool {
			held := strings.Split(cluster(t).MustSQL(t, holders(schema)), ",")
			return !slices.Contains(held, fmt.Sprint(found.pid))
		})
		_ = kept.Close(ctx)
	}
}
