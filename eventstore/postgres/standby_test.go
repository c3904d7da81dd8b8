package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	"github.com/warledger/warledger/eventstore/storetest"
)

// await sets synchronous_standby_names and returns when the server has taken it.
func await(t *testing.T, c *pgtest.Cluster, names string) {
	t.Helper()
	c.MustSQL(t, "alter system set synchronous_standby_names = '"+names+"'", "select pg_reload_conf()")
	waitFor(t, func() bool { return c.MustSQL(t, "show synchronous_standby_names") == names })
}

// TestCommitThatWaits has a commit wait for a standby that never comes. Nothing shows it while it waits, also when its
// time is over and the connection is cut; a commit that did not wait after all is not acknowledged.
func TestCommitThatWaits(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, schema := c.Empty(t)
	s := mustOpen(t, dsn, Options{WriteTimeout: time.Second})
	defer s.Close()
	chain := &storetest.Chain{Stream: "s"}
	mustAppend(t, s, chain.Next("k0", "x"))
	await(t, c, "ghost")
	for i, end := range []func(){
		func() { await(t, c, "") },
		func() {
			c.MustSQL(t, "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
		},
	} {
		next := *chain
		a := next.Next(fmt.Sprint("k", i+1), "x")
		appended := make(chan error)
		go func() { appended <- s.Append(ctx, a) }()
		waits := func() bool {
			return c.MustSQL(t, "select count(*) from pg_stat_activity where wait_event = 'SyncRep'") == "1"
		}
		waitFor(t, waits)
		if i == 1 {
			end()
		}
		if err := <-appended; !errors.Is(err, eventstore.ErrUncertain) || !errors.Is(err, eventstore.ErrIO) {
			t.Errorf("append %d: %v, want ErrIO and uncertain", i, err)
		}
		if i == 0 {
			time.Sleep(200 * time.Millisecond) // the client library would cancel the statement by now
			if !waits() {
				t.Error("the statement was cancelled when its time was over")
			}
			if got := c.MustSQL(t, "select count(*) from "+schema+".wl_entry"); got != "1" {
				t.Errorf("%s entries are shown while one waits for its standby, want 1", got)
			}
			end()
		} else {
			await(t, c, "")
		}
		var used *eventstore.KeyUsedError
		if err := s.Append(ctx, a); !errors.As(err, &used) || used.Version != next.Version {
			t.Errorf("append %d again: %v, want that its key is used", i, err)
		}
		*chain = next
		await(t, c, "ghost")
	}
	await(t, c, "")
	storetest.MustBeSound(t, s)
}

// TestStandbys wants a standby refused, and a primary whose standbys are not synchronous; and when one that is takes
// over, all that was acknowledged there and appends going on.
func TestStandbys(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	standby := c.Standby(t)
	dsn, schema := c.Empty(t)
	mustRefuse(t, dsn, Options{}, unsafe("synchronous_standby_names"))
	if err := mustOpen(t, dsn, Options{AcceptLoss: true}).Close(); err != nil {
		t.Error(err)
	}
	await(t, c, "*")
	waitFor(t, func() bool { return c.MustSQL(t, "select sync_state from pg_stat_replication") == "sync" })
	alone := "postgres:///postgres?user=postgres&search_path=" + schema + "&host="
	mustRefuse(t, alone+standby.Socket(), Options{}, func(err error) bool { return errors.Is(err, ErrStandby) })

	s := mustOpen(t, alone+standby.Socket()+","+c.Socket(), Options{WriteTimeout: 20 * time.Second})
	defer s.Close()
	chains := make([]storetest.Chain, 4)
	var stop atomic.Bool
	var acknowledged atomic.Int64
	var wg sync.WaitGroup
	for i := range chains {
		chain := &chains[i]
		chain.Stream = fmt.Sprint("s", i)
		wg.Go(func() {
			for n := 0; !stop.Load() && untilStored(t, s, chain, fmt.Sprint("k", n)); n++ {
				acknowledged.Add(1)
			}
		})
	}
	before := func(n int64) func() bool { return func() bool { return acknowledged.Load() > n } }
	waitFor(t, before(50))
	if err := c.Stop("immediate"); err != nil {
		t.Fatal(err)
	}
	standby.Promote(t)
	standby.MustSQL(t, "alter system set synchronous_standby_names = ''", "select pg_reload_conf()")
	waitFor(t, before(acknowledged.Load()+50))
	stop.Store(true)
	wg.Wait()
	mustBeAt(t, s, chains)
}

// untilStored appends until that is acknowledged.
func untilStored(t *testing.T, s eventstore.Store, chain *storetest.Chain, key string) bool {
	next := *chain
	a := next.Next(key, key)
	for {
		err := s.Append(ctx, a)
		var used *eventstore.KeyUsedError
		switch {
		case err == nil, errors.As(err, &used) && used.Version == next.Version:
			*chain = next
			return true
		case !errors.Is(err, eventstore.ErrIO) && !errors.Is(err, eventstore.ErrReadOnly):
			t.Errorf("append: %v", err)
			return false
		}
	}
}

// mustBeAt wants each stream to end where its acknowledged appends do.
func mustBeAt(t *testing.T, s eventstore.Store, chains []storetest.Chain) {
	t.Helper()
	for _, chain := range chains {
		head, err := s.Head(ctx, chain.Stream)
		if err != nil || head.Version != chain.Version || head.Hash != chain.Hash {
			t.Errorf("%q is at %d, %v, and %d were acknowledged", chain.Stream, head.Version, err, chain.Version)
		}
	}
	storetest.MustBeSound(t, s)
}

// TestBaseBackup has a database opened while it is copied: whoever copies it is no standby.
func TestBaseBackup(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	_, schema := c.Empty(t)
	c.MustSQL(t, "create role plain login", "alter schema "+schema+" owner to plain")
	copying := exec.Command(filepath.Join(os.Getenv(pgtest.Variable), "pg_basebackup"), "-h", c.Socket(), "-U",
		"postgres",
		"-D", filepath.Join(t.TempDir(), "copy"), "-X", "stream", "-c", "fast", "--max-rate=32", "--no-sync")
	if err := copying.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = copying.Process.Kill(); _ = copying.Wait() }()
	waitFor(t, func() bool {
		return c.MustSQL(t, "select count(*) from pg_stat_replication where state in ('backup', 'streaming')") == "2"
	})
	s := mustOpen(t, "postgres:///postgres?user=plain&search_path="+schema+"&host="+c.Socket(), Options{})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
