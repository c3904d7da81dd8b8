package postgres

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	"github.com/warledger/warledger/eventstore/storetest"
)

// once is a hook that does something the first time.
func once(do func() error) func() error {
	var done atomic.Bool
	return func() error {
		if done.Swap(true) {
			return nil
		}
		return do()
	}
}

// crash stops the server as if its machine had gone down, and starts it again.
func crash(c *pgtest.Cluster) error {
	if err := c.Stop("immediate"); err != nil {
		return err
	}
	return c.Start()
}

// TestRestartInAnAppend crashes the server when an append is about to be sent, and when it is stored and not answered:
// each is stored once, and its caller is told so.
func TestRestartInAnAppend(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	answerLost := errors.New("the answer was lost")
	for name, at := range map[point]func() error{
		beforeStatement: func() error { return crash(c) },
		afterStatement:  func() error { return errors.Join(crash(c), answerLost) },
	} {
		dsn, _ := c.Empty(t)
		var armed atomic.Bool
		hook := once(at)
		s := mustOpen(t, dsn, Options{WriteTimeout: time.Minute, hooks: hooks{name: func() error {
			if armed.Load() {
				return hook()
			}
			return nil
		}}})
		chain := &storetest.Chain{Stream: "s"}
		mustAppend(t, s, chain.Next("k0", "before"))
		armed.Store(true)
		for i := range 3 {
			a := chain.Next(fmt.Sprint("k", i+1), "x", "y")
			a.Meta, a.MetaExpected = []byte{byte(i)}, uint64(i)
			if err := s.Append(ctx, a); err != nil {
				t.Errorf("crash %s: append %d: %v", name, i, err)
			}
		}
		if got := storetest.ReadAll(t, s, "s", 0); len(got) != 7 || got[6].Hash != chain.Hash {
			t.Errorf("crash %s: %d entries, want 7", name, len(got))
		}
		storetest.MustBeSound(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLostAnswers loses the answers of changes of all kinds: what was stored is told from what was not, and what cannot
// be told is uncertain.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	lose := errors.New("the answer was lost")
	var fault atomic.Pointer[func() error]
	s, dsn, _ := fresh(t, Options{WriteTimeout: 10 * time.Second, hooks: hooks{afterStatement: func() error {
		if f := fault.Swap(nil); f != nil {
			return (*f)()
		}
		return nil
	}}})
	other := mustOpen(t, dsn, Options{})
	defer other.Close()
	losing := func(meanwhile func()) {
		f := func() error { meanwhile(); return lose }
		fault.Store(&f)
	}
	chain := &storetest.Chain{Stream: "s"}
	losing(func() {})
	mustAppend(t, s, chain.Next("k", "x")) // stored, and found
	losing(func() { mustAppend(t, other, chain.Next("other", "z")) })
	next := *chain
	a := next.Next("mine", "y") // refused, since the other one comes first: version 1 is not expected any more
	a.Expected, a.Entries[0].Version = 0, 1
	a.Entries[0].Prev = eventstore.Hash{}
	var conflict *eventstore.ConflictError
	if err := s.Append(ctx, a); !errors.As(err, &conflict) {
		t.Errorf("an append that was refused, with the answer lost: %v", err)
	}
	for i, tt := range []struct {
		expected  uint64
		meanwhile func()
		want      error
	}{
		{0, func() {}, nil},
		{1, func() { mustSet(t, other, "other", 2) }, eventstore.ErrUncertain},
		{eventstore.AnyMeta, func() {}, nil},
		{eventstore.AnyMeta, func() { mustSet(t, other, "other", eventstore.AnyMeta) }, eventstore.ErrUncertain},
		{7, func() {}, &eventstore.MetaConflictError{Stream: "s", Expected: 7, Current: 6}},
	} {
		fault.Store(nil)
		losing(tt.meanwhile)
		err := s.SetMeta(ctx, "s", []byte("mine"), tt.expected)
		if !errors.Is(err, tt.want) && fmt.Sprint(err) != fmt.Sprint(tt.want) {
			t.Errorf("metadata %d: %v, want %v", i, err, tt.want)
		}
	}
}

func mustSet(t testing.TB, s eventstore.Store, meta string, expected uint64) {
	t.Helper()
	if err := s.SetMeta(ctx, "s", []byte(meta), expected); err != nil {
		t.Error(err)
	}
}

// TestEndedConnections has the server end a connection in the middle of an append, and when nothing is under way.
func TestEndedConnections(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	s, _, schema := fresh(t, Options{WriteTimeout: time.Minute})
	chain := &storetest.Chain{Stream: "s"}
	for i := range 5 {
		mustAppend(t, s, chain.Next("", fmt.Sprint(i)))
		endConnections(t, c, schema)
		if head, err := s.Head(ctx, "s"); head.Version != uint64(i)+1 || err != nil {
			t.Errorf("head = %+v, %v", head, err)
		}
	}
	locked := mustConnect(t, s)
	for _, statement := range []string{"begin", "lock table wl_entry"} {
		if _, err := locked.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	appended := make(chan error)
	a := chain.Next("k", "in the middle")
	go func() { appended <- s.Append(ctx, a) }()
	waiting := " from pg_stat_activity where wait_event_type = 'Lock' and application_name = '" + schema + "'"
	blocked := func() bool { return c.MustSQL(t, "select count(*)"+waiting) != "0" }
	waitFor(t, blocked)
	c.MustSQL(t, "select pg_terminate_backend(pid, 10000)"+waiting)
	waitFor(t, blocked) // it was sent again
	if _, err := locked.Exec(ctx, "commit"); err != nil {
		t.Fatal(err)
	}
	if err := <-appended; err != nil {
		t.Errorf("append: %v", err)
	}
	if got := storetest.ReadAll(t, s, "s", 0); len(got) != 6 {
		t.Errorf("%d entries, want 6", len(got))
	}
}

// TestDatabaseAway has the database go away and come back: appends fail at once and certainly, waits and the store live
// on.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, _ := c.Empty(t)
	s := mustOpen(t, dsn, Options{Ask: 50 * time.Millisecond})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	woken := make(chan error)
	go func() { _, err := s.Wait(ctx, "s", eventstore.Mark{Version: 1}); woken <- err }()
	waitFor(t, func() bool { return s.Stats().Waiting == 1 })
	// Until it has looked where the stream is, beside the hint of the append.
	waitFor(t, func() bool { n := s.pool.Stat(); return n.AcquireCount() >= 2 && n.AcquiredConns() == 0 })
	if err := c.Stop("fast"); err != nil {
		t.Fatal(err)
	}
	next := *chain
	a := next.Next("l", "y")
	for range 3 {
		if err := s.Append(ctx, a); !errors.Is(err, eventstore.ErrIO) || errors.Is(err, eventstore.ErrUncertain) {
			t.Errorf("append: %v, want ErrIO for certain", err)
		}
		if _, err := s.Head(ctx, "s"); !errors.Is(err, eventstore.ErrIO) {
			t.Errorf("head: %v, want ErrIO", err)
		}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, a)
	if err := <-woken; err != nil {
		t.Errorf("wait: %v", err)
	}
	storetest.MustBeSound(t, s)
}

// TestCrashesUnderLoad crashes the server again and again while there are appends: each that was acknowledged is there
// once, and those that failed are settled by their keys.
func TestCrashesUnderLoad(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, _ := c.Empty(t)
	s := mustOpen(t, dsn, Options{WriteTimeout: 20 * time.Second})
	defer s.Close()
	var stop atomic.Bool
	var wg sync.WaitGroup
	chains := make([]storetest.Chain, 8)
	var acknowledged atomic.Int64
	for i := range chains {
		chain := &chains[i]
		chain.Stream = fmt.Sprint("s", i)
		wg.Go(func() {
			for n := 0; !stop.Load() && untilStored(t, s, chain, fmt.Sprint("k", n)); n++ {
				acknowledged.Add(1)
			}
		})
	}
	for range 3 {
		before := acknowledged.Load()
		waitFor(t, func() bool { return acknowledged.Load() > before+50 })
		if err := crash(c); err != nil {
			t.Error(err)
		}
	}
	stop.Store(true)
	wg.Wait()
	mustBeAt(t, s, chains)
}

// TestNoAnswer has the network keep back everything: an append is uncertain when its time is over, and its repetition
// says that it was stored.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	_, schema := c.Empty(t)
	p := c.NewProxy(t)
	dsn := c.DSN("search_path="+schema, "host="+p.Socket())
	stall := func() error { return nil }
	s := mustOpen(t, dsn, Options{
		WriteTimeout: 2 * time.Second, hooks: hooks{beforeStatement: func() error { return stall() }},
	})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	stall = once(func() error { p.Stall(); return nil })
	next := *chain
	a := next.Next("l", "y")
	if err := s.Append(ctx, a); !errors.Is(err, eventstore.ErrUncertain) || !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("append: %v, want ErrIO and uncertain", err)
	}
	p.Cut()
	mustAppend(t, s, a)
	storetest.MustBeSound(t, s)
}

