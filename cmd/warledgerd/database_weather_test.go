package main

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestDatabaseFailsOver kills the primary under load and promotes its synchronous standby. Callers who repeat their
// requests get their games, all that was acknowledged is there, and the server was never restarted.
func TestDatabaseFailsOver(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	standby := c.Standby(t)
	c.MustSQL(t, "alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
	until(t, func() bool { return c.MustSQL(t, "select sync_state from pg_stat_replication") == "sync" })
	dsn, _ := c.Empty(t)
	log := new(journal)
	p := launchLogging(t, log, onDatabase(t, strings.Replace(dsn, c.Socket(), c.Socket()+","+standby.Socket(), 1))...)
	games, conn := dial(t, p.grpcAddress())
	defer conn.Close()
	var stop atomic.Bool
	var made [4][]string
	var acknowledged atomic.Int64
	var callers sync.WaitGroup
	for i := range made {
		callers.Go(func() {
			for !stop.Load() {
				request := &v1.CreateGameRequest{RequestId: uuid.NewString(), Ruleset: "rulesets/toy",
					Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}}
				answer, err := games.CreateGame(context.Background(), request)
				for ; err != nil && !stop.Load(); answer, err = games.CreateGame(context.Background(), request) {
					wantRefusal(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
					time.Sleep(20 * time.Millisecond)
				}
				if err == nil {
					made[i] = append(made[i], answer.Game.Name)
					acknowledged.Add(1)
				}
			}
		})
	}
	more := func() {
		t.Helper()
		before := acknowledged.Load()
		until(t, func() bool { return acknowledged.Load() > before+20 })
	}
	more()
	if err := c.Stop("immediate"); err != nil {
		t.Fatal(err)
	}
	standby.Promote(t)
	standby.MustSQL(t, "alter system set synchronous_standby_names = ''", "select pg_reload_conf()")
	more()
	stop.Store(true)
	callers.Wait()
	found := make(map[string]bool)
	for token := ""; ; {
		page, err := games.ListGames(context.Background(), &v1.ListGamesRequest{PageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range page.Games {
			found[g.Name] = true
		}
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	for _, names := range made {
		for _, name := range names {
			if !found[name] {
				t.Errorf("%s was acknowledged, and is not there", name)
			}
		}
	}
	p.interrupt()
	if strings.Contains(log.String(), "needs it to itself") {
		t.Error("the server lost the database to itself")
	}
}

// TestSlowDatabase has every answer of the database take a while: calls take longer, and none fails.
func TestSlowDatabase(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	proxy := c.NewProxy(t)
	p := launch(t, onDatabase(t, strings.Replace(dsn, c.Socket(), proxy.Socket(), 1))...)
	games, conn := dial(t, p.grpcAddress())
	defer conn.Close()
	if _, err := create(games); err != nil {
		t.Fatal(err)
	}
	proxy.Slow(500 * time.Millisecond)
	begun := time.Now()
	made, err := create(games)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := games.GetGame(context.Background(), &v1.GetGameRequest{Name: made.Game.Name}); err != nil {
		t.Error(err)
	}
	if code, _ := p.get("/readyz"); code != 200 {
		t.Errorf("/readyz: %d", code)
	}
	if time.Since(begun) < time.Second { // else the test proves nothing
		t.Error("the database was not slow")
	}
	proxy.Slow(0)
	p.interrupt()
}
