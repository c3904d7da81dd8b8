package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestTwoServers has two processes answer the calls about one game by turns. A watch at one of them sees what the other
// stores. Each repeats the other's answers. When one is killed the other goes on. Nobody has the database alone
// meanwhile.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	dsn, _ := database.Cluster(t).Empty(t)
	args := onDatabase(t, dsn)
	first, p := spawn(t, "", args...)
	_, q := spawn(t, "", args...)
	var at [2]v1.GameServiceClient
	for i, address := range []string{p.grpcAddress(), q.grpcAddress()} {
		games, conn := dial(t, address)
		defer conn.Close()
		at[i] = games
	}
	ctx := context.Background()
	one := &player{t: t, rnd: rand.New(rand.NewPCG(3, 1))}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range 40 {
		must(one.step(ctx, at[n%2]))
	}
	g := one.game()
	watch, err := at[1].WatchGame(ctx, &v1.WatchGameRequest{Name: g.name})
	must(err)
	sees := func() {
		t.Helper()
		for last := uint64(0); ; {
			for version := range g.acked {
				last = max(last, version)
			}
			message, err := watch.Recv()
			must(err)
			if r := message.GetRecord(); r != nil && r.Version >= last {
				if r.Hash != g.acked[last] && r.Version == last {
					t.Errorf("the watch saw another record %d", last)
				}
				return
			}
		}
	}
	sees()
	for n := 0; n < 6 && !g.over; n++ {
		before := len(g.acked)
		for len(g.acked) == before { // an undo may be refused
			must(one.step(ctx, at[0]))
		}
		sees()
	}
	for _, games := range at {
		must(one.sendAgain(ctx, games))
		must(one.findAll(ctx, games))
	}
	if _, err := postgres.Open(ctx, dsn, postgres.Options{Lock: postgres.LockAlone}); !errors.Is(err,
		eventstore.ErrLocked) {
		t.Errorf("somebody else gets the database alone: %v", err)
	}
	must(first.Process.Kill())
	_ = first.Wait()
	for range 10 {
		must(one.step(ctx, at[1]))
	}
	must(one.findAll(ctx, at[1]))
}

// TestServersKeepOutOfAMigration wants a server to end with words while somebody has the database alone.
func TestServersKeepOutOfAMigration(t *testing.T) {
	t.Parallel()
	dsn, _ := database.Cluster(t).Empty(t)
	alone, err := postgres.Open(context.Background(), dsn, postgres.Options{Lock: postgres.LockAlone})
	if err != nil {
		t.Fatal(err)
	}
	code, _, errs := tryFor(onDatabase(t, dsn))
	if code != int(failed) || !strings.Contains(errs, "is locked by a program that needs it to itself") ||
		!strings.Contains(errs, "a process on the machine of the database, connected since") ||
		strings.Contains(errs, "hunter2") {
		t.Errorf("it ended with %d, %q", code, errs)
	}
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
	launch(t, onDatabase(t, dsn)...).interrupt()
}