// TestCutInAnAppend cuts the connection while the server works on an append: it is not sent again before the server has
// ended it, and is stored once.
func TestCutInAnAppend(t *testing.T) {
	t.Parallel()
	c := cluster(t)
	_, schema := c.Empty(t)
	p := c.NewProxy(t)
	s := mustOpen(t, c.DSN("search_path="+schema, "host="+p.Socket()), Options{WriteTimeout: time.Minute})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	blocked := func() string {
		return c.MustSQL(t,
			"select count(*) from pg_locks where not granted and relation = '"+schema+".wl_entry'::regclass")
	}
	direct := mustOpen(t, c.DSN("search_path="+schema), Options{})
	defer direct.Close()
	locked := mustConnect(t, direct)
	for _, statement := range []string{"begin", "lock table wl_entry in exclusive mode"} {
		if _, err := locked.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	a := chain.Next("l", "y")
	appended := make(chan error)
	go func() { appended <- s.Append(ctx, a) }()
	waitFor(t, func() bool { return blocked() == "1" })
	p.Cut()
	time.Sleep(5 * resolvePause) // it would be sent again by now
	if n := blocked(); n != "1" {
		t.Errorf("%s statements write, want the one whose connection was cut", n)
	}
	if _, err := locked.Exec(ctx, "commit"); err != nil {
		t.Fatal(err)
	}
	if err := <-appended; err != nil {
		t.Errorf("append: %v", err)
	}
	if got := storetest.ReadAll(t, s, "s", 0); len(got) != 2 {
		t.Errorf("%d entries, want 2", len(got))
	}
}

// TestServersErrors maps what the server says about an append to the contract, and wants nothing of it stored.
func TestServersErrors(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	conn := mustConnect(t, s)
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	for code, want := range map[string]error{
		"53100": eventstore.ErrFull, "25006": eventstore.ErrReadOnly, "42501": eventstore.ErrReadOnly,
		"53200": eventstore.ErrIO, "57014": eventstore.ErrIO,
	} {
		_, err := conn.Exec(ctx, fmt.Sprintf(`create or replace function refuse() returns trigger language plpgsql as
			$$ begin raise exception 'refused' using errcode = '%s'; end $$;
			create or replace trigger refuse before insert on wl_entry for each row execute function refuse()`, code))
		if err != nil {
			t.Fatal(err)
		}
		next := *chain
		a := next.Next("l", "y")
		if err := s.Append(ctx, a); !errors.Is(err, want) || errors.Is(err, eventstore.ErrUncertain) {
			t.Errorf("%s: %v, want %v for certain", code, err, want)
		}
	}
	if _, err := conn.Exec(ctx, "drop trigger refuse on wl_entry"); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, chain.Next("l", "y"))
	if diff := cmp.Diff(2, len(storetest.ReadAll(t, s, "s", 0))); diff != "" {
		t.Error(diff)
	}
}

// TestReadOnlyServer has a server refuse to write: reads go on, and so do appends when it writes again.
func TestReadOnlyServer(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, schema := c.Empty(t)
	s := mustOpen(t, dsn, Options{})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k", "x"))
	set := func(value string) {
		c.MustSQL(t, "set default_transaction_read_only = off",
			"alter system set default_transaction_read_only = "+value,
			"select pg_reload_conf()")
		waitFor(t, func() bool { return c.MustSQL(t, "show default_transaction_read_only") == value })
		endConnections(t, c, schema)
	}
	set("on")
	next := *chain
	a := next.Next("l", "y")
	if err := s.Append(ctx, a); !errors.Is(err, eventstore.ErrReadOnly) || errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append: %v, want ErrReadOnly for certain", err)
	}
	if head, err := s.Head(ctx, "s"); head.Version != 1 || err != nil {
		t.Errorf("head = %+v, %v", head, err)
	}
	set("off")
	mustAppend(t, s, a)
}

// TestOneToBlame has one append of a batch break an index: it alone fails.
func TestOneToBlame(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	bad := &storetest.Chain{Stream: "bad"}
	mustAppend(t, s, bad.Next("k", "x"))
	conn := mustConnect(t, s)
	_, err := conn.Exec(ctx, `insert into wl_entry (stream, version, prev4, hash, data)
		select id, 2, '', '', '' from wl_stream where name = 'bad'`)
	if err != nil {
		t.Fatal(err)
	}
	used, good := &storetest.Chain{Stream: "used"}, &storetest.Chain{Stream: "good"}
	mustAppend(t, s, used.Next("k", "x"))
	var batch []*request
	for _, a := range []eventstore.Append{bad.Next("", "y"), used.Next("k", "y"), good.Next("", "y")} {
		batch = append(batch, newRequest(newAppend(&a)))
	}
	w := &writer{s: s}
	defer w.drop()
	w.store(ctx, batch)
	var corrupt *eventstore.CorruptError
	err = s.refuse(ctx, batch[0])
	if batch[0].stored || batch[0].err != nil || !errors.As(err, &corrupt) || corrupt.Version != 2 {
		t.Errorf("an entry that the head does not know: stored %t, %v, %v", batch[0].stored, batch[0].err, err)
	}
	var taken *eventstore.KeyUsedError
	if err := s.refuse(ctx, batch[1]); batch[1].stored || batch[1].err != nil || !errors.As(err, &taken) {
		t.Errorf("a used key: stored %t, %v, %v", batch[1].stored, batch[1].err, err)
	}
	if !batch[2].stored || batch[2].err != nil {
		t.Errorf("the third: stored %t, %v", batch[2].stored, batch[2].err)
	}
	if _, err := s.ReadAt(ctx, "bad", 1, 0, 0); !errors.As(err, &corrupt) || corrupt.Stream != "bad" {
		t.Errorf("read: %v", err)
	}
	if head, err := s.Head(ctx, "good"); head.Version != 1 || err != nil {
		t.Errorf("head = %+v, %v", head, err)
	}
}
